"""The taxonomy of questions: 13 primary disciplines with 111 secondary ones.

Source: the catalogue by which China's Ministry of Education confers degrees (学位授予和人才培养学科目录,
as of April 2018). The primary ones' other spellings are those of seed 003, appendix A and tables 6 and 7.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assay.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Secondary:
    """A secondary discipline. `number` has four digits, from the catalogue; `primary` is a code."""

    code: str
    number: str
    english: str
    chinese: str
    primary: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discipline:
    """A primary discipline. `number` has two digits, from the catalogue."""

    code: str
    number: str
    english: str
    chinese: str
    aliases: tuple[str, ...]
    secondary: tuple[Secondary, ...]


@cache
def disciplines() -> tuple[Discipline, ...]:
    """Return the primary disciplines in the catalogue's order."""
    text = resources.files("assay.questions").joinpath("taxonomy.json").read_text(encoding="utf-8")
    return tuple(
        Discipline(
            code=entry["code"],
            number=entry["number"],
            english=entry["english"],
            chinese=entry["chinese"],
            aliases=tuple(entry["aliases"]),
            secondary=tuple(
                Secondary(**{**below, "aliases": tuple(below["aliases"])}, primary=entry["code"])
                for below in entry["secondary"]
            ),
        )
        for entry in json.loads(text)
    )


def find_discipline(text: str) -> Discipline:
    """Return the primary discipline with this code, number, name (English or Chinese) or abbreviation.

    Case, spaces and a final full stop are ignored. Raises InvalidInput for any other text.
    """
    discipline = _primary_names().get(_folded(text))
    if discipline is None:
        codes = ", ".join(known.code for known in disciplines())
        raise InvalidInput(f"unknown primary discipline {text!r}: give one of {codes}")
    return discipline


def find_secondary(text: str, discipline: str | None = None) -> Secondary:
    """Return the secondary discipline with this code, number or name.

    Raises InvalidInput for any other text, and if it belongs to another primary discipline than that given.
    """
    secondary = _secondary_names().get(_folded(text))
    if secondary is None:
        of = "" if discipline is None else f" of {discipline}"
        codes = ", ".join(
            known.code
            for primary in disciplines()
            if discipline in (None, primary.code)
            for known in primary.secondary
        )
        raise InvalidInput(f"unknown secondary discipline {text!r}{of}: give one of {codes}")
    if discipline is not None and secondary.primary != discipline:
        raise InvalidInput(
            f"the secondary discipline {text!r} belongs to {secondary.primary}, not to {discipline}: "
            "correct one of them"
        )
    return secondary


@cache
def _primary_names() -> dict[str, Discipline]:
    return {_folded(name): primary for primary in disciplines() for name in _names(primary)}


@cache
def _secondary_names() -> dict[str, Secondary]:
    return {
        _folded(name): secondary
        for primary in disciplines()
        for secondary in primary.secondary
        for name in _names(secondary)
    }


def _names(discipline: Discipline | Secondary) -> tuple[str, ...]:
    return discipline.code, discipline.number, discipline.english, discipline.chinese, *discipline.aliases


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.replace("-", " ").replace(" ", "").rstrip(".")
