"""The good web design exemplars, driven in a real browser through the states of their briefs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

import pytest
from own_suites import own_suite
from playwright.sync_api import Browser, Page, sync_playwright

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CASES = {case.id: case for case in own_suite("daily").use_case("web-design").cases}
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium of the system; skips where there is none, fails in CI."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on the path: CI needs a browser")
        pytest.skip("no Chromium on the path")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield opened
        opened.close()


def _open(browser: Browser, case: str, marks: int, *, width: int = 320) -> Page:
    """Open the exemplar of these marks in a new page."""
    answer = next(exemplar.answer for exemplar in CASES[case].exemplars if exemplar.marks == marks)
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_content(re.sub(r"^```html\n|\n```$", "", answer))
    return page


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("marks", [4, 5])
@pytest.mark.parametrize("case", CASES)
def test_no_sideways_scrolling(browser: Browser, case: str, marks: int, width: int) -> None:
    """Every good page fits a narrow and a wide window."""
    page = _open(browser, case, marks, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.parametrize("marks", [4, 5])
def test_clinic_marks_today(browser: Browser, marks: int) -> None:
    """Today's row says so, and the first Tab shows the link to the content."""
    page = _open(browser, "web-clinic-hours", marks)
    days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    today = days[page.evaluate("new Date().getDay()")]
    marked = page.locator("[aria-current=date] th").inner_text()
    assert today in marked and "today" in marked
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.close()


@pytest.mark.parametrize("marks", [4, 5])
def test_pricing_there_and_back(browser: Browser, marks: int) -> None:
    """Yearly prices are ten twelfths to the cent with the yearly sum; monthly billing restores all."""
    page = _open(browser, "web-pricing-switch", marks)

    def shown() -> list[str]:
        return [page.locator(f"#price-{plan}").inner_text() for plan in ("solo", "team", "studio")]

    first = page.locator("body").inner_text()
    page.check("input[value=year]")
    assert shown() == ["7.50", "15.83", "40.83"]
    text = page.locator("body").inner_text()
    assert all(total in text for total in ("90.00", "190.00", "490.00"))
    page.check("input[value=month]")
    assert page.locator("body").inner_text() == first
    page.close()


@pytest.mark.parametrize("marks", [3, 4, 5])
@pytest.mark.parametrize(
    ("amount", "valid"),
    [("4", False), ("5", True), ("5000", True), ("5001", False), ("12.5", False), ("", False)],
)
def test_donation_bounds(browser: Browser, marks: int, amount: str, valid: bool) -> None:
    """Whole sums from 5 to 5000 are accepted, others refused; only marks 4 and 5 move the focus."""
    page = _open(browser, "web-donation-form", marks)
    page.check("input[value=other]")
    page.fill("#other-amount", amount)
    for _ in range(2):
        page.click("form button")
    assert page.locator("[role=alert] li").count() == (2 if valid else 3)
    assert page.locator("form button").inner_text() == (f"Donate {amount} euros" if valid else "Donate")
    focused = page.evaluate("document.activeElement.id")
    assert (focused == ("name" if valid else "other-amount")) == (marks >= 4)
    page.close()


@pytest.mark.parametrize("marks", [4, 5])
def test_donation_thanks(browser: Browser, marks: int) -> None:
    """An address without a dot is refused; then the form gives way to thanks, with the name as plain text."""
    page = _open(browser, "web-donation-form", marks)
    page.check("#monthly")
    page.fill("#name", "<b>Zoë</b>")
    page.fill("#email", "a@b")
    page.click("form button")
    assert page.locator("[role=alert] li").count() == 1
    page.fill("#email", "a@b.c")
    page.click("form button")
    thanks = page.locator("[role=status]").inner_text()
    assert "<b>Zoë</b>" in thanks and "25 euros every month" in thanks
    assert page.locator("form").count() == 0
    page.close()


@pytest.mark.parametrize("marks", [4, 5])
def test_lines_filter(browser: Browser, marks: int) -> None:
    """The filter shows the two disturbed lines and says so, and everything comes back."""
    page = _open(browser, "web-line-status", marks)
    for button, sentence, visible in (
        ("Disturbed only", "Showing 2 of 5 lines.", 2),
        ("All lines", "2 of 5 lines are disturbed.", 5),
    ) * 2:
        page.get_by_text(button).click()
        assert page.locator("[role=status]").inner_text() == sentence
        assert sum(line.is_visible() for line in page.locator(".line").all()) == visible
        assert page.locator("button[aria-pressed=true]").inner_text() == button
    page.close()


@pytest.mark.parametrize("marks", [4, 5])
def test_recipe_amounts_and_print(browser: Browser, marks: int) -> None:
    """Amounts are converted in German notation and back; print shows the tip and no controls."""
    page = _open(browser, "web-recipe-german", marks)
    for portions, amounts in (
        ("2", "150 100 1 0,5 0,6 1 0,75 1,5"),
        ("6", "450 300 3 1,5 1,8 3 2,25 4,5"),
        ("4", "300 200 2 1 1,2 2 1,5 3"),
    ):
        page.select_option("#portionen", portions)
        assert " ".join(page.locator(".menge").all_inner_texts()) == amounts
        assert f"{portions} Portionen" in page.locator("[role=status]").inner_text()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.locator("select").is_visible() and not page.locator("input").first.is_visible()
    assert any(tip.is_visible() for tip in page.get_by_text("drei Monate").all())
    page.close()
