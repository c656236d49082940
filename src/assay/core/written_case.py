"""A case as its author wrote it, before anything is checked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A multiple-choice case of a suite's file with its place; None or empty where something is missing.

    `keys` are what its `choice` graders expect, as written; `letters` the letters that they declare.
    """

    id: str | None
    use_case: str | None
    subcategory: str | None
    prompt: str | None
    keys: tuple[str, ...]
    letters: str
    file: str
    line: int | None
