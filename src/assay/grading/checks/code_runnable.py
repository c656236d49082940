"""The check that flags Python code that does not run."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.core.ask import Ask, CodeAsk, CodeReply, CodeStatus, Reply
from assay.core.case import Case, GraderSpec
from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import Flag, flag, grade
from assay.grading.checks.flags import FlagCode
from assay.grading.code_tests import LONGEST, CodeTests
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.parameters import (
    GraderParameter,
    ParameterShape,
    PreparedSpecs,
    number_problems,
    parameter_problems,
)
from assay.grading.programs.answer import broken_revision, defines, extract_code, parse, scripts, uses
from assay.grading.programs.unit_tests import test_problems

PARAMETERS = (
    text("entry", required=False),
    text("tests", required=False),
    texts("banned", required=False),
    GraderParameter("seconds", ParameterShape.ANY, required=False),
)

_TESTS = CodeTests()


class CodeRunnable:
    """An auto-check that runs Python: it must run in the sandbox, define the entry and pass the tests.

    Parameters: `entry` (the function or class to write), `tests` (Python with `test_*` functions that use
    it), `banned` (modules and terms that the code must not use), `seconds` (default 10). Of several versions
    the last counts: it is flagged if it does not compile. Without tests the code runs as a program. If the
    code needs something that the sandbox does not have (a third-party module, files, the network, threads,
    input), the answer is ungraded.
    """

    name: ClassVar[str] = "code_runnable"
    version: ClassVar[str] = "3"
    help: ClassVar[HelpText] = HelpText("""
        An auto-check that runs the answer's Python in a sandbox. It flags code that is missing, does not
        compile, fails, takes too long or breaks a rule of the prompt.

        Code that reads well and does not run is worthless to the user. What the sandbox does not have
        (files, network, other packages) leaves the answer ungraded instead.

        Give `entry` and `tests` to test a function; without tests the program is just run. `assay doctor`
        says whether a sandbox works on this machine.
    """)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the problems of the parameters."""
        given = spec.parameters
        problems = parameter_problems(PARAMETERS, given)
        problems += number_problems(given, "seconds", 0.1, LONGEST)
        entry, tests = given.get("entry"), given.get("tests")
        if entry is not None and not (isinstance(entry, str) and entry.isidentifier()):
            problems.append(f"entry is {entry!r}: write the name of the function or class")
        elif isinstance(tests, str):
            wrong = ["tests need `entry`: the name that they call"]
            problems += test_problems(tests, entry, ()) if entry else wrong
        return tuple(problems)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Request a run of the tests, or of the program; nothing if the answer has no code."""
        tried = programs(spec, answer)
        if not tried or _lacks_entry(spec, tried[0]):
            return ()
        if "tests" in spec.parameters:
            return _TESTS.asks(case, _PREPARED(spec), answer)
        return (_run(tried[0], spec),)

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask:
        """Return the grade, or request a run of the longest block alone if all blocks together fail."""
        tried = programs(spec, answer)
        if not tried:
            return grade(flag(FlagCode.NO_CODE, "holds no Python code"))
        flags = _banned(spec, tried[-1])
        entry = spec.parameters.get("entry")
        if entry is not None and broken_revision(answer, entry) is not None:
            flags.append(
                flag(FlagCode.DOES_NOT_COMPILE, f"the last version of {entry!r} is not valid Python")
            )
        if _lacks_entry(spec, tried[0]):
            return grade(*flags, flag(FlagCode.ENTRY_MISSING, f"does not define {entry!r}", entry=entry))
        if "tests" in spec.parameters:
            return self._tested(case, spec, answer, replies, flags)
        return _ran(spec, tried, replies, flags)

    def _tested(
        self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...], flags: list[Flag]
    ) -> Grade:
        tested = _TESTS.read(case, _PREPARED(spec), answer, replies)
        if tested.value is None:
            return tested
        source = programs(spec, answer)[0]
        errors = [last_error(failure["error"]) for failure in tested.evidence["failed"]]
        reasons = [why for kind, message in errors if (why := outside(kind, message, source))]
        if reasons and len(reasons) == len(errors) and not flags:
            return Grade.ungraded(reasons[0])
        compiles = [error for error in errors if error[0] in ("SyntaxError", "IndentationError", "TabError")]
        if compiles:
            flags.append(flag(FlagCode.DOES_NOT_COMPILE, f"{compiles[0][0]}: {compiles[0][1]}"[:200]))
        else:
            for failure in tested.evidence["failed"]:
                message = f"{failure['test']}: {failure['error']}"
                flags.append(flag(FlagCode.TEST_FAILED, message[:200], test=failure["test"]))
        return grade(*flags, passed=tested.evidence["passed"], tests=tested.evidence["tests"])


def programs(spec: GraderSpec, answer: str) -> tuple[str, ...]:
    """Return the programs to try, in order; empty if the answer has no Python."""
    entry = spec.parameters.get("entry")
    if entry is None:
        return scripts(answer)
    source = extract_code(answer, entry)
    return () if source is None else (source,)


def _lacks_entry(spec: GraderSpec, source: str) -> bool:
    entry = spec.parameters.get("entry")
    return entry is not None and parse(source) is not None and not defines(source, entry)


def _banned(spec: GraderSpec, source: str) -> list[Flag]:
    lines = ((term, uses(source, term)) for term in spec.parameters.get("banned", ()))
    return [
        flag(FlagCode.BANNED_IN_CODE, f"uses {term!r}", term=term, line=line) for term, line in lines if line
    ]


def _run(source: str, spec: GraderSpec) -> CodeAsk:
    # Programs, and `unittest.main`, read sys.argv, which is empty in WebAssembly: not even a name.
    program = f"__import__('sys').argv[:] = ['answer.py']\nexec(compile({source!a}, '<answer>', 'exec'))\n"
    return CodeAsk(program, seconds=float(spec.parameters.get("seconds", 10)))


def _ran(
    spec: GraderSpec, tried: tuple[str, ...], replies: tuple[Reply, ...], flags: list[Flag]
) -> Grade | Ask:
    """Return the grade of the last run, or request a run of the next program."""
    last: Any = replies[-1] if replies else None
    if not isinstance(last, CodeReply):
        return Grade.ungraded(f"no sandbox: {last!r}"[:200])
    end = ending(last, tried[len(replies) - 1])
    if (end.code or end.ungraded) and last.status.value != "no sandbox" and len(replies) < len(tried):
        return _run(tried[len(replies)], spec)
    if end.ungraded and not flags:
        return Grade.ungraded(end.ungraded)
    if end.code:
        flags.append(flag(end.code, end.message, **({"line": end.line} if end.line else {})))
    return grade(*flags, sandbox=last.sandbox, seconds=round(last.seconds, 3))


def _spec(spec: GraderSpec) -> GraderSpec:
    """Return the spec of these tests for the `code_tests` grader."""
    names = ("entry", "tests", "seconds")
    return GraderSpec(
        "code_tests", {name: spec.parameters[name] for name in names if name in spec.parameters}
    )


_PREPARED: PreparedSpecs[GraderSpec] = PreparedSpecs(_spec)


_LAST = re.compile(
    r"^((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Warning|Group|StopIteration))(?::[ ]?(.*))?$",
    re.MULTILINE,
)
_MODULE = re.compile(r"No module named '([\w.]+)'")
_LINE = re.compile(r'File "<answer>", line (\d+)')
_OUTSIDE = re.compile(
    r"can't start new thread|not support(?:ed)?|Operation not permitted|Errno \d+|urlopen error|getaddrinfo"
    r"|No such file|Network is unreachable|"
    r"nothing outside can wake|fork|_multiprocessing|semaphore"
)
_NEEDS = """
FileNotFoundError PermissionError ConnectionError ConnectionRefusedError OSError URLError gaierror
TimeoutError BlockingIOError NotADirectoryError BrokenPipeError EOFError UnsupportedOperation
"""
_OUTSIDE_KINDS = frozenset(_NEEDS.split())
_ARGUMENTS = re.compile(r"\bargparse\b|\bsys\s*\.\s*argv\b")


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """The end of a program: a flag's code and message (None and "" without one), and its line (0: unknown).

    `ungraded` is the reason why it cannot be graded, "" if it can.
    """

    code: FlagCode | None = None
    message: str = ""
    line: int = 0
    ungraded: str = ""


def ending(reply: CodeReply, source: str) -> ProgramEnd:
    """Return how the run of an answer's code ended."""
    if reply.status is CodeStatus.UNAVAILABLE:
        return ProgramEnd(ungraded=f"no sandbox: {reply.error}")
    if reply.status is CodeStatus.PASSED:
        return ProgramEnd()
    if reply.status is CodeStatus.TIMEOUT:
        return ProgramEnd(FlagCode.TIMES_OUT, "does not end within its time")
    if reply.status is CodeStatus.MEMORY:
        return ProgramEnd(FlagCode.OUT_OF_MEMORY, "runs out of memory")
    lines = _LINE.findall(reply.error)
    line = int(lines[-1]) if lines else 0
    kind, message = last_error(reply.error)
    if kind == "IndexError" and "argv" in "".join(source.split("\n")[line - 1 : line]):
        return ProgramEnd(ungraded="the code needs command-line arguments")
    if why := outside(kind, message, source):
        return ProgramEnd(ungraded=why)
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        return ProgramEnd(FlagCode.DOES_NOT_COMPILE, f"{kind}: {message}"[:200], line)
    return ProgramEnd(
        FlagCode.RAISES, f"{kind}: {message}"[:200] if message else kind or "ends with an error", line
    )


def last_error(text: str) -> tuple[str, str]:
    """Return the kind and the message of the last error that a text names."""
    errors = _LAST.findall(text)
    if not errors:
        return "", text.rpartition("\n")[2]
    kind, message = errors[-1]
    return kind.rpartition(".")[2], message.strip()


def outside(kind: str, message: str, source: str) -> str:
    """Return the reason why the error is not the code's fault: it needs something outside the sandbox.

    That is a third-party module, a file, the network, a thread or input; "" for other errors.
    """
    if kind in ("ModuleNotFoundError", "ImportError") and (module := _MODULE.search(message)):
        name = module[1]
        where = (
            "the standard library here"
            if name.partition(".")[0] in sys.stdlib_module_names
            else "the sandbox"
        )
        return f"the module {name!r} is not in {where}"
    if kind in _OUTSIDE_KINDS or (
        kind in ("RuntimeError", "NotImplementedError", "ImportError") and _OUTSIDE.search(message)
    ):
        return f"the code needs something that the sandbox does not have: {kind}: {message}"[:200]
    if kind == "SystemExit" and _ARGUMENTS.search(source):
        return "the code needs command-line arguments"
    return ""
