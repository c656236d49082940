"""The phrases in which facts and questions are told, as their data files give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Forms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactPhrases:
    """Sentence forms for each kind of fact, and the names that lists and people may have.

    `kinds` are words for a list, in singular and plural, `list` how one list is called by its name.
    """

    list: str
    kinds: tuple[tuple[str, str], ...]
    names: Forms
    people: Forms
    lists: Forms
    on: Forms
    only_missing_from: Forms
    depends: Forms
    only_independent_of: Forms
    owner: Forms
    recorded: Forms
    unrecorded: Forms
    unknown: Forms
    rules: Forms
    said: Forms
    fillers: Forms

    @property
    def formal(self) -> bool:
        """Whether facts are stated as a list of formulas, in which nobody speaks."""
        return not self.said


@dataclass(frozen=True, slots=True)
class QuestionPhrases:
    """What questions of each kind end with, the verdicts on analysts, and why options are right or wrong."""

    base: Forms
    reflex: Forms
    analysts: Forms
    verdicts: tuple[Forms, ...]
    reasons: Forms
    reason_verdicts: tuple[Forms, ...]
    statements: Forms
    pressure: Forms
    unsettled: Forms
    colleague: str
    true: str
    false: str
    settled: str
    turns_on: str


@dataclass(frozen=True, slots=True)
class ReadingPatterns:
    """The patterns by which stories are read back, by the kind of fact, and the words for a list."""

    kinds: Forms
    patterns: Mapping[str, Forms]
