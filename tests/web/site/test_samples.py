"""The list of samples: filters, pages, private suites, hostile texts, and bad input."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from site_server import Site, served
from small_suite import make_suite
from watched_database import watched_work

from assay.core.ask import Message
from assay.core.model import Model
from assay.web.site.access import SiteAccess

OWNER = "owner-secret-of-16"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Twelve days of two models with ten cases: 240 samples."""
    with served(watched_work(tmp_path_factory.mktemp("samples"))) as running:
        yield running


def ids(page: str) -> list[str]:
    """Return the ids of the samples on a page."""
    return re.findall(r'<th scope="row"><a href="/samples/([\d.]+)"', page)


def link(page: str, rel: str) -> str | None:
    """Return the link to the next or previous page."""
    found = re.search(rf'rel="{rel}" href="([^"]+)"', page)
    return unescape(found[1]) if found else None


def test_pages_follow_each_other_without_a_gap(site: Site) -> None:
    """Newest first; every sample stands on one page, and the way back is the same."""
    pages, path = [], "/samples"
    while path:
        pages.append(site.get(path).text)
        path = link(pages[-1], "next") or ""
    seen = [one for page in pages for one in ids(page)]
    assert len(seen) == len(set(seen)) == 240
    assert seen == sorted(seen, key=lambda one: tuple(map(int, one.split("."))), reverse=True)
    assert link(pages[0], "prev") is None
    for page, before in zip(pages[:0:-1], pages[-2::-1], strict=True):
        back = link(page, "prev")
        assert back
        assert ids(site.get(back).text) == ids(before)
    assert "There are no older samples." in pages[-1]


def test_links_keep_the_filter(site: Site) -> None:
    """Also to the other view and back to the newest samples, without the place."""
    query = "model=simulated%2Fsteady&text=right+answer"
    first = site.get(f"/samples?{query}").text
    second = site.get(link(first, "next") or "").text
    assert len(ids(second)) == 50
    links = [unescape(one) for one in re.findall(r'href="(/samples\?[^"]+)"', second)]
    for address in links:
        given = parse_qs(urlsplit(address).query)
        assert given.pop("model") == ["simulated/steady"]
        assert given.pop("text") == ["right answer"]
        assert len(given) <= 1
    assert len(links) == 4


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("model=simulated/falling&from=2026-03-13", 10),
        ("model=simulated/falling&run=12&use_case=use-1", 5),
        ("case=case-1-2&to=2026-03-03", 4),
        ("status=error", 0),
        ("grader=contains&below=0&run=12", 10),
        ("above=0.5&run=12", 10),
        ("text=WRONG", 10),
        ("text=%25", 0),
        ("flipped=yes", 10),
        ("flipped=yes&suite=small&model=simulated/steady", 0),
        ("suite=other", 0),
        ("before=1.5&after=3.3", 5),
    ],
)
def test_filters_find_their_samples(site: Site, query: str, count: int) -> None:
    """By model, day, use case, case, status, grade, text and flip; wildcards are plain text."""
    page = site.get(f"/samples?{query}").text
    assert len(ids(page)) == count
    assert count or "No sample meets the filter." in page


def test_the_reading_view_has_the_texts(site: Site) -> None:
    """Prompt and answer one after the other, which keys walk through; links lead to older ones."""
    text = site.get("/samples?view=read&run=12&model=simulated/falling").text
    assert text.count("wrong answer of simulated/falling") == 10
    assert text.count("<article data-row>") == 10
    assert "Question 0 of use case 0?" in text
    assert "view=read" in (link(site.get("/samples?view=read").text, "next") or "")


def test_the_form_holds_the_filter(site: Site) -> None:
    """What was chosen stays chosen."""
    text = site.get("/samples?status=invalid&text=%22%3E%3Cb%3E&flipped=yes&view=read").text
    assert "<option selected>invalid</option>" in text
    assert '<option value="yes" selected>' in text
    assert 'value="&#34;&gt;&lt;b&gt;"' in text
    assert '<input type="hidden" name="view" value="read">' in text


