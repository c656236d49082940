"""The static site: complete, without dangling links, private texts left out, and only changes written."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from small_suite import make_suite
from watched_database import MODELS, add_day, watched_work

from assay.core.errors import InvalidInput
from assay.report.site.export import MANIFEST, write_site
from assay.runs.site.source import SiteSource
from assay.store.suites import find_digest, read_suite


def test_every_link_leads_to_a_file(tmp_path: Path) -> None:
    """Also those to styles, scripts and the icon; anchors are in the file."""
    work = watched_work(tmp_path)
    folder = tmp_path / "site"
    write_site(SiteSource(work), folder)
    pages = list(folder.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text()
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            address, _, anchor = link.partition("#")
            target = (page.parent / unquote(address)).resolve() if address else page
            assert target.is_file(), (page, link)
            if anchor:
                assert f'id="{unquote(anchor)}"' in target.read_text(), (page, link)


def test_a_second_export_writes_only_what_changed(tmp_path: Path) -> None:
    """Nothing at first, and after another day few of the old pages."""
    work = watched_work(tmp_path)
    folder = tmp_path / "site"
    first = write_site(SiteSource(work), folder)
    assert first.written == first.files
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")}
    assert write_site(SiteSource(work), folder).written == 0
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")} == times
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    add_day(work.engine, suite, MODELS, 12, {})
    third = write_site(SiteSource(work), folder, days=3)
    assert third.removed > 0
    assert (folder / "watch/small/2/2026-03-14.html").is_file()
    assert not (folder / "watch/small/2/2026-03-02.html").exists()


def test_planted_secrets_of_a_private_suite_are_in_no_byte(tmp_path: Path) -> None:
    """Prompts, answers, evidence and case ids; names and scores are there."""
    suite = make_suite(full=1)
    hidden = tuple(
        replace(use_case, cases=tuple(replace(case, id=f"planted-{case.id}") for case in use_case.cases))
        for use_case in suite.use_cases
    )
    private = replace(suite, visibility="private", use_cases=hidden)
    work = watched_work(tmp_path, suite=private, answer=lambda *_: "planted answer")
    folder = tmp_path / "site"
    write_site(SiteSource(work), folder)
    everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    names = b" ".join(os.fsencode(path.relative_to(folder)) for path in folder.rglob("*"))
    assert b"simulated/falling" in everything
    for secret in (b"planted", b"Question 0", b'"met"', b">met<"):
        assert secret not in everything
        assert secret not in names


def test_hostile_names_stay_inside_the_folder(tmp_path: Path) -> None:
    """A case named like a path becomes a file with a plain name."""
    suite = make_suite(full=1)
    first = suite.use_cases[0]
    cases = (
        replace(first.cases[0], id="../../../escaped"),
        replace(first.cases[1], id="looks-like.json"),
        *first.cases[2:],
    )
    evil = replace(suite, use_cases=(replace(first, cases=cases), *suite.use_cases[1:]))
    folder = tmp_path / "deep" / "er" / "site"
    write_site(SiteSource(watched_work(tmp_path, suite=evil)), folder)
    assert not list(tmp_path.rglob("*escaped*"))
    day = next((folder / "watch" / "small" / "1").iterdir())
    for link in re.findall(r'href="([^"#]*cases/[^"]+)"', day.read_text()):
        assert (day.parent / unquote(link)).resolve().is_file(), link


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """Nothing of it is overwritten."""
    work = watched_work(tmp_path, days=6)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    with pytest.raises(InvalidInput, match="it has other files"):
        write_site(SiteSource(work), tmp_path / "mine")
    assert (tmp_path / "mine" / "index.html").read_text() == "mine"
    assert not (tmp_path / "mine" / MANIFEST).exists()
