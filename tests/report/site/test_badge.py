"""Badges: valid SVG, escaped, legible, and honest about simulated models."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hostile_names import HOSTILE
from lxml import etree
from watched_database import watched_work

from assay.core.errors import NotFound
from assay.core.verdict import ModelState
from assay.report.site.badge import COLOURS, LONGEST, MARKED, NAME, badge, model_badge, text_width
from assay.runs.site.source import SiteSource

DAY = date(2026, 3, 31)
SVG = "{http://www.w3.org/2000/svg}"


def parts(text: str) -> tuple[etree._Element, list[str]]:
    """Return a badge's root and its shown texts."""
    root = etree.fromstring(text.encode())
    assert root.tag == f"{SVG}svg"
    return root, [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("state", list(ModelState))
def test_a_badge_has_name_state_and_day(state: ModelState) -> None:
    """Also for people who cannot see it."""
    root, shown = parts(badge("openai/gpt-5", state, DAY))
    assert shown == ["openai/gpt-5", f"{state} 2026-03-31"]
    assert root.get("role") == "img"
    assert root.get("aria-label") == f"openai/gpt-5: {state} on 2026-03-31"


def test_a_simulated_badge_says_so() -> None:
    """In a part of its own; a state that was carried over is named so in the label."""
    root, shown = parts(badge("simulated/steady", ModelState.OK, DAY, held=True, simulated=True))
    assert shown[-1] == "SIMULATED"
    assert root.get("aria-label") == "simulated/steady: OK, carried over on 2026-03-31, SIMULATED"


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("pair", [NAME, MARKED, *COLOURS.values()])
def test_colours_have_enough_contrast(pair: tuple[str, str]) -> None:
    """WCAG AA: 4.5 for small text."""
    light, dark = sorted(map(_luminance, pair), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_hostile_names_are_text() -> None:
    """There are only rectangles and texts, whatever the name is."""
    text = badge(HOSTILE, ModelState.COOKED, DAY)
    root, shown = parts(text)
    assert "<script>" not in text
    assert {element.tag for element in root.iter()} == {SVG + tag for tag in ("svg", "title", "rect", "text")}
    assert shown[0].startswith("a</title><script>")


def test_the_width_follows_the_text() -> None:
    """Parts lie side by side, wide characters take more, marks take none, and long names are cut."""
    root, _ = parts(badge("a" * 20, ModelState.OK, DAY, simulated=True))
    left = 0
    for box in root.iter(f"{SVG}rect"):
        assert int(box.get("x", "")) == left
        left += int(box.get("width", ""))
    assert int(root.get("width", "")) == left
    assert text_width("ii") < text_width("aa") < text_width("WW") < text_width("模型")
    assert text_width("é") == text_width("e") == text_width("e\u0301")
    _, shown = parts(badge("x" * 5000, ModelState.OK, DAY))
    assert len(shown[0]) == LONGEST


def test_a_models_badge_has_its_last_state(tmp_path: Path) -> None:
    """Unknown rows are not found."""
    today = SiteSource(watched_work(tmp_path)).today("small")
    _, shown = parts(model_badge(today, 2))
    assert shown == ["simulated/falling", "COOKED 2026-03-13", "SIMULATED"]
    with pytest.raises(NotFound):
        model_badge(today, 3)
