"""Printing of report tables and wrapped text, and writing of charts, for the commands of `assay frontier`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import typer

from assay.cli.output import console, notes, print_table
from assay.core.errors import InvalidInput
from assay.report.frontier.table import CellKind, ReportTable, cell_text, shown_columns

MOST_ROWS = 12
"""The largest number of rows of a table that are printed; all are in --json and --out."""


def print_report_table(table: ReportTable, *, hidden: Collection[str] = (), complete: bool = False) -> None:
    """Print a table without its notes and without the `hidden` columns; all rows if `complete`."""
    places = [place for place in shown_columns(table) if table.columns[place].key not in hidden]
    columns = [table.columns[place] for place in places]
    rows = table.rows if complete else table.rows[:MOST_ROWS]
    typer.echo("")
    print_table(
        table.title,
        [column.title for column in columns],
        [[cell_text(row[place], table.columns[place].kind) for place in places] for row in rows],
        right=[column.title for column in columns if column.kind is not CellKind.TEXT],
    )
    if len(table.rows) > len(rows):
        typer.echo(f"and {len(table.rows) - len(rows)} more: use --json or --out")


def print_wrapped(text: str) -> None:
    """Print a paragraph, or an item that begins with `- `, in lines as wide as the terminal."""
    for line in wrap(text, console().width, subsequent_indent="  " if text.startswith("- ") else ""):
        typer.echo(line)


def print_listed_notes(title: str, lines: Sequence[str]) -> None:
    """Print a heading and a list below it; nothing for an empty list."""
    if lines:
        typer.echo(f"\n{title}")
    for line in lines:
        print_wrapped(f"- {line}")


def write_charts(charts: Mapping[str, Any], folder: Path) -> None:
    """Write each altair chart as .html, .svg and .png, and print on stderr where they are."""
    from assay.report.save import save_chart

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write charts to {str(folder)!r}: {error.strerror}") from None
    for name, chart in charts.items():
        for suffix in (".html", ".svg", ".png"):
            save_chart(chart, folder / f"{name}{suffix}")
    notes().print(f"charts in {folder}: {', '.join(charts)} (.html, .svg, .png)")
