"""`assay bank stats`: the number of the bank's questions by source, discipline and state."""

from __future__ import annotations

from dataclasses import asdict

import typer

from assay.bank.stats import bank_stats
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.results.bank import GROWTHS, SOURCES, BankStats, DisciplineGrowth


@prints("one row per discipline")
def stats(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """Count the bank's questions before and after expanding.

    After expanding, the variants of a question are counted instead of the question. Rejected and retired
    questions are counted only by state. No key is needed.
    """
    counts = bank_stats(open_session(ctx, existing=True).engine)
    print_listed(GROWTHS, counts.disciplines, output, result=counts, text=lambda: _print(counts))


def _print(counts: BankStats) -> None:
    print_rows(SOURCES, counts.sources)
    typer.echo("")
    print_rows(GROWTHS, (*counts.disciplines, DisciplineGrowth("Total", counts.total)))
    typer.echo("")
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.kinds.items())
    states = ", ".join(f"{count:,} {state}" for state, count in asdict(counts.states).items())
    typer.echo(f"{counted(counts.held, 'question')} held, originals and variants: {kinds or 'none'}")
    typer.echo(f"states: {states}")
    if counts.synthetic:
        notes().print(f"{counts.synthetic:,} of the held questions are synthetic, as marked by their sources")
    if counts.near_duplicates:
        notes().print(f"{counted(counts.near_duplicates, 'pair')} of near-duplicates wait for a decision")
