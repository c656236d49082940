"""How a program in the sandbox ended, told apart: the answer's fault, or something that only a real
machine has.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from assay.core.ask import CodeReply, CodeStatus

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
class Ending:
    """A flag's code ("" for none), what happened, the answer's line (0: unknown), and why it cannot be
    graded ("" where it can).
    """

    code: str = ""
    says: str = ""
    line: int = 0
    ungraded: str = ""


def ending(reply: CodeReply, source: str) -> Ending:
    """Return how the run of an answer's code ended."""
    if reply.status is CodeStatus.UNAVAILABLE:
        return Ending(ungraded=f"no sandbox: {reply.error}")
    if reply.status is CodeStatus.PASSED:
        return Ending()
    if reply.status is CodeStatus.TIMEOUT:
        return Ending("TIMES_OUT", "does not end within its time")
    if reply.status is CodeStatus.MEMORY:
        return Ending("OUT_OF_MEMORY", "runs out of memory")
    lines = _LINE.findall(reply.error)
    line = int(lines[-1]) if lines else 0
    kind, message = last_error(reply.error)
    if why := outside(kind, message, source):
        return Ending(ungraded=why)
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        return Ending("DOES_NOT_COMPILE", f"{kind}: {message}"[:200], line)
    return Ending("RAISES", f"{kind}: {message}"[:200] if message else kind or "ends with an error", line)


def last_error(text: str) -> tuple[str, str]:
    """Return the kind and the message of the last error that a text names."""
    found = _LAST.findall(text)
    if not found:
        return "", text.rpartition("\n")[2]
    kind, message = found[-1]
    return kind.rpartition(".")[2], message.strip()


def outside(kind: str, message: str, source: str) -> str:
    """Return what the code wants that no sandbox gives: a third-party module, a file, the network, a
    thread, input.
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
        return f"the code wants what the sandbox has not: {kind}: {message}"[:200]
    if kind == "SystemExit" and _ARGUMENTS.search(source):
        return "the code wants command-line arguments"
    return ""