@pytest.mark.parametrize(
    "query",
    [
        "status=x",
        "from=3/4",
        "from=2026-02-30",
        "run=x",
        "run=1234567890",
        "below=2",
        "above=nan",
        "before=x",
        "before=1.x",
        "before=1.--1",
        "after=1.9999999999999999999",
        "after=1.%C2%B2",
        "text=" + "a" * 201,
        "model=%00",
    ],
)
def test_bad_values_are_one_message(site: Site, query: str) -> None:
    """Status 422 and what to give."""
    page = site.get(f"/samples?{query}")
    assert page.status == 422
    assert "This page cannot be shown" in page.text


def test_flipped_cases_of_an_unwatched_suite_are_not_found(site: Site) -> None:
    """The page says which suite is not watched."""
    page = site.get("/samples?flipped=yes&suite=other")
    assert page.status == 404
    assert "is not watched here" in page.text


def test_private_texts_cannot_be_searched(tmp_path: Path) -> None:
    """Rows of a private suite are listed without cases; text and case find them only for the owner."""
    suite = replace(make_suite(full=1), visibility="private")
    work = watched_work(tmp_path, suite=suite, answer=lambda *_: "planted")
    with served(work, SiteAccess(owner_secret=OWNER)) as running:
        assert len(ids(running.get("/samples").text)) == 50
        for query in ("", "?view=read", "?flipped=yes", "?status=ok"):
            page = running.get(f"/samples{query}").text
            for secret in ("case-0-0", "case-1-4", "planted", "Question"):
                assert secret not in page, (query, secret)
        nothing = running.get("/samples?text=nothing").text
        planted = running.get("/samples?text=planted").text
        assert ids(planted) == []
        assert planted.replace("planted", "nothing") == nothing
        assert "Cases and texts of private suites are not searched." in planted
        assert ids(running.get("/samples?case=case-0-0").text) == []
        running.post("/sign-in", {"secret": OWNER})
        assert len(ids(running.get("/samples?text=planted").text)) == 50
        assert "case-1-4" in running.get("/samples").text
        assert "planted" in running.get("/samples?view=read").text


def test_hostile_texts_are_escaped(tmp_path: Path) -> None:
    """Script in answers, a model's name and a case, right-to-left text and emoji; and real models."""
    suite = make_suite(full=1)
    evil = tuple(
        replace(use_case, cases=tuple(replace(case, id=f"{case.id} {SCRIPT}") for case in use_case.cases))
        for use_case in suite.use_cases
    )
    work = watched_work(
        tmp_path,
        days=1,
        suite=replace(suite, use_cases=evil),
        models=(Model("openrouter", SCRIPT),),
        answer=lambda *_: f"{SCRIPT} \u202eevil\u202c \U0001f600",
    )
    with served(work) as running:
        for query in ("", "?view=read", f"?text={quote(SCRIPT)}", f"?model={quote('openrouter/' + SCRIPT)}"):
            page = running.get(f"/samples{query}")
            assert page.status == 200
            assert SCRIPT not in page.text
            assert len(re.findall("<tr data-row>|<article data-row>", page.text)) == 10
            assert "imulated" not in page.text
        assert "\U0001f600" in running.get("/samples?view=read").text


def test_long_answers_make_a_small_page(tmp_path: Path) -> None:
    """Ten answers of 10 MB and a long prompt, cut and counted; the page stays under 300 KB compressed."""
    letters = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(20_000))
    long = letters * 167
    suite = make_suite(full=1)
    first = suite.use_cases[0]
    cases = (replace(first.cases[0], messages=(Message("user", letters),)), *first.cases[1:])
    suite = replace(suite, use_cases=(replace(first, cases=cases), *suite.use_cases[1:]))
    model = Model("openrouter", "one")
    work = watched_work(tmp_path, days=1, suite=suite, models=(model,), answer=lambda *_: long)
    with served(work) as running:
        page = running.get("/samples?view=read")
        assert page.status == 200
        assert page.text.count("more characters are not shown") == 11
        assert len(gzip.compress(page.text.encode())) < 300_000
        assert running.get(f"/samples?text={quote(letters[5:9])}").status == 200


def test_an_empty_database_says_what_to_type(tmp_path: Path) -> None:
    """In both views; flipped cases are not found."""
    with served(watched_work(tmp_path, days=0)) as running:
        for query in ("", "?view=read", "?before=3.3"):
            page = running.get(f"/samples{query}")
            assert page.status == 200
            assert "assay run SUITE --model PROVIDER/MODEL" in page.text or query == "?before=3.3"
        assert running.get("/samples?flipped=yes").status == 404
