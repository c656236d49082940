"""The Atom feed: valid, stable, escaped, and honest about simulated models."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hostile_names import HOSTILE
from lxml import etree
from small_suite import make_suite
from watched_database import watched_work

from assay.core.model import Model
from assay.report.frame import SiteFrame
from assay.report.site.feed import ATOM, MOST_ENTRIES, atom_feed, shown_name
from assay.runs.site.source import SiteSource
from assay.runs.work import Work

BASE = "https://example.org/assay/"
NAMES = {"a": ATOM}


def feed_of(work: Work, *, live: bool = True, base: str = BASE) -> tuple[str, etree._Element]:
    """Return the text of a feed and its parsed document."""
    text = atom_feed(SiteSource(work).overview(), base, SiteFrame("feed.atom", live=live))
    return text, etree.fromstring(text.encode())


def texts(element: etree._Element, path: str) -> list[str]:
    """Return the texts or attributes at a path."""
    return [str(found) for found in element.xpath(path, namespaces=NAMES)]  # type: ignore[union-attr]


def test_a_feed_has_what_atom_requires(tmp_path: Path) -> None:
    """RFC 4287: id, title and updated of feed and entries, an author, and links; times are RFC 3339."""
    text, feed = feed_of(watched_work(tmp_path))
    assert text.startswith(
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
    )
    assert feed.tag == f"{{{ATOM}}}feed"
    for path in ("a:id", "a:title", "a:updated", "a:author/a:name"):
        assert len(texts(feed, f"{path}/text()")) == 1, path
    assert texts(feed, "a:link[@rel='self']/@href") == [f"{BASE}feed.atom"]
    (entry,) = feed.findall("a:entry", NAMES)
    for path in ("a:id", "a:title", "a:updated", "a:published", "a:summary"):
        assert len(texts(entry, f"{path}/text()")) == 1, path
    for time in texts(feed, "//a:updated/text() | //a:published/text()"):
        assert datetime.fromisoformat(time).utcoffset() is not None
    assert uuid.UUID(texts(entry, "a:id/text()")[0]).version == 5


def test_an_entry_leads_to_the_models_day(tmp_path: Path) -> None:
    """Live pages have no ending, those of a static site have one."""
    work = watched_work(tmp_path)
    for live, address in ((True, "watch/small/2/2026-03-13"), (False, "watch/small/2/2026-03-13.html")):
        _, feed = feed_of(work, live=live)
        assert texts(feed, "a:entry/a:link/@href") == [BASE + address]
    _, feed = feed_of(work, base="http://[::1]:8080")
    assert texts(feed, "a:entry/a:link/@href") == ["http://[::1]:8080/watch/small/2/2026-03-13"]


def test_simulated_changes_say_so(tmp_path: Path) -> None:
    """In title, text, category and subtitle; changes of real models do not."""
    _, feed = feed_of(watched_work(tmp_path))
    (title,), (summary,) = texts(feed, "a:entry/a:title/text()"), texts(feed, "a:entry/a:summary/text()")
    assert title == "[simulated] simulated/falling: COOKED (was OK)"
    assert summary.startswith("simulated/falling is COOKED (was OK) on 2026-03-13, suite small 1. Cooked: ")
    assert summary.endswith("Simulated: no real model was measured.")
    assert texts(feed, "a:entry/a:category/@term") == ["COOKED", "simulated"]
    assert texts(feed, "a:subtitle/text()") == ["Simulated: no real model was measured."]
    (tmp_path / "real").mkdir()
    real = watched_work(tmp_path / "real", models=[Model("real", "a"), Model("real", "b")])
    assert "imulated" not in feed_of(real)[0]


def test_ids_are_permanent(tmp_path: Path) -> None:
    """They do not depend on the site's address, and differ between changes; the newest change comes first."""
    work = watched_work(tmp_path, days=9, fell_on={0: 6, 1: 8})
    ids = {
        base: texts(feed_of(work, base=base)[1], "a:entry/a:id/text()")
        for base in (BASE, "http://127.0.0.1:8080/")
    }
    _, feed = feed_of(work)
    assert texts(feed, "a:entry/a:updated/text()") == ["2026-03-10T00:00:00Z", "2026-03-08T00:00:00Z"]
    assert texts(feed, "a:updated/text()") == ["2026-03-10T00:00:00Z"]
    first, second = ids.values()
    assert first == second
    assert len(set(first)) == len(first) == 2
    assert feed_of(work)[0] == feed_of(work)[0]


def test_hostile_names_are_text(tmp_path: Path) -> None:
    """Markup, characters that XML forbids, and those that turn the direction of the text."""
    models = [Model("real", HOSTILE), Model("real", "b")]
    suite = replace(make_suite(full=1), title=HOSTILE, name="small & <b>")
    work = watched_work(tmp_path, models=models, suite=suite, fell_on={0: 11})
    text, feed = feed_of(work, base='https://example.org/"><x>/')
    assert "<script>" not in text
    assert "\u202e" not in text
    (title,) = texts(feed, "a:entry/a:title/text()")
    assert title.startswith("real/a</title><script>alert(1)</script>\"'&\\ {b=")
    assert "العربية" in title
    assert title.endswith(": COOKED (was OK)")


def test_a_feed_has_the_last_changes_only(tmp_path: Path) -> None:
    """At most a hundred."""
    overview = SiteSource(watched_work(tmp_path, days=7)).overview()
    many = replace(overview, suites=overview.suites * 101)
    feed = etree.fromstring(atom_feed(many, BASE, SiteFrame("feed.atom", live=True)).encode())
    assert len(feed.findall("a:entry", NAMES)) == MOST_ENTRIES == 100


def test_a_database_without_runs_has_an_empty_feed(tmp_path: Path) -> None:
    """It is valid, and it has a time."""
    _, feed = feed_of(watched_work(tmp_path, days=0))
    assert texts(feed, "a:updated/text()") == ["1970-01-01T00:00:00Z"]
    assert feed.findall("a:entry", NAMES) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\nb\tc", "a b c"), ("a\x00\x1f\ufffe", "a\ufffd\ufffd\ufffd"), ("\u202ea\u2069", "\ufffda\ufffd")],
)
def test_names_are_shown_on_one_line(name: str, shown: str) -> None:
    """Characters that are not allowed are marked."""
    assert shown_name(name) == shown
