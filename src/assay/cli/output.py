"""Printing: results on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import orjson
import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.cli.app import with_options
from assay.core.csv_cells import CsvWriter
from assay.core.documented import explain_command
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.results.table import Table as Columns


AS_JSON = typer.Option(False, "--json", help="Print one JSON document.")


class OutputFormat(Enum):
    """The format in which a command prints its result."""

    TEXT = auto()
    JSON = auto()
    CSV = auto()


def prints(row: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options `--json` and `--csv`.

    The command gets the user's choice as its parameter `output`. `row` describes the rows of the CSV, as in
    `@prints("one row per session")`.
    """
    options = {
        "as_json": (bool, AS_JSON),
        "as_csv": (bool, typer.Option(False, "--csv", help=f"Print CSV, {row}.")),
    }
    return lambda command: with_options(command, "output", options, _output_format)


def _output_format(_: typer.Context, choices: Mapping[str, bool]) -> OutputFormat:
    if choices["as_json"] and choices["as_csv"]:
        raise InvalidInput("--json and --csv exclude each other: choose one")
    if choices["as_json"]:
        return OutputFormat.JSON
    return OutputFormat.CSV if choices["as_csv"] else OutputFormat.TEXT


def print_json(document: Any) -> None:
    """Print one JSON document on stdout and nothing else."""
    sys.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2, default=str).decode() + "\n")


def print_result(result: Any) -> None:
    """Print a published result as one JSON document."""
    from assay.results.published import document

    print_json(document(result))


def print_rows(
    columns: Columns,
    rows: Iterable[object],
    title: str | None = None,
    beside: Iterable[Sequence[str]] = (),
    *,
    legend: bool = True,
) -> None:
    """Print rows of a published result as a table.

    `beside` holds further columns: their headings, then the cells of each row. With `legend` a line below the
    table explains the abbreviated headings.
    """
    headings, *more = [*beside] or [()]
    cells = [tuple(column.cell(row) for column in columns.columns) for row in rows]
    if more:
        cells = [(*row, *cells) for row, cells in zip(cells, more, strict=True)]
    print_table(title, (*columns.headings, *headings), cells, right=(*columns.right, *headings))
    if legend and columns.abbreviations:
        print_legend(columns.abbreviations)


def print_legend(text: str) -> None:
    """Print the legend of a table, in lines as wide as the terminal."""
    for line in wrap(text, console().width, subsequent_indent="  "):
        sys.stdout.write(f"{line}\n")


def print_listed(
    table: Columns,
    rows: Sequence[object],
    output: OutputFormat,
    *,
    result: object = None,
    text: Callable[[], object] | None = None,
) -> None:
    """Print the rows of a published result as text, JSON or CSV.

    JSON holds `result` (default: the rows, under the name of the table), CSV one line per row, and `text`
    prints for people (default: the table alone).
    """
    print_output(
        output,
        result={table.name: rows} if result is None else result,
        csv=lambda: print_csv(table.records(rows), table.names),
        text=text or (lambda: print_rows(table, rows)),
    )


def print_output(
    output: OutputFormat, *, result: object, csv: Callable[[], object], text: Callable[[], object]
) -> None:
    """Print a published result as a JSON document, as CSV, or as text for people."""
    if output is OutputFormat.JSON:
        print_result(result)
    elif output is OutputFormat.CSV:
        csv()
    else:
        text()


def print_figures(result: Any) -> None:
    """Print the figures of one published result, each on a line with its meaning."""
    from assay.results.table import Table as Columns

    columns = Columns(type(result))
    (cells,) = columns.cells([result])
    lines = [
        (column.heading, cell, column.legend) for column, cell in zip(columns.columns, cells, strict=True)
    ]
    print_table(None, ("figure", "value", "meaning"), lines, right=("value",))


def print_csv(records: Iterable[Mapping[str, Any]], names: Iterable[str] = ()) -> None:
    """Print records as CSV, with the columns `names` and all other columns that a record has."""
    rows = list(records)
    columns = list(dict.fromkeys([*names, *(name for row in rows for name in row)]))
    CsvWriter(sys.stdout).table(columns, rows)


def console() -> Console:
    """Return the console for results, as wide as the terminal or COLUMNS, otherwise 160 columns."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 160
    return Console(highlight=False, markup=False, emoji=False, width=width)


def print_help_hint(names: Iterable[str]) -> None:
    """Print on stderr the commands that explain the first three of these names."""
    commands = [explain_command(name) for name in dict.fromkeys(names)]
    if commands:
        notes().print(f"explained by: {', '.join(commands[:3])}")


def notes() -> Console:
    """Return the console for progress, warnings and hints, on stderr."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_table(
    title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[str] = ()
) -> None:
    """Print a table; the columns named in `right` are aligned to the right."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    aligned = set(right)
    for column in columns:
        table.add_column(column, justify="right" if column in aligned else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(_plain(cell)) for cell in row))
    out = console()
    with out.capture() as printed:
        out.print(table)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in printed.get().splitlines()))


def _plain(cell: object) -> str:
    return "" if cell is None else str(cell)
