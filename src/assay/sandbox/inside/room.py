"""What a room does: one that holds an answer, and one that puts tests to it.

Commands of the host start with `!`; everything else is a message from the other room. Only the room of the
tests decides what passes, and the answer's code never runs there.
"""

from __future__ import annotations

import io
import json
import random
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from .mirror import MirrorClass, is_mirror
from .peer import Ended, Peer
from .wire import Malformed

SEED = 2026
LINE = 300
SHOWN = 100
MOST_PRINTED = 65_536
# Modules in which a test leaves nothing behind that the next one could notice.
WITHOUT_STATE = frozenset(
    {
        *(
            "abc",
            "array",
            "bisect",
            "collections",
            "collections.abc",
            "contextlib",
            "copy",
            "dataclasses",
            "datetime",
            "enum",
        ),
        *("fractions", "functools", "heapq", "io", "itertools", "json", "math", "operator", "random", "re"),
        *("statistics", "string", "textwrap", "typing", "types"),
    }
)
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
    "is": lambda left, right: left is right,
    "is not": lambda left, right: left is not right,
}


class Room:
    """One room; `exchange(message)` hands a message to the other and returns the next one."""

    def __init__(self, exchange: Callable[[str], str]) -> None:
        self._exchange = exchange
        self._source = ""
        self._answer: types.CodeType | None = None
        self._printed = io.BytesIO()
        self._streams: list[io.TextIOWrapper] = []
        self._tests: Tests | None = None
        self._peer = Peer(exchange, guarded=False, load=self._load)

    def handle(self, message: str) -> str:
        """Carry out a command of the host, or what the room of the tests asks for.

        `!answer` brings the answer's source as JSON and, on the next line, the first message of the tests.
        """
        command, _, rest = message.partition(" ")
        if command == "!answer":
            source, _, message = rest.partition("\n")
            self._source = json.loads(source)
        if command == "!tests":
            source, names, modules, own_equality = json.loads(rest)
            self._tests = Tests(source, names, modules, own_equality, self._exchange)
            return self._tests.load()
        if command == "!test" and self._tests is not None:
            return self._tests.run(rest)
        if message.startswith('[["load"'):
            self._peer = Peer(self._exchange, guarded=False, load=self._load)
        return self._peer.serve(*self._peer.unpack(message))

    def _load(self, names: tuple[str, ...]) -> tuple[Any, ...]:
        """Run the answer as a fresh module and return those of its values that the tests ask for."""
        if "random" in self._source:
            random.seed(SEED)  # a mark must not change from day to day by the luck of an unseeded generator
        if self._answer is None:
            self._answer = compile(self._source, "<answer>", "exec")
        module = types.ModuleType("answer")
        sys.modules["answer"] = sys.modules["__main__"] = module
        if not self._streams or any(stream.closed for stream in self._streams):
            self._printed = io.BytesIO()
            self._streams = [text_stream(self._printed), text_stream(io.BytesIO())]
        sys.stdout, sys.stderr = self._streams
        self._peer.printed = lambda: taken(self._printed)
        try:
            exec(self._answer, module.__dict__)
        except SystemExit:
            raise RuntimeError("the code ended the program while it was loaded") from None
        values = module.__dict__
        return tuple((name, values[name]) for name in names if name in values)


def text_stream(bytes_stream: io.BytesIO) -> io.TextIOWrapper:
    """Return a text stream that writes through to memory."""
    return io.TextIOWrapper(bytes_stream, "utf-8", "backslashreplace", write_through=True)


def taken(printed: io.BytesIO) -> str:
    """Return what was printed since the last message."""
    if printed.closed or not printed.tell():
        return ""
    text = printed.getvalue()[:MOST_PRINTED].decode("utf-8", "replace")
    printed.seek(0)
    printed.truncate()
    return text


