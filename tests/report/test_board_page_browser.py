"""The board's page in a real browser: charts, network requests, keyboard, width and contrast."""

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
    """A page in a browser, with its console messages and network requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.console: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"uncaught: {error}"))
        page.on("dialog", lambda dialog: (self.console.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))

    def draw_all(self) -> Opened:
        """Wait until every chart is drawn."""
        self.page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
        return self


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """A function that saves the page of a board and opens it from its file."""
    contexts = []

    def open_page(stored: StoredBoard, *, width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        opened_page = Opened(context.new_page())
        opened_page.page.goto(write_board(stored, tmp_path / "board.html", made=MADE))
        return opened_page

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
        PromptKind(prompt.id, prompt.category, f"sub {place % 6}", prompt.difficulty)
        for place, prompt in enumerate(made.prompts)
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
def test_every_chart_is_drawn_without_console_messages_or_requests(
    opened: Open, stored: StoredBoard, charts: int
) -> None:
    """The charts are the rank ranges and three scatters."""
    opened_page = opened(stored).draw_all()
    assert opened_page.page.locator(".chart svg").count() == charts
    assert opened_page.page.locator("table.standings tbody tr").count() == len(stored.board.standings)
    assert opened_page.console == []
    assert [address.partition(":")[0] for address in opened_page.requests] == ["file"]


def test_pointing_at_a_chart_shows_its_tooltip(opened: Open) -> None:
    """On a line of the rank ranges, and on a point of a scatter."""
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


def test_arrow_keys_move_in_the_table_of_pairs(opened: Open) -> None:
    """The table is one tab stop; each pair shows its tooltip, and Escape hides it."""
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
    """A second click reverses the order; unknown values stay last; the header has the direction."""
    stored = full()
    page = opened(stored).draw_all().page
    table = page.locator("table.standings")
    header = table.locator("thead tr").last.locator("th", has_text="cost")

    def order() -> list[str]:
        return table.locator("tbody th").all_inner_texts()

    before = order()
    assert [name.rpartition("/")[2] for name in before] == [
        standing.model.rpartition("/")[2] for standing in stored.board.standings
    ]
    header.locator("button").click()
    known = sorted(
        (standing for standing in stored.board.standings if standing.usage.cost is not None),
        key=lambda standing: standing.usage.cost or 0,
    )
    names = [standing.model for standing in known]
    unknown = [standing.model for standing in stored.board.standings if standing.usage.cost is None]
    assert order() == names[::-1] + unknown
    assert header.get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert order() == names + unknown
    assert header.get_attribute("aria-sort") == "ascending"
    table.locator("thead button", has_text="Rank").click()
    assert order() == before


def test_markup_in_names_does_not_run(opened: Open) -> None:
    """Names with markup and quotes are shown as text, in tables, charts and tooltips."""
    made = apart(models=(HOSTILE, "b'\"<b>", "c"), judges=(HOSTILE, "j1"))
    opened_page = opened(stored_board(made, title="<img src=x>")).draw_all()
    assert opened_page.page.locator("table.standings tbody th").first.inner_text() == HOSTILE
    opened_page.page.locator(".matrix td[tabindex='0']").focus()
    assert opened_page.page.locator("#tip").inner_text().startswith(HOSTILE)
    assert opened_page.page.locator("img, b b").count() == 0
    assert opened_page.console == []


def test_the_policy_blocks_what_is_not_in_the_page(opened: Open) -> None:
    """An added script does not run, and a fetch is refused."""
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
def test_text_has_enough_contrast(opened: Open, scheme: str) -> None:
    """Cells of the matrix and the heat maps, and quiet text, have a contrast of at least 4.5."""
    page = opened(full(), color_scheme=scheme).draw_all().page
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    ratios = page.evaluate(
        """() => {
            // color-mix() comes back as color(srgb r g b), its parts from 0 to 1.
            const parts = (colour) => {
                const opened_page = colour.match(/[\\d.]+(?:e-?\\d+)?/g).map(Number);
                const scale = colour.startsWith("color(") ? 255 : 1;
                return opened_page.map((v, place) => (place < 3 ? scale * v : v));
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
def test_a_narrow_window_does_not_scroll_sideways(opened: Open, width: int) -> None:
    """Only tables scroll sideways."""
    made = alike(5, 12, 2, models=("a/" + "long" * 20, "provider/vendor/model", "c", "d", "e"))
    page = opened(stored_board(made, title="A title " + "of words " * 12), width=width).draw_all().page
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_everything_is_reached_by_keyboard(opened: Open) -> None:
    """Tab goes through links, sort buttons, scrolling tables, the table of pairs and details."""
    page = opened(full()).draw_all().page
    reached: list[str] = []
    while len(reached) < 200 and "skip" not in reached[1:]:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.className || document.activeElement.tagName"))
    assert {"skip", "A", "BUTTON", "SUMMARY"} <= set(reached)
    assert any(name.startswith("wide") for name in reached)
    assert sum(name in ("better", "worse", "same") for name in reached) == 1


def test_printing_opens_all_details(opened: Open) -> None:
    """No table is cut off on paper."""
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
    """Standings with bars, the table of pairs with tooltips, and a note about JavaScript."""
    page = opened(full(), java_script_enabled=False).page
    assert page.locator("noscript").inner_text().startswith("The charts need JavaScript")
    assert page.locator("table.standings tbody tr").count() == 12
    assert page.locator("table.standings svg.bar circle").count() == 12
    assert "95 %" in (page.locator(".matrix td.better").first.get_attribute("title") or "")
