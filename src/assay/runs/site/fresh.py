"""Values computed from the database that are kept in memory and computed again when its runs change."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlalchemy import Engine

from assay.core.errors import AssayError
from assay.store.overview import database_state

logger = logging.getLogger("assay.site")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Kept(Generic[V]):
    """A value with the state that it was computed from, or the error of the last try in a thread."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    value: V | None = None
    state: Hashable = None
    error: Exception | None = None


def keep_from_collection() -> None:
    """Make the garbage collector skip every object that now exists, until this is called again.

    A full collection walks through all objects, which takes a quarter of a second with a history of 2,000,000
    samples in memory, and requests wait for it.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Fresh(Generic[K, V]):
    """Values by key. Only the first reader of a key waits.

    When the database's state has changed, readers get the last value while a thread computes the new one, so
    that a page costs the same however large the history is. Errors are raised and never kept. `state` reads
    the state that values depend on; by default it is that of runs and verdicts. Values that are `large` are
    kept out of garbage collection when they are computed again.
    """

    def __init__(
        self,
        engine: Engine,
        compute: Callable[[K], V],
        state: Callable[[Engine], Hashable] = database_state,
        *,
        large: bool = False,
    ) -> None:
        self._engine, self._compute, self._state, self._large = engine, compute, state, large
        self._guard = threading.Lock()
        self._kept: dict[K, _Kept[V]] = {}

    def get(self, key: K) -> V:
        """Return the value of a key; raises what computing it raises."""
        with self._guard:
            kept = self._kept.setdefault(key, _Kept())
        state = self._state(self._engine)
        if kept.value is not None:
            if kept.state != state and kept.lock.acquire(blocking=False):
                threading.Thread(target=self._again, args=(key, kept, state), daemon=True).start()
            return kept.value
        with kept.lock:
            if kept.value is None:
                kept.value, kept.state = self._compute(key), state
            return kept.value

    def latest(self, key: K) -> V:
        """Return the value of a key for the present state of the database, however long it takes."""
        with self._guard:
            kept = self._kept.setdefault(key, _Kept())
        state = self._state(self._engine)
        with kept.lock:
            if kept.value is None or kept.state != state:
                kept.value, kept.state = self._compute(key), state
            return kept.value

    def ready(self, key: K) -> V | None:
        """Return the value of a key, or None while a thread computes the first one.

        Raises the error of the last try, once; the next reader begins another.
        """
        with self._guard:
            kept = self._kept.setdefault(key, _Kept())
        if kept.value is not None:
            return self.get(key)
        if kept.error is not None:
            error, kept.error = kept.error, None
            raise error
        if kept.lock.acquire(blocking=False):
            state = self._state(self._engine)
            threading.Thread(target=self._again, args=(key, kept, state), daemon=True).start()
        return None

    def _again(self, key: K, kept: _Kept[V], state: Hashable) -> None:
        """Compute a value again, in a thread that holds its lock."""
        try:
            kept.value, kept.state = self._compute(key), state
            if self._large:
                keep_from_collection()
        except Exception as error:  # a thread has no other way to report a defect to the reader
            kept.error = error
            logger.warning(
                "%r could not be computed: %s", key, error, exc_info=not isinstance(error, AssayError)
            )
        finally:
            kept.lock.release()
