"""The board's page in a real browser: it draws, asks nobody for anything, and can be read by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from stored_boards import alike, apart, halves, stored_board

from assay.ranking.board.measured import PromptKind, Status
from assay.report.board.judged import write_board
from assay.runs.board.stored import StoredBoard

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
HOSTILE = "a/<script>alert(1)</script>"


class Opened:
    """A page in a browser, with all that it said on the console and asked of a network."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"uncaught: {error}"))
        page.on("dialog", lambda dialog: (self.said.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.asked.append(request.url))

    def draw_all(self) -> Opened:
        """Wait until every chart is drawn."""
        self.page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
        return self


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Saves the page of a board and opens it from its file."""
    contexts = []

    def open_page(stored: StoredBoard, *, width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.goto(write_board(stored, tmp_path / "board.html", made=MADE))
        return found

    yield open_page
    for context in contexts:
        context.close()


def full() -> StoredBoard:
    """Return a board with errors, invalid answers, unknown costs, an excluded judge, subcategories."""
    made = apart(12, 24, 3, models=tuple(f"provider/vendor/model-{place:02}" for place in range(12)))
    status = made.status.copy()
    status[1, :3], status[2, 4:6] = Status.ERROR, Status.INVALID
    cost = made.cost * np.geomspace(0.1, 50.0, 12)[:, None]
    cost[3, 0] = np.nan
    own = made.own.copy()
    own[4, 1] = True
    prompts = tuple(
        PromptKind(each.id, each.category, f"sub {place % 6}", each.difficulty)
        for place, each in enumerate(made.prompts)
    )
    return stored_board(replace(made, status=status, cost=cost, own=own, prompts=prompts), simulated=True)


@pytest.mark.parametrize(
    ("stored", "charts"),
    [
        (full(), 4),
        (stored_board(halves()), 4),
        (stored_board(alike(1)), 0),
        (stored_board(alike(80, 6), replicates=20), 4),
    ],
    ids=["full", "halves", "one", "many"],
)
def test_every_chart_is_drawn_without_a_word_or_a_request(
    opened: Open, stored: StoredBoard, charts: int
) -> None:
    """Rank ranges and three scatters; nothing on the console, nothing asked of a network."""
    found = opened(stored).draw_all()
    assert found.page.locator(".chart svg").count() == charts
    assert found.page.locator("table.standings tbody tr").count() == len(stored.board.standings)
    assert found.said == []
    assert [address.partition(":")[0] for address in found.asked] == ["file"]


def test_pointing_at_a_chart_shows_its_tooltip(opened: Open) -> None:
    """A line of the rank ranges, and a point of a scatter."""
    page = opened(full()).draw_all().page
    chart = page.locator('[data-chart="ranks"]')
    chart.scroll_into_view_if_needed()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    chart.locator(".mark-rect path").last.hover()
    page.locator("#tip:not([hidden])").wait_for()
    assert "significantly better" in page.locator("#tip").inner_text()
    chart = page.locator('[data-chart="latency"]')
    chart.scroll_into_view_if_needed()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    chart.locator(".mark-symbol path").last.hover()
    page.locator("#tip", has_text="efficiency").wait_for()


def test_the_matrix_is_one_stop_and_arrows_move_in_it(opened: Open) -> None:
    """Each pair is told as it is reached; Escape puts the words away."""
    page = opened(stored_board(apart())).draw_all().page
    page.locator(".matrix td[tabindex='0']").focus()
    tip = page.locator("#tip")
    assert tip.inner_text().startswith("a is better than\nb")
    page.keyboard.press("ArrowRight")
    assert tip.inner_text().startswith("a is better than\nc")
    page.keyboard.press("ArrowDown")
    assert tip.inner_text().startswith("b is better than\nc")
    page.keyboard.press("Home")
    assert tip.inner_text().startswith("b is worse than\na")
    page.keyboard.press("Escape")
    assert tip.is_hidden()


def test_standings_are_sorted_by_any_column(opened: Open) -> None:
    """Twice for the other way round; what is unknown stays last; the header says how it is sorted."""
    stored = full()
    page = opened(stored).draw_all().page
    table = page.locator("table.standings")
    header = table.locator("thead tr").last.locator("th", has_text="cost")

    def order() -> list[str]:
        return table.locator("tbody th").all_inner_texts()

    before = order()
    assert [name.rpartition("/")[2] for name in before] == [
        each.model.rpartition("/")[2] for each in stored.board.standings
    ]
    header.locator("button").click()
    known = sorted(
        (each for each in stored.board.standings if each.usage.cost is not None),
        key=lambda each: each.usage.cost or 0,
    )
    names = [each.model for each in known]
    unknown = [each.model for each in stored.board.standings if each.usage.cost is None]
    assert order() == names[::-1] + unknown
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert order() == names + unknown
    assert header.get_attribute("aria-sort") == "ascending"
    table.locator("thead button", has_text="Rank").click()
    assert order() == before


def test_nothing_typed_by_others_runs(opened: Open) -> None:
    """Names with markup and quotes are shown as they are written, in text, charts and tips."""
    made = apart(models=(HOSTILE, "b'\"<b>", "c"), judges=(HOSTILE, "j1"))
    found = opened(stored_board(made, title="<img src=x>")).draw_all()
    assert found.page.locator("table.standings tbody th").first.inner_text() == HOSTILE
    found.page.locator(".matrix td[tabindex='0']").focus()
    assert found.page.locator("#tip").inner_text().startswith(HOSTILE)
    assert found.page.locator("img, b b").count() == 0
    assert found.said == []


def test_the_policy_stops_what_is_not_in_the_page(opened: Open) -> None:
    """A script put in afterwards does not run, and a fetch goes nowhere."""
    page = opened(stored_board(alike())).draw_all().page
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.broken = true";
            document.body.append(script);
        }"""
    )
    assert page.evaluate("window.broken") is None
    assert page.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(opened: Open, scheme: str) -> None:
    """Cells of the matrix and the heat maps, and quiet text, have a contrast of at least 4.5."""
    page = opened(full(), color_scheme=scheme).draw_all().page
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    ratios = page.evaluate(
        """() => {
            // color-mix() comes back as color(srgb r g b), its parts from 0 to 1.
            const parts = (colour) => {
                const found = colour.match(/[\\d.]+(?:e-?\\d+)?/g).map(Number);
                const scale = colour.startsWith("color(") ? 255 : 1;
                return found.map((v, place) => (place < 3 ? scale * v : v));
            };
            const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
                .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
                .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
            const behind = (element) => {
                for (let each = element; each; each = each.parentElement) {
                    const colour = parts(getComputedStyle(each).backgroundColor);
                    if (colour[3] !== 0) return colour;
                }
            };
            const texts = ".matrix td:not(.self), .heat, .heat small, .key, .quiet, .note, .zero, .own, "
                + "thead th, dt";
            return [...document.querySelectorAll(texts)].map((element) => {
                const [a, b] = [parts(getComputedStyle(element).color), behind(element)].map(light);
                return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.className];
            });
        }"""
    )
    assert len(ratios) > 300
    assert min(ratios)[0] >= 4.5, min(ratios)


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_window_needs_no_sideways_scrolling(opened: Open, width: int) -> None:
    """Tables scroll in themselves; the page does not."""
    made = alike(5, 12, 2, models=("a/" + "long" * 20, "provider/vendor/model", "c", "d", "e"))
    page = opened(stored_board(made, title="A title " + "of words " * 12), width=width).draw_all().page
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_all_that_scrolls_or_opens_is_reached_by_keyboard(opened: Open) -> None:
    """Tab goes through links, sort buttons, tables that scroll, the matrix and what unfolds."""
    page = opened(full()).draw_all().page
    reached: list[str] = []
    while len(reached) < 200 and "skip" not in reached[1:]:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.className || document.activeElement.tagName"))
    assert {"skip", "A", "BUTTON", "SUMMARY"} <= set(reached)
    assert any(name.startswith("wide") for name in reached)
    assert sum(name in ("better", "worse", "same") for name in reached) == 1


def test_printing_unfolds_everything(opened: Open) -> None:
    """What is folded on a screen is on paper, and no table is cut off."""
    page = opened(full()).draw_all().page
    assert page.locator("details[open]").count() == 0
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.set_viewport_size({"width": 1030, "height": 700})
    wide = page.evaluate(
        "[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth).length"
    )
    assert wide == 0


def test_without_scripts_the_tables_remain(opened: Open) -> None:
    """Standings with their bars, the matrix with its words, and a note that charts are missing."""
    page = opened(full(), java_script_enabled=False).page
    assert page.locator("noscript").inner_text().startswith("The charts need JavaScript")
    assert page.locator("table.standings tbody tr").count() == 12
    assert page.locator("table.standings svg.bar circle").count() == 12
    assert "95 %" in (page.locator(".matrix td.better").first.get_attribute("title") or "")
