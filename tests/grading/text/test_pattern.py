"""Patterns that an answer could make run for ever are refused; ordinary ones are not."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.grading.text.pattern import compiled, problem

DANGEROUS = [
    "(a+)+",
    r"(\w+\s?)*",
    "(?:a|a)*",
    "(?:aa|a)*",
    "(.*a){11}",
    "(x+x+)+y",
    "(?:a+b?)+",
    "((ab)*)*",
    r"(?:\s*\d+)+",
    "([a-z]{1,5})*",
    r"(?:\w\w?)*$",
    "(?=(a+)+b)",
    "(?s)a.*b.*c",
    r"[\s\S]*a[\s\S]*b",
    ".*a.*b.*c",
    "foo.*bar.*baz",
    r"\d+.*euros",
    r"(?:x.*|y)z.*",
]
ORDINARY = [
    r"(\w|\d)*",
    r"(?:\w+\s+)*x",
    "refund.{0,20}30 days",
    "(?:foo|bar)+",
    "(?:[^,]+,)+",
    r"(?:.*\n)+",
    r"^(?:- .+\n)+",
    r"(?:\w+, )+and",
    r"\d+(?:,\d{3})*(?:\.\d+)?",
    r"a\s+b\s+c\s+d",
    r"^\| *Mon[^\n]*\| *\d\d *\|\n\| *Tue[^\n]*\|",
    r"^\s*([-*]|\d+[.)])\s",
    "foo.*bar.{0,200}baz",
    r"\d+ .*euros",
    "(?<!not )eligible",
    r"\b(?:yes|no)\b",
    r"€\s*1[.,]?234",
    r"\$?\d+(\.\d{2})?\s*(?:USD|dollars)",
    r"(?:\([^)]*\))*",
    "(?P<q>[\"']).*?(?P=q)",
    "a++b",
]


@every_row("text", DANGEROUS)
def test_a_dangerous_pattern_is_refused(text: str) -> None:
    """Repetitions that overlap within or beside each other are refused with advice."""
    assert "run" in (problem(text) or "")


@every_row("text", ORDINARY)
def test_an_ordinary_pattern_is_not(text: str) -> None:
    """What authors write for facts passes."""
    assert problem(text) is None


@pytest.mark.parametrize("text", ["(", "a{2,1}", "", None, 3])
def test_what_is_no_pattern_is_refused(text: object) -> None:
    """What does not compile is reported, not raised."""
    assert problem(text)


def test_anchors_match_at_lines() -> None:
    """`^` and `$` stand at the ends of lines."""
    assert compiled("^b$", ignore_case=True).search("a\nB\nc")
