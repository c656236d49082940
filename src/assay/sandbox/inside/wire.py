"""The values that cross between the room of the tests and the room of the answer, as JSON.

Plain values cross by value. Lists, dictionaries and other containers that can change are numbered, so that
both rooms can keep their copies equal. Everything else is left to `peer`, which sends a handle.
"""

from __future__ import annotations

import array
import builtins
import collections
import datetime
import decimal
import fractions
import itertools
import operator
import pathlib
import sys
import uuid
from collections.abc import Callable
from typing import Any, Protocol

LARGEST = 1 << 10_000
DEEPEST = 150
# Built-in names that the answer may send: none of their results equals everything or reads another's names.
SAFE = {
    name: getattr(builtins, name)
    for name in (
        *("abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "complex"),
        *("dict", "divmod", "enumerate", "filter", "float", "format", "frozenset", "hash", "hex", "int"),
        *("isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next", "object", "oct"),
        *(
            "ord",
            "pow",
            "print",
            "range",
            "repr",
            "reversed",
            "round",
            "set",
            "slice",
            "sorted",
            "str",
            "sum",
        ),
        *("tuple", "zip", "NotImplemented", "Ellipsis"),
    )
}
SAFE["NoneType"] = type(None)


class Malformed(BaseException):
    """A message from the other room cannot be read: no value can be made of it."""


class Codec(Protocol):
    """What the encoders and decoders of containers call for the values inside."""

    def encode(self, value: Any) -> Any: ...

    def decode(self, wire: Any) -> Any: ...

    def share(self, tag: str, value: Any) -> Any: ...


def items_out(codec: Codec, items: list[Any]) -> list[Any]:
    """Return a list of values as wire; as it is when it holds small plain values only."""
    kinds = set(map(type, items))
    if is_small(items, kinds):
        return items
    if kinds == TUPLES:
        inside = [*itertools.chain.from_iterable(items)]
        if is_small(inside, set(map(type, inside))):
            return [["t", *item] for item in items]
    encode = codec.encode
    return [encode(item) for item in items]


def is_small(items: list[Any], kinds: set[type]) -> bool:
    """Return whether these values, of these types, are the same as wire: short, plain and ASCII."""
    if kinds <= SIMPLE:
        return True
    if kinds == INTEGERS:
        return bool(min(items) > -LARGEST and max(items) < LARGEST)
    return kinds == TEXTS and "".join(items).isascii()


def text_out(text: str) -> Any:
    """Return a text as wire: JSON would join the halves of a surrogate pair."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return ["u", text.encode("utf-32-le", "surrogatepass").hex()]
    return text


SIMPLE, INTEGERS, TEXTS, TUPLES = {type(None), bool, float}, {int}, {str}, {tuple}
Encoder = Callable[[Any, Any], Any]
Decoder = Callable[[Any, list[Any]], Any]


ENCODERS: dict[type, Encoder] = {
    type(None): lambda _, value: value,
    bool: lambda _, value: value,
    int: lambda _, value: value if -LARGEST < value < LARGEST else ["i", hex(value)],
    float: lambda _, value: value,
    str: lambda _, value: text_out(value),
    complex: lambda _, value: ["c", value.real, value.imag],
    bytes: lambda _, value: ["b", value.hex()],
    tuple: lambda codec, value: ["t", *items_out(codec, [*value])],
    frozenset: lambda codec, value: ["z", *items_out(codec, [*value])],
    list: lambda codec, value: codec.share("l", value),
    dict: lambda codec, value: codec.share("d", value),
    set: lambda codec, value: codec.share("s", value),
    bytearray: lambda codec, value: codec.share("y", value),
    collections.deque: lambda codec, value: codec.share("deque", value),
    collections.OrderedDict: lambda codec, value: codec.share("ordered", value),
    collections.Counter: lambda codec, value: codec.share("counter", value),
    collections.defaultdict: lambda codec, value: codec.share("default", value),
    array.array: lambda codec, value: codec.share("array", value),
    range: lambda codec, value: ["range", *map(codec.encode, (value.start, value.stop, value.step))],
    slice: lambda codec, value: ["slice", *map(codec.encode, (value.start, value.stop, value.step))],
    type({}.keys()): lambda codec, value: ["keys", *items_out(codec, [*value])],
    type({}.items()): lambda codec, value: ["items", *(codec.encode(item) for item in value)],
    decimal.Decimal: lambda _, value: ["decimal", str(value)],
    fractions.Fraction: lambda codec, value: ["fraction", *map(codec.encode, value.as_integer_ratio())],
    uuid.UUID: lambda _, value: ["uuid", value.hex],
    datetime.timedelta: lambda _, value: ["delta", value.days, value.seconds, value.microseconds],
    datetime.date: lambda _, value: ["date", value.year, value.month, value.day],
    datetime.timezone: lambda codec, value: ["zone", *map(codec.encode, value.__getinitargs__())],
    datetime.time: lambda codec, value: [
        *("time", value.hour, value.minute, value.second, value.microsecond),
        *(codec.encode(value.tzinfo), value.fold),
    ],
    datetime.datetime: lambda codec, value: [
        *("datetime", value.year, value.month, value.day, value.hour, value.minute, value.second),
        *(value.microsecond, codec.encode(value.tzinfo), value.fold),
    ],
    **{
        kind: lambda codec, value: ["path", type(value).__name__, *map(codec.encode, value.parts)]
        for kind in (pathlib.PurePosixPath, pathlib.PosixPath)
    },
}


def as_integer(text: str) -> int:
    """Return the number that a hexadecimal text stands for."""
    return int(text, 16)


DECODERS: dict[str, Decoder] = {
    "i": lambda _, wire: as_integer(*wire),
    "u": lambda _, wire: bytes.fromhex(*wire).decode("utf-32-le", "surrogatepass"),
    "c": lambda _, wire: complex(*map(as_float, wire)),
    "b": lambda _, wire: bytes.fromhex(*wire),
    "t": lambda codec, wire: tuple(decoded(codec, wire)),
    "z": lambda codec, wire: frozenset(decoded(codec, wire)),
    "range": lambda codec, wire: range(*map(codec.decode, wire)),
    "slice": lambda codec, wire: slice(*map(codec.decode, wire)),
    "keys": lambda codec, wire: dict.fromkeys([codec.decode(item) for item in wire]).keys(),
    "items": lambda codec, wire: dict([codec.decode(item) for item in wire]).items(),
    "decimal": lambda _, wire: decimal.Decimal(*wire),
    "fraction": lambda codec, wire: fractions.Fraction(*map(codec.decode, wire)),
    "uuid": lambda _, wire: uuid.UUID(*wire),
    "delta": lambda _, wire: datetime.timedelta(*wire),
    "date": lambda _, wire: datetime.date(*wire),
    "zone": lambda codec, wire: datetime.timezone(*map(codec.decode, wire)),
    "time": lambda codec, wire: datetime.time(*map(codec.decode, wire[:5]), fold=wire[5]),
    "datetime": lambda codec, wire: datetime.datetime(*map(codec.decode, wire[:8]), fold=wire[8]),
    "path": lambda codec, wire: path(wire[0], *map(codec.decode, wire[1:])),
}


def as_float(number: object) -> float:
    """Return the number; raise TypeError for anything else, such as a text."""
    if not isinstance(number, int | float):
        raise TypeError("not a number")
    return float(number)


def path(kind: str, *parts: str) -> pathlib.PurePath:
    """Return a path of one of the two kinds that cross."""
    return {"PurePosixPath": pathlib.PurePosixPath, "PosixPath": pathlib.PosixPath}[kind](*parts)


# Containers that can change, by tag: an empty one, its content as wire, and a way to put content into it.
def list_out(codec: Codec, value: Any) -> Any:
    """Return the content of a sequence."""
    return items_out(codec, [*value])


def list_in(codec: Codec, value: Any, wire: Any) -> None:
    """Replace the content of a list or an array."""
    value[:] = (
        type(value)(value.typecode, decoded(codec, wire))
        if type(value) is array.array
        else decoded(codec, wire)
    )


def set_in(codec: Codec, value: Any, wire: Any) -> None:
    """Replace the content of a set or a deque."""
    items = decoded(codec, wire)
    value.clear()
    (value.extend if type(value) is collections.deque else value.update)(items)


def dict_out(codec: Codec, value: Any) -> Any:
    """Return keys and values in turn."""
    encode = codec.encode
    return [encode(part) for pair in value.items() for part in pair]


def dict_in(codec: Codec, value: Any, wire: Any) -> None:
    """Replace the content of a dictionary."""
    parts = decoded(codec, wire)
    value.clear()
    for key, item in zip(parts[::2], parts[1::2], strict=True):
        value[key] = item


def decoded(codec: Codec, wire: Any) -> list[Any]:
    """Return the items of a content as values."""
    if type(wire) is not list:
        raise TypeError("content is not a list")
    decode = codec.decode
    return [
        item
        if type(item) in ATOMS
        else tuple(item[1:])
        if item[0] == "t" and ATOMS.issuperset(map(type, item))
        else decode(item)
        for item in wire
    ]


def bytes_in(_: Codec, value: bytearray, wire: str) -> None:
    """Replace the content of a bytearray."""
    value[:] = bytes.fromhex(wire)


ATOMS = frozenset({type(None), bool, int, float, str})
Emptied = Callable[..., Any]
SHARED: dict[str, tuple[Emptied, Callable[[Codec, Any], Any], Callable[[Codec, Any, Any], None]]] = {
    "l": (list, list_out, list_in),
    "d": (dict, dict_out, dict_in),
    "s": (set, list_out, set_in),
    "y": (bytearray, lambda _, value: value.hex(), bytes_in),
    "deque": (lambda most=None: collections.deque(maxlen=most), list_out, set_in),
    "ordered": (collections.OrderedDict, dict_out, dict_in),
    "counter": (collections.Counter, dict_out, dict_in),
    "default": (collections.defaultdict, dict_out, dict_in),
    "array": (array.array, list_out, list_in),
}


def snapshot(tag: str, value: Any) -> Any:
    """Return what a container holds now, to see later whether that changed."""
    if tag in ("y", "array"):
        return bytes(value)
    return [*value, *value.values()] if isinstance(value, dict) else [*value]


def is_unchanged(before: Any, now: Any) -> bool:
    """Return whether a container holds the very same objects: what is inside those is looked at by itself."""
    if type(now) is bytes or len(before) != len(now):
        return bool(before == now)
    return all(map(operator.is_, before, now))


def more(codec: Codec, tag: str, value: Any) -> list[Any]:
    """Return what making an empty container like this one takes."""
    if tag == "deque":
        return [value.maxlen]
    if tag == "default":
        return [codec.encode(value.default_factory)]
    return [value.typecode] if tag == "array" else []


def library_name(value: Any, *, any_name: bool) -> str | None:
    """Return the name under which both rooms know this object of the standard library, or None.

    Without `any_name` only harmless built-ins and exception classes have one: what the answer sends.
    """
    if isinstance(value, type | BUILT_IN) or value is NotImplemented or value is Ellipsis:
        name = getattr(value, "__qualname__", repr(value))
        module = getattr(value, "__module__", None) or "builtins"
    elif any_name and callable(value) and hasattr(value, "__qualname__"):
        name, module = value.__qualname__, getattr(value, "__module__", None)
        if module is None and hasattr(value, "__objclass__"):
            module = value.__objclass__.__module__
    else:
        return None
    if type(name) is not str or type(module) is not str:
        return None
    full = f"{module}:{name}"
    try:
        return full if by_name(full, any_name=any_name) is value else None
    except LookupError:
        return None


BUILT_IN = type(len)


def by_name(full: str, *, any_name: bool) -> Any:
    """Return the object of that name; raise LookupError when there is none that may be sent."""
    module, _, name = full.partition(":")
    if module == "builtins" and name in SAFE:
        return SAFE[name]
    found: Any = sys.modules.get(module) if module.partition(".")[0] in sys.stdlib_module_names else None
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, type | type(sys)) else None
    if found is None or not (any_name or (isinstance(found, type) and issubclass(found, BaseException))):
        raise LookupError(full)
    return found
