"""Selectors find the elements that CSS would, and refuse what they do not understand."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.grading.pages.page import parse
from assay.grading.pages.selector import selector

PAGE = parse(
    '<main id=top><nav class="menu wide"><a href="#x" data-k="a b">1</a><a>2</a></nav>'
    '<form><label><input type=email required></label><input type="text"></form>'
    '<section><div><div class=card>3</div></div><a href="https://e.org/p.png">4</a></section></main>'
)


@every_row(
    "text, number",
    [
        ("a", 3),
        ("A", 3),
        ("*", 12),
        ("#top", 1),
        (".menu", 1),
        ("nav.menu.wide", 1),
        (".men", 0),
        ("a[href]", 2),
        ("nav a[href]", 1),
        ("main nav a", 2),
        ("nav main a", 0),
        ("div div", 1),
        ("div div div", 0),
        ("input[type=email][required]", 1),
        ('input[type="text"]', 1),
        ("input[type='TEXT']", 0),
        ("a[href^=https]", 1),
        ("a[href$='.png']", 1),
        ("a[href*='e.org']", 1),
        ("a[data-k~=b]", 1),
        ("nav, form, form input", 4),
        ("label input", 1),
    ],
)
def test_elements_are_found(text: str, number: int) -> None:
    """A selector selects as many elements as it should."""
    assert len(selector(text).select(PAGE)) == number


@every_row("text", ["", "a > b", "a:hover", "a,", "[href", "#", ".", "a + b", "1"])
def test_what_is_not_understood_is_refused(text: str) -> None:
    """The rest of CSS is refused, not guessed."""
    with pytest.raises(ValueError, match="selector"):
        selector(text)
