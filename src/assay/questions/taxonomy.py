"""The taxonomy of questions: 13 primary disciplines and the 111 secondary ones under them.

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
    """A secondary discipline. `number` is the catalogue's, four digits; `primary` a code."""

    code: str
    number: str
    english: str
    chinese: str
    primary: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discipline:
    """A primary discipline. `number` is the catalogue's, two digits."""

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
            code=one["code"],
            number=one["number"],
            english=one["english"],
            chinese=one["chinese"],
            aliases=tuple(one["aliases"]),
            secondary=tuple(
                Secondary(**{**below, "aliases": tuple(below["aliases"])}, primary=one["code"])
                for below in one["secondary"]
            ),
        )
        for one in json.loads(text)
    )


def find_discipline(text: str) -> Discipline:
    """Return the primary discipline with that code, number, name (English or Chinese) or abbreviation.

    Case, spaces and a final full stop do not matter. Raises InvalidInput for any other text.
    """
    found = _primary_names().get(_folded(text))
    if found is None:
        codes = ", ".join(one.code for one in disciplines())
        raise InvalidInput(f"there is no primary discipline {text!r}: give one of {codes}")
    return found


def find_secondary(text: str, discipline: str | None = None) -> Secondary:
    """Return the secondary discipline with that code, number or name, under the primary one of that code.

    Raises InvalidInput for any other text, and where it stands under another primary discipline.
    """
    found = _secondary_names().get(_folded(text))
    if found is None:
        below = "" if discipline is None else f" under {discipline}"
        codes = ", ".join(
            one.code for each in disciplines() if discipline in (None, each.code) for one in each.secondary
        )
        raise InvalidInput(f"there is no secondary discipline {text!r}{below}: give one of {codes}")
    if discipline is not None and found.primary != discipline:
        raise InvalidInput(
            f"the secondary discipline {text!r} stands under {found.primary}, not under {discipline}"
        )
    return found


@cache
def _primary_names() -> dict[str, Discipline]:
    return {
        _folded(name): one
        for one in disciplines()
        for name in (one.code, one.number, one.english, one.chinese, *one.aliases)
    }


@cache
def _secondary_names() -> dict[str, Secondary]:
    return {
        _folded(name): one
        for each in disciplines()
        for one in each.secondary
        for name in (one.code, one.number, one.english, one.chinese, *one.aliases)
    }


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.replace("-", " ").replace(" ", "").rstrip(".")
