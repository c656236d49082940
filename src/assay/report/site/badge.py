"""The status badge of a model: a small SVG image with its state and day."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from datetime import date
from typing import Final

from assay.core.verdict import ModelState
from assay.report.site.feed import shown_name
from assay.report.watch.page import labels
from assay.runs.site.feeds import is_simulated
from assay.runs.site.source import SuiteToday

BADGE_TYPE: Final = "image/svg+xml"
LONGEST: Final = 60
"""Characters of a model's name that a badge shows."""
HEIGHT: Final = 20
PADDING: Final = 7
NAME: Final = ("#2b333a", "#ffffff")
MARKED: Final = ("#fff6dd", "#5c4300")
COLOURS: Final = {
    ModelState.OK: ("#dde9ec", "#2f4f58"),
    ModelState.SUSPICIOUS: ("#f6c95c", "#3f2c00"),
    ModelState.COOKED: ("#b4390b", "#ffffff"),
    ModelState.CALIBRATING: ("#e4e7e9", "#454e56"),
    ModelState.GAP: ("#e4e7e9", "#454e56"),
}
"""The background and the text of each state; their contrast is at least 4.5 (WCAG AA)."""


def model_badge(today: SuiteToday, row: int) -> str:
    """Return the badge of a model by its row. Raises NotFound for a model that was not measured."""
    assert today.watched is not None
    place = today.watched.position(row)
    verdict = today.reports[place].verdict
    name = labels(today.watched.verdicts.names())[place]
    return badge(
        name,
        verdict.state,
        verdict.day,
        held=bool(verdict.held),
        simulated=is_simulated(today.watched, place),
    )


def badge(name: str, state: ModelState, day: date, *, held: bool = False, simulated: bool = False) -> str:
    """Return the badge of a state on a day as SVG.

    `held` says that the state was carried over from an earlier day. Any text may be in the name.
    """
    name = shown_name(name)
    carried = ", carried over" if held else ""
    parts = [
        (name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…", NAME),
        (f"{state} {day}", COLOURS[state]),
    ]
    if simulated:
        parts.append(("SIMULATED", MARKED))
    title = f"{name}: {state}{carried} on {day}{', SIMULATED' if simulated else ''}"
    widths = [text_width(text) + 2 * PADDING for text, _ in parts]
    root = ET.Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": title},
        width=str(sum(widths)),
        height=str(HEIGHT),
    )
    ET.SubElement(root, "title").text = title
    left = 0
    for (text, (background, colour)), width in zip(parts, widths, strict=True):
        ET.SubElement(root, "rect", x=str(left), width=str(width), height=str(HEIGHT), fill=background)
        label = ET.SubElement(
            root,
            "text",
            {"font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11", "text-anchor": "middle"},
            x=str(left + width / 2),
            y="14",
            fill=colour,
            textLength=str(width - 2 * PADDING),
        )
        label.text = text
        left += width
    return ET.tostring(root, encoding="unicode")


def text_width(text: str) -> int:
    """Return the width in pixels that a text is given, at a size of 11; images cannot measure it."""
    return max(1, round(sum(_width(character) for character in text)))


def _width(character: str) -> float:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 12.0
    if character in "iIjl.,:;'|!()[]/ ":
        return 4.0
    return 7.9 if character.isupper() or character in "mwMW@%–—…" else 6.7
