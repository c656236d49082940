"""Flags an answer whose Python code does not run."""

from __future__ import annotations

from typing import Any, ClassVar

from assay.core.ask import Ask, CodeAsk, CodeReply, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import Flag, flag, graded
from assay.grading.checks.parameters import amount, faults
from assay.grading.code_tests import LONGEST, CodeTests
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.prepared import Prepared
from assay.grading.programs.answer import code, defines, parsed
from assay.grading.programs.banned import uses
from assay.grading.programs.ending import ending, last_error, outside
from assay.grading.programs.script import scripts
from assay.grading.programs.suite import test_problems

PARAMETERS = (
    text("entry", required=False),
    text("tests", required=False),
    texts("banned", required=False),
)

_TESTS = CodeTests()


class CodeRunnable:
    """Flags an answer whose Python does not run in the sandbox, lacks what was asked for, or fails a test.

    Parameters: `entry` (the function or class to write), `tests` (Python with `test_*` functions that
    use it), `banned` (modules and terms that the code must not use), `seconds` (default 10).
    Without tests the code runs as a program. What the sandbox lacks (a third-party module, files,
    the network, threads, input) leaves the answer ungraded.
    """

    name: ClassVar[str] = "code_runnable"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("seconds",))
        found += amount(given, "seconds", 0.1, LONGEST)
        entry, tests = given.get("entry"), given.get("tests")
        if entry is not None and not (isinstance(entry, str) and entry.isidentifier()):
            found.append(f"entry is {entry!r}: write the name of the function or class")
        elif isinstance(tests, str):
            wrong = ["tests need `entry`: the name that they call"]
            found += test_problems(tests, entry, ()) if entry else wrong
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask for a run of the tests, or of the program; for nothing when the answer holds no code."""
        tried = programs(spec, answer)
        if not tried or _lacks_entry(spec, tried[0]):
            return ()
        if "tests" in spec.parameters:
            return _TESTS.asks(case, _PREPARED(spec), answer)
        return (_run(tried[0], spec),)

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask:
        """Return 1, or 0 with what is wrong; or one more run, of the longest block alone, when all fail
        together.
        """
        tried = programs(spec, answer)
        if not tried:
            return graded((flag("NO_CODE", "holds no Python code"),))
        flags = _banned(spec, tried[-1])
        if _lacks_entry(spec, tried[0]):
            entry = spec.parameters["entry"]
            return graded((*flags, flag("ENTRY_MISSING", f"does not define {entry!r}", entry=entry)))
        if "tests" in spec.parameters:
            return self._tested(case, spec, answer, replies, flags)
        return _ran(spec, tried, replies, flags)

    def _tested(
        self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...], flags: list[Flag]
    ) -> Grade:
        found = _TESTS.read(case, _PREPARED(spec), answer, replies)
        if found.value is None:
            return found
        source = programs(spec, answer)[0]
        errors = [last_error(each["error"]) for each in found.evidence["failed"]]
        lacking = [why for kind, message in errors if (why := outside(kind, message, source))]
        if lacking and len(lacking) == len(errors) and not flags:
            return Grade.ungraded(lacking[0])
        compiles = [each for each in errors if each[0] in ("SyntaxError", "IndentationError", "TabError")]
        if compiles:
            flags.append(flag("DOES_NOT_COMPILE", f"{compiles[0][0]}: {compiles[0][1]}"[:200]))
        else:
            for each in found.evidence["failed"]:
                says = f"{each['test']}: {each['error']}"
                flags.append(flag("TEST_FAILED", says[:200], test=each["test"]))
        return graded(flags, passed=found.evidence["passed"], tests=found.evidence["tests"])


def programs(spec: GraderSpec, answer: str) -> tuple[str, ...]:
    """Return the programs to try in order; empty when the answer holds no Python."""
    entry = spec.parameters.get("entry")
    if entry is None:
        return scripts(answer)
    found = code(answer, entry)
    return () if found is None else (found,)


def _lacks_entry(spec: GraderSpec, source: str) -> bool:
    entry = spec.parameters.get("entry")
    return entry is not None and parsed(source) is not None and not defines(source, entry)


def _banned(spec: GraderSpec, source: str) -> list[Flag]:
    found = ((term, uses(source, term)) for term in spec.parameters.get("banned", ()))
    return [flag("BANNED_IN_CODE", f"uses {term!r}", term=term, line=line) for term, line in found if line]


def _run(source: str, spec: GraderSpec) -> CodeAsk:
    # Programs read their arguments, `unittest.main` too; WebAssembly gives none, not even a name.
    program = f"__import__('sys').argv[:] = ['answer.py']\nexec(compile({source!a}, '<answer>', 'exec'))\n"
    return CodeAsk(program, seconds=float(spec.parameters.get("seconds", 10)))


def _ran(
    spec: GraderSpec, tried: tuple[str, ...], replies: tuple[Reply, ...], flags: list[Flag]
) -> Grade | Ask:
    """Return the grade of the last run; another run where there is one more program to try."""
    last: Any = replies[-1] if replies else None
    if not isinstance(last, CodeReply):
        return Grade.ungraded(f"no sandbox: {last!r}"[:200])
    end = ending(last, tried[len(replies) - 1])
    if (end.code or end.ungraded) and last.status.value != "no sandbox" and len(replies) < len(tried):
        return _run(tried[len(replies)], spec)
    if end.ungraded and not flags:
        return Grade.ungraded(end.ungraded)
    if end.code:
        flags.append(flag(end.code, end.says, **({"line": end.line} if end.line else {})))
    return graded(flags, sandbox=last.sandbox, seconds=round(last.seconds, 3))


def _spec(spec: GraderSpec) -> GraderSpec:
    """The same tests as the `code_tests` grader takes them."""
    names = ("entry", "tests", "seconds")
    return GraderSpec(
        "code_tests", {name: spec.parameters[name] for name in names if name in spec.parameters}
    )


_PREPARED: Prepared[GraderSpec] = Prepared(_spec)
