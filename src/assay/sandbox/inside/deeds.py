"""What is done with mirrors: asked for in one room, and carried out in the other.

The room of the tests is `guarded`: the other room may call what the tests handed over, but read nothing that
leads from there to the tests themselves.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from .mirror import COMPARISONS, FORWARDED, LEAF_VALUES, LEAVES, MUTABLE, SHOWING, ancestors, is_mirror

DEEDS = frozenset({"call", "plain", "await", "op", "get", "set", "delete"})
RUNNING = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)
DESCRIBING = frozenset(
    {"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__signature__", "__dict__"}
)
OPERATIONS: dict[str, Callable[..., Any]] = {
    "__iter__": iter, "__next__": next, "__reversed__": reversed, "__len__": len, "__bool__": bool,
    "__contains__": operator.contains, "__getitem__": operator.getitem, "__setitem__": operator.setitem,
    "__delitem__": operator.delitem, "__int__": int, "__float__": float, "__complex__": complex,
    "__index__": operator.index, "__abs__": abs, "__neg__": operator.neg, "__pos__": operator.pos,
    "__invert__": operator.invert, "__round__": round, "__bytes__": bytes, "__str__": str, "__repr__": repr,
    "__format__": format, "__call__": lambda called, *arguments, **named: called(*arguments, **named),
}  # fmt: skip


class Remote:
    """The other room as mirrors use it. `request` has something done there and returns what came of it.

    `named` are the answer's classes that the tests name.
    """

    def __init__(self, request: Callable[..., Any], *, guarded: bool, own_equality: bool) -> None:
        self.request = request
        self.guarded = guarded
        self.own_equality = own_equality
        self.hashes: dict[int, int | None] = {}  # of mirrors, by id
        self.named: tuple[type, ...] = ()

    def call(self, mirror: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the other room's object."""
        return self.request("call", mirror, arguments, *([named] if named else ()))

    def operate(self, mirror: Any, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Carry out a special method of the other room's object."""
        if name == "__call__":
            return self.call(mirror, arguments, named)
        if name not in SHOWING and hasattr(base := self.value_of(mirror), name):
            return getattr(base, name)(*arguments)
        found = self.request("op", mirror, name, arguments)
        return found is True if name == "__bool__" else found

    def compare(self, mirror: Any, name: str, other: Any) -> Any:
        """Let the classes of the other room compare their own objects; plain values only where they may."""
        if mirror is other and name in ("__eq__", "__ne__"):
            return name == "__eq__"
        if self.guarded and not self.own_equality and not is_mirror(other):
            like = type(mirror).__dict__.get("__class__")
            if like is not None and isinstance(other, MUTABLE):
                inside = self.request("plain", mirror)
                if type(inside) in MUTABLE:
                    return getattr(inside, name)(other)
            raise AssertionError(
                "a plain value was compared with one of, or holding, a class of its own "
                f"({type(mirror).__name__})"
            )
        found = self.request("op", mirror, name, (other,))
        return found if found is NotImplemented or not self.guarded else found is True

    def calculate(self, mirror: Any, name: str, others: tuple[Any, ...]) -> Any:
        """Calculate with the other room's object: with plain values only where the tests name its class."""
        if self.guarded and not self.own_equality and not isinstance(mirror, self.named):
            if isinstance(mirror, LEAVES):
                return getattr(self.value_of(mirror), name, lambda *_: NotImplemented)(*others)
            for other in others:
                if not is_mirror(other):
                    raise AssertionError(
                        f"a plain value met an operator of a class that the tests do not name "
                        f"({type(mirror).__name__})"
                    )
        return self.request("op", mirror, name, others)

    def contains(self, mirror: Any, item: Any) -> bool:
        """Look into the other room's object: item by item unless the tests name its class."""
        if self.guarded and not self.own_equality and not isinstance(mirror, self.named):
            if isinstance(mirror, LEAVES):
                return item in self.value_of(mirror)
            return any(item is inner or item == inner for inner in mirror)
        return self.request("op", mirror, "__contains__", (item,)) is True

    def hash_of(self, mirror: Any) -> int:
        """Return the object's hash; raise TypeError when it has none."""
        found = self.hashes.get(id(mirror), 0)
        if found is None:
            raise TypeError(f"unhashable type: {type(mirror).__name__!r}")
        return found or object.__hash__(mirror)

    def value_of(self, mirror: Any) -> Any:
        """Return the number, text or tuple inside a mirror when that decides; None when its class does."""
        if self.guarded and not self.own_equality and not isinstance(mirror, self.named):
            base = next((base for base in LEAVES if isinstance(mirror, base)), None)
            if base is not None:
                return LEAF_VALUES[base](mirror)
        return None

    def may_show(self, method: str) -> bool:
        """Return whether a mirrored number, text, tuple or exception forwards this special method."""
        return self.own_equality or not self.guarded or method not in COMPARISONS


def carry_out(kind: str, target: Any, *arguments: Any, guarded: bool) -> Any:
    """Do what the other room asks for with an object of this one."""
    if kind == "call":
        positional, *named = arguments
        return target(*positional, **(named[0] if named else {}))
    if kind == "plain":
        return plain(target)
    if kind == "await":
        return finish(target)
    name = arguments[0]
    if kind == "op":
        if name not in FORWARDED:
            raise TypeError(f"no operator is called {name!r}")
        operation = OPERATIONS.get(name)
        if operation is not None:
            return operation(target, *arguments[1])
        return getattr(type(target), name)(target, *arguments[1])
    if guarded and not is_public(target, name, reading=kind == "get"):
        raise AttributeError(f"{type(target).__name__!r} object has no attribute {name!r} outside its room")
    if kind == "set":
        return setattr(target, name, arguments[1])
    if kind == "delete":
        return delattr(target, name)
    return signature(target) if name == "__signature__" else getattr(target, name)


def is_public(target: Any, name: Any, *, reading: bool) -> bool:
    """Return whether the answer may read (or set) this attribute of what the tests handed over.

    Functions and running generators hold the way to their module's names, so only what describes them.
    """
    if type(name) is not str:
        return False
    if isinstance(target, RUNNING):
        return reading and name in ("send", "throw", "close", "asend", "athrow", "aclose")
    if isinstance(target, str | bytes) and name in ("format", "format_map"):
        return False  # they read attributes of what they are given
    if isinstance(target, FUNCTIONS):
        return reading and name in DESCRIBING
    return not name.startswith("_") or (reading and name in DESCRIBING and name != "__dict__")


def plain(value: Any) -> Any:
    """Return what an object that derives from a built-in container holds, as that container."""
    base: Any = next((base for base in ancestors(type(value)) if base in MUTABLE), None)
    if base is not None:
        return dict(dict.items(value)) if base is dict else base(base.__iter__(value))
    raise TypeError("not a container")


def signature(function: Any) -> list[Any]:
    """Return the parameters of a function: name, kind, default or nothing."""
    import inspect  # slow to import, and rarely needed

    return [
        (found.name, int(found.kind), () if found.default is found.empty else (found.default,))
        for found in inspect.signature(function).parameters.values()
    ]


def finish(awaitable: Any) -> Any:
    """Run what can be awaited to its end, in an event loop of its own, inside whatever loop waits for it."""
    import asyncio

    async def wait() -> Any:
        return await awaitable

    around = asyncio._get_running_loop()
    task = None if around is None else asyncio.current_task()
    if around is not None and task is not None:
        asyncio.tasks._leave_task(around, task)
    asyncio._set_running_loop(None)
    try:
        return asyncio.run(wait())
    finally:
        asyncio._set_running_loop(around)
        if around is not None and task is not None:
            asyncio.tasks._enter_task(around, task)
