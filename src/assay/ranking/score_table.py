"""Scores of models on items: the start of relative scores, stability, item statistics and predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.exam.hierarchy import SittingMarks
from assay.results.rank import RankSource

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores of M models on N items, 0-1.

    `scores` (M, N) is NaN where a model has no score on an item. `strata` names the group of each item, such
    as its discipline; without groups all items are in one. Raises InvalidInput for fewer than two models, no
    items, a model without a score, or scores outside 0-1.
    """

    models: tuple[str, ...]
    items: tuple[str, ...]
    scores: FloatArray
    strata: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.scores.shape != (len(self.models), len(self.items)) or len(self.strata) != len(self.items):
            raise InvalidInput(
                f"scores have shape {self.scores.shape!r}: give one row per model and one column per item"
            )
        if len(self.models) < 2:
            raise InvalidInput(f"{len(self.models)} models with scores: a ranking needs at least two")
        counts = self.scored.sum(axis=1)
        empty = [model for model, count in zip(self.models, counts, strict=True) if not count]
        if empty:
            raise InvalidInput(f"model {empty[0]!r} has no scores: leave it out")
        outside = self.scores[(self.scores < 0.0) | (self.scores > 1.0)]
        if outside.size:
            raise InvalidInput(f"score {float(outside[0])!r}: give scores from 0 to 1")

    @property
    def scored(self) -> BoolArray:
        """A mask of the cells that have a score, (M, N)."""
        scored: BoolArray = ~np.isnan(self.scores)
        return scored

    @property
    def complete(self) -> bool:
        """Whether every model has a score on every item."""
        return bool(self.scored.all())

    def marks(self) -> SittingMarks:
        """Return the scores as one sitting per model, in which a stratum weighs as much as it has items."""
        codes = {stratum: code for code, stratum in enumerate(dict.fromkeys(self.strata))}
        subject = np.array([codes[stratum] for stratum in self.strata], dtype=np.int64)
        model, item = np.nonzero(self.scored)
        shares = np.tile(np.bincount(subject, minlength=len(codes)).astype(np.float64), (len(self.models), 1))
        return SittingMarks(model, model, item, subject[item], self.scores[model, item], shares)

    def take(self, items: npt.NDArray[np.int64]) -> ScoreTable:
        """Return the table of the items at these places."""
        return ScoreTable(
            self.models,
            tuple(self.items[place] for place in items),
            self.scores[:, items],
            tuple(self.strata[place] for place in items),
        )


@dataclass(frozen=True, slots=True)
class ScoreSource:
    """The scores of a source. `marks` has each sitting's marks where models had several sittings."""

    table: ScoreTable
    about: RankSource
    marks: SittingMarks | None = None

    @classmethod
    def of(
        cls,
        source: str,
        table: ScoreTable,
        notes: Sequence[str] = (),
        *,
        simulated: bool,
        marks: SittingMarks | None = None,
    ) -> ScoreSource:
        """Return a source by its name, with a note on each model that lacks scores after the given notes."""
        items = len(table.items)
        partial = [
            f"{model} has a score on {n:,} of {counted(items, 'item')}"
            for model, n in zip(table.models, table.scored.sum(axis=1), strict=True)
            if n < items
        ]
        about = RankSource(source, simulated, len(table.models), items, (*notes, *partial))
        return cls(table, about, marks)
