"""Code marked by unit tests that run in a sandbox: the share of the tests that pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from assay.core.ask import Ask, CodeAsk, CodeReply, CodeStatus, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.programs.answer import code
from assay.grading.programs.suite import Suite, prepare, test_problems, weight_problems

PARAMETERS = frozenset({"entry", "tests", "seconds", "megabytes", "weights", "own_equality", "packages"})
LONGEST = 120
MOST_EXHAUSTED = 3
TOKEN = re.compile(r"[0-9a-f]{32}")
RESULT_BYTES = 1_200


class CodeTests:
    """Runs each `test_*` function against the code in the answer and returns the share that passed.

    Parameters: `entry` (the function or class to write), `tests` (Python source), `seconds` (limit
    for one test, default 10), `megabytes` (default 256), `weights` (test name to weight, default 1),
    `own_equality` (let classes of the answer decide comparisons with plain values), `packages`.
    A run that ends early condemns the test it was at; the tests after it get another run. After three tests
    used up their limits the rest count as failed. Without a sandbox the answer is ungraded.
    """

    name: ClassVar[str] = "code_tests"
    version: ClassVar[str] = "1"

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
        found = code(answer, spec.parameters["entry"])
        suite = prepare(spec.parameters["tests"], spec.parameters["entry"])
        return () if found is None else (program(suite, found, suite.tests, spec.parameters),)

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask:
        """Return the share of tests passed, or one more run for the tests that none has reached."""
        suite = prepare(spec.parameters["tests"], spec.parameters["entry"])
        found = code(answer, spec.parameters["entry"])
        if found is None:
            return Grade(
                0.0, {"passed": 0, "tests": len(suite.tests), "failed": [], "note": "no code in the answer"}
            )
        outcomes: dict[str, str] = {}
        exhausted = 0
        for reply in replies:
            if not isinstance(reply, CodeReply) or reply.status is CodeStatus.UNAVAILABLE:
                return Grade.ungraded(f"no sandbox: {getattr(reply, 'error', reply)}")
            pending = [test for test in suite.tests if test not in outcomes]
            results = reported(reply.stdout, pending)
            if isinstance(results, str):
                return Grade.ungraded(
                    results if results else f"the tests did not start: {reply.error or reply.status}"
                )
            outcomes |= results
            if len(results) < len(pending):
                spent = reply.status in (CodeStatus.TIMEOUT, CodeStatus.MEMORY)
                # A test that others ran before has not had its whole limit: it gets a run of its own.
                if not (spent and results):
                    outcomes[pending[len(results)]] = how_it_ended(reply)
                    exhausted += spent
        pending = [test for test in suite.tests if test not in outcomes]
        if pending and exhausted < MOST_EXHAUSTED:
            return program(suite, found, pending, spec.parameters)
        outcomes |= dict.fromkeys(pending, f"not run: {MOST_EXHAUSTED} tests had used up their limits")
        return marked(suite.tests, outcomes, spec.parameters.get("weights") or {}, replies)


def marked(
    tests: Sequence[str], outcomes: Mapping[str, str], weights: Mapping[str, float], replies: Sequence[Reply]
) -> Grade:
    """Return the weighted share of tests that passed, and the failed ones with their last error lines."""
    total = sum(weights.get(test, 1.0) for test in tests)
    passed = [test for test in tests if not outcomes[test]]
    failed = [{"test": test, "error": outcomes[test]} for test in tests if outcomes[test]]
    sandboxes = sorted({reply.sandbox for reply in replies if isinstance(reply, CodeReply)})
    evidence = {"passed": len(passed), "tests": len(tests), "failed": failed, "sandbox": ", ".join(sandboxes)}
    return Grade(sum(weights.get(test, 1.0) for test in passed) / total, evidence)


def reported(stdout: str, pending: Sequence[str]) -> dict[str, str] | str:
    """Return the error line ("" for none) of each test that ended, in order, from the harness's output.

    Returns a text instead when the fault is not the answer's: why the tests do not load, or "" when the
    harness never started. Only lines that start with the token of the first line count.
    """
    token, _, rest = stdout.partition("\n")
    if not TOKEN.fullmatch(token):
        return ""
    for line in reversed(rest.split("\n")):
        if not line.startswith(token):
            continue
        try:
            found = ast.literal_eval(line[len(token) :])
        except (SyntaxError, ValueError):
            continue  # the middle of long output is cut
        if isinstance(found, str):
            return f"the tests do not load: {found}"
        names = [name for name, _, _ in found]
        if names == list(pending[: len(names)]):
            return {name: "" if ok else error or "failed" for name, ok, error in found}
    return {}


def how_it_ended(reply: CodeReply) -> str:
    """Return one line for a test during which the whole run ended."""
    last = reply.error.rpartition("\n")[2]
    if reply.status in (CodeStatus.TIMEOUT, CodeStatus.MEMORY):
        return f"{reply.status}: {last}" if last else str(reply.status)
    return f"the code ended the program: {last}" if last else "the code ended the program"


def program(suite: Suite, answer: str, tests: Sequence[str], given: Mapping[str, Any]) -> CodeAsk:
    """Return the ask that runs some of the tests on the answer's code."""
    own_equality = bool(given.get("own_equality", False))
    arguments = (answer, suite.source, suite.names, suite.modules, tuple(tests), own_equality)
    return CodeAsk(
        f"from assay_inside.harness import run\nrun({', '.join(map(ascii, arguments))})\n",
        seconds=float(given.get("seconds", 10)),
        megabytes=int(given.get("megabytes", 256)),
        output_bytes=max(65_536, RESULT_BYTES * len(suite.tests)),
        packages=tuple(given.get("packages") or ()),
    )
