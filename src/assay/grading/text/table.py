"""The tables in an answer, in Markdown or HTML, with where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.grading.constraint_kinds.tables import RULE, markdown_tables

_HTML = re.compile(r"<table\b[^>]*>(.*?)(?:</table\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"<tr\b[^>]*>(.*?)(?=<tr\b|</tr|</table|\Z)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[hd]\b[^>]*>(.*?)(?=<t[hd]\b|</t[hdr]\b|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its header, its rows below it, and the lines (or, in HTML, the characters) that it takes
    up.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
    last: int
    html: bool = False

    @property
    def widths(self) -> list[int]:
        """The different numbers of columns of the header and the rows."""
        return sorted({len(self.header), *map(len, self.rows)})

    def beside(self, text: str) -> str:
        """Return what the text says besides this table, fences apart."""
        if self.html:
            rest = text[: self.first] + "\n" + text[self.last :]
        else:
            lines = _QUOTE.sub("", text).splitlines()
            rest = "\n".join([*lines[: self.first], *lines[self.last :]])
        return _FENCE.sub("", rest).strip()


def tables(text: str) -> list[Table]:
    """Return the tables of a text in order, Markdown's first. Rules repeated between rows are no rows."""
    found = []
    if "|" in text and "-" in text:
        bare = _QUOTE.sub("", text) if ">" in text else text
        for first, rows in markdown_tables(bare):
            body = [tuple(row) for row in rows[1:] if not RULE.match("|".join(row).strip())]
            # One line for the rule below the header.
            found.append(Table(tuple(rows[0]), tuple(body), first, first + len(rows) + 1))
    if "<t" in text.lower():
        found += [table for each in _HTML.finditer(text) if (table := _html(each)) is not None]
    return found


def _html(found: re.Match[str]) -> Table | None:
    rows = [
        tuple(_TAG.sub("", cell).strip() for cell in _CELL.findall(row)) for row in _ROW.findall(found[1])
    ]
    rows = [row for row in rows if row]
    return Table(rows[0], tuple(rows[1:]), *found.span(), html=True) if rows else None
