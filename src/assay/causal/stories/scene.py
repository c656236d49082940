"""The scenes in which questions are told: who studies what, and the factors that may matter."""

from __future__ import annotations

from dataclasses import dataclass

from assay.causal.stories.language import Noun

FACTORS = 9
"""Factors of each scene: as many as the largest story needs."""


@dataclass(frozen=True, slots=True)
class Action:
    """A treatment or an outcome, which each unit has or lacks.

    `yes` and `no` are predicates in singular and plural that follow "a unit that" and "units that".
    """

    noun: Noun
    yes: tuple[str, str]
    no: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Factor:
    """Something that varies between units; `high` and `low` follow "units with"."""

    noun: Noun
    high: str
    low: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene. Treatment, outcome and factors may each be a cause or an effect of any other.

    `setting` has its article, `units` is the unit's name in singular and plural, `speakers` are two people.
    """

    name: str
    setting: str
    units: tuple[str, str]
    treatment: Action
    outcome: Action
    factors: tuple[Factor, ...]
    speakers: tuple[str, str]


PLACEHOLDERS = Scene(
    "placeholders",
    "an organisation",
    ("unit", "units"),
    Action(Noun("treatment T"), ("received treatment T",) * 2, ("did not receive treatment T",) * 2),
    Action(Noun("outcome Y"), ("had outcome Y",) * 2, ("did not have outcome Y",) * 2),
    tuple(
        Factor(Noun(f"factor {letter}"), f"factor {letter} high", f"factor {letter} low")
        for letter in "BCDFGHJKL"
    ),
    ("the first speaker", "the second speaker"),
)
"""A scene of names that mean nothing, in which the renamed twins of questions are told."""
