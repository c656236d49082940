"""The watch's page in a real browser: charts, network requests, keyboard, width and contrast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from small_suite import make_suite

from assay.report.watch.page import save_verdicts
from assay.runs.watch.verdicts import Verdicts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MakeVerdicts = Callable[..., Verdicts]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
HOSTILE = "simulated/<script>alert(1)</script>"


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

    def draw_all(self) -> None:
        """Wait until every chart is drawn, without scrolling."""
        self.page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """A function that saves the page of some verdicts and opens it from its file."""
    contexts = []

    def open_page(verdicts: Verdicts, *, width: int = 1280, before: str = "", **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        context.add_init_script(before)
        opened_page = Opened(context.new_page())
        opened_page.page.goto(save_verdicts(verdicts, tmp_path / "report.html", made=MADE))
        return opened_page

    yield open_page
    for context in contexts:
        context.close()


def test_every_chart_is_drawn_without_console_messages_or_requests(
    verdicts: MakeVerdicts, opened: Open
) -> None:
    """Steady and fallen models, gaps, changed routing, late starts, use cases without a score."""
    made = verdicts(
        days=30,
        models=("a/calm", "a/fallen", "b/absent", "b/elsewhere"),
        suite=make_suite(use_cases=3, full=1),
        falls={1: 25},
        errors=[(0, 12)],
        absent=[(2, 0), (2, 1), (2, 29)],
        elsewhere=[(3, 28), (3, 29)],
        ungraded=[2],
    )
    opened_page = opened(made)
    opened_page.draw_all()
    assert opened_page.page.locator(".chart svg").count() == 4 * (2 + 1)
    assert opened_page.console == []
    assert [address.partition(":")[0] for address in opened_page.requests] == ["file"]


def test_printing_draws_every_chart(verdicts: MakeVerdicts, opened: Open) -> None:
    """Before printing, the remaining charts are drawn and all details are opened."""
    made = verdicts(days=12, models=("a/x", "a/y", "a/z"))
    opened_page = opened(made, before="window.requestIdleCallback = () => {}")
    assert opened_page.page.locator(".chart:not([data-drawn])").count() > 0
    opened_page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened_page.draw_all()
    assert opened_page.page.locator("details:not([open])").count() == 0


def test_flagged_days_and_gaps_are_marked(verdicts: MakeVerdicts, opened: Open) -> None:
    """The numbers of diamonds, triangles and dashes are those of the states."""
    made = verdicts(
        days=24, models=("a/fallen",), suite=make_suite(use_cases=1, full=1), falls={0: 20}, errors=[(0, 9)]
    )
    states = [report.verdict.use_cases[0].state.name for report in made.history(0)]
    opened_page = opened(made)
    opened_page.draw_all()
    chart = opened_page.page.locator(".chart[data-use-case]")
    assert chart.locator('path[fill="var(--cooked)"]').count() == states.count("COOKED") > 0
    assert chart.locator('path[fill="var(--suspicious)"]').count() == states.count("SUSPICIOUS")
    assert chart.locator(".mark-text text", has_text="–").count() == states.count("GAP") == 1


def test_pointing_at_a_day_shows_its_figures(verdicts: MakeVerdicts, opened: Open) -> None:
    """The tooltip of a chart's last day has score and counts."""
    made = verdicts(days=12, models=("a/x",))
    opened_page = opened(made)
    opened_page.draw_all()
    chart = opened_page.page.locator(".chart[data-use-case]").first
    chart.scroll_into_view_if_needed()
    # Scrolling hides the tooltip, and its event comes a frame later.
    opened_page.page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    chart.locator(".mark-rect path").last.hover()
    opened_page.page.locator("#tip:not([hidden])").wait_for()
    text = opened_page.page.locator("#tip").inner_text()
    score = made.day(0, made.last_day).verdict.use_cases[0].score
    assert text.splitlines()[0].startswith("2026-03-13: ")
    assert f"score {score:.1f}" in text
    assert "n 5: 5 ok, 0 invalid, 0 error, 0 ungraded" in text


def test_markup_in_names_does_not_run(verdicts: MakeVerdicts, opened: Open) -> None:
    """Names and case ids with markup and quotes are shown as text."""
    suite = make_suite(use_cases=1, full=1)
    odd = tuple(replace(case, id=f'it\'s "{case.id}" <b>') for case in suite.use_cases[0].cases)
    named = replace(suite, use_cases=(replace(suite.use_cases[0], title="<img src=x>", cases=odd),))
    opened_page = opened(verdicts(days=12, models=(HOSTILE,), suite=named, falls={0: 11}))
    opened_page.draw_all()
    opened_page.page.locator("details.daily summary").click()
    opened_page.page.locator("details.daily table").wait_for()
    assert opened_page.page.locator("section.model h2").inner_text().startswith(HOSTILE)
    assert opened_page.page.locator(".flip code").first.inner_text().startswith("it's \"case-0-")
    assert opened_page.page.locator("img, b b").count() == 0
    assert opened_page.console == []


