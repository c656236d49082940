"""The html_page grader: weighted demands on the page in an answer."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.html_page import html_page

CASE = Case("c", "web-design", (), ())
PAGE = """Here you are:
```html
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cafe</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><h1>Cafe Linde</h1><nav><a href="#menu">Menu</a></nav><section id="menu"><h2>Menu</h2>
<p>Book a table: +49 30 123</p></section>
<form><label>E-mail <input type="email" required></label><button>Send</button></form></body></html>
```"""


def graded(answer: str, **parameters: Any) -> Grade:
    return html_page.read(CASE, GraderSpec("html_page", parameters), answer, ())


def demand(grade: Grade) -> Any:
    (only,) = grade.evidence["demands"]
    return only


def test_a_good_page_meets_every_general_check() -> None:
    """All checks hold on a page without faults."""
    assert graded(PAGE, checks="all").value == 1


def test_the_score_is_the_weighted_share() -> None:
    """Three of four parts by weight give three quarters."""
    require = [{"select": "form input[type=email]", "weight": 3}, "table"]
    assert graded(PAGE, require=require).value == 0.75


def test_no_page_scores_nothing() -> None:
    """An answer without HTML meets no demand, not even a forbidden element's absence."""
    grade = graded("I cannot write pages.", forbid=["marquee"])
    assert (grade.value, grade.evidence["why"]) == (0, "no HTML page in the answer")


@pytest.mark.parametrize(("bounds", "value"), [({"min": 2}, 0), ({"max": 1}, 1), ({"min": 0, "max": 0}, 0)])
def test_counts_have_bounds(bounds: dict[str, int], value: float) -> None:
    """One heading is fewer than two, at most one, and not none."""
    assert graded(PAGE, require=[{"select": "h1", **bounds}]).value == value


def test_forbidden_elements_are_shown_with_their_lines() -> None:
    """Evidence names the line of what should not be there."""
    found = demand(graded(PAGE, forbid=["button"]))
    assert (found["holds"], found["found"]) == (False, {"on lines": [6]})


def test_text_is_looked_for_as_a_reader_sees_it() -> None:
    """Patterns see the text without tags, case ignored; the title is not seen."""
    assert (
        graded(PAGE, text=[r"book a table: \+49", "cafe linde menu"], no_text=["lorem", "utf-8"]).value == 1
    )


def test_checks_carry_weights() -> None:
    """A failed check of weight 3 beside one of weight 1 leaves a quarter."""
    broken = PAGE.replace("</section>", "")
    assert graded(broken, checks={"balanced": 3, "lang": 1}).value == 0.25


def test_evidence_counts_the_faults() -> None:
    """A failed check shows how many faults there are and the first of them."""
    found = demand(graded(PAGE.replace("<p>", "<img src=x.png alt=''><p>"), checks=["self_contained"]))
    assert (found["found"]["faults"], "x.png" in found["found"]["first"][0]) == (1, True)


@every_row(
    "parameters, says",
    [
        ({}, "no demands"),
        ({"allow": ["https://a"]}, "no demands"),
        ({"require": "nav"}, "write a list"),
        ({"require": ["a > b"]}, "invalid selector"),
        ({"require": [{"select": "a", "most": 1}]}, "mapping of"),
        ({"require": [{"select": "a", "min": 2, "max": 1}]}, "above max"),
        ({"require": [{"select": "a", "min": -1}]}, "whole number"),
        ({"require": [{"select": "a", "weight": 0}]}, "above 0"),
        ({"text": ["(a+)+"]}, "for ever"),
        ({"checks": ["titel"]}, "unknown check"),
        ({"checks": "title"}, "'all'"),
        ({"checks": {"title": -1}}, "above 0"),
        ({"checks": "all", "allow": "https://a"}, "beginnings"),
        ({"checks": "all", "colour": "red"}, "unknown parameter"),
    ],
)
def test_problems_say_what_to_write(parameters: dict[str, Any], says: str) -> None:
    """Wrong parameters are reported when the suite is loaded."""
    assert says in " ".join(html_page.problems(GraderSpec("html_page", parameters)))


def test_good_parameters_raise_no_problem() -> None:
    """A well-formed specification passes, and nothing is asked of anyone."""
    parameters = {
        "require": ["a", {"select": "h1", "max": 1}],
        "text": [{"pattern": "x", "weight": 2}],
        "checks": "all",
    }
    spec = GraderSpec("html_page", parameters)
    assert (html_page.problems(spec), html_page.asks(CASE, spec, "x")) == ((), ())
