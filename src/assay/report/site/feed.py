"""The Atom feed of changed verdicts (RFC 4287)."""

from __future__ import annotations

import re
import uuid
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from assay.report.frame import SiteFrame
from assay.report.watch.page import labels
from assay.results.figure import utc
from assay.runs.site.feeds import VerdictChange, verdict_changes
from assay.runs.site.source import Overview
from assay.runs.site.watched import Watched

MOST_ENTRIES: Final = 100
FEED_TYPE: Final = "application/atom+xml"
ATOM: Final = "http://www.w3.org/2005/Atom"
SIMULATED: Final = "Simulated: no real model was measured."
_CHANGES: Final = uuid.UUID("0d1d3b0e-6c3c-4c3e-9d55-6a9a3b1f2a41")
"""The namespace of the entries' ids."""
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TURNS_TEXT: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def shown_name(name: str) -> str:
    """Return a name on one line for XML: forbidden characters, and those that turn the direction, are marked.

    A right-to-left name stays as it is; it cannot turn the words after it.
    """
    return " ".join(_TURNS_TEXT.sub("\ufffd", _NOT_XML.sub("\ufffd", name)).split())


def atom_feed(overview: Overview, base: str, site: SiteFrame) -> str:
    """Return the feed of the last changes of verdicts of all watched suites, newest first.

    `base` is the absolute address of the site; `site` is the frame of the feed, live or static. The same
    changes give the same bytes.
    """
    suites = [suite.watched for suite in overview.suites if suite.watched is not None]
    changes = verdict_changes(suites, MOST_ENTRIES)
    address = f"{base.rstrip('/')}/feed.atom"
    feed = ET.Element("feed", xmlns=ATOM)
    _text(feed, "id", address)
    _text(feed, "title", "Changes of verdicts")
    if any(change.simulated for change in changes):
        all_of_them = all(change.simulated for change in changes)
        _text(feed, "subtitle", SIMULATED if all_of_them else "Some of the models are simulated.")
    _text(feed, "updated", _updated(change.day for change in changes))
    ET.SubElement(feed, "link", rel="self", type=FEED_TYPE, href=shown_name(address))
    ET.SubElement(feed, "link", rel="alternate", type="text/html", href=_absolute(base, site, ""))
    _text(ET.SubElement(feed, "author"), "name", "Assay")
    names = {id(watched): labels(watched.verdicts.names()) for watched in suites}
    for change in changes:
        _entry(feed, change, names[id(change.watched)][change.place], base, site)
    ET.indent(feed)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}\n'


def _entry(feed: ET.Element, change: VerdictChange, name: str, base: str, site: SiteFrame) -> None:
    stored = change.watched.verdicts.stored
    suite, entry = stored.suite, ET.SubElement(feed, "entry")
    before = "first verdict" if change.before is None else f"was {change.before}"
    marked = "[simulated] " if change.simulated else ""
    when = _midnight(change.day)
    _text(entry, "id", _entry_id(change))
    _text(entry, "title", f"{marked}{name}: {change.after} ({before})")
    _text(entry, "updated", when)
    _text(entry, "published", when)
    page = site.watch(suite.name, change.row, change.day)
    ET.SubElement(entry, "link", rel="alternate", type="text/html", href=_absolute(base, site, page))
    ET.SubElement(entry, "category", term=change.after.value)
    if change.simulated:
        ET.SubElement(entry, "category", term="simulated")
    sentences = [f"{name} is {change.after} ({before}) on {change.day}, suite {suite.name} {suite.version}."]
    sentences += _falls(("Cooked", change.cooked), ("Suspicious", change.suspicious))
    if change.simulated:
        sentences.append(SIMULATED)
    _text(entry, "summary", " ".join(sentences))


def _falls(*kinds: tuple[str, Sequence[str]]) -> list[str]:
    return [f"{word}: {', '.join(titles)}." for word, titles in kinds if titles]


def _entry_id(change: VerdictChange) -> str:
    """Return the permanent id of a change. It depends on what changed, not on the address of the site."""
    suite: Watched = change.watched
    stored = suite.verdicts.stored
    model = stored.history.subjects[change.place].name
    parts = (stored.suite.name, stored.suite.version, str(change.row), model, str(change.day), change.after)
    return uuid.uuid5(_CHANGES, "\n".join(parts)).urn


def _absolute(base: str, site: SiteFrame, path: str) -> str:
    """Return the absolute address of a page; its path in a static site ends in `.html`."""
    return shown_name(f"{base.rstrip('/')}/{site.to(path).lstrip('/')}")


def _updated(days: Iterable[date]) -> str:
    """Return when the feed last changed; the beginning of 1970 for an empty one."""
    return _midnight(max(days, default=date(1970, 1, 1)))


def _midnight(day: date) -> str:
    return utc(datetime.combine(day, time(), UTC))


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = shown_name(text)
