"""The pages of boards and of the frontier, over two simulated models on the causal suite."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from site_server import Site, served
from watched_database import watched_work

from assay.exam.results import results_of_main_judge
from assay.runs.site.source import SiteSource
from assay.runs.work import open_work


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A run of the causal suite with two models."""
    folder = tmp_path_factory.mktemp("boards")
    work = open_work(folder, environment={**os.environ, "ASSAY_DATABASE": str(folder / "assay.db")})
    models = work.models(["simulated/steady", "simulated/degrading"])
    asyncio.run(work.run(work.plan(work.suite("causal"), models)))
    with served(work) as running:
        yield running


def finished_frontier(site: Site, suite: str) -> str:
    """Return the page of a frontier when it no longer loads itself again."""
    for _ in range(600):
        page = site.get(f"/frontier/{suite}").text
        if 'http-equiv="refresh"' not in page:
            return page
        time.sleep(0.1)
    raise AssertionError("the frontier was never finished")


def test_the_list_names_first_place_or_a_tie(site: Site) -> None:
    """One board with both models, and a link to it."""
    text = site.get("/boards").text
    assert 'href="/boards/causal"' in text
    assert "multiple choice" in text
    assert "<strong>Simulated.</strong>" in text
    assert "<bdi>simulated/steady</bdi>" in text


def test_a_board_has_its_standings_and_a_choice_of_two_models(site: Site) -> None:
    """The page is that of the report, with forms and links of the site."""
    page = site.get("/boards/causal")
    assert page.status == 200
    assert "<strong>Simulated.</strong>" in page.text
    assert '<select name="first">' in page.text
    assert 'href="/boards/causal/items"' in page.text
    assert not re.search(r"<style|\sstyle=", page.text)


def test_two_models_are_compared_prompt_by_prompt(site: Site) -> None:
    """Each prompt leads to the two answers, the largest differences first."""
    text = site.get("/boards/causal/compare?first=simulated/steady&second=simulated/degrading").text
    links = re.findall(r'href="(/compare/[\d.]+/[\d.]+)"', text)
    assert len(links) == 100
    compared = site.get(links[0]).text
    assert "simulated/steady" in compared
    assert "simulated/degrading" in compared


def test_two_models_must_be_two_of_the_board(site: Site) -> None:
    """An unknown name, the same one twice, and none at all are pages with the reason."""
    for query, status in (
        ("first=simulated/steady&second=%3Cscript%3E", 404),
        ("", 404),
        ("first=simulated/steady&second=simulated/steady", 422),
    ):
        page = site.get(f"/boards/causal/compare?{query}")
        assert page.status == status, query
        assert "<script>alert" not in page.text
        assert "choose two" in page.text


def test_items_and_the_report_are_pages(site: Site) -> None:
    """Item statistics, and what is known about the ranking; both lead back to the board."""
    items = site.get("/boards/causal/items").text
    assert "These items separate no models here." in items
    assert 'href="/boards/causal">' in items
    report = site.get("/boards/causal/report").text
    assert 'href="/boards/causal">' in report
    assert "Which model is first?" in report
    assert "What this report cannot conclude" in report


@pytest.mark.slow
def test_a_frontier_is_computed_while_the_reader_waits(site: Site) -> None:
    """The first page loads itself again; the next has the slider, its points and the banner."""
    assert 'href="/frontier/causal"' in site.get("/frontier").text
    first = site.get("/frontier/causal").text
    assert 'http-equiv="refresh"' in first
    page = finished_frontier(site, "causal")
    assert 'id="alpha-slider"' in page
    assert '"points":[{"alpha":' in page
    assert "<strong>Simulated.</strong>" in page


def test_what_does_not_exist_is_a_page(site: Site) -> None:
    """Unknown suites and series; nobody waits for a frontier that will never be."""
    for path in (
        "/boards/none",
        "/boards/exam/none",
        "/boards/none/items",
        "/boards/none/report",
        "/boards/none/compare",
        "/frontier/none",
    ):
        page = site.get(path)
        assert page.status == 404, path
        assert "refresh" not in page.text, path


def test_nothing_to_rank_says_what_to_type(tmp_path: Path) -> None:
    """An empty database has no board, and no exam is no error."""
    work = watched_work(tmp_path, days=0)
    with served(work) as running:
        assert "assay run generalist --model" in running.get("/boards").text
        assert "assay run generalist --model" in running.get("/frontier").text
    assert SiteSource(work, results_of_main_judge).boards() == ()


@pytest.mark.slow
def test_private_items_have_no_names(tmp_path: Path) -> None:
    """Nor have they on the board, in its report, its frontier, or beside each other."""
    work = open_work(tmp_path, environment={**os.environ, "ASSAY_DATABASE": str(tmp_path / "assay.db")})
    public = work.suite("causal")
    suite = replace(public, name="hidden", visibility="private", digest="0" * 64)
    names = ["simulated/steady", "simulated/degrading"]
    asyncio.run(work.run(work.plan(suite, work.models(names))))
    compared = f"/boards/hidden/compare?first={names[0]}&second={names[1]}"
    with served(work) as running:
        finished_frontier(running, "hidden")
        paths = (
            "/boards/hidden",
            "/boards/hidden/items",
            "/boards/hidden/report",
            compared,
            "/frontier/hidden",
        )
        for path in paths:
            page = running.get(path)
            assert page.status == 200, path
            assert "refresh" not in page.text
            for case in suite.cases:
                assert case.id not in page.text, (path, case.id)
