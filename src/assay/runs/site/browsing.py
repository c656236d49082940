"""Browsing samples with a filter: a page of a table, or of prompts and answers to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from assay.core.errors import Denied
from assay.results.run_pages import SamplePage
from assay.runs.site.source import SiteSource
from assay.runs.site.watched import Watched
from assay.store.browsing import BrowsedSample, SampleFilter, SamplePlace, SampleWindow, browse
from assay.watch.paired import FLIP

LISTED: Final = 50
"""Samples on one page of the table."""
READ: Final = 10
"""Samples on one page of the reading view."""
SECONDS: Final = 0.04
"""Time after which no further samples are looked at, so that every page appears at once."""


@dataclass(frozen=True, slots=True)
class BrowsedPage:
    """A page of samples: its filter and the stretch of the history that was looked at.

    `flipped` is the watched suite whose flipped cases alone are shown, None for all. `simulated` are the
    names of models in it that are not real. `texts` holds samples by their ids in the reading view; those of
    sealed suites are left out if there is no key.
    """

    chosen: SampleFilter
    window: SampleWindow
    flipped: str | None = None
    simulated: tuple[str, ...] = ()
    texts: Mapping[str, SamplePage] = field(default_factory=dict)


def time_limit(clock: Callable[[], float] = time.monotonic) -> Callable[[], bool]:
    """Return a function that is true once `SECONDS` have passed."""
    end = clock() + SECONDS
    return lambda: clock() >= end


def flipped_cells(watched: Watched) -> dict[int, frozenset[tuple[int, int]]]:
    """Return the cases that moved by a half or more since the use case's last scored day, as on a day's page.

    They are the rows of models and the ordinals of cases, by run.
    """
    stored, judged = watched.verdicts.stored, watched.verdicts.judgement
    history, scores = stored.history, judged.daily.case_scores
    flipped = np.zeros(scores.shape, dtype=bool)
    for model in range(scores.shape[0]):
        for index, (low, high) in enumerate(pairwise(history.starts)):
            scored = np.flatnonzero(judged.daily.fit[model, index])
            last = np.searchsorted(scored, np.arange(history.days)) - 1
            days = np.flatnonzero(last >= 0)
            of_case = scores[model, low:high]
            moved = np.abs(of_case[:, days] - of_case[:, scored[last[days]]]) >= FLIP
            flipped[model, low:high, days] = moved.T
    rows = np.asarray(stored.models)
    by_day: dict[int, frozenset[tuple[int, int]]] = {}
    for day in np.flatnonzero(flipped.any(axis=(0, 1))).tolist():
        models, cases = np.nonzero(flipped[:, :, day])
        by_day[day] = frozenset(zip(rows[models].tolist(), cases.tolist(), strict=True))
    return {run.id: by_day[run.day] for run in history.runs if run.day in by_day}


@dataclass(frozen=True, slots=True)
class BrowseRequest:
    """A request for a page of samples: the filter, and from which place on in which direction.

    With `flipped` only cases that moved by a half or more; with `reading` also the texts.
    """

    chosen: SampleFilter
    before: SamplePlace | None = None
    after: SamplePlace | None = None
    flipped: bool = False
    reading: bool = False


def browse_page(source: SiteSource, request: BrowseRequest) -> BrowsedPage:
    """Return a page of samples, as many as can be found in a short time.

    Raises NotFound for flipped cases of a suite that is not watched.
    """
    chosen, suite, cells = request.chosen, None, None
    if request.flipped:
        suite = chosen.suite or source.watched_names()[0]
        watched = source.watched(suite)
        chosen = replace(chosen, suite=suite)
        cells = watched.once("flipped", partial(flipped_cells, watched))
    limit = READ if request.reading else LISTED
    look = partial(browse, source.engine, chosen, limit=limit, cells=cells)
    window = look(before=request.before, after=request.after, expired=time_limit())
    if request.after is not None and window.newer is None:
        window = look(expired=time_limit())
    texts = _texts(source, window.samples, reveal=chosen.reveal) if request.reading else {}
    simulated = source.simulated(sample.model for sample in window.samples if sample.simulated)
    return BrowsedPage(chosen, window, suite, tuple(simulated), texts)


def _texts(source: SiteSource, chosen: Sequence[BrowsedSample], *, reveal: bool) -> dict[str, SamplePage]:
    """Return samples by their ids, without those of sealed suites whose key is missing."""
    texts: dict[str, SamplePage] = {}
    for _, of_run in groupby(chosen, key=lambda sample: sample.run):
        with suppress(Denied):
            texts |= source.samples(list(of_run), reveal=reveal)
    return texts
