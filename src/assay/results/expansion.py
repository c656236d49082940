"""Expansion of the bank: true-or-false statements made from choice questions and from material."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.runs import Spend
from assay.results.table import Table

_ADDED: Final = Figure("added", meaning="new statements")
_TAKEN: Final = Figure(
    "taken", meaning="statements left out because another question of the bank reads nearly alike"
)


class StatementKeys(StrEnum):
    """The choice of statements: all of them, or all true ones with as many false ones."""

    ALL = "all"
    BALANCED = "balanced"


@dataclass(slots=True)
class StatementTally:
    """The numbers of true and false statements."""

    true: Annotated[int, Figure("true")] = 0
    false: Annotated[int, Figure("false")] = 0

    @property
    def constant_baseline(
        self,
    ) -> Annotated[
        float | None,
        Figure(
            "a constant answer gets",
            meaning="the share of statements that a constant answer gets right; none without statements",
            share=True,
            digits=1,
        ),
    ]:
        """The share of statements that a constant answer gets right, 0-1; None without statements."""
        asked = self.true + self.false
        return max(self.true, self.false) / asked if asked else None


@dataclass(frozen=True, slots=True)
class DisciplineStatements:
    """The statements of one discipline."""

    discipline: Annotated[str, Figure("discipline")]
    counts: Annotated[StatementTally, Flat()]


@dataclass(slots=True)
class ExpandedChoices:
    """The choice questions that were considered.

    `parents` of them were expanded, and the others are counted in `left` by reason. `tallies` counts true and
    false statements, old and new, by discipline.
    """

    keys: Annotated[
        StatementKeys, Figure("keys", meaning="a statement for each option, or as many false as true")
    ]
    parents: Annotated[int, Figure("parents", meaning="choice questions that were expanded")] = 0
    added: Annotated[int, _ADDED] = 0
    known: Annotated[int, Figure("known", meaning="statements that existed before")] = 0
    taken: Annotated[int, _TAKEN] = 0
    left: Annotated[
        Counter[str],
        Figure("left", meaning="choice questions that were not expanded"),
        Listed("reason", "questions"),
    ] = field(default_factory=Counter)
    tallies: Annotated[dict[str, StatementTally], Hidden()] = field(default_factory=dict)

    @property
    def statements(self) -> Annotated[StatementTally, Figure("statements", meaning="of all disciplines")]:
        """The true and the false statements of all disciplines."""
        counts = self.tallies.values()
        return StatementTally(sum(part.true for part in counts), sum(part.false for part in counts))

    @property
    def disciplines(self) -> Annotated[tuple[DisciplineStatements, ...], Figure("disciplines")]:
        """The statements of each discipline, by its code."""
        return tuple(DisciplineStatements(*tally) for tally in sorted(self.tallies.items()))


@dataclass(slots=True)
class ExpandedMaterial:
    """The material from which a model was asked to write statements.

    `unread` questions had no reply or no readable one; the next expansion asks about them again.
    """

    writer: Annotated[str, Figure("writer", meaning="the model that writes statements")]
    verifier: Annotated[str, Figure("verifier", meaning="the model that verifies them blind")]
    run: Annotated[int | None, Figure("run", meaning="none if nothing was asked")] = None
    before: Annotated[int, Figure("before", meaning="materials of earlier expansions")] = 0
    parents: Annotated[int, Figure("parents", meaning="materials of this expansion")] = 0
    added: Annotated[int, _ADDED] = 0
    taken: Annotated[int, _TAKEN] = 0
    dropped: Annotated[
        Counter[str],
        Figure("dropped", meaning="statements that were written and rejected"),
        Listed("reason", "statements"),
    ] = field(default_factory=Counter)
    unread: Annotated[
        Counter[str],
        Figure("unread", meaning="materials without a readable reply"),
        Listed("reason", "questions"),
    ] = field(default_factory=Counter)
    left: Annotated[int, Figure("left", meaning="materials that were not reached")] = 0
    statements: StatementTally = field(default_factory=StatementTally)
    spend: Annotated[Spend, Flat(only=("cost", "unknown_costs"))] = Spend()
    simulated: Annotated[bool, Figure("simulated")] = False
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped early")] = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """The result of an expansion; `material` is None if no model was named."""

    choices: ExpandedChoices
    material: ExpandedMaterial | None


STATEMENTS: Final = Table(DisciplineStatements)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {"bank-expand": (Expansion, "assay bank expand --json")}
