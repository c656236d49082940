"""The watch's pages over HTTP: what they show, what they hide, and hostile texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from site_server import Site, served
from small_suite import make_suite
from watched_database import watched_work

from assay.core.model import Model
from assay.web.site.access import SiteAccess

SCRIPT = "<script>alert(1)</script>"
OWNER = "owner-secret-of-16"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Twelve days of two models, one of which fell on the last day."""
    with served(watched_work(tmp_path_factory.mktemp("site"))) as running:
        yield running


def test_the_front_page_leads_to_the_two_answers_in_three_clicks(site: Site) -> None:
    """From the COOKED mark to the day, from the flipped case to both answers."""
    front = site.get("/").text
    mark = re.search(r'class="mark cooked" href="(/watch/small/2/2026-03-13)"', front)
    assert mark
    day = site.get(mark[1]).text
    flip = re.search(r'href="(/compare/[\d.]+/[\d.]+)">case-0-0</a>', day)
    assert flip
    compared = site.get(flip[1]).text
    for day_of_answer, word in (("2026-03-12", "right"), ("2026-03-13", "wrong")):
        assert day_of_answer in compared
        assert f"<mark>{word}" in compared


def test_the_front_page_names_what_changed(site: Site) -> None:
    """The model that fell, with both states."""
    text = " ".join(re.sub("<[^>]+>", " ", site.get("/").text).split())
    assert "Changed since 2026-03-12 simulated/falling went from OK to COOKED" in text


def test_two_models_answers_to_a_case_can_be_compared(site: Site) -> None:
    """The last answers of the chosen models stand side by side."""
    assert '<select name="second">' in site.get("/cases/small/case-0-0").text
    text = site.get("/cases/small/case-0-0?first=1&second=2").text
    assert "simulated/steady" in text
    assert "<mark>wrong" in text
    assert site.get("/cases/small/case-0-0?first=1&second=9").status == 404
    assert site.get("/cases/small/case-0-0?first=x").status == 404


@pytest.mark.parametrize(
    "path", ["/", "/watch/small/2", "/watch/small/2/2026-03-13", "/samples/12.10", "/compare/11.10/12.10"]
)
def test_simulated_data_has_its_banner(site: Site, path: str) -> None:
    """On every page, also on pages of one sample."""
    assert '<p class="notice"><strong>Simulated.</strong>' in site.get(path).text


@pytest.mark.parametrize(
    "path",
    [
        "/watch/none/1",
        "/watch/small/99",
        "/watch/small/1/2026-04-01",
        "/watch/small/1/x",
        "/watch/small/1/20260313",
        "/cases/small/none",
        "/samples/999.1",
        "/samples/1",
        "/samples/1.9999999999999999999999",
        "/samples/²",
        "/compare/1.1/x",
        "/previews/1.1",
        "/nothing",
        "/assets/x.js",
    ],
)
def test_unknown_ids_are_pages_of_their_own(site: Site, path: str) -> None:
    """Status 404 and no traceback."""
    page = site.get(quote(path))
    assert page.status == 404
    assert "Traceback" not in page.text


def test_the_policy_forbids_everything_but_the_sites_own_files(site: Site) -> None:
    """No inline script or style is in a page, and the header forbids them."""
    page = site.get("/watch/small/1")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"<style|\sstyle=|\son\w+=", page.text)
    for script in re.findall(r"<script[^>]*>", page.text):
        assert "src=" in script or "application/json" in script


def test_hostile_texts_are_escaped(tmp_path: Path) -> None:
    """Script in answers and in a model's name, right-to-left text and emoji."""
    models = (Model("real", f"{SCRIPT}"), Model("real", "b"))
    work = watched_work(
        tmp_path, models=models, answer=lambda *_: f"{SCRIPT} \u202eevil\u202c \U0001f600", days=7
    )
    with served(work) as running:
        for path in ("/", "/watch/small/1", "/watch/small/1/2026-03-08", "/samples/7.1", "/compare/6.1/7.1"):
            page = running.get(path)
            assert page.status == 200
            assert SCRIPT not in page.text
            assert "imulated" not in page.text
        assert "\U0001f600" in running.get("/samples/7.1").text
        assert 'dir="auto"' in running.get("/samples/7.1").text


def test_a_long_answer_is_cut_and_counted(tmp_path: Path) -> None:
    """An answer of 10 MB makes a small page, also beside another one."""
    work = watched_work(
        tmp_path,
        days=6,
        answer=lambda _, case, day, __: "word " * (2_000_000 if (case, day) == ("case-0-0", 5) else 1),
    )
    with served(work) as running:
        for path in ("/samples/6.0", "/compare/5.0/6.0"):
            page = running.get(path)
            assert page.status == 200
            assert len(page.text) < 400_000
            assert "9,900,000 more characters are not shown" in page.text


def test_private_texts_need_the_owner(tmp_path: Path) -> None:
    """Readers see scores and counts; prompts, answers, evidence and case ids only the owner."""
    suite = make_suite(full=1)
    hidden = tuple(
        replace(use_case, cases=tuple(replace(case, id=f"secret-{case.id}") for case in use_case.cases))
        for use_case in suite.use_cases
    )
    work = watched_work(
        tmp_path,
        suite=replace(suite, visibility="private", use_cases=hidden),
        answer=lambda *_: "the planted answer",
    )
    access = SiteAccess(owner_secret=OWNER)
    paths = ("/", "/watch/small/2", "/watch/small/2/2026-03-13", "/samples/12.10", "/compare/11.10/12.10")
    with served(work, access) as running:
        for path in (*paths, "/cases/small/secret-case-0-0"):
            page = running.get(path)
            assert page.status == 200
            for secret in ("planted", "Question 0", "wanted"):
                assert secret not in page.text, (path, secret)
            if not path.startswith("/cases"):
                assert "secret-case" not in page.text, path
        assert running.post("/sign-in", {"secret": OWNER}).status == 303
        assert "the planted answer" in running.get("/samples/12.10").text
        assert "Question 0" in running.get("/cases/small/secret-case-0-0").text


def test_a_web_page_is_previewed_without_scripts_and_network(tmp_path: Path) -> None:
    """The frame is sandboxed, and the preview's own policy allows no script."""
    work = watched_work(tmp_path, days=6, answer=lambda *_: f"Here: <html><body>{SCRIPT}hello</body></html>")
    with served(work) as running:
        assert '<iframe class="preview" sandbox src="/previews/6.1"' in running.get("/samples/6.1").text
        preview = running.get("/previews/6.1")
        policy = preview.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script" not in policy
        assert policy.endswith("sandbox; frame-ancestors 'self'")
        assert preview.text.startswith('<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Sec')


def test_a_database_without_runs_says_what_to_type(tmp_path: Path) -> None:
    """The front page has no table but the commands to begin with."""
    work = watched_work(tmp_path, days=0)
    with served(work) as running:
        page = running.get("/")
        assert page.status == 200
        assert "assay watch --model PROVIDER/MODEL" in page.text
