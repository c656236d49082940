"""The code cases of the generalist suite's coding category: exemplars run, references held against others."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from generalist_cases import block, cases, defined, derivation, failures, solution

CASES = cases("coding")
RUN = [name for name, case in CASES.items() if case.graders[0].name == "code_runnable"]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_code_exemplars_pass_or_fail_as_declared(name: str) -> None:
    """An exemplar's code fails a unit test exactly when its declared score is 0."""
    case = CASES[name]
    failed = [bool(failures(case, at)) for at in range(len(case.exemplars))]
    assert failed == [exemplar.score == 0 for exemplar in case.exemplars]


@pytest.mark.parametrize("name", RUN)
def test_prompts_need_the_standard_library_alone(name: str) -> None:
    """The unit tests of a case import nothing outside the standard library."""
    tree = ast.parse(CASES[name].graders[0].parameters["tests"])
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= {"copy", "itertools", "math", "random"}


@pytest.mark.slow
def test_opening_hours_agree_with_marked_minutes() -> None:
    """The good exemplar and an implementation that marks minutes print the same on random weeks."""
    second = derivation("generalist_opening_line")
    good = solution(CASES["coding-opening-line"])
    random = Random(3)
    for _ in range(1_000):
        week = second.random_week(random)
        assert good(week) == second.opening_line(week), week


def test_two_prefix_searches_agree_on_small_beams() -> None:
    """Two exemplars that were written apart return the same labellings and masses for every beam."""
    one, other = (solution(CASES["coding-label-beam"], at) for at in (0, 1))
    random = Random(17)
    for _ in range(150):
        width = random.randint(2, 4)
        weights = [[random.random() ** 3 + 1e-3 for _ in range(width)] for _ in range(random.randint(0, 7))]
        log_probs = [[math.log(weight / sum(frame)) for weight in frame] for frame in weights]
        beam, top = random.choice([None, 1, 2, 3, 5]), random.randint(1, 6)
        found, wanted = one(log_probs, beam, top), other(log_probs, beam, top)
        assert [name for name, _ in found] == [name for name, _ in wanted]
        assert [mass for _, mass in found] == pytest.approx([mass for _, mass in wanted])


def test_refactored_fees_equal_the_old_ones() -> None:
    """The good exemplars and the function in the prompt agree on odd parcels, errors included."""
    old = defined(block(CASES["coding-shipping-fee"]))
    new = [solution(CASES["coding-shipping-fee"], at) for at in (0, 1)]
    random = Random(23)
    values: dict[str, list[Any]] = {
        "kg": [0, -1, 0.5, 2, 2.5, 3.5, 4.5, 10, 10.5, 12.5, 31.5, 31.6],
        "l": [0, 10, 60, 80],
        "w": [35, 50],
        "h": [5, 20, 50],
        "value": [None, 0, 500, 500.01, 1_200],
        "fragile": [True, False, 1, "yes", None],
    }
    for _ in range(3_000):
        parcel = {key: random.choice(some) for key, some in values.items() if random.random() < 0.85}
        customer = {"zip": random.choice(["18055", "25999", "10115", "255", ""])}
        customer |= {"tier": random.choice(["gold", "silver", "Gold", None])}
        arguments = (
            random.choice([parcel, parcel, None]),
            customer,
            random.choice([None, {"express": 1}, {}]),
        )
        assert {_outcome(function, arguments) for function in (old["fee"], *new)} == {
            _outcome(old["fee"], arguments)
        }, arguments


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except (KeyError, TypeError, AttributeError) as error:
        return type(error)


def test_right_page_links_agree_and_wrong_ones_differ() -> None:
    """The two right implementations in the unit tests agree on every small input."""
    space = defined(CASES["coding-page-link-tests"].graders[0].parameters["tests"])
    for last in range(1, 15):
        for current in range(1, last + 1):
            for around in range(7):
                found = space["right"](current, last, around)
                assert found == space["right_in_another_way"](current, last, around)
    assert space["right"](5, 10) == [1, None, 4, 5, 6, None, 10]
    assert space["right"](4, 6) == [1, 2, 3, 4, 5, 6]


def test_exemplars_spread_over_the_marks() -> None:
    """The category's calibration set has 60 exemplars or more and every mark from 1 to 5 at least 8 times."""
    marks = [exemplar.marks for case in CASES.values() for exemplar in case.exemplars]
    assert len(marks) >= 60
    assert all(marks.count(mark) >= 8 for mark in (1, 2, 3, 4, 5)), sorted(map(str, marks))
