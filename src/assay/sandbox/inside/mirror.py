"""Mirrors: the classes and objects of the other room as they look from this one.

A mirror holds no data of its own. What is done with it is carried out in the other room, its remote.
Objects that derive from a number, a text or a tuple are mirrored with that value inside.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Generator
from typing import Any

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
BINARY = frozenset(f"__{prefix}{name}__" for name in ARITHMETIC for prefix in ("", "r", "i"))
SHOWING = ("__str__", "__repr__", "__format__", "__call__", "__enter__", "__exit__")
OTHERS = (
    *("__iter__", "__next__", "__reversed__", "__len__", "__contains__", "__bool__"),
    *("__getitem__", "__setitem__", "__delitem__", "__int__", "__float__", "__complex__", "__index__"),
    *("__abs__", "__neg__", "__pos__", "__invert__", "__round__", "__trunc__", "__floor__", "__ceil__"),
    *("__bytes__", "__fspath__", "__aiter__", "__anext__", "__aenter__", "__aexit__"),
)
FORWARDED = frozenset((*COMPARISONS, *BINARY, *SHOWING, *OTHERS))
# What is passed as an argument and must never be carried out on what the other room chose.
LEAVES = (int, float, complex, str, bytes, tuple, frozenset)
LEAF_VALUES: dict[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
MUTABLE = (list, dict, set, bytearray, collections.deque)


class MirrorClass(type):
    """The type of mirrored classes: calling one or reading its attributes happens in the other room."""

    __assay_remote__: Any
    __assay_number__: int

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        return cls.__assay_remote__.call(cls, arguments, named)

    def __getattr__(cls, name: str) -> Any:
        return cls.__assay_remote__.request("get", cls, name)

    @property
    def __doc__(cls) -> Any:  # type: ignore[override]
        return cls.__assay_remote__.request("get", cls, "__doc__")

    def __iter__(cls) -> Any:
        return cls.__assay_remote__.request("op", cls, "__iter__", ())

    def __len__(cls) -> Any:
        return cls.__assay_remote__.request("op", cls, "__len__", ())

    def __bool__(cls) -> bool:
        return True

    def __contains__(cls, item: Any) -> Any:
        return cls.__assay_remote__.request("op", cls, "__contains__", (item,)) is True

    def __getitem__(cls, item: Any) -> Any:
        return cls.__assay_remote__.request("op", cls, "__getitem__", (item,))

    def __repr__(cls) -> str:
        return f"<class {cls.__name__!r}>"


class Mirror(metaclass=MirrorClass):
    """An object of the other room."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        found = type(self).__assay_remote__.request("get", self, name)
        return signature(found) if name == "__signature__" else found

    def __setattr__(self, name: str, value: Any) -> None:
        type(self).__assay_remote__.request("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        type(self).__assay_remote__.request("delete", self, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object>"

    def __hash__(self) -> int:
        return int(type(self).__assay_remote__.hash_of(self))

    def __eq__(self, other: object) -> Any:
        return type(self).__assay_remote__.compare(self, "__eq__", other)

    def __ne__(self, other: object) -> Any:
        return type(self).__assay_remote__.compare(self, "__ne__", other)


class MirrorError:
    """What mirrored exceptions add to the built-in exception that they derive from."""

    def __getattr__(self, name: str) -> Any:
        return type(self).__assay_remote__.request("get", self, name)  # type: ignore[attr-defined]


def forward(name: str) -> Callable[..., Any]:
    """Return a special method that is carried out in the other room."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return type(self).__assay_remote__.operate(self, name, arguments, named)

    def comparison(self: Any, other: Any) -> Any:
        return type(self).__assay_remote__.compare(self, name, other)

    def arithmetic(self: Any, *others: Any) -> Any:
        return type(self).__assay_remote__.calculate(self, name, others)

    def contains(self: Any, item: Any) -> Any:
        return type(self).__assay_remote__.contains(self, item)

    made = comparison if name in COMPARISONS else arithmetic if name in BINARY else method
    return contains if name == "__contains__" else made


def finish(self: Any, _: Any = None) -> Any:
    """Run the other room's coroutine to its end there."""
    raise StopIteration(type(self).__assay_remote__.request("await", self))


def wait(self: Any) -> Generator[None, None, Any]:
    """Run the other room's coroutine when it is awaited here."""
    yield from ()
    return type(self).__assay_remote__.request("await", self)


def stop(self: Any, *_: Any) -> None:
    """Leave a coroutine that was not awaited."""


def signature(parameters: Any) -> Any:
    """Return the signature with these parameters: name, kind, default or nothing."""
    import inspect  # slow to import, and rarely needed

    return inspect.Signature(
        [
            inspect.Parameter(
                name, inspect._ParameterKind(kind), **dict(zip(("default",), given, strict=False))
            )
            for name, kind, given in parameters
        ]
    )


METHODS = {name: forward(name) for name in FORWARDED}


def is_mirror(value: Any) -> bool:
    """Return whether this is an object or a class of the other room."""
    return isinstance(value, MirrorClass) or isinstance(type(value), MirrorClass)


def ancestors(kind: type) -> tuple[type, ...]:
    """Return the classes that a class derives from, itself included, whatever its metaclass says."""
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return found


def mirror_class(
    remote: Any, number: int, name: str, bases: list[type], methods: list[str], like: Any
) -> type:
    """Return a class that mirrors one of the other room."""
    leaf = next((base for base in bases if issubclass(base, LEAVES)), None)
    error = next((base for base in bases if issubclass(base, BaseException)), None)
    kept = [base for base in bases if issubclass(base, (Mirror, MirrorError, BaseException, *LEAVES))]
    space: dict[str, Any] = {"__module__": "answer", "__assay_remote__": remote, "__assay_number__": number}
    if "__await__" in methods:
        space |= {"__await__": wait, "send": finish, "throw": stop, "close": stop}
    for method in METHODS.keys() & set(methods):
        if (leaf is None and error is None) or remote.may_show(method):
            space[method] = METHODS[method]
    if "__eq__" in space:
        space["__hash__"] = Mirror.__hash__ if leaf is None else leaf.__hash__
    if error is not None:
        kept = [*(base for base in kept if base is not Mirror), MirrorError]
    elif leaf is None:
        space["__slots__"] = ()
        space["__doc__"] = property(lambda self: remote.request("get", self, "__doc__"))
        if like is not None:
            space["__class__"] = property(lambda _: like)
    root = Mirror if leaf is None and error is None else MirrorError
    for chosen in ([*kept, root], [error or leaf or Mirror, root]):
        unique = tuple(dict.fromkeys(base for base in chosen if base is not None))
        try:
            return MirrorClass(name, unique, space)
        except TypeError:
            continue
    raise TypeError(f"no class can mirror {name!r}")
