"""A bounded memory of what was made ready for a grader's spec: patterns, gold values, paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from assay.core.case import GraderSpec

T = TypeVar("T")


class Prepared(Generic[T]):
    """Makes a thing for a spec once and hands it back while the spec is in use.

    Specs are frozen but hold mappings, so they have no hash: the memory goes by identity and keeps the
    spec itself, so that an identity cannot pass to another spec. At most `most` specs are
    remembered; the oldest goes first.
    """

    __slots__ = ("_kept", "_make", "_most")

    def __init__(self, make: Callable[[GraderSpec], T], most: int = 4096) -> None:
        self._make = make
        self._most = most
        self._kept: dict[int, tuple[GraderSpec, T]] = {}

    def __call__(self, spec: GraderSpec) -> T:
        """Return the thing made for this spec."""
        kept = self._kept.get(id(spec))
        if kept is not None:
            return kept[1]
        made = self._make(spec)
        while len(self._kept) >= self._most:
            self._kept.pop(next(iter(self._kept), 0), None)
        self._kept[id(spec)] = (spec, made)
        return made

    def __len__(self) -> int:
        return len(self._kept)
