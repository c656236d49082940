"""The page in an answer, its tree, and its unbalanced tags."""

from __future__ import annotations

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.pages.page import extract, parse
from assay.grading.pages.selector import selector

PAGE = "<!doctype html><html><body><p>Hi</body></html>"


@every_row(
    "answer",
    [
        f"Here:\n```html\n{PAGE}\n```\nDone <b>!",
        f"Here:\n```\n{PAGE}\n```",
        f"~~~html\n{PAGE}\n~~~",
        f"Sure.\n{PAGE}\nThat is all.",
        f"```css\np {{}}\n```\n```html\n{PAGE}\n```",
        f"```html\n<p>{'long ' * 40}</p>\n```\nAll:\n```html\n{PAGE}\n```",
        f"Use `<b>` so:\n\n{PAGE}",
        f"```html\n<p>x</p>\n```\nAll of it:\n{PAGE}",
    ],
)
def test_the_page_is_found(answer: str) -> None:
    """A page is found in a fence or raw, without the talk around it."""
    assert (extract(answer) or "").strip() == PAGE


def test_a_truncated_page_is_taken_to_its_end() -> None:
    """A fence that never closes holds the page up to the end."""
    assert extract("```html\n<!doctype html><html><body><p>Hi") == "<!doctype html><html><body><p>Hi"


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "a < b and b > c", "```python\nx = 1\n```"])
def test_no_page(answer: str) -> None:
    """An answer without a tag holds no page."""
    assert extract(answer) is None


@every_row(
    "body",
    [
        "<ul><li>a<li>b<ul><li>c</ul></ul>",
        "<p>a<p>b<div>c</div>",
        "<table><thead><tr><th>a<tbody><tr><td>b<td>c<tr><td>d</table>",
        "<dl><dt>a<dd>b<dt>c</dl>",
        "<select><optgroup><option>a<option>b<optgroup><option>c</select>",
        "<img><br/><input><hr>",
        "<svg><g><path d='M0'/><circle/></g></svg>",
        "<script>if (a < b) document.write('</p>')</script>",
    ],
)
def test_tags_that_may_be_left_out_are_no_faults(body: str) -> None:
    """Void elements, optional end tags, SVG's own ends and scripts are balanced."""
    assert parse(f"<html><body>{body}</body></html>").faults == ()


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("<div><p>a</div></div>", 1),
        ("<div><section>a</div>", 1),
        ("<b><i>a</b></i>", 2),
        ("<div/>", 1),
        ("<br></br>", 1),
        ("<main><div>a", 2),
        ("<ul><li><span>a<li>b</ul>", 1),
    ],
)
def test_unbalanced_tags_are_faults(body: str, number: int) -> None:
    """What is not closed, closed twice or closed out of order is noted."""
    assert len(parse(body).faults) == number


def test_the_tree_knows_what_is_within_what() -> None:
    """Elements know their ancestors, their attributes and their text."""
    page = parse("<main><p CLASS=a>one <b>two</b></p><p>three</main>")
    (bold,) = page.all("b")
    assert ([above.tag for above in bold.ancestors], page.text) == (["p", "main"], "one two three")


@pytest.mark.parametrize(
    ("source", "selected", "number"),
    [
        ("<ul><li>a<li>b</ul>", "li li", 0),
        ("<ul><li>a<ul><li>b</ul></ul>", "li li", 1),
        ("<p>a<div>b", "p div", 0),
    ],
)
def test_implied_ends_shape_the_tree(source: str, selected: str, number: int) -> None:
    """An item ends where the next begins, but not where a list within it begins one."""
    assert len(selector(selected).select(parse(source))) == number


def test_scripts_and_titles_are_not_read() -> None:
    """The visible text leaves out scripts, styles and the title."""
    page = parse("<title>T</title><style>p{}</style><p>seen</p><script>unseen()</script>")
    assert page.text == "seen"


@given(st.text("<>/abp \"'=!-", max_size=60))
def test_any_text_can_be_parsed(source: str) -> None:
    """Broken HTML gives a page, never an exception."""
    assert parse(source).source == source


def test_a_page_stuck_on_one_tag_is_read() -> None:
    """Thousands of elements within each other neither overflow nor lose their text."""
    assert parse("<div>" * 5000 + "end").text == "end"
