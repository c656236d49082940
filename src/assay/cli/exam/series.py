"""`assay exam series`: official series, whose results are published and ranked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from assay.cli.allocation import ALLOCATION, allocation_of
from assay.cli.app import new_app
from assay.cli.exam.named import user_name
from assay.cli.output import OutputFormat, notes, print_listed, print_result, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.exam import EXAM_JUDGE, Prompting
from assay.core.wording import counted
from assay.exam.manifest import as_csv, series_rows, write_new
from assay.exam.series import NewSeries, all_series, make_series, void_sitting
from assay.exam.series import register as register_models
from assay.results.exam import SERIES, ListedSeries, OfficialSeries
from assay.results.exam_marking import SeriesRow
from assay.store.exam.series import Entrant

app = new_app(no_args_is_help=True)


@app.callback()
def series() -> None:
    """Create official series and register their models."""


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="NAME", help="Name of the series."),
    reference: str = typer.Option(..., metavar="ORGANISATION/MODEL", help="Reference model for R."),
    n: int | None = typer.Option(None, "--n", metavar="N", help="Number of questions in each sitting."),
    allocation: list[str] = ALLOCATION,
    draw: str | None = typer.Option(
        None, metavar="NAME", help="Name of a draw for all sittings; only for the operator's own models."
    ),
    prompting: Prompting = typer.Option(Prompting.ZERO_SHOT, help="Prompting style."),
    sittings: int = typer.Option(3, metavar="K", help="Number of sittings of each model."),
    hours: float = typer.Option(72.0, metavar="H", help="Time for each session, in hours."),
    question_minutes: float = typer.Option(10.0, metavar="M", help="Time for each question, in minutes."),
    screened: bool = typer.Option(
        False, "--screened", help="Also draw questions that passed screening without a human review."
    ),
    by: str | None = typer.Option(
        None, metavar="NAME", help="Name to record as the author (default: your user name)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Create an official series with its rules and reference model.

    The rules cannot be changed later. The reference model is registered at once.
    """
    work = open_session(ctx, existing=True)
    new = NewSeries(
        name,
        reference,
        n,
        allocation_of(allocation),
        draw,
        prompting,
        sittings,
        hours,
        question_minutes,
        screened,
    )
    added = make_series(work.engine, new, now=time.time(), by=user_name(by))
    if as_json:
        entrants = next(own for series, own in all_series(work.engine) if series.id == added.id)
        print_result({SERIES.name: [_listed(added, entrants)]})
        return
    notes().print(
        f"added series {added.name!r}: {counted(added.sittings, 'sitting')} of "
        f"{counted(added.n, 'question')}; R is relative to {added.reference}"
    )


@app.command()
def register(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="SERIES", help="Name of the series."),
    models: list[str] = typer.Argument(metavar="ORGANISATION/MODEL...", help="Models to register."),
    by: str | None = typer.Option(None, metavar="NAME", help="Name to record (default: your user name)."),
) -> None:
    """Register models for a series, so that it can publish them."""
    work = open_session(ctx, existing=True)
    for model, new in register_models(work.engine, name, models, now=time.time(), by=user_name(by)):
        notes().print(f"{model} {'is registered' if new else 'was already registered'} for series {name!r}")


@app.command()
def void(
    ctx: typer.Context,
    session: str = typer.Argument(metavar="SESSION", help="Session id."),
    reason: str = typer.Option(..., metavar="TEXT", help="Reason why it does not count."),
    by: str | None = typer.Option(None, metavar="NAME", help="Name to record (default: your user name)."),
) -> None:
    """Declare a sitting void, so that another may replace it.

    It stays in the manifest with the reason, and results show how many sittings of a model are void.
    """
    work = open_session(ctx, existing=True)
    official = void_sitting(work.engine, session, reason=reason, by=user_name(by), now=time.time())
    notes().print(f"session {session} no longer counts in series {official.name!r}")


@app.command("list")
@prints("one row per series")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
) -> None:
    """List series with their rules and registered models."""
    listed = [_listed(*known) for known in all_series(open_session(ctx, existing=True).engine)]
    per_model = [replace(entry, models=(model,)) for entry in listed for model in entry.models]
    print_listed(SERIES, listed, output, text=lambda: print_rows(SERIES, per_model))


def _listed(series: OfficialSeries, entrants: Sequence[Entrant]) -> ListedSeries:
    return ListedSeries(series, tuple(entrant.identity for entrant in entrants))


@app.command()
def manifest(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="SERIES", help="Name of the series."),
    out: Path = typer.Option(..., "--out", metavar="FILE", help="New .csv file."),
    judge: str = typer.Option(
        EXAM_JUDGE, "--judge", metavar="PROVIDER/MODEL", help="Judge whose marks are written."
    ),
) -> None:
    """Write a series' questions and stars to a file.

    S, R, intervals and ranks can be computed from the file. It contains no key, answer or question text, so
    it can be published.
    """
    if out.suffix != ".csv":
        raise InvalidInput(f"invalid --out {str(out)!r}: give a file that ends in .csv")
    rows = series_rows(open_session(ctx, existing=True).engine, name, judge)
    write_new(out, as_csv(SeriesRow, rows).encode())
    notes().print(f"{counted(len(rows), 'row')} written to {out}")
