"""Judges' marks beside the marks of a reference, usually people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.results.rank import RankSource

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
MOST_STRATA = 5
"""Judge marks with more different values are put into this many groups of equal size."""


class ReferencedAnswer(NamedTuple):
    """An answer: its item, its model (None if unknown), its number, its round, and its place in the source.

    `round` is the round of marking, None if the source has none. `place` is empty where the item, the model
    and the number say where the answer is.
    """

    item: str
    model: str | None
    generation: int = 0
    round: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceMarks:
    """Marks of J judges on A answers, and the reference's marks.

    `marks` (J, A) and `reference` (A,) are values of the scale, NaN for none. `categories` are its values in
    order, empty for measurements; `names` are their names. `weights` (A,) count in correlations. `costs` has
    each judge's mean cost per mark in US dollars, None if unknown. `settled` answers have their lowest mark
    by rule, such as empty ones: no judge or person was asked.
    """

    judges: tuple[str, ...]
    answers: tuple[ReferencedAnswer, ...]
    marks: FloatArray
    reference: FloatArray
    categories: tuple[float, ...]
    names: tuple[str, ...]
    ordered: bool
    weights: FloatArray
    costs: Mapping[str, float | None] = field(default_factory=dict)
    settled: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @property
    def by_rule(self) -> BoolArray:
        """A mask of the settled answers, (A,)."""
        return self.settled if len(self.settled) else np.zeros(len(self.answers), dtype=np.bool_)

    @property
    def items(self) -> IntArray:
        """The number of each answer's item, (A,)."""
        numbers: dict[str, int] = {}
        return np.array(
            [numbers.setdefault(answer.item, len(numbers)) for answer in self.answers], dtype=np.int64
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The models that answered, by name; none where they are unknown."""
        return tuple(sorted({answer.model for answer in self.answers if answer.model is not None}))

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds of marking in the order of their first answers."""
        return tuple(dict.fromkeys(answer.round for answer in self.answers if answer.round is not None))

    def keep(self, chosen: BoolArray) -> ReferenceMarks:
        """Return the answers of a mask (A,)."""
        places = np.flatnonzero(chosen)
        return replace(
            self,
            answers=tuple(self.answers[place] for place in places),
            marks=self.marks[:, places],
            reference=self.reference[places],
            weights=self.weights[places],
            settled=self.by_rule[places],
        )


def of_model(answers: Sequence[ReferencedAnswer], model: str | None) -> BoolArray:
    """Return the mask of a model's answers."""
    return np.array([answer.model == model for answer in answers], dtype=np.bool_)


def judge_strata(judge: FloatArray) -> FloatArray:
    """Return the stratum of each answer, from the judge's mark: the mark, or its group if there are many.

    Groups have equal sizes as far as ties allow, and are numbered from the lowest marks.
    """
    if len(np.unique(judge)) <= MOST_STRATA:
        return judge
    edges = np.unique(np.quantile(judge, np.arange(1, MOST_STRATA) / MOST_STRATA))
    return np.searchsorted(edges, judge, side="left").astype(np.float64)


@dataclass(frozen=True, slots=True)
class ReferenceSource:
    """The marks that were read, and what is known about their source."""

    marks: ReferenceMarks
    about: RankSource


def describe_source(text: str, marks: ReferenceMarks, notes: Sequence[str], *, simulated: bool) -> RankSource:
    """Return what is published about a source of marks: its name, its counts, and notes on it."""
    models = len(marks.models)
    items = len({answer.item for answer in marks.answers})
    n = int((~np.isnan(marks.reference)).sum())
    first = f"{len(marks.answers):,} answers, {n:,} of them with a mark of the reference"
    return RankSource(text, simulated, models, items, (first, *notes))
