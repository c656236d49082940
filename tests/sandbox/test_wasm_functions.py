"""Texts between the host and an instance, with a small component that hands on what it gets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import wasmtime
from wasmtime import component

from assay.sandbox.wasm_functions import Exported, Imported

COMPONENT = """
(component
  (import "exchange" (func $exchange (param "message" string) (result string)))
  (core module $libc
    (memory (export "memory") 4)
    (global $free (mut i32) (i32.const 1024))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
      (global.set $free (i32.add (local.get $at) (local.get 3)))
      (local.get $at)))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $memory))
  (alias core export $libc "realloc" (core func $realloc))
  (core func $exchange (canon lower (func $exchange) (memory $memory) (realloc $realloc)))
  (core module $main
    (import "host" "exchange" (func $exchange (param i32 i32 i32)))
    (func (export "handle") (param i32 i32) (result i32)
      (call $exchange (local.get 0) (local.get 1) (i32.const 16))
      (i32.const 16))
    (func (export "count") (param i32) (result i32) (local.get 0))
    (func (export "trap") (param i32 i32) (result i32) unreachable))
  (core instance $main (instantiate $main (with "host" (instance (export "exchange" (func $exchange))))))
  (alias core export $main "handle" (core func $handle))
  (alias core export $main "trap" (core func $trap))
  (alias core export $main "count" (core func $count))
  (func (export "handle") (param "message" string) (result string)
    (canon lift (core func $handle) (memory $memory) (realloc $realloc)))
  (func (export "trap") (param "message" string) (result string)
    (canon lift (core func $trap) (memory $memory) (realloc $realloc)))
  (func (export "count") (param "number" u32) (result u32)
    (canon lift (core func $count))))
"""


def exported(name: str, exchange: Callable[[str], str]) -> Exported:
    """Return a function of a new instance whose import is `exchange`."""
    engine = wasmtime.Engine()
    linker = component.Linker(engine)
    with linker.root() as root:
        imported = Imported(exchange)
        imported.add_to(root, "exchange")
    store = wasmtime.Store(engine)
    instance = linker.instantiate(store, component.Component(engine, COMPONENT))
    function = instance.get_func(store, name)
    assert function is not None
    made = Exported(store, function)
    vars(made)["kept"] = linker, imported
    return made


@pytest.mark.parametrize("text", ["", "plain", "\0\n", "Größe 漢字 😀", "x" * 100_000])
def test_a_text_crosses_both_ways(text: str) -> None:
    """What the host hands over reaches the import unchanged, and its answer the caller."""
    seen: list[str] = []
    handle = exported("handle", lambda message: seen.append(message) or message[::-1])
    assert (handle(text), seen) == (text[::-1], [text])


def test_an_error_of_the_host_reaches_the_caller() -> None:
    """An exception in the imported function ends the call and is raised from it."""

    def fail(_: str) -> str:
        raise LookupError("no other room")

    with pytest.raises(LookupError, match="no other room"):
        exported("handle", fail)("message")


def test_half_a_surrogate_pair_is_refused() -> None:
    """A text that has no UTF-8 form does not cross."""
    with pytest.raises(UnicodeEncodeError):
        exported("handle", str)("\ud800")
    with pytest.raises(UnicodeEncodeError):
        exported("handle", lambda _: "\ud800")("message")


def test_a_trap_is_raised() -> None:
    """A function that traps raises wasmtime's error."""
    with pytest.raises(wasmtime.WasmtimeError, match="unreachable"):
        exported("trap", str)("message")


def test_a_function_of_other_types_is_refused() -> None:
    """wasmtime refuses a text where the function takes a number."""
    with pytest.raises(wasmtime.WasmtimeError, match="type"):
        exported("count", str)("message")
