"""The list of samples: filters, older pages, private suites, and bad input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from site_server import Site, served
from small_suite import make_suite
from watched_database import MODELS, add_day, watched_work

from assay.store.browsing import SampleFilter, SamplePlace, browse
from assay.store.suites import find_digest, read_suite
from assay.web.site.access import SiteAccess

OWNER = "owner-secret-of-16"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Twelve days of two models with ten cases: 240 samples."""
    with served(watched_work(tmp_path_factory.mktemp("samples"))) as running:
        yield running


def ids(page: str) -> list[str]:
    """Return the ids of the samples on a page."""
    return re.findall(r'<th scope="row"><a href="/samples/([\d.]+)"', page)


def test_pages_follow_each_other_without_a_gap(site: Site) -> None:
    """Newest first; every sample stands on one page."""
    path, seen = "/samples", list[str]()
    for _ in range(10):
        text = site.get(path).text
        seen += ids(text)
        older = re.search(r'rel="next" href="([^"]+)"', text)
        if not older:
            break
        path = older[1].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 240
    assert seen == sorted(seen, key=lambda one: tuple(map(int, one.split("."))), reverse=True)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("model=simulated/falling&from=2026-03-13", 10),
        ("model=simulated/falling&run=12&use_case=use-1", 5),
        ("case=case-1-2&to=2026-03-03", 4),
        ("status=error", 0),
        ("grader=contains&below=0&run=12", 10),
        ("text=WRONG", 10),
        ("text=%25", 0),
        ("flipped=yes", 10),
        ("suite=other", 0),
    ],
)
def test_filters_find_their_samples(site: Site, query: str, count: int) -> None:
    """By model, day, use case, case, status, grader, text and flip; wildcards are plain text."""
    assert len(ids(site.get(f"/samples?{query}").text)) == count


def test_the_reading_view_has_the_texts(site: Site) -> None:
    """Prompt and answer one after the other."""
    text = site.get("/samples?view=read&run=12&model=simulated/falling").text
    assert text.count("wrong answer of simulated/falling") == 10
    assert "Question 0 of use case 0?" in text


@pytest.mark.parametrize(
    "query", ["status=x", "from=3/4", "run=x", "below=2", "before=x", "before=1.x", "text=" + "a" * 201]
)
def test_bad_values_are_one_message(site: Site, query: str) -> None:
    """Status 422 and what to give."""
    page = site.get(f"/samples?{query}")
    assert page.status == 422
    assert "This page cannot be shown" in page.text


def test_private_texts_cannot_be_searched(tmp_path: Path) -> None:
    """Rows of a private suite are listed without cases; text and case find them only for the owner."""
    work = watched_work(
        tmp_path, suite=replace(make_suite(full=1), visibility="private"), answer=lambda *_: "planted"
    )
    with served(work, SiteAccess(owner_secret=OWNER)) as running:
        assert len(ids(running.get("/samples").text)) == 50
        assert "case-0-0" not in running.get("/samples").text
        assert ids(running.get("/samples?text=planted").text) == []
        assert ids(running.get("/samples?case=case-0-0").text) == []
        running.post("/sign-in", {"secret": OWNER})
        assert len(ids(running.get("/samples?text=planted").text)) == 50
        assert "case-0-0" in running.get("/samples").text


def test_a_request_examines_a_bounded_number_of_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rare sample is found by going on from where the last request stopped, also within one run."""
    monkeypatch.setattr("assay.store.browsing.EXAMINED", 7)
    work = watched_work(tmp_path, days=3)
    chosen, before, found, requests = SampleFilter(case="case-0-3"), None, [], 0
    while True:
        window = browse(work.engine, chosen, before)
        assert window.examined <= 7
        found += [SamplePlace(one.run, one.position) for one in window.samples]
        requests += 1
        if window.continued is None:
            break
        before = window.continued
    assert found == [(3, 13), (3, 3), (2, 13), (2, 3), (1, 13), (1, 3)]
    assert requests > 8


def test_a_run_that_is_added_meanwhile_changes_no_older_page(tmp_path: Path) -> None:
    """Older pages begin at a place, not at a number of rows."""
    work = watched_work(tmp_path, days=6)
    first = browse(work.engine, SampleFilter(), None, 20)
    add_day(work.engine, read_suite(work.engine, find_digest(work.engine, "small")), MODELS, 6, {})
    second = browse(work.engine, SampleFilter(), first.continued, 20)
    assert (second.samples[0].run, second.samples[0].position) == (5, 19)