def test_the_policy_blocks_what_is_not_in_the_page(verdicts: MakeVerdicts, opened: Open) -> None:
    """An added script does not run, and a fetch is refused."""
    opened_page = opened(verdicts(days=8, models=("a/x",)))
    opened_page.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.broken = true";
            document.body.append(script);
        }"""
    )
    assert opened_page.page.evaluate("window.broken") is None
    assert (
        opened_page.page.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')")
        == "refused"
    )


def test_arrow_keys_move_along_the_strip(verdicts: MakeVerdicts, opened: Open) -> None:
    """The strip is one tab stop; each day shows its tooltip, and Escape hides it."""
    page = opened(verdicts(days=10, models=("a/x", "a/y"))).page
    page.locator(".models a").first.focus()
    page.keyboard.press("Tab")
    tip = page.locator("#tip")
    assert tip.inner_text().startswith("2026-03-11")
    page.keyboard.press("ArrowLeft")
    assert tip.inner_text().startswith("2026-03-10")
    page.keyboard.press("Home")
    assert tip.inner_text().startswith("2026-03-02")
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "a/y"


def test_everything_is_reached_by_keyboard(verdicts: MakeVerdicts, opened: Open) -> None:
    """Tab goes through links, strips, scrolling tables and details."""
    page = opened(verdicts(days=10, models=("a/x",))).page
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.className || document.activeElement.tagName"))
    assert {"skip", "A", "SUMMARY", "wide"} <= set(reached)
    assert any(name.startswith("mark") for name in reached)


def test_the_daily_scores_unfold_as_a_table(verdicts: MakeVerdicts, opened: Open) -> None:
    """A row a day, newest first, a column a use case."""
    page = opened(verdicts(days=10, models=("a/x",), errors=[(0, 9)])).page
    page.locator("details.daily summary").click()
    table = page.locator("details.daily table")
    table.wait_for()
    assert table.locator("thead th").all_inner_texts() == ["Day", "Use case 0", "Use case 1"]
    assert table.locator("tbody tr").count() == 10
    assert table.locator("tbody tr").first.inner_text().split("\t") == ["2026-03-11", "– GAP", "– GAP"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(verdicts: MakeVerdicts, opened: Open, scheme: str) -> None:
    """Marks, states and quiet text have a contrast of at least 4.5, in light and in dark."""
    made = verdicts(days=24, models=("a/fallen", "a/gap"), falls={0: 20}, errors=[(1, 23)])
    page = opened(made, color_scheme=scheme).page
    ratios = page.evaluate(
        """() => {
            const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
                .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
                .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
            const behind = (element) => {
                for (let each = element; each; each = each.parentElement) {
                    const colour = parts(getComputedStyle(each).backgroundColor);
                    if (colour[3] !== 0) return colour;
                }
            };
            const texts = ".mark:not(.none), .state, .quiet, .why, .note, thead th, dt, .unscored td";
            return [...document.querySelectorAll(texts)]
                .map((element) => {
                    const [a, b] = [parts(getComputedStyle(element).color), behind(element)].map(light);
                    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.className];
                });
        }"""
    )
    assert len(ratios) > 50
    assert min(ratios)[0] >= 4.5, min(ratios)


@pytest.mark.parametrize("width", [320, 400, 768])
def test_a_narrow_window_does_not_scroll_sideways(verdicts: MakeVerdicts, opened: Open, width: int) -> None:
    """Only tables scroll sideways."""
    opened_page = opened(verdicts(days=30, models=("a/x", "a/" + "long" * 20), falls={0: 25}), width=width)
    opened_page.draw_all()
    assert opened_page.page.evaluate("document.documentElement.scrollWidth") <= width


def test_charts_in_view_are_drawn_first(verdicts: MakeVerdicts, opened: Open) -> None:
    """On a long page, a chart in view does not wait for the charts above it."""
    models = [f"a/model-{number}" for number in range(12)]
    made = verdicts(days=365, models=models, suite=make_suite(use_cases=10, full=1))
    page = opened(made, before="window.requestIdleCallback = () => {}").page
    page.locator(".chart").last.scroll_into_view_if_needed()
    page.locator("section.model").last.locator("[data-sequential][data-drawn]").wait_for()
    assert page.locator(".chart[data-drawn]").count() < 40


def test_without_scripts_the_tables_remain(verdicts: MakeVerdicts, opened: Open) -> None:
    """Evidence, strips with tooltips, and a note about JavaScript."""
    page = opened(verdicts(days=10, models=("a/x",)), java_script_enabled=False).page
    assert page.locator("noscript").inner_text().startswith("The charts need JavaScript")
    assert page.locator("button.mark").first.get_attribute("title").startswith("2026-03-02")  # type: ignore[union-attr]
    assert page.locator("section.model tbody tr").count() == 4
