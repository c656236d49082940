"""The error tree."""

from __future__ import annotations

import pytest

from assay.core.errors import (
    AssayError,
    Conflict,
    Denied,
    InvalidInput,
    NotFound,
    Problem,
    Upstream,
    group_problems,
)


@pytest.mark.parametrize(
    ("error", "status", "exit_status"),
    [
        (InvalidInput("x"), 422, 2),
        (NotFound("x"), 404, 2),
        (Conflict("x"), 409, 2),
        (Denied("x"), 403, 2),
        (Denied("x", status=401), 401, 2),
        (Upstream("x"), 502, 3),
    ],
)
def test_every_kind_has_its_statuses(error: AssayError, status: int, exit_status: int) -> None:
    """One for the web and one for the command line; all are AssayErrors."""
    assert isinstance(error, AssayError)
    assert (error.status, error.exit_status, str(error)) == (status, exit_status, "x")


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (Problem("wrong"), "wrong"),
        (Problem("wrong", "assay.yaml"), "assay.yaml: wrong"),
        (Problem("wrong", "assay.yaml", 3), "assay.yaml:3: wrong"),
    ],
)
def test_a_problem_says_where_it_stands(problem: Problem, shown: str) -> None:
    """File and line as editors read them."""
    assert str(problem) == shown


def test_invalid_input_carries_every_problem() -> None:
    """One line each, whether given as text, as one problem or as many."""
    several = InvalidInput([Problem("one"), Problem("two", "f", 2)])
    assert str(several) == "one\nf:2: two"
    assert InvalidInput("one").problems == InvalidInput(Problem("one")).problems == (Problem("one"),)


def test_equal_faults_are_one_line() -> None:
    """A typo in a generated file of 1,000 cases is said once, with the number of places and the last one."""
    typos = [Problem(f"unknown key 'cases[{n}].gradres'", "all.yaml", 10 * n) for n in range(1000)]
    assert group_problems([*typos, Problem("no `title`", "all.yaml")]) == [
        "all.yaml:0: unknown key 'cases[0].gradres' (the same in 999 more places, the last at all.yaml:9990)",
        "all.yaml: no `title`",
    ]


def test_an_error_of_many_equal_faults_is_short_and_keeps_them_all() -> None:
    """The message groups the faults; whoever wants each one reads `problems`."""
    error = InvalidInput([Problem(f"row {n}", "t.csv", n) for n in (1, 1)] + [Problem("x"), Problem("x")])
    assert str(error).splitlines() == [
        "t.csv:1: row 1 (the same in 1 more place, the last at t.csv:1)",
        "x (the same in 1 more place)",
    ]
    assert len(error.problems) == 4
