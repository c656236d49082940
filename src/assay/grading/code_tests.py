"""The `code_tests` grader: the share of unit tests that an answer's code passes in a sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from assay.core.ask import MOST_EXHAUSTED, Ask, CodeAsk, CodeReply, CodeStatus, Reply, UnitTests
from assay.core.case import Case, GraderSpec
from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.parameters import Parameters, number_problems
from assay.grading.programs.answer import extract_code
from assay.grading.programs.unit_tests import prepare_tests, test_problems, weight_problems

PARAMETERS = frozenset({"entry", "tests", "seconds", "megabytes", "weights", "own_equality", "packages"})
LONGEST = 120
NOT_RUN = f"not run: {MOST_EXHAUSTED} tests had used up their limits"


class CodeTests:
    """A grader that runs each `test_*` function against the code in the answer.

    Parameters: `entry` (the function or class to write), `tests` (Python source), `seconds` (limit for one
    test, default 10), `megabytes` (default 256), `weights` (test name to weight, default 1), `own_equality`
    (let classes of the answer decide comparisons with plain values), `packages`. The tests run in an
    interpreter of their own, so the answer's code cannot influence which tests pass. After three tests have
    used up their limits the remaining ones count as failed. Without a sandbox the answer is ungraded.
    """

    name: ClassVar[str] = "code_tests"
    version: ClassVar[str] = "2"
    help: ClassVar[HelpText] = HelpText("""
        Marks the weighted share of the case's unit tests that the answer's code passes.

        The tests run apart from the answer's code, so an answer cannot change what counts as a pass. Each
        test starts afresh, and the first that hangs does not spoil the others; after three that used up
        their limits the rest count as failed.

        The evidence names each failed test with its last error line. Without a sandbox the answer is
        ungraded: see `assay doctor`. `seconds` limits each test and `megabytes` the memory.
    """)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the problems of the parameters."""
        parameters = spec.parameters
        problems = [
            f"unknown parameter {name!r}: use {', '.join(sorted(PARAMETERS))}"
            for name in parameters
            if name not in PARAMETERS
        ]
        entry, tests = parameters.get("entry"), parameters.get("tests")
        if not isinstance(entry, str) or not entry.isidentifier():
            problems.append(f"entry is {entry!r}: give the name of the function or class to write")
        if not isinstance(tests, str):
            problems.append("no tests: give Python source with test_* functions")
        elif isinstance(entry, str):
            problems += test_problems(tests, entry, parameters.get("packages") or ())
            problems += weight_problems(parameters.get("weights"), tests)
        problems += number_problems(parameters, "seconds", 0.1, LONGEST)
        problems += number_problems(parameters, "megabytes", 64, 4096)
        return tuple(problems)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Request one run of all tests; nothing if the answer has no code."""
        parameters = spec.parameters
        source = extract_code(answer, parameters["entry"])
        if source is None:
            return ()
        return (
            CodeAsk(
                source,
                seconds=float(parameters.get("seconds", 10)),
                megabytes=int(parameters.get("megabytes", 256)),
                packages=tuple(parameters.get("packages") or ()),
                unit_tests=unit_tests(parameters),
            ),
        )

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the weighted share of tests that passed."""
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
        return _grade(tests, outcomes, spec.parameters.get("weights") or {}, reply.sandbox)


def unit_tests(parameters: Parameters) -> UnitTests:
    """Return the prepared tests of these parameters."""
    own_equality = bool(parameters.get("own_equality", False))
    return prepare_tests(parameters["tests"], parameters["entry"], own_equality=own_equality)


def _grade(
    tests: Sequence[str], outcomes: Mapping[str, str], weights: Mapping[str, float], sandbox: str
) -> Grade:
    """Return the weighted share of tests that passed, and the failed ones with their last error lines."""
    total = sum(weights.get(test, 1.0) for test in tests)
    errors = {test: outcomes.get(test, NOT_RUN) for test in tests}
    passed = [test for test in tests if not errors[test]]
    failed = [{"test": test, "error": errors[test]} for test in tests if errors[test]]
    evidence = {"passed": len(passed), "tests": len(tests), "failed": failed, "sandbox": sandbox}
    return Grade(sum(weights.get(test, 1.0) for test in passed) / total, evidence)
