"""`assay frontier report`: one source's capability frontier, as tables, JSON, charts and a page."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

import typer

from assay.cli.frontier.source import progress, tell_source, with_source
from assay.cli.output import OutputFormat, console, notes, print_output, print_table, prints
from assay.files.prices_table import read_prices
from assay.frontier.methods.registry import DEFAULT, METHODS
from assay.frontier.sweep.prices import Price
from assay.report.frontier.headline import cautions, denominators, headline, published
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.table import (
    CellKind,
    ReportColumn,
    ReportTable,
    Value,
    cell_text,
    csv_text,
    shown_columns,
)
from assay.report.frontier.tables import paper_tables
from assay.studies.frontier.read import Read
from assay.studies.frontier.report import frontier_report
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


@prints("one row per category (the table of qualities)")
@with_source
def report(
    ctx: typer.Context,
    output: OutputFormat,
    read: Read,
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Folder for JSON, tables, charts and a page."
    ),
    method: str = typer.Option(
        DEFAULT, "--method", metavar="METHOD", help=f"{', '.join(METHODS[:-1])} or {METHODS[-1]}."
    ),
    beside: list[str] = typer.Option(
        ["naive", "bracket", "power", "smooth"],
        "--beside",
        metavar="METHOD",
        help="Method to show beside it; repeatable.",
    ),
    k: list[int] = typer.Option(
        [], "--k", min=1, metavar="K", help="Number of answers per model to show; repeatable (default: all)."
    ),
    prices: Path | None = typer.Option(
        None, "--prices", metavar="FILE", help="Prices by model that replace the recorded ones."
    ),
    prices_date: str | None = typer.Option(
        None, "--prices-date", metavar="DATE", help="Date of the recorded prices."
    ),
    level: float = typer.Option(0.95, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Number of bootstrap replicates."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
) -> None:
    """Report what all models together reach at each cost.

    Shows the quality-cost frontier with every single model, gains and savings over the best one, k-shot
    selection, reliability, the bias of naive figures, which models contribute, and all caveats. With
    --out, also writes a page that needs no network, charts and tables.
    """
    given = None
    if prices is not None:
        given = {
            model: Price(factor=price.factor, cost=price.cost) for model, price in read_prices(prices).items()
        }
    tell_source(read)
    found = frontier_report(
        read,
        method=method,
        methods_beside=beside,
        ks=tuple(sorted(set(k))) or None,
        prices=given,
        prices_date=prices_date,
        level=level,
        resamples=resamples,
        seed=seed,
        progress=progress(),
    )
    result = published(found)
    print_output(
        output,
        result=result,
        csv=lambda: typer.echo(csv_text(paper_tables(found)[0]), nl=False),
        text=lambda: print_report(found),
    )
    if out is not None:
        from assay.report.frontier.page import write_report

        for line in write_report(found, result, out, tell=progress()):
            notes().print(line)


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


def _print(table: ReportTable) -> None:
    places = [place for place in shown_columns(table) if _fits(table, place)]
    columns = [table.columns[place] for place in places]
    typer.echo("")
    print_table(
        table.title,
        [column.title for column in columns],
        [[_cell(row[place], table.columns[place]) for place in places] for row in table.rows[:SHOWN]],
        right=[column.title for column in columns if column.kind is not CellKind.TEXT],
    )
    if len(table.rows) > SHOWN:
        typer.echo(f"and {len(table.rows) - SHOWN} more: --json or --out")
    if table.key == "methods":
        typer.echo("what each says of these data: --json or --out")
    else:
        for note in table.notes:
            _print_wrapped(note)


def _fits(table: ReportTable, place: int) -> bool:
    return table.columns[place].key not in LEFT_TO_FILES.get(table.key, ())


def _cell(value: Value, column: ReportColumn) -> str:
    return cell_text(value, column.kind)


def _print_wrapped(text: str) -> None:
    for line in wrap(text, console().width, subsequent_indent="  " if text.startswith("- ") else ""):
        typer.echo(line)
