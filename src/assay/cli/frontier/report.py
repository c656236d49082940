"""`assay frontier report`: the capability frontier of one source as tables, JSON, charts and a page."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.frontier.printing import print_listed_notes, print_report_table, print_wrapped
from assay.cli.frontier.source import print_source, progress, with_source
from assay.cli.options import LEVEL, RESAMPLES
from assay.cli.output import OutputFormat, notes, print_output, prints
from assay.files.prices_table import read_prices
from assay.frontier.methods.registry import DEFAULT, METHODS
from assay.frontier.sweep.prices import Price
from assay.report.frontier.headline import cautions, denominators, headline, published
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.table import csv_text
from assay.report.frontier.tables import paper_tables
from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.tensor_source import TensorSource

HIDDEN = {
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
"""Columns by table that do not fit on a terminal; they are in --json and --out."""


@prints("one row per category (the table of qualities)")
@with_source
def report(
    ctx: typer.Context,
    output: OutputFormat,
    read: TensorSource,
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
        help="Method to show for comparison; repeatable.",
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
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
) -> None:
    """Report what all models together reach at each cost.

    Shows the frontier of quality and cost with every single model, gains and savings over the best one,
    k-shot selection, reliability, the bias of naive figures, the contribution of each model, and all
    caveats. With --out, also writes charts, tables and a page that needs no network.
    """
    new_prices = None
    if prices is not None:
        new_prices = {
            model: Price(factor=price.factor, cost=price.cost) for model, price in read_prices(prices).items()
        }
    print_source(read)
    frontier = frontier_report(
        read,
        method=method,
        methods_beside=beside,
        ks=tuple(sorted(set(k))) or None,
        prices=new_prices,
        prices_date=prices_date,
        level=level,
        resamples=resamples,
        seed=seed,
        progress=progress(),
    )
    result = published(frontier)
    print_output(
        output,
        result=result,
        csv=lambda: typer.echo(csv_text(paper_tables(frontier)[0]), nl=False),
        text=lambda: print_report(frontier),
    )
    if out is not None:
        from assay.report.frontier.page import write_report

        for line in write_report(frontier, result, out, progress=progress()):
            notes().print(line)


def print_report(report: FrontierReport) -> None:
    """Print the denominators, the headline, the tables, the notes and the caveats."""
    share = f"{100 * report.settings.level:g} %"
    typer.echo(denominators(report))
    for sentence in headline(report):
        print_wrapped(sentence)
    for caution in cautions(report):
        print_wrapped(f"CAUTION: {caution}.")
    typer.echo(f"In parentheses: {share} intervals over other prompts of the same kind.")
    for table in (*paper_tables(report), *more_tables(report)):
        if not table.rows:
            typer.echo(f"\n{table.title}: {' '.join(table.notes)}")
            continue
        print_report_table(table, hidden=HIDDEN.get(table.key, ()))
        if table.key == "methods":
            typer.echo("notes on each method: use --json or --out")
        else:
            for note in table.notes:
                print_wrapped(note)
    print_listed_notes("Notes on these data", report.notes)
    print_listed_notes("Caveats", report.caveats)
