"""Code marked by unit tests that run in a sandbox: the share of the tests that pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from assay.core.ask import MOST_EXHAUSTED, Ask, CodeAsk, CodeReply, CodeStatus, Reply, UnitTests
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.programs.answer import code
from assay.grading.programs.suite import prepare, test_problems, weight_problems

PARAMETERS = frozenset({"entry", "tests", "seconds", "megabytes", "weights", "own_equality", "packages"})
LONGEST = 120
NOT_RUN = f"not run: {MOST_EXHAUSTED} tests had used up their limits"


class CodeTests:
    """Runs each `test_*` function against the code in the answer and returns the share that passed.

    Parameters: `entry` (the function or class to write), `tests` (Python source), `seconds` (limit
    for one test, default 10), `megabytes` (default 256), `weights` (test name to weight, default 1),
    `own_equality` (let classes of the answer decide comparisons with plain values), `packages`.
    The tests run in a room of their own: the answer's code never runs where it is decided what passes.
    After three tests used up their limits the rest count as failed. Without a sandbox the answer is ungraded.
    """

    name: ClassVar[str] = "code_tests"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = [
            f"unknown parameter {name!r}: use {', '.join(sorted(PARAMETERS))}"
            for name in given
            if name not in PARAMETERS
        ]
        entry, tests = given.get("entry"), given.get("tests")
        if not isinstance(entry, str) or not entry.isidentifier():
            found.append(f"entry is {entry!r}: give the name of the function or class to write")
        if not isinstance(tests, str):
            found.append("no tests: give Python source with test_* functions")
        elif isinstance(entry, str):
            found.extend(test_problems(tests, entry, given.get("packages") or ()))
            found.extend(weight_problems(given.get("weights"), tests))
        for name, least, most in (("seconds", 0.1, LONGEST), ("megabytes", 64, 4096)):
            value = given.get(name, least)
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
                found.append(f"{name} is {value!r}: give a number from {least:g} to {most:g}")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask for one run of all tests; for nothing when the answer holds no code."""
        given = spec.parameters
        found = code(answer, given["entry"])
        if found is None:
            return ()
        return (
            CodeAsk(
                found,
                seconds=float(given.get("seconds", 10)),
                megabytes=int(given.get("megabytes", 256)),
                packages=tuple(given.get("packages") or ()),
                unit_tests=unit_tests(given),
            ),
        )

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the share of tests passed."""
        tests = unit_tests(spec.parameters).tests
        if not replies:
            return Grade(
                0.0, {"passed": 0, "tests": len(tests), "failed": [], "note": "no code in the answer"}
            )
        reply = replies[-1]
        if not isinstance(reply, CodeReply) or reply.status is CodeStatus.UNAVAILABLE:
            return Grade.ungraded(f"no sandbox: {getattr(reply, 'error', reply)}")
        if not reply.results:
            return Grade.ungraded(f"the tests do not load: {reply.error or reply.status}")
        outcomes = {result.test: result.error for result in reply.results}
        if outcomes.keys() - set(tests):
            return Grade.ungraded(f"results of other tests: {sorted(outcomes.keys() - set(tests))}")
        return marked(tests, outcomes, spec.parameters.get("weights") or {}, reply.sandbox)


def unit_tests(given: Mapping[str, Any]) -> UnitTests:
    """Return the tests that the parameters hold."""
    return prepare(given["tests"], given["entry"], own_equality=bool(given.get("own_equality", False)))


def marked(
    tests: Sequence[str], outcomes: Mapping[str, str], weights: Mapping[str, float], sandbox: str
) -> Grade:
    """Return the weighted share of tests that passed, and the failed ones with their last error lines."""
    total = sum(weights.get(test, 1.0) for test in tests)
    errors = {test: outcomes.get(test, NOT_RUN) for test in tests}
    passed = [test for test in tests if not errors[test]]
    failed = [{"test": test, "error": errors[test]} for test in tests if errors[test]]
    evidence = {"passed": len(passed), "tests": len(tests), "failed": failed, "sandbox": sandbox}
    return Grade(sum(weights.get(test, 1.0) for test in passed) / total, evidence)
