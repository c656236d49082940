"""A multiple-choice question as its reader, and whoever attacks it, sees it, with its key."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assay.core.case import LETTERS


class Variant(StrEnum):
    """The five angles from which each concept is tested (seed 002)."""

    BASE = "base"
    TRAP = "trap"
    TRANSFER = "transfer"
    NUMERIC = "numeric"
    ANALYST = "analyst"


@dataclass(frozen=True, slots=True)
class Item:
    """One question: what is asked, the options in the order shown, and the position of the right one.

    `concept` names the bundle, such as `front-door`; the five variants of one concept make a bundle.
    """

    id: str
    concept: str
    variant: str
    stem: str
    options: tuple[str, ...]
    key: int

    @property
    def letter(self) -> str:
        """The key as the letter that the reader must give."""
        return LETTERS[self.key]
