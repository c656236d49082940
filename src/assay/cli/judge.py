"""`assay judge`: list and calibrate judges, and measure how far they agree."""

from __future__ import annotations

import math
from typing import Any

import typer

from assay.calls.steering import Steering
from assay.cli.app import new_app
from assay.cli.days import parse_day
from assay.cli.live import run_live
from assay.cli.output import dollars, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.runs.judged.calibration import Calibration, remarks
from assay.runs.judged.judge_list import list_judges

app = new_app(no_args_is_help=True)


@app.callback()
def judge() -> None:
    """List and calibrate judges, and say how far they agree."""


@app.command("list")
def list_(
    ctx: typer.Context,
    suite: list[str] = typer.Option(
        [], "--suite", metavar="SUITE", help="Suites whose judges are meant; else the built-in ones."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List who judges what, and when each was last calibrated."""
    found = list_judges(open_session(ctx), suite)
    if as_json:
        print_json({"judges": [each.document() for each in found]})
        return
    print_table(
        None,
        ("judge", "suite", "role", "ready", "family", "marks", "calibrated", "moved in"),
        [
            (
                each.judge,
                each.suite,
                each.role,
                "yes" if each.absent is None else f"no: {each.absent}",
                each.family or "unknown",
                f"{each.marks:,}",
                each.calibrated or "never",
                ", ".join(each.moved),
            )
            for each in found
        ],
        right=("marks",),
    )


@app.command()
def calibrate(
    ctx: typer.Context,
    suite: str = typer.Option("daily", metavar="SUITE", help="The suite whose exemplars are marked."),
    judge: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="The judge; else the suite's pinned one."
    ),
    freeze: bool = typer.Option(
        False, "--freeze", help="Take today's marks as the frozen ones that later days are held against."
    ),
    day: str | None = typer.Option(None, metavar="DAY", help="The day (UTC), as 2026-11-20; else today."),
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    fail: bool = typer.Option(False, "--fail", help="End with status 1 when the judge has moved anywhere."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Let a judge mark the frozen set again: how far has it moved?

    Verdicts may not flip on a judged use case where it has moved too far.
    """
    work = open_session(ctx, concurrency=concurrency)
    steering = Steering()
    chosen = None if day is None else parse_day(day, work.today())
    found = run_live(
        work.calibrate(
            work.suite(suite),
            judge,
            freeze=freeze,
            day=chosen,
            max_cost=max_cost,
            steering=steering,
        ),
        steering,
        label=suite,
    )
    if as_json:
        print_json(calibration_document(found))
    else:
        print_calibration(found)
    if fail and found.moved:
        raise typer.Exit(1)


@app.command()
def agreement(
    ctx: typer.Context,
    source: str = typer.Argument(
        metavar="FILE|RUN", help="A table of marks (.csv, .jsonl, .parquet), or a run's number."
    ),
    judge: list[str] = typer.Option(
        [], "--judge", metavar="JUDGE", help="Only these; in a table without a judge column: their columns."
    ),
    metric: str | None = typer.Option(
        None, metavar="METRIC", help="Of a run: rubric, correctness, ...; else what most judges marked."
    ),
    categories: str | None = typer.Option(
        None, metavar="A,B,...", help="Of a table: the marks there can be, in order, the worst first."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Say how far judges agree, and what each of them favours.

    A table has a row for each mark (item, judge, mark; model, length, order), or a column for each judge.
    """
    from pathlib import Path

    from assay.cli.shown_agreement import print_agreement
    from assay.report.agreement_document import agreement_document
    from assay.studies.judges import file_agreement, run_agreement

    path = Path(source)
    if source.isascii() and source.isdigit() and not path.is_file():
        if categories is not None:
            raise InvalidInput("--categories is for tables: a run's graders declare their scale")
        work = open_session(ctx, existing=True)
        found = run_agreement(work.engine, int(source), judges=judge, metric=metric)
    else:
        if metric is not None:
            raise InvalidInput("--metric is for runs: keep one metric's rows in the table")
        declared = [] if categories is None else [part.strip() for part in categories.split(",")]
        found = file_agreement(path, judges=judge, categories=declared)
    if as_json:
        print_json(agreement_document(found))
    else:
        print_agreement(found)


def calibration_document(found: Calibration) -> dict[str, Any]:
    """Return a calibration as a JSON document; null stands for what could not be measured."""
    return {
        "run": found.run,
        "judge": found.judge,
        "suite": found.suite,
        "day": found.day.isoformat(),
        "reference": found.reference,
        "simulated": found.simulated,
        "missing": found.missing,
        "reasons": list(found.reasons),
        "cost": found.cost,
        "unknown_costs": found.unknown_costs,
        "may_flip": not found.moved,
        "use_cases": [
            {
                "use_case": shift.use_case,
                "n": shift.n,
                "missing": shift.missing,
                "frozen_mean": _known(shift.frozen_mean),
                "mean": _known(shift.mean),
                "shift": _known(shift.shift),
                "low": _known(shift.low),
                "high": _known(shift.high),
                "moved": shift.moved,
                "sure": shift.sure,
                "from_experts": _known(shift.experts),
            }
            for shift in found.shifts
        ],
    }


def print_calibration(found: Calibration) -> None:
    """Print a calibration as a table, with what follows from it."""
    against = f", against run {found.reference}"
    if found.reference is None:
        against = ": too few marks to freeze"
    elif found.reference == found.run:
        against = ": its first marks, frozen now"
    print_table(
        f"{found.judge} on {found.suite}, {found.day}{against}",
        ("use case", "n", "frozen", "now", "shift", "95 % interval", "verdicts may flip", "from experts"),
        [
            (
                shift.use_case,
                f"{shift.n}",
                _shown(shift.frozen_mean),
                _shown(shift.mean),
                _shown(shift.shift),
                f"{shift.low:+.2f} to {shift.high:+.2f}" if math.isfinite(shift.low) else "-",
                ("no" if shift.moved else "yes") + ("" if shift.sure else ", unsure"),
                _shown(shift.experts),
            )
            for shift in found.shifts
        ],
        right=("n", "frozen", "now", "shift", "from experts"),
    )
    for line in remarks(found):
        notes().print(line)
    unknown = f" + {found.unknown_costs} calls of unknown cost" if found.unknown_costs else ""
    notes().print(f"run {found.run}, {dollars(found.cost)}{unknown}")
    if found.simulated:
        notes().print("The judge is simulated: nothing real was measured.")


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _shown(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else "-"
