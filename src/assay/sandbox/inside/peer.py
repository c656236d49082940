"""One room's end of the line to the other: the messages, and the values that they carry.

The rooms take turns, so each request is answered before anything else happens; while a room waits it
carries out what the other asks in between. The room of the tests is `guarded`: it lets the other room call
what the tests handed over, but read nothing that leads from there to the tests themselves.
"""

from __future__ import annotations

import builtins
import importlib
import json
import sys
import types
from collections.abc import Callable
from typing import Any

from . import wire
from .deeds import DEEDS, Remote, carry_out
from .mirror import FORWARDED, LEAF_VALUES, LEAVES, MUTABLE, MirrorClass, ancestors, mirror_class

MOST_OBJECTS = 50_000
LONGEST_MESSAGE = 32 << 20
NEVER = (types.ModuleType, types.FrameType, types.CodeType, types.CellType)


class Peer:
    """The line to the other room, for the length of one test.

    `exchange(message)` hands a message over and returns the next one. `load(names)` loads the answer, in its
    room. The room of the tests gives even numbers to what it hands over, the other odd ones.
    """

    def __init__(
        self,
        exchange: Callable[[str], str],
        *,
        guarded: bool,
        own_equality: bool = False,
        load: Callable[[tuple[str, ...]], Any] | None = None,
    ) -> None:
        self.exchange = exchange
        self.guarded = guarded
        self.remote = Remote(self.request, guarded=guarded, own_equality=own_equality)
        self.load = load
        self.objects: dict[int, Any] = {}  # made here, known there
        self.numbers: dict[int, int] = {}  # their numbers, by id
        self.classes: dict[int, tuple[int, type]] = {}  # classes made here, by id
        self.mirrors: dict[int, Any] = {}  # made there, by number
        self.mirrored: dict[int, int] = {}  # their numbers, by id
        self.mirror_classes: dict[int, type] = {}
        # Containers that both rooms hold, by number: the value, its tag, what it held when last
        # sent or received.
        self.shared: dict[int, list[Any]] = {}
        self.shared_numbers: dict[int, int] = {}
        self.new: list[tuple[dict[int, Any], int]] = []  # what the message being written or read has added
        self.fault = ""
        self.parity = int(not guarded)
        self.last = self.parity
        self.printed: Callable[[], str] = str
        self.show_printed: Callable[[str], object] = len

    def request(self, *body: Any) -> Any:
        """Have something done in the other room; return or raise what came of it."""
        text = self.exchange(self.pack(*body))
        while True:
            kind, parts = self.unpack(text)
            if kind == "ok":
                return parts[0]
            if kind == "raise":
                error = parts.pop()
                if not isinstance(error, BaseException):
                    raise self.broken("what was raised is not an exception")
                try:
                    raise error
                finally:
                    del error
            text = self.exchange(self.serve(kind, parts))

    def serve(self, kind: str, parts: list[Any]) -> str:
        """Carry out one request of the other room and return the message that answers it.

        Empties `parts`, so that what only the request held is not kept equal in both rooms any longer.
        """
        try:
            return self.pack("ok", self.perform(kind, parts), parts=parts)
        except (wire.Malformed, Ended):
            raise
        except BaseException as error:  # noqa: BLE001 - the other room is to know
            error.__traceback__ = None
            if self.guarded and type(error) is AssertionError:
                error = AssertionError()  # its text may say what the tests expect
            parts.clear()
            try:
                return self.pack("raise", error)
            except Exception:  # noqa: BLE001 - it may hold anything
                return self.pack(
                    "raise", RuntimeError(f"{type(error).__name__}, which cannot be handed over")
                )

    def perform(self, kind: str, parts: list[Any]) -> Any:
        """Do what a request says, with its values decoded."""
        if self.guarded and id(parts[0]) not in self.numbers and id(parts[0]) not in self.classes:
            raise TypeError("only what was handed over can be used")  # not, say, a format string
        if kind == "load" and self.load is not None:
            return self.load(parts[0])
        if kind not in DEEDS:
            raise self.broken(f"no request is called {kind!r}")
        return carry_out(kind, *parts, guarded=self.guarded)

    # Messages.

    def pack(self, kind: str, *values: Any, parts: list[Any] | None = None) -> str:
        """Return a message: what is asked or answered, containers that changed, numbers to forget, output."""
        self.new.clear()
        try:
            body = [kind, *map(self.encode, values)]
            del values
            if parts is not None:
                parts.clear()
            message = [body, self.changes(), self.sweep(), self.printed()]
            text = DUMP(message)
            if len(text) > LONGEST_MESSAGE:
                raise OverflowError(f"a value is too large to hand over: {len(text)} bytes")
        except BaseException:
            for table, key in self.new:  # the other room will not learn of these
                table.pop(key, None)
            raise
        self.note_new()
        return text

    def unpack(self, text: str) -> tuple[str, list[Any]]:
        """Read a message; bring shared containers up to date; return its kind and its values."""
        if text.startswith("!"):
            raise Ended(text[1:])
        self.new.clear()
        try:
            message, end = DECODER.raw_decode(text, int(text.startswith("+")))
            if end != len(text):
                raise ValueError("more than one value")
            (kind, *values), changes, released, printed = message
            if type(kind) is not str or type(printed) is not str:
                raise TypeError("no text")
            parts = [self.decode(value) for value in values]
            for number, content in changes:
                entry = self.shared[number]
                wire.SHARED[entry[1]][2](self, entry[0], content)
                entry[2] = wire.snapshot(entry[1], entry[0])
            for number in released:
                self.forget(number)
        except Exception as error:  # noqa: BLE001 - whatever a strange message leads to
            raise self.broken(f"{type(error).__name__}: {error}") from None
        self.note_new()
        if printed:
            self.show_printed(printed)
        return kind, parts

    def broken(self, why: str) -> wire.Malformed:
        """Return the error for a message that cannot be read, and remember it: tests might catch it."""
        self.fault = self.fault or why[:200]
        return wire.Malformed(self.fault)

    def changes(self) -> list[Any]:
        """Return the shared containers that changed since they last crossed, with their content."""
        found = []
        new = {key for table, key in self.new if table is self.shared}
        for number, entry in list(self.shared.items()):
            if number not in new:
                now = wire.snapshot(entry[1], entry[0])
                if not wire.is_unchanged(entry[2], now):
                    entry[2] = now
                    found.append([number, wire.SHARED[entry[1]][1](self, entry[0])])
        return found

    def sweep(self) -> list[int]:
        """Forget the containers that nothing else in this room holds, and return their numbers."""
        gone = []
        for number, entry in list(self.shared.items()):
            if sys.getrefcount(entry[0]) <= UNHELD:
                self.forget(number)
                entry.clear()  # now, since it may hold the next ones
                gone.append(number)
        return gone

    def forget(self, number: int) -> None:
        """Stop keeping this container equal in both rooms."""
        entry = self.shared.pop(number, None)
        if entry is not None:
            self.shared_numbers.pop(id(entry[0]), None)

    def note_new(self) -> None:
        """Note the content of the containers that the last message was the first to carry."""
        for table, key in self.new:
            if table is self.shared and key in table:
                entry = table[key]
                entry[2] = wire.snapshot(entry[1], entry[0])
        self.new.clear()

    # Values that leave.

    def encode(self, value: Any) -> Any:
        """Return a value as wire: plain ones by value, others as a handle."""
        encoder = wire.ENCODERS.get(type(value))
        if encoder is not None:
            return encoder(self, value)
        key = id(value)
        if isinstance(value, MirrorClass):
            return ["h", value.__assay_number__]
        if key in self.mirrored:
            return ["h", self.mirrored[key]]
        if isinstance(type(value), MirrorClass):
            raise RuntimeError("an object of the answer was kept from an earlier test")
        name = wire.library_name(value, any_name=self.guarded)
        if name is not None:
            return ["n", name]
        if isinstance(value, type):
            reference = self.class_out(value)
            self.objects[reference[1]] = value
            return ["K", reference]
        if key in self.numbers:
            return ["o", self.numbers[key]]
        if isinstance(value, types.TracebackType):
            return None  # as `__exit__` gets one
        if self.guarded and isinstance(value, NEVER):
            raise TypeError(f"a {type(value).__name__} does not leave its room")
        number = self.fresh()
        if len(self.objects) >= MOST_OBJECTS:
            raise OverflowError("too many objects were handed over")
        self.add(self.objects, number, value)
        self.add(self.numbers, key, number)
        if isinstance(value, BaseException):
            return self.error_out(number, value)
        reference = self.class_out(type(value))
        base = next((base for base in ancestors(type(value)) if base in LEAVES), None)
        if base is not None:
            return ["v", number, reference, self.encode(LEAF_VALUES[base](value))]
        return ["o", number, reference, hash_out(value)]

    def error_out(self, number: int, error: BaseException) -> Any:
        """Return an exception as wire: its class, its arguments, what was added to it, its cause."""
        name = wire.library_name(type(error), any_name=False)
        state = []
        if name is not None:
            state = [part for pair in vars(error).items() for part in map(self.encode, pair)]
        cause = None if error.__cause__ is None else self.encode(error.__cause__)
        reference = ["n", name] if name is not None else self.class_out(type(error))
        return ["x", number, reference, [self.encode(argument) for argument in error.args], state, cause]

    def class_out(self, kind: type) -> list[Any]:
        """Return a class as wire: in full at first, then by its number."""
        known = self.classes.get(id(kind))
        if known is not None:
            return ["k", known[0]]
        number = self.fresh()
        self.add(self.classes, id(kind), (number, kind))
        if not self.guarded:
            self.add(self.objects, number, kind)
        line = ancestors(kind)
        bases = [self.base_out(base) for base in kind.__bases__ if base is not object]
        methods = FUNCTION_METHODS if kind is types.FunctionType else methods_of(line)
        like = next((base.__name__ for base in line if base in MUTABLE), None)
        return ["k", number, str(kind.__name__), bases, methods, like]

    def base_out(self, base: type) -> list[Any]:
        """Return a base of a class as wire."""
        if base in LEAVES or issubclass(base, BaseException):
            name = wire.library_name(base, any_name=False)
            if name is not None:
                return ["n", name]
        return self.class_out(base)

    def share(self, tag: str, value: Any) -> Any:
        """Return a container as wire: in full at first, then by its number."""
        number = self.shared_numbers.get(id(value))
        if number is not None:
            return ["#", number]
        number = self.fresh()
        self.add(self.shared, number, [value, tag, None])
        self.add(self.shared_numbers, id(value), number)
        return [tag, number, wire.SHARED[tag][1](self, value), *wire.more(self, tag, value)]

    def add(self, table: dict[int, Any], key: int, value: Any) -> None:
        """Enter something into a table for as long as its message does not fail."""
        table[key] = value
        self.new.append((table, key))

    def fresh(self) -> int:
        """Return a number that this room has not given yet."""
        self.last += 2
        return self.last

    # Values that arrive.

    def decode(self, value: Any) -> Any:
        """Return the value that wire stands for. Raises an exception of some kind for what is malformed."""
        if type(value) in wire.ATOMS:
            return value
        if type(value) is not list or type(value[0]) is not str:
            raise TypeError("not a value")
        tag, *rest = value
        decoder = wire.DECODERS.get(tag)
        if decoder is not None:
            return decoder(self, rest)
        if tag == "#":
            return self.shared[rest[0]][0]
        if tag == "h":
            return self.objects[rest[0]]
        if tag == "n":
            if not self.guarded:
                importlib.import_module(rest[0].partition(":")[0])
            return wire.by_name(rest[0], any_name=not self.guarded)
        if tag == "K":
            return self.class_in(rest[0])
        if tag in wire.SHARED:
            return self.shared_in(tag, *rest)
        return self.object_in(tag, *rest)

    def shared_in(self, tag: str, number: int, content: Any, *extra: Any) -> Any:
        """Return the new container that wire stands for."""
        made, _, fill = wire.SHARED[tag]
        value = made(*map(self.decode, extra))
        self.theirs(number, self.shared)
        self.add(self.shared, number, [value, tag, None])
        self.add(self.shared_numbers, id(value), number)
        fill(self, value, content)
        return value

    def object_in(self, tag: str, number: int, *rest: Any) -> Any:
        """Return the mirror of an object: the one there is, or a new one."""
        if not rest:
            return self.mirrors[number]
        self.theirs(number, self.mirrors)
        if len(self.mirrors) >= MOST_OBJECTS:
            raise OverflowError("too many objects were handed over")
        if tag == "o":
            kind, known = rest
            value: Any = object.__new__(self.class_in(kind))
            if not (known is None or type(known) is int):
                raise TypeError("not a hash")
            self.remote.hashes[id(value)] = known
        elif tag == "v":
            kind = self.class_in(rest[0])
            base = next(base for base in kind.__mro__ if base in LEAVES)
            inner = self.decode(rest[1])
            if type(inner) is not base:
                raise TypeError(f"not a {base.__name__}")
            value = base.__new__(kind, inner)
        elif tag == "x":
            value = self.error_in(*rest)
        else:
            raise TypeError(f"no value is marked {tag!r}")
        self.mirrors[number] = value
        self.mirrored[id(value)] = number
        return value

    def error_in(self, reference: Any, arguments: Any, state: Any, cause: Any) -> BaseException:
        """Return the exception that wire stands for."""
        kind = self.decode(reference) if reference[0] == "n" else self.class_in(reference)
        given = [self.decode(argument) for argument in arguments]
        builtin = next(base for base in kind.__mro__ if base in ERRORS)
        error: BaseException = kind.__new__(kind, *given)
        try:
            builtin.__init__(error, *given)
        except Exception:  # noqa: BLE001 - made by hand in some other way
            error.args = tuple(given)
        parts = [self.decode(part) for part in state]
        for name, value in zip(parts[::2], parts[1::2], strict=True):
            vars(error)[str(name)] = value
        if cause is not None:
            error.__cause__ = self.decode(cause)
        return error

    def class_in(self, wired: Any) -> type:
        """Return the mirror of a class: the one there is, or a new one."""
        tag, number, *rest = wired
        if tag != "k":
            raise TypeError("not a class")
        if not rest:
            return self.mirror_classes[number]
        self.theirs(number, self.mirror_classes)
        name, bases, methods, like = rest
        if type(name) is not str or len(name) > 200 or "\0" in name:
            raise TypeError("not a name")
        above = [self.decode(base) if base[0] == "n" else self.class_in(base) for base in bases]
        looks = next((kind for kind in MUTABLE if kind.__name__ == like), None)
        made = mirror_class(self.remote, number, name, above, [str(method) for method in methods], looks)
        self.mirror_classes[number] = made
        return made

    def theirs(self, number: Any, table: dict[int, Any]) -> None:
        """Raise ValueError unless the other room may give something new this number."""
        if type(number) is not int or number % 2 == self.parity or number in table:
            raise ValueError("not a new number")


class Ended(BaseException):
    """The other room has ended; the message says how."""


def methods_of(line: tuple[type, ...]) -> list[str]:
    """Return the special methods that a class with these ancestors defines and a mirror forwards."""
    own = [base for base in line if base is not object and base not in LEAVES and base not in ERRORS]
    methods = sorted({name for base in own for name in vars(base) if name in FORWARDED})
    return [*methods, "__await__"] if any("__await__" in vars(base) for base in own) else methods


def hash_out(value: Any) -> int | None:
    """Return the hash of an object whose class defines one; 0 for identity, None for no hash."""
    method: Any = type(value).__hash__
    if method is object.__hash__:
        return 0
    try:
        return hash(value) or 1
    except Exception:  # noqa: BLE001 - then it has none
        return None


DECODER = json.JSONDecoder()
DUMP = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
ERRORS = frozenset(
    kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
)
FUNCTION_METHODS = methods_of(ancestors(types.FunctionType))
UNHELD = (lambda entry: sys.getrefcount(entry[0]))([[]])
