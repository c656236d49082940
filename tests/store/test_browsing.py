"""Browsing samples: filters, pages in both directions, bounded requests, and what is never searched."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, update
from watched_database import MODELS, add_day

from assay.core.suite import Suite
from assay.store.browsing import SampleFilter, SamplePlace, SampleWindow, browse, errors_by_kind
from assay.store.engine import writing
from assay.store.schema import calls, grades, samples, suites
from assay.store.suites import keep_suite

Everything = SampleFilter()
DAYS = 4
PLACES = [(run, position) for run in range(DAYS, 0, -1) for position in range(19, -1, -1)]
"""All samples of four days of two models and ten cases, newest first."""


def fill(engine: Engine, suite: Suite, days: int = DAYS) -> None:
    """Store days on which the second model is wrong from the third day on."""
    keep_suite(engine, suite, clock=lambda: 0.0)
    for day in range(days):
        add_day(engine, suite, MODELS, day, {1: 2})


@pytest.fixture
def filled_engine(engine: Engine, small_suite: Suite) -> Engine:
    """A database of four days."""
    fill(engine, small_suite)
    return engine


def places(window: SampleWindow) -> list[tuple[int, int]]:
    """Return the places of samples."""
    return [sample.place for sample in window.samples]


def walked(engine: Engine, chosen: SampleFilter = Everything, **options: int) -> list[tuple[int, int]]:
    """Return the places of all samples that pages with links to older ones show."""
    window = browse(engine, chosen, **options)
    seen = places(window)
    while window.older is not None:
        window = browse(engine, chosen, before=window.older, **options)
        seen += places(window)
    return seen


@pytest.mark.parametrize(
    ("limit", "examined"), [(50, 10_000), (7, 10_000), (7, 3), (1, 1), (20, 20), (3, 45)]
)
def test_every_sample_stands_on_one_page(filled_engine: Engine, limit: int, examined: int) -> None:
    """Newest first, however many are listed on a page and examined by a request."""
    assert walked(filled_engine, limit=limit, examined=examined) == PLACES


@pytest.mark.parametrize("examined", [10_000, 5])
def test_pages_lead_back_to_newer_samples(filled_engine: Engine, examined: int) -> None:
    """From the oldest sample on, no sample is left out and none is shown twice."""
    window = browse(filled_engine, Everything, after=SamplePlace(0, 0), limit=7, examined=examined)
    seen = places(window)[::-1]
    while window.newer is not None:
        window = browse(filled_engine, Everything, after=window.newer, limit=7, examined=examined)
        seen += places(window)[::-1]
    assert seen == PLACES[::-1]


def test_the_page_before_is_the_one_that_was_left(filled_engine: Engine) -> None:
    """Older and newer are inverse to each other, also over a stretch without a match."""
    first = browse(filled_engine, Everything, limit=30)
    second = browse(filled_engine, Everything, before=first.older, limit=30)
    back = browse(filled_engine, Everything, after=second.newer, limit=30)
    assert places(back) == places(first)
    wrong = SampleFilter(status="error")
    nothing = browse(filled_engine, wrong, before=SamplePlace(3, 5), examined=10)
    assert (nothing.samples, nothing.newer) == ((), (3, 4))
    assert places(browse(filled_engine, Everything, after=nothing.newer, limit=1)) == [(3, 5)]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (SampleFilter(model="simulated/falling"), [(run, one) for run, one in PLACES if one >= 10]),
        (SampleFilter(model="simulated/none"), []),
        (SampleFilter(suite="small", run=2), [(run, one) for run, one in PLACES if run == 2]),
        (SampleFilter(suite="other"), []),
        (SampleFilter(first_day="2026-03-05"), PLACES[:20]),
        (SampleFilter(last_day="2026-03-02"), PLACES[60:]),
        (SampleFilter(use_case="use-1", run=1), [(1, one) for one in range(19, -1, -1) if one % 10 >= 5]),
        (SampleFilter(case="case-0-3"), [(run, one) for run, one in PLACES if one % 10 == 3]),
        (SampleFilter(case="case-9-9"), []),
        (SampleFilter(status="ok", run=4), [(4, one) for one in (*range(19, 4, -1), 3)]),
        (SampleFilter(status="ungraded"), [(4, 2)]),
        (SampleFilter(status="error"), [(4, 1)]),
        (SampleFilter(status="invalid"), [(4, 0)]),
        (
            SampleFilter(grader="contains", most=0.4),
            [(run, one) for run in (4, 3) for one in range(19, 9, -1)],
        ),
        (SampleFilter(least=0.6, run=3), [(3, one) for one in range(9, -1, -1)]),
        (SampleFilter(grader="none"), []),
        (SampleFilter(text="WRONG", run=4), [(4, one) for one in range(19, 9, -1)]),
        (SampleFilter(text="100%_sure"), [(4, 3)]),
        (SampleFilter(text="100% sure"), []),
        (SampleFilter(text="r_ght"), []),
        (SampleFilter(text="'; DROP TABLE samples; --"), []),
    ],
)
def test_filters_find_their_samples(
    filled_engine: Engine, chosen: SampleFilter, expected: list[tuple[int, int]]
) -> None:
    """By model, suite, day, use case, case, status, grade and text; wildcards and SQL are plain text."""
    changes = (
        {"status": "invalid", "score": 0.0},
        {"status": "error", "score": None},
        {"score": None},
    )
    with writing(filled_engine) as connection:
        here = samples.c.run == 4
        for position, values in enumerate(changes):
            connection.execute(update(samples).where(here, samples.c.position == position).values(**values))
        connection.execute(
            update(samples).where(here, samples.c.position == 4).values(sealed=b"x", score=None)
        )
        connection.execute(
            update(calls).where(calls.c.run == 4, calls.c.position == 3).values(answer="I am 100%_sure.")
        )
        connection.execute(
            update(grades).where(grades.c.run == 4, grades.c.position == 4).values(value=None, reason="x")
        )
    if chosen.status == "ok":
        expected = sorted({*expected, (4, 4)}, reverse=True)  # a sealed score is one
    assert walked(filled_engine, chosen) == expected
    assert walked(filled_engine, chosen, limit=2, examined=9) == expected


def test_a_text_of_a_failed_attempt_is_not_the_answer(filled_engine: Engine) -> None:
    """Only the answers that pages show are searched."""
    with writing(filled_engine) as connection:
        connection.execute(update(calls).where(calls.c.run == 4).values(status="error"))
    assert walked(filled_engine, SampleFilter(text="answer", first_day="2026-03-05")) == []


@pytest.mark.parametrize("chosen", [SampleFilter(text="answer"), SampleFilter(case="case-0-0")])
def test_texts_and_cases_of_private_suites_are_not_searched(engine: Engine, chosen: SampleFilter) -> None:
    """A match would reveal them; only those who may see them can search them."""
    suite = make_suite()
    private = replace(suite, name="secret", digest="d" * 64, visibility="private")
    fill(engine, suite, 1)
    fill(engine, private, 1)
    found = browse(engine, chosen)
    assert {sample.suite for sample in found.samples} == {"small"}
    assert {sample.suite for sample in browse(engine, replace(chosen, reveal=True)).samples} == {
        "small",
        "secret",
    }
    # The place where a search stopped does not depend on a text either.
    stopped = {browse(engine, replace(chosen, suite="secret", text=text)).older for text in ("answer", "no")}
    assert stopped == {None}


def test_sealed_answers_are_not_searched(engine: Engine) -> None:
    """Not even a text that stands in the clear, and not by the owner."""
    fill(engine, replace(make_suite(), visibility="private"), 1)
    with writing(engine) as connection:
        connection.execute(update(suites).values(sealed_with="key"))
    assert walked(engine, SampleFilter(text="answer", reveal=True)) == []
    assert len(walked(engine, SampleFilter(case="case-0-0", reveal=True))) == 2


def test_only_chosen_cells_are_found(filled_engine: Engine) -> None:
    """Cases of models in single runs, in both directions and with a filter."""
    first = browse(filled_engine, SampleFilter(run=4), limit=20).samples
    rows = {sample.model: row for row, sample in ((2, first[0]), (1, first[-1]))}
    falling, steady = rows["simulated/falling"], rows["simulated/steady"]
    cells = {4: {(falling, 3), (steady, 0)}, 2: {(falling, 7)}}
    found = browse(filled_engine, Everything, cells=cells)
    assert places(found) == [(4, 13), (4, 0), (2, 17)]
    assert places(browse(filled_engine, Everything, cells=cells, after=SamplePlace(2, 17))) == [
        (4, 13),
        (4, 0),
    ]
    falling_only = SampleFilter(model="simulated/falling")
    assert places(browse(filled_engine, falling_only, cells=cells)) == [(4, 13), (2, 17)]
    assert places(browse(filled_engine, Everything, cells=cells, limit=2)) == [(4, 13), (4, 0)]
    many = {4: {(row, case) for row in (falling, steady) for case in range(300)}}
    assert places(browse(filled_engine, Everything, cells=many)) == PLACES[:20]


def test_a_search_whose_time_is_over_says_where_it_stopped(engine: Engine) -> None:
    """It examines one chunk at least, and the next request goes on from there."""
    fill(engine, make_suite(cases=60), 3)
    chosen = SampleFilter(case="case-0-0", model="simulated/steady")
    window = browse(engine, chosen, expired=lambda: True)
    assert (places(window), window.older, window.incomplete) == ([(3, 0), (2, 0)], (1, 220), True)
    assert window.last_day == "2026-03-02"
    rest = browse(engine, chosen, before=window.older, expired=lambda: True)
    assert (places(rest), rest.older, rest.incomplete) == ([(1, 0)], None, False)


def test_runs_of_many_suites_are_one_history(engine: Engine) -> None:
    """Also runs without samples and runs of one sample."""
    small, other = make_suite(), replace(make_suite(use_cases=1, cases=1), name="other", digest="e" * 64)
    for suite in (small, other):
        keep_suite(engine, suite, clock=lambda: 0.0)
    for day in range(6):
        add_day(engine, (small, other)[day % 2], MODELS[:1], day, {})
    assert walked(engine, limit=4) == walked(engine) != []
    assert walked(engine, SampleFilter(use_case="use-0"), examined=3) == walked(
        engine, SampleFilter(use_case="use-0")
    )
    assert [sample.suite for sample in browse(engine, Everything, limit=2).samples] == ["other", "small"]


def test_samples_that_are_added_meanwhile_change_no_older_page(engine: Engine, small_suite: Suite) -> None:
    """While another thread writes days, a reader of older pages sees every older sample once."""
    fill(engine, small_suite, 6)
    first = browse(engine, Everything, limit=7)

    def write_days() -> None:
        for day in range(6, 16):
            add_day(engine, small_suite, MODELS, day, {})

    writer = threading.Thread(target=write_days)
    writer.start()
    seen, window = places(first), first
    while window.older is not None:
        window = browse(engine, Everything, before=window.older, limit=7)
        seen += places(window)
    writer.join()
    assert seen == [(run, position) for run in range(6, 0, -1) for position in range(19, -1, -1)]


def test_an_empty_database_has_an_empty_window(engine: Engine) -> None:
    """There is nothing older and nothing newer."""
    assert browse(engine, Everything) == SampleWindow()


def test_failed_attempts_are_counted_by_kind(filled_engine: Engine) -> None:
    """The most frequent first."""
    with writing(filled_engine) as connection:
        for kind, below in (("time-out", 5), ("refused", 2)):
            connection.execute(
                update(calls).where(calls.c.run == 1, calls.c.position < below).values(error=kind)
            )
    assert errors_by_kind(filled_engine, 1) == [("time-out", 3), ("refused", 2)]
    assert errors_by_kind(filled_engine, 2) == []
