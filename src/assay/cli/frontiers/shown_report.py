"""A frontier's report on the terminal: the headline, the tables, and what must be known of them."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import typer

from assay.cli.output import console, print_table
from assay.report.frontier.headline import cautions, denominators, headline
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.table import Column, Kind, Table, Value, cell_text, shown_columns
from assay.report.frontier.tables import paper_tables

if TYPE_CHECKING:
    from assay.studies.frontier.report_result import FrontierReport

SHOWN = 12
"""At most so many rows of a table are printed; all are in --json and --out."""
LEFT_TO_FILES = {
    "models": ("coverage", "level"),
    "methods": ("cost_estimator",),
    "table-4": ("all_models_k_debiased", "fixed_model"),
    "table-5": ("all_models_k_debiased", "fixed_model"),
    "gains": ("same_best",),
    "k-shot": (
        "fixed_model",
        "all_models_k_plug_in",
        "per_prompt_best_k_debiased",
        "all_models_k_recorded",
        "fixed_best_k_recorded",
        "fixed_best_k_debiased",
    ),
}
"""Columns that would not fit a terminal."""


def print_report(report: FrontierReport) -> None:
    """Print what was measured, two sentences, the tables, the notes and the caveats."""
    share = f"{100 * report.settings.level:g} %"
    typer.echo(denominators(report))
    for sentence in headline(report):
        _print_wrapped(sentence)
    for caution in cautions(report):
        _print_wrapped(f"CAUTION: {caution}.")
    typer.echo(f"In parentheses: {share} intervals over other prompts of the same kind.")
    for table in (*paper_tables(report), *more_tables(report)):
        if table.rows:
            _print(table)
        else:
            typer.echo(f"\n{table.title}: {' '.join(table.notes)}")
    if report.notes:
        typer.echo("\nWhat to know of these data")
        for note in report.notes:
            _print_wrapped(f"- {note}")
    typer.echo("\nWhat to know of all such figures")
    for caveat in report.caveats:
        _print_wrapped(f"- {caveat}")


def _print(table: Table) -> None:
    places = [place for place in shown_columns(table) if _fits(table, place)]
    columns = [table.columns[place] for place in places]
    typer.echo("")
    print_table(
        table.title,
        [column.title for column in columns],
        [[_cell(row[place], table.columns[place]) for place in places] for row in table.rows[:SHOWN]],
        right=[column.title for column in columns if column.kind is not Kind.TEXT],
    )
    if len(table.rows) > SHOWN:
        typer.echo(f"and {len(table.rows) - SHOWN} more: --json or --out")
    if table.key == "methods":
        typer.echo("what each says of these data: --json or --out")
    else:
        for note in table.notes:
            _print_wrapped(note)


def _fits(table: Table, place: int) -> bool:
    return table.columns[place].key not in LEFT_TO_FILES.get(table.key, ())


def _cell(value: Value, column: Column) -> str:
    return cell_text(value, column.kind)


def _print_wrapped(text: str) -> None:
    for line in wrap(text, console().width, subsequent_indent="  " if text.startswith("- ") else ""):
        typer.echo(line)
