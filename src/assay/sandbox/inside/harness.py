"""Runs tests against model-written code from inside a sandbox.

The code under test shares this interpreter, so everything here is arranged against it: results carry
a random token that was printed before the code was loaded, tests see builtins copied before that,
comparisons do not trust the classes the code makes, and the ways from a running function to its
callers' values are removed. docs/methodology/sandbox.md says what this does and does not stop.
"""

from __future__ import annotations

import gc
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import equality

PRISTINE = globals()["__builtins__"] = equality.PRISTINE

FRAME_WAYS = ("f_back", "f_locals")
SYS_WAYS = (
    *("_current_frames", "_current_exceptions", "settrace", "setprofile", "_settraceallthreads"),
    *("_setprofileallthreads", "monitoring", "addaudithook", "call_tracing"),
)
GC_WAYS = ("get_objects", "get_referrers", "get_referents")
OURS = ("assay_inside", "assay_inside.harness", "assay_inside.equality", "assay_inside.guest")
LINE = 300
# Copies made ahead: in WebAssembly copying means writing to the page of every builtin, for its count.
SPARE = [dict(PRISTINE) for _ in range(40)]

write = os.write
random = os.urandom


def run(
    answer: str,
    tests: str,
    names: Sequence[str],
    modules: Sequence[str],
    only: Sequence[str],
    own_equality: bool,
) -> None:
    """Run the tests called `only`, each in fresh namespaces, and print what came of them.

    Prints a random token on a first line; then, after each test, a line that starts with the token
    and holds the results so far as a literal: a list of (test, passed, last error line), or one text
    when the tests themselves do not load. `names` are the names the tests take from the answer,
    `modules` those they import. The tests' comparisons must have been rewritten to call
    `__assay_compare__`.
    """
    token = random(16).hex()
    write(1, f"{token}\n".encode())
    compare, explain = equality.comparison(own_equality)
    given = {"__name__": "tests", "__assay_compare__": compare, "__assay_explain__": explain}
    checks = compile(tests, "<tests>", "exec")
    for name in OURS:
        sys.modules.pop(name, None)
    seal()
    # Nothing of the answer has run yet, so that a fault here is the tests' own.
    broken = attempt(exec, checks, {**given, "__builtins__": fresh_builtins()})
    if broken is not None:
        report(token, describe(broken))
        return
    before = watched(modules)
    compiled: list[types.CodeType] = []
    unreadable = attempt(lambda: compiled.append(compile(answer, "<answer>", "exec")))
    results: list[tuple[str, bool, str]] = []
    for name in only:
        space = {**given, "__builtins__": fresh_builtins()}
        error = unreadable or attempt(one_test, checks, space, compiled[0], names, before, name)
        results.append((name, error is None, "" if error is None else describe(error)))
        report(token, results)


def one_test(
    checks: types.CodeType,
    space: dict[str, Any],
    answer: types.CodeType,
    names: Sequence[str],
    before: Sequence[tuple[types.ModuleType, Mapping[str, tuple[Any, dict[str, Any]]]]],
    test: str,
) -> None:
    """Load the tests, then the answer, and run one test; raise whatever goes wrong."""
    exec(checks, space)
    space.update(load(answer, names))
    try:
        space[test]()
    finally:
        for module, then in before:
            check_unchanged(module, then)


def fresh_builtins() -> dict[str, Any]:
    """Return builtins that nothing has changed yet."""
    return SPARE.pop() if SPARE else dict(PRISTINE)


def report(token: str, found: object) -> None:
    """Write one line of results. The line before may be unfinished, so this starts a new one."""
    write(1, f"\n{token}{found!r}\n".encode("utf-8", "backslashreplace"))


def watched(modules: Sequence[str]) -> list[tuple[types.ModuleType, dict[str, tuple[Any, dict[str, Any]]]]]:
    """Return the modules the tests import, with what they hold before the answer is loaded."""
    for name in modules:
        attempt(__import__, name)
    return [(sys.modules[name], contents(sys.modules[name])) for name in modules if name in sys.modules]


def load(answer: types.CodeType, names: Sequence[str]) -> dict[str, Any]:
    """Run the answer as a fresh module and return those of its values that the tests ask for."""
    module = types.ModuleType("answer")
    sys.modules["answer"] = sys.modules["__main__"] = module
    sys.stdout = sys.stderr = silence()
    try:
        exec(answer, module.__dict__)
    except SystemExit:
        raise RuntimeError("the code ended the program while it was loaded") from None
    found = module.__dict__
    return {name: found[name] for name in names if name in found}


def silence() -> Any:
    """Return a text stream that forgets what is written. It holds C functions only: nothing to climb."""
    sink = {"write": len, "flush": int, "isatty": bool, "close": int, "reconfigure": dict, "closed": False}
    buffer = types.SimpleNamespace(**sink)
    return types.SimpleNamespace(**sink, writelines=list, buffer=buffer, encoding="utf-8", errors="strict")


def contents(module: types.ModuleType) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return what can be called in a module, with the members of the classes that Python code made."""
    return {
        name: (value, dict(vars(value)) if isinstance(value, type) and equality.python_class(value) else {})
        for name, value in vars(module).items()
        if callable(value)
    }


def check_unchanged(module: types.ModuleType, before: Mapping[str, tuple[Any, dict[str, Any]]]) -> None:
    """Raise RuntimeError when something the tests may call is no longer what it was."""
    now = vars(module)
    for name, (value, members) in before.items():
        if now.get(name) is not value or any(vars(value).get(key) is not was for key, was in members.items()):
            raise RuntimeError(f"the code replaced {module.__name__}.{name}, which the tests use")


def attempt(function: Callable[..., object], *arguments: Any) -> BaseException | None:
    """Return what the call raised, without the frames it went through; None when it ended well."""
    try:
        function(*arguments)
    except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt fail a test too
        caught = error
    else:
        return None
    caught.__traceback__ = None
    return caught


def describe(error: BaseException) -> str:
    """Return the last line that a traceback would print, at most `LINE` characters."""
    name = equality.type_name(type(error))
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - `__str__` belongs to the code under test
        text = "(its text could not be read)"
    first = next((line for line in str.splitlines(text) if line), "")
    return (f"{name}: {first}" if first else f"{name}")[:LINE]


def seal() -> None:
    """Remove the ways from running code to its callers' values and to all objects."""
    if sys.__dict__["_getframe"] is no_frame:
        return  # done when the component was built
    members = gc.get_referents(types.FrameType.__dict__)[0]
    found = [members.pop(name) for name in FRAME_WAYS if name in members]
    if found:  # forget what attribute look-ups remember of them; takes milliseconds
        clear = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
        clear()
    vars(sys)["_getframe"] = no_frame
    for module, ways in ((sys, SYS_WAYS), (gc, GC_WAYS)):
        for name in ways:
            vars(module).pop(name, None)


def no_frame(depth: int = 0, /) -> Any:
    """Stand in for `sys._getframe`; the standard library copes with this error."""
    raise ValueError("call stack is not deep enough")
