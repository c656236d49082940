"""`assay exam exposure`: questions shown to each organisation and vendor, and what the vendors store."""

from __future__ import annotations

import time

import typer

from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus
from assay.exam.exposure import explain_drain, exposure_ledger, register_vendor
from assay.results.exam_service import EXPOSURES


@prints("one row per organisation and vendor")
def exposure(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """List questions shown to organisations; exit 1 on an alarm.

    `assay exam vendor` registers what a vendor stores.
    """
    ledger = exposure_ledger(open_session(ctx, existing=True).engine)
    print_listed(EXPOSURES, ledger.exposures, output, result=ledger)
    notes().print(f"the most exposed question is in {ledger.most_draws:,} of {ledger.draws:,} exams")
    for drain in ledger.alarms:
        notes().print(f"alarm: {explain_drain(drain)}")
    if ledger.alarms:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def vendor(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Vendor, as in model names: openai."),
    retention: str = typer.Option(
        ..., metavar="TEXT", help="Data that it stores, such as 'none (zero data retention)'."
    ),
    source: str = typer.Option(..., metavar="TEXT", help="Source of this statement: a page or a contract."),
) -> None:
    """Register what a vendor stores of the requests it receives."""
    engine = open_session(ctx, existing=True).engine
    register_vendor(engine, name, retention=retention, source=source, now=time.time())
    notes().print(f"registered the data retention of {name!r}: {retention}")
