"""The shape of a Markdown table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assay.grading.constraint_kinds.kind import Finding, Kind, Parameters, count, texts

RULE = re.compile(r"^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
BAR = re.compile(r"(?<!\\)\|")


def cells(line: str) -> list[str]:
    """Return the cells of one line of a Markdown table, stripped; `\\|` is text."""
    inner = line.strip()
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in BAR.split(inner)]


def table(answer: str) -> list[list[str]] | None:
    """Return the first Markdown table: its header, then its rows; None when there is none."""
    return next((rows for _, rows in markdown_tables(answer)), None)


def markdown_tables(answer: str) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield each Markdown table: the line that it starts at (from 0), its header and its rows in one list."""
    lines = answer.splitlines()
    place = 1
    while place < len(lines):
        rule = lines[place].strip()
        if "|" in lines[place - 1] and "-" in rule and RULE.match(rule):
            header = cells(lines[place - 1])
            if len(cells(rule)) == len(header):
                first, rows = place - 1, [header]
                while place + 1 < len(lines) and "|" in lines[place + 1]:
                    place += 1
                    rows.append(cells(lines[place]))
                yield first, rows
        place += 1


def same_header(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two headers name the same columns, case and emphasis apart."""
    return [_bare(cell) for cell in one] == [_bare(cell) for cell in other]


def _shape(answer: str, parameters: Parameters) -> Finding:
    rows, columns = parameters["rows"], parameters["columns"]
    header = parameters.get("header")
    wanted = f"a Markdown table of {rows} rows below its header and {columns} columns"
    if header is not None:
        wanted += f", headed {list(header)!r}"
    found = table(answer)
    if found is None:
        return Finding(False, None, wanted)
    widths = sorted({len(row) for row in found})
    named = header is None or same_header(found[0], header)
    counted = {"rows": len(found) - 1, "columns": widths, "header": found[0]}
    return Finding(len(found) - 1 == rows and widths == [columns] and named, counted, wanted)


def _bare(cell: str) -> str:
    return cell.strip(" *_`").casefold()


def _header_fits(given: Parameters) -> tuple[str, ...]:
    header = given.get("header")
    if header is not None and len(header) != given["columns"]:
        return (f"header names {len(header)} columns, columns is {given['columns']}",)
    return ()


KINDS = (
    Kind(
        "assay:table_shape",
        (count("rows"), count("columns"), texts("header", required=False)),
        _shape,
        faults=_header_fits,
    ),
)
