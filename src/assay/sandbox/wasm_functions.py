"""Functions from text to text between the host and an instance.

wasmtime's Python binding looks up the types of a function at each call, which takes as long as a small test.
These functions pass the text directly to wasmtime's C interface, which refuses other types itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import wasmtime
from wasmtime import _ffi as ffi
from wasmtime import component
from wasmtime.component._enter import catch_exceptions, enter_wasm

TEXT = ffi.WASMTIME_COMPONENT_STRING.value
NO_FINALIZER = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))


class Exported:
    """A function of an instance that the host calls."""

    def __init__(self, store: wasmtime.Store, function: component.Func) -> None:
        self._store = store
        self._function = function._func

    def __call__(self, text: str) -> str:
        """Call the function. Raises WasmtimeError if it traps or is not from text to text."""
        given, result = ffi.wasmtime_component_val_t(), ffi.wasmtime_component_val_t()
        put(given, text)
        function, context = ctypes.byref(self._function), self._store._context()
        try:
            enter_wasm(
                lambda: ffi.wasmtime_component_func_call(
                    function, context, ctypes.byref(given), 1, ctypes.byref(result), 1
                )
            )
        finally:
            ffi.wasm_byte_vec_delete(ctypes.byref(given.of.string))
        return take(result)


class Imported:
    """A function of the host that instances call. It must live as long as the linker it was added to."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        self._callback = ffi.wasmtime_component_func_callback_t(self._called)

    def add_to(self, instance: component.LinkerInstance, name: str) -> None:
        """Add the function for instances under this name. Raises WasmtimeError if the name is taken."""
        data = name.encode()
        error = ffi.wasmtime_component_linker_instance_add_func(
            instance.ptr(), ctypes.create_string_buffer(data), len(data), self._callback, None, NO_FINALIZER
        )
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)

    def _called(
        self, _data: Any, context: Any, _type: Any, given: Any, count: int, results: Any, expected: int
    ) -> Any:
        def call(_store: wasmtime.StoreContext) -> None:
            if (count, expected) != (1, 1):
                raise TypeError("not a function from text to text")
            put(results[0], self._function(take(given[0])))

        return catch_exceptions(context, call)


def put(value: Any, text: str) -> None:
    """Store a text in an empty value of the C interface."""
    data = text.encode()
    ffi.wasm_byte_vec_new_uninitialized(ctypes.byref(value.of.string), len(data))
    ctypes.memmove(value.of.string.data, data, len(data))
    value.kind = TEXT


def take(value: Any) -> str:
    """Return the text of a value of the C interface, and free it."""
    if value.kind != TEXT:
        raise TypeError("not a text")
    held = value.of.string
    try:
        return ctypes.string_at(held.data, held.size).decode()
    finally:
        ffi.wasm_byte_vec_delete(ctypes.byref(held))
