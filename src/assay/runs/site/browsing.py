"""Browsing samples with filters, and the cases that flipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.results.run_pages import SamplePage
from assay.runs.site.watched import Watched
from assay.store.browsing import BrowsedSample, SampleFilter, SamplePlace, SampleWindow, browse

LISTED = 50
"""Samples on one page."""
READ = 10
"""Samples on one page of the reading view."""


@dataclass(frozen=True, slots=True)
class BrowsedPage:
    """A page of samples: the filter, what was found, and the samples with their texts in the reading view."""

    chosen: SampleFilter
    flipped: bool
    window: SampleWindow
    texts: tuple[SamplePage, ...] = ()


def browse_flipped(
    engine: Engine, watched: Watched, chosen: SampleFilter, before: SamplePlace | None, limit: int
) -> SampleWindow:
    """Return samples of cases that moved by a half or more on their model's day, in a watched suite."""
    history = watched.verdicts.stored.history
    chosen = replace(chosen, suite=history.suite)
    window = browse(engine, chosen, before, limit=None)
    mask = watched.once("flipped", lambda: flipped_cells(watched))
    rows = {row: place for place, row in enumerate(watched.verdicts.stored.models)}
    days = {run.id: run.day for run in history.runs}
    kept = [
        sample
        for sample in window.samples
        if sample.run in days
        and sample.model_row in rows
        and mask[rows[sample.model_row], sample.case_ordinal, days[sample.run]]
    ]
    if len(kept) <= limit:
        return replace(window, samples=tuple(kept))
    last = kept[limit - 1]
    return replace(window, samples=tuple(kept[:limit]), continued=SamplePlace(last.run, last.position))


def flipped_cells(watched: Watched) -> npt.NDArray[np.bool_]:
    """Return which cases moved by a half or more since the use case's scored day before.

    The shape is (models, cases, days).
    """
    judged, history = watched.verdicts.judgement, watched.verdicts.stored.history
    scores = judged.daily.case_scores
    flipped = np.zeros(scores.shape, dtype=bool)
    for model in range(scores.shape[0]):
        for index, (low, high) in enumerate(zip(history.starts[:-1], history.starts[1:], strict=True)):
            days = np.flatnonzero(judged.daily.fit[model, index])
            if days.size > 1:
                moved = np.abs(np.diff(scores[model, low:high][:, days], axis=1)) >= 0.5
                flipped[model, low:high, days[1:]] = moved.T
    return flipped


def places(found: Sequence[BrowsedSample]) -> list[SamplePlace]:
    """Return the places of samples."""
    return [SamplePlace(sample.run, sample.position) for sample in found]
