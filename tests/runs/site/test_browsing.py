"""Browsing with texts, with the names of simulated models, and over the cases that flipped."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from small_suite import make_suite
from sqlalchemy import update
from watched_database import watched_work

from assay.core.model import Model
from assay.runs.site.browsing import SECONDS, BrowseRequest, browse_page, flipped_cells, time_limit
from assay.runs.site.source import SiteSource
from assay.runs.site.watched import model_day
from assay.store.browsing import SampleFilter, SamplePlace
from assay.store.engine import writing
from assay.store.schema import samples, suites


def test_flipped_cells_are_those_of_each_days_page(tmp_path: Path) -> None:
    """Every model's cases that moved on a day, also on a day with errors and on the one after it."""
    work = watched_work(tmp_path, days=9, fell_on={0: 4, 1: 7})
    with writing(work.engine) as connection:
        failed = {"status": "error", "score": None}
        connection.execute(update(samples).where(samples.c.run == 8).values(**failed))
        half = (samples.c.run == 5) & (samples.c.position < 3)
        connection.execute(update(samples).where(half).values(**failed))
    watched = SiteSource(work).watched("small")
    history = watched.verdicts.stored.history
    cells = flipped_cells(watched)
    expected = {
        run.id: {
            (row, history.cases.index(case.case))
            for row in watched.verdicts.stored.models
            for case in model_day(watched, row, history.date_of(run.day)).cases
            if case.flipped
        }
        for run in history.runs
    }
    assert {run: set(found) for run, found in cells.items()} == {
        run: found for run, found in expected.items() if found
    }
    assert set(cells) == {6, 9}


def test_flipped_cases_are_browsed_with_a_filter(tmp_path: Path) -> None:
    """Those of the watched suite, or of the one that the filter names."""
    source = SiteSource(watched_work(tmp_path))
    found = browse_page(source, BrowseRequest(SampleFilter(), flipped=True))
    assert {sample.id for sample in found.window.samples} == {f"12.{place}" for place in range(10, 20)}
    assert found.flipped == "small"
    request = BrowseRequest(SampleFilter(model="simulated/steady"), flipped=True)
    assert browse_page(source, request).window.samples == ()


def test_a_page_that_ends_at_the_newest_sample_is_full(tmp_path: Path) -> None:
    """Going to newer samples ends on the first page, not on a part of it."""
    source = SiteSource(watched_work(tmp_path, days=6))
    found = browse_page(source, BrowseRequest(SampleFilter(), after=SamplePlace(6, 9)))
    assert (len(found.window.samples), found.window.newer) == (50, None)


def test_texts_of_a_sealed_suite_are_left_out_without_its_key(tmp_path: Path) -> None:
    """The samples themselves are listed."""
    work = watched_work(tmp_path, days=1)
    with writing(work.engine) as connection:
        connection.execute(update(suites).values(sealed_with="key", visibility="private", content=b"x"))
        connection.execute(update(samples).values(sealed=b"x", score=None))
    found = browse_page(SiteSource(work), BrowseRequest(SampleFilter(reveal=True), reading=True))
    assert (len(found.window.samples), found.texts) == (10, {})


def test_only_simulated_models_are_called_so(tmp_path: Path) -> None:
    """A real model in a run with a simulated one is real."""
    models = (Model("simulated", "one"), Model("openrouter", "two"))
    source = SiteSource(watched_work(tmp_path, days=1, models=models))
    assert browse_page(source, BrowseRequest(SampleFilter())).simulated == ("simulated/one",)


def test_the_reading_view_has_texts_in_order(tmp_path: Path) -> None:
    """Those of a private suite are hidden without the role."""
    suite = replace(make_suite(full=1), visibility="private")
    source = SiteSource(watched_work(tmp_path, days=2, suite=suite))
    for reveal in (False, True):
        found = browse_page(source, BrowseRequest(SampleFilter(reveal=reveal), reading=True))
        assert list(found.texts) == [f"2.{position}" for position in range(19, 9, -1)]
        assert {text.hidden for text in found.texts.values()} == {not reveal}


def test_the_time_of_a_search_is_limited() -> None:
    """By the clock."""
    times = itertools.chain([0.0, SECONDS / 2], itertools.repeat(SECONDS))
    expired = time_limit(lambda: next(times))
    assert [expired(), expired()] == [False, True]
