"""The code cases of the daily suite, held against second implementations by other methods."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from own_suites import own_suite

from assay.core.case import Case
from assay.grading.programs.answer import extract_code

CASES = {
    str(case.graders[0].parameters["entry"]): case
    for case in own_suite("daily").use_case("code-generation").cases
}


def _derivation(entry: str) -> ModuleType:
    path = Path(__file__).parent / "derivations" / f"code_{entry}.py"
    spec = importlib.util.spec_from_file_location(f"derivations_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SECOND = {entry: _derivation(entry) for entry in CASES}


def _good(case: Case, entry: str) -> Callable[..., Any]:
    """Return the function of the good exemplar, which is our own code and may run here."""
    namespace: dict[str, Any] = {}
    source = extract_code(case.exemplars[0].answer, entry)
    assert source is not None
    exec(source, namespace)
    function: Callable[..., Any] = namespace[entry]
    return function


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Any, bool]:
    """Return what a function gives, what it raises, and whether it left its arguments alone."""
    passed = deepcopy(arguments)
    result: Any = None
    raised: Any = None
    try:
        result = function(*passed)
    except KeyError as error:
        raised = (KeyError, error.args)
    except ValueError:
        raised = ValueError
    return result, raised, passed == arguments


@pytest.mark.parametrize("entry", CASES)
def test_code_case_has_enough_tests(entry: str) -> None:
    """Each code case has eight to fifteen unit tests."""
    assert 8 <= CASES[entry].graders[0].parameters["tests"].count("def test_") <= 15


@pytest.mark.parametrize("entry", CASES)
def test_second_implementation_passes_the_unit_tests(entry: str) -> None:
    """An implementation by another method passes every unit test that it is fast enough for."""
    namespace: dict[str, Any] = {entry: getattr(SECOND[entry], entry)}
    exec(CASES[entry].graders[0].parameters["tests"], namespace)
    skipped = getattr(SECOND[entry], "TOO_SLOW", ())
    tests = [name for name in namespace if name.startswith("test_") and name not in skipped]
    for name in tests:
        namespace[name]()
    assert len(tests) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("entry", CASES)
def test_two_implementations_agree_on_random_inputs(entry: str) -> None:
    """The good exemplar and the second implementation agree, errors included, and change no argument."""
    good, second = _good(CASES[entry], entry), SECOND[entry]
    random = Random(20_261_120)
    for _ in range(1_000):
        arguments = second.random_input(random)
        outcome = _outcome(good, arguments)
        assert outcome == _outcome(getattr(second, entry), arguments), arguments
        assert outcome[2], arguments


@pytest.mark.parametrize("entry", CASES)
def test_results_have_their_properties(entry: str) -> None:
    """What the good exemplar returns keeps the properties that the specification implies."""
    good, second = _good(CASES[entry], entry), SECOND[entry]
    random = Random(7)
    inputs = [second.random_input(random) for _ in range(500)]
    found = [(arguments, _outcome(good, arguments)) for arguments in inputs]
    assert [a for a, (result, raised, _) in found if raised is None and not second.holds(a, result)] == []
