"""A table of published results: a list of columns over one kind of row, for the terminal, CSV and pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from typing import Any, Final

from assay.results.published import Field, document, elements_of, fields, kinds_of

_ABBREVIATION: Final = re.compile(r"\w{1,2}|\w+\.|n \(.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, the cell of a row, and whether it is aligned to the right, as numbers are.

    With a `name` its cell is also in CSV, unless the row has a published field of this name.
    """

    heading: str
    cell: Callable[[Any], object]
    right: bool = False
    legend: str = ""
    name: str = ""

    @property
    def abbreviated(self) -> bool:
        """Whether the heading is an abbreviation, such as `n` or `eff.`."""
        return _ABBREVIATION.fullmatch(self.heading) is not None


class Table:
    """The columns over a kind of row: `Table(Exposure, ("organisation", "questions"))`.

    A column is the name of a published field, or a `Column` if a cell is made of several fields. Without
    columns the table has all fields. A document that lists such rows has them under `name`. Raises TypeError
    for a field that does not exist or has no figure.
    """

    def __init__(self, row: type, columns: Sequence[str | Column] = (), name: str = "") -> None:
        self.row = row
        self.name = name
        self._columns = tuple(columns)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns in their order."""
        known = {field.name: field for field in fields(self.row)}
        return tuple(
            column if isinstance(column, Column) else _column(self.row, known.get(column), column)
            for column in self._columns or known
        )

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the columns."""
        return tuple(column.heading for column in self.columns)

    @property
    def right(self) -> tuple[str, ...]:
        """The headings of the columns that are aligned to the right."""
        return tuple(column.heading for column in self.columns if column.right)

    def cells(self, rows: Iterable[Any]) -> list[tuple[str, ...]]:
        """Return the texts of the rows, for tables and pages."""
        return [tuple(str(column.cell(row)) for column in self.columns) for row in rows]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the CSV: the fields of a row, then those that only the table has."""
        return (*record_names(self.row), *(column.name for column in self._beyond_the_record))

    def records(self, rows: Iterable[Any]) -> list[dict[str, Any]]:
        """Return the rows as flat records, for CSV."""
        more = self._beyond_the_record
        return [{**record(row), **{column.name: column.cell(row) for column in more}} for row in rows]

    @cached_property
    def _beyond_the_record(self) -> tuple[Column, ...]:
        known = {"", *record_names(self.row)}
        return tuple(column for column in self.columns if column.name not in known)

    @property
    def abbreviations(self) -> str:
        """The meanings of the abbreviated headings in one line: `n = answers that both marked; s = ...`."""
        meanings = {
            " ".join(column.heading.split()): column.legend.replace("; ", ", ")
            for column in self.columns
            if column.abbreviated and column.legend
        }
        return "; ".join(f"{heading} = {meaning}" for heading, meaning in meanings.items())


def record(result: Any) -> dict[str, Any]:
    """Return a result as one flat record, for CSV, Parquet and data frames.

    The name of a part's field consists of the part's name and its own; the values of a mapping are named
    after its keys. Lists of texts are joined by semicolons; other lists are left out.
    """
    return dict(_record(type(result), result, ""))


def legend_of(kind: type, name: str) -> str:
    """Return the meaning of a published field, for the column of a table that shows it."""
    (figure,) = [field.figure for field in fields(kind) if field.name == name]
    return "" if figure is None else figure.explanation


def _column(row: type, field: Field | None, name: str) -> Column:
    if field is None or field.figure is None:
        raise TypeError(f"{row.__name__}.{name} has no Figure: annotate it")
    kinds, figure = kinds_of(field.hint), field.figure
    numeric = bool(kinds & {int, float}) and bool not in kinds
    legend = figure.explanation if figure.meaning else ""
    listed = field.name if elements_of(field.hint) else ""
    return Column(figure.heading, lambda value: figure.cell(field.of(value)), numeric, legend, listed)


def record_names(kind: type) -> list[str]:
    """Return the names of the fields of a record that every result of a kind has."""
    return [name for name, _ in _record(kind, None, "")]


def _record(kind: type, result: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for field in fields(kind):
        value = None if result is None else field.of(result)
        kinds, elements = kinds_of(field.hint), elements_of(field.hint)
        inner = [part for part in kinds if is_dataclass(part)]
        if inner:
            yield from _record(inner[0], value, f"{prefix}{field.name}_")
        elif any(isinstance(part, type) and issubclass(part, Mapping) for part in kinds):
            for key, entry in (value or {}).items():
                yield f"{prefix}{field.name}_{document(key)}", document(entry)
        elif not elements:
            yield f"{prefix}{field.name}", document(value)
        elif all(isinstance(part, type) and issubclass(part, str) for part in elements):
            yield f"{prefix}{field.name}", None if value is None else "; ".join(map(document, value))
