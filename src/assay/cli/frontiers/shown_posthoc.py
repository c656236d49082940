"""A study of selection after the fact on the terminal: tables, break-even, notes and caveats."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import typer

from assay.cli.output import console, counted, print_table
from assay.report.frontier.posthoc_tables import break_even_lines, posthoc_tables
from assay.report.frontier.table import Kind, Table, cell_text, ends_text, value_text
from assay.report.numerals import NOTHING

if TYPE_CHECKING:
    from assay.studies.frontier.posthoc_result import PosthocStudy, Selected

SHOWN = 12
"""At most so many rows of a table are printed; all are in --json and --out."""
WHOLE = ("selection", "sequences", "sets")


def print_posthoc(study: PosthocStudy) -> None:
    """Print denominators, the judges, every table, break-even errors, notes and caveats."""
    cells = study.prompts * len(study.models)
    typer.echo(
        f"{counted(study.prompts, 'prompt')} x {counted(len(study.models), 'model')} x "
        f"{counted(study.generations, 'generation')}: {counted(study.answers, 'answer')}, "
        f"{study.missing:,} of {cells:,} cells missing"
    )
    typer.echo(f"In parentheses: {100 * study.wish.level:g} % intervals over other prompts of the same kind.")
    for each in study.selected:
        _print_judge(each)
    tables = posthoc_tables(study)
    _print(tables[0])
    for line in break_even_lines(study):
        _wrapped(line)
    for table in tables[1:]:
        _print(table)
    for title, lines in (
        ("What to know of these data", study.notes),
        ("What to know of all such figures", study.caveats),
    ):
        if lines:
            typer.echo(f"\n{title}")
            for line in lines:
                _wrapped(f"- {line}")


def _print_judge(found: Selected) -> None:
    """Say how a judge was measured, with denominators."""
    rates = found.judge.rates
    if rates is None:
        return
    measured = rates.measured
    parts = []
    for name, hits, number, ends, worth in (
        ("right", measured.right_accepted, measured.right, measured.true_positive, measured.right_worth),
        ("wrong", measured.wrong_accepted, measured.wrong, measured.false_positive, measured.wrong_worth),
    ):
        share = hits / number if number else 0.0
        parts.append(
            f"accepts {hits:,} of {number:,} {name} answers, {100 * share:.1f} % "
            f"({ends_text(ends, Kind.SHARE)}; worth {worth:,.0f} independent ones)"
        )
    price = "at an unknown price" if rates.price is None else f"for {rates.price:.3g} each"
    _wrapped(f"The judge {rates.judge} {'; '.join(parts)}; {price}.")
    left = ", ".join(f"{count:,} {reason}" for reason, count in rates.left_out.items())
    if left:
        _wrapped(f"  not counted: {left}")


def _print(table: Table) -> None:
    places = [
        place
        for place, column in enumerate(table.columns)
        if any(value_text(row[place], column.kind) != NOTHING for row in table.rows)
    ]
    columns = [table.columns[place] for place in places]
    shown = table.rows if table.key in WHOLE else table.rows[:SHOWN]
    typer.echo("")
    print_table(
        table.title,
        [column.title for column in columns],
        [[cell_text(row[place], table.columns[place].kind) for place in places] for row in shown],
        right=[column.title for column in columns if column.kind is not Kind.TEXT],
    )
    if len(table.rows) > len(shown):
        typer.echo(f"and {len(table.rows) - len(shown)} more: --json or --out")
    for note in table.notes:
        _wrapped(note)


def _wrapped(text: str) -> None:
    for line in wrap(text, console().width, subsequent_indent="  " if text.startswith("- ") else ""):
        typer.echo(line)