class Tests:
    """The tests of one case. Their room runs them against one answer after another."""

    def __init__(
        self, source: str, names: Any, modules: Any, own_equality: bool, exchange: Callable[[str], str]
    ) -> None:
        self._code = compile(source, "<tests>", "exec")
        self._by_chance = "random" in source
        self._names = tuple(names)
        self._modules = tuple(modules)
        self._own_equality = own_equality
        self._exchange = exchange
        self._peer: Peer
        self._before: list[tuple[types.ModuleType, dict[str, Any]]] = []

    def load(self) -> str:
        """Load the tests once without an answer; return what is wrong with them, or nothing."""
        try:
            exec(self._code, {"__name__": "tests", **comparison()})
            for name in self._modules:
                __import__(name)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the tests' fault
            return describe(error)
        watched = {"builtins", *self._modules} if WITHOUT_STATE.issuperset(self._modules) else ()
        self._before = [(sys.modules[name], dict(vars(sys.modules[name]))) for name in watched]
        return ""

    def run(self, name: str) -> str:
        """Run one test on a freshly loaded answer; return its error line and whether all is as before."""
        if self._by_chance:
            random.seed(SEED)
        peer = Peer(self._send, guarded=True, own_equality=self._own_equality)
        self._peer = peer
        sys.stdout = silent = io.StringIO()
        peer.show_printed = lambda text: sys.stdout is silent or sys.stdout.write(text)
        space = {"__name__": "tests", **comparison()}
        error = ""
        try:
            exec(self._code, space)
            space.update(names_of_answer(peer, self._names))
            space[name]()
        except BaseException as raised:  # noqa: BLE001 - SystemExit and KeyboardInterrupt fail a test too
            error = describe(raised) or "failed"
            raised.__traceback__ = None
        if peer.fault:
            error = f"the answer's room sent what cannot be read: {peer.fault}"
        space.clear()
        del self._peer
        same = not peer.fault and sys.stdout is silent and self._unchanged()
        return json.dumps([error[:LINE], same])

    def _send(self, message: str) -> str:
        """Hand a message over, marked with `+` when the answer was given something to call."""
        return self._exchange(f"+{message}" if self._peer.objects else message)

    def _unchanged(self) -> bool:
        """Return whether the tests left this room as it was, so that it can serve another answer."""
        return bool(self._before) and all(vars(module) == before for module, before in self._before)


def names_of_answer(peer: Peer, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Have the answer loaded and return what the tests take from it."""
    values = dict(peer.request("load", names))
    # An answer may give a class where the tests ask for a function: the name tells which they want.
    peer.remote.named = tuple(
        value for name, value in values.items() if isinstance(value, MirrorClass) and name[:1].isupper()
    )
    return values


def comparison() -> dict[str, Any]:
    """Return `__assay_compare__` and `__assay_explain__`, with which assertions say what did not hold."""
    last: list[str] = []

    def compare(operators: tuple[str, ...], *operands: Any) -> Any:
        last.clear()
        result: Any = True
        for operator, left, right in zip(operators, operands, operands[1:], strict=False):
            result = OPERATORS[operator](left, right)
            if not result:
                last.append(f"{show(left)} {operator} {show(right)} does not hold")
                return result
        return result

    def explain(source: str) -> str:
        return f"{source} ({last[0]})" if last else source

    return {"__assay_compare__": compare, "__assay_explain__": explain}


def show(value: Any) -> str:
    """Return a short text for an error line."""
    if is_mirror(value):
        return f"a {type(value).__name__}"
    try:
        text = repr(value)
    except ValueError:
        return "a number too long to show"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def describe(error: BaseException) -> str:
    """Return the last line that a traceback would print, at most `LINE` characters."""
    if isinstance(error, Ended | Malformed):
        return str(error)
    name = type(error).__name__
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - `__str__` may be the answer's
        text = "(its text could not be read)"
    first = next((line for line in text.splitlines() if line), "")
    return (f"{name}: {first}" if first else name)[:LINE]
