"""A code case's tests are checked and made ready for their room."""

from __future__ import annotations

import ast
from typing import Any

from every_row import every_row

from assay.core.case import GraderSpec
from assay.grading.code_tests import CodeTests
from assay.grading.programs.unit_tests import free_names, prepare_tests

GOOD: dict[str, Any] = {"entry": "add", "tests": "def test_a():\n    assert add(1, 2) == 3\n"}


def problems(**parameters: object) -> tuple[str, ...]:
    return CodeTests().problems(GraderSpec("code_tests", {**GOOD, **parameters}))


def test_good_parameters_have_no_problem() -> None:
    """All parameters together are accepted."""
    assert (
        problems(seconds=5, megabytes=128, weights={"test_a": 2}, own_equality=True, packages=["numpy"]) == ()
    )


@every_row(
    "parameters, problem",
    [
        ({"entry": "not a name"}, "entry is 'not a name'"),
        ({"entry": None}, "entry is None"),
        ({"tests": None}, "no tests"),
        ({"tests": "def test_a(:"}, "the tests are not Python: line 1"),
        ({"tests": "def check():\n    add(1, 2)"}, "no tests: write"),
        ({"tests": "def test_a():\n    assert plus(1, 2) == 3"}, "the tests never use 'add'"),
        (
            {"tests": "total = add(1, 2)\ndef test_a():\n    assert total == 3"},
            "'add' is used outside of a function",
        ),
        ({"tests": "def test_a(x):\n    assert add(1, x) == 3"}, "test_a takes arguments"),
        ({"tests": "async def test_a():\n    assert add(1, 2) == 3"}, "test_a is async"),
        ({"tests": GOOD["tests"] * 2}, "test_a is defined twice"),
        (
            {"tests": "class Fake(Base): pass\ndef test_a():\n    assert add(Fake()) == 3"},
            "class Fake derives from 'Base' of the answer",
        ),
        ({"tests": f"import pytest\n{GOOD['tests']}"}, "the tests import 'pytest'"),
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": True}, "seconds is True"),
        ({"megabytes": 10}, "megabytes is 10"),
        ({"weights": {"test_b": 1}}, "weights: 'test_b' is not a test"),
        ({"weights": {"test_a": 0}}, "the weight of 'test_a' is 0"),
        ({"weights": [1]}, "weights is [1]"),
        ({"time": 3}, "unknown parameter 'time'"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, object], problem: str) -> None:
    """Every fault is named with its value."""
    found = problems(**parameters)
    assert any(text.startswith(problem) for text in found), found


def test_names_the_answer_must_give() -> None:
    """The tests take from the answer what they use and neither define, import nor find built in."""
    tests = """
import math
from os import path as p
LIMIT = 3
class Helper:
    size = LIMIT
def helper(x):
    return [math.sqrt(y) for y in x if isinstance(y, Thing)]
def test_a():
    local = add(1, 2)
    try:
        assert helper([local]) and Helper and p
    except WrongThing as error:
        print(error)
"""
    assert free_names(tests) == {"add", "Thing", "WrongThing"}


def run(tests: str, **given: object) -> list[str]:
    """Run prepared tests with the plainest harness there could be and return the error texts."""
    calls: list[tuple[object, ...]] = []

    def compare(operators: tuple[str, ...], *operands: Any) -> bool:
        calls.append((operators, *operands))
        steps = zip(operators, operands, operands[1:], strict=False)
        return all(eval(f"a {one} b", {"a": a, "b": b}) for one, a, b in steps)

    space: dict[str, Any] = {
        "__assay_compare__": compare,
        "__assay_explain__": lambda text: f"{text}!",
        **given,
    }
    suite = prepare_tests(tests, "add")
    exec(suite.source, space)
    errors = []
    for name in suite.tests:
        try:
            space[name]()
            errors.append("")
        except AssertionError as error:
            errors.append(str(error))
    return errors


@every_row(
    "assertion, error",
    [
        ("assert 1 < 2 <= 2 != 3", ""),
        ("assert 1 < 2 > 2", "1 < 2 > 2!"),
        ("assert 1 == 2, 'because'", "because!"),
        ("assert not [1] == [1]", "not [1] == [1]!"),
        ("assert 2 in (1, 2) and 3 not in [1, 2] and None is None and 1 is not None", ""),
        ("assert all(x == 1 for x in [1, 2])", "all((x == 1 for x in [1, 2]))!"),
        ("assert [] or ''", "[] or ''"),
        ("assert False, 3", "3"),
        ("x = 1 if 2 == 2 else 0\n    assert x", ""),
    ],
)
def test_rewriting_keeps_the_meaning(assertion: str, error: str) -> None:
    """Rewritten comparisons and assertions hold and fail as the originals do, and say what they were."""
    assert run(f"def test_a():\n    {assertion}\n") == [error]


def test_only_assertions_are_rewritten() -> None:
    """Comparisons outside of assertions stay as they are: rewriting serves error texts only."""
    test = "def test_a():\n    x = 1 if add(1, 2) == 3 else 0\n    assert x\n"
    assert ast.unparse(ast.parse(test)).partition("assert")[0] in prepare_tests(test, "add").source
