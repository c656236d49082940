"""`assay study`: studies of what bears on results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import counted, notes, print_json, print_table
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.calls.asking import Place
    from assay.runs.work import Work
    from assay.store.runs import StoredRun
    from assay.studies.contamination import Contamination, Wanted
    from assay.studies.contamination_figures import Recall

app = new_app(no_args_is_help=True)


@app.callback()
def study() -> None:
    """Study what bears on results."""


@app.command()
def contamination(
    ctx: typer.Context,
    model: list[str] = typer.Option(
        [], "--model", "-m", metavar="PROVIDER/MODEL", help="May be given several times."
    ),
    bank: bool = typer.Option(False, "--bank", help="Replay questions of the bank, which retires them."),
    suite: list[str] = typer.Option([], "--suite", metavar="SUITE", help="Replay a suite's prompts."),
    file: list[Path] = typer.Option([], "--file", metavar="FILE.jsonl", help="Replay a file's questions."),
    n: int = typer.Option(1000, "--n", min=1, metavar="N", help="Questions of each source."),
    control: int = typer.Option(
        200, min=0, metavar="N", help="Made-up questions beside them, to see what is guessed."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Chooses the questions."),
    yes_retire: bool = typer.Option(
        False, "--yes-retire", help="Retire the bank's questions that are replayed, for good."
    ),
    resume: int | None = typer.Option(None, metavar="RUN", help="Go on with a study that was stopped."),
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="Stop when the whole study reaches this many US dollars."
    ),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """See whether models have met the questions before.

    A piece of each question is hidden: who restores it verbatim has met it. Three attempts at each; recalled
    where at least two are right. Questions of the bank that are replayed are retired, with their siblings,
    before they are sent: without --yes-retire their number is told instead.
    """
    from assay.calls.asking import Place
    from assay.calls.steering import Steering
    from assay.cli.live import run_live
    from assay.studies.contamination import Wanted, carry_on

    work = open_session(ctx, concurrency=concurrency, existing=bank or resume is not None)
    place = Place(work.engine, work.workspace.providers, work.environment, concurrency=concurrency)
    wanted = Wanted(bank, tuple(work.suite(name) for name in suite), tuple(file), n, control, seed)
    run = _begun(work, place, wanted, model, resume, yes_retire)
    steering = Steering()
    limit = work.workspace.budget.max_cost if max_cost is None else max_cost
    found = run_live(
        carry_on(place, run, max_cost=limit, steering=steering), steering, label=f"study {run.id}"
    )
    if as_json:
        print_json(contamination_document(found))
    else:
        print_contamination(found)
    _tell(found)
    if found.error is not None:
        raise typer.Exit(found.error.exit_status)
    if found.status != "finished":
        raise typer.Exit(130)


def _begun(
    work: Work, place: Place, wanted: Wanted, models: list[str], resume: int | None, may_retire: bool
) -> StoredRun:
    """Return the study to carry on: a stored one, or a new one."""
    from assay.core.errors import InvalidInput
    from assay.studies.contamination import begin_study, choose, stored_study

    if resume is not None:
        if models or wanted.bank or wanted.suites or wanted.files:
            raise InvalidInput("--resume goes on with a study as it was begun: give no models or sources")
        return stored_study(work.engine, resume)
    if not models:
        raise InvalidInput("no model to study: name one with --model, or go on with a study by --resume")
    found = work.models(models)
    return begin_study(place, found, choose(work.engine, wanted), may_retire=may_retire)


def contamination_document(found: Contamination) -> dict[str, Any]:
    """Return a study as one JSON document; no question is in it."""
    counts = found.counts
    return {
        "run": found.run,
        "status": found.status,
        "reason": found.reason,
        "simulated": found.simulated,
        "attempts": 3,
        "needed": 2,
        "retired": found.retired,
        "revision": found.revision,
        "sources": [
            {"source": each.name, "kind": each.kind, "questions": len(each.items), "too_short": each.short}
            for each in found.sources
        ],
        "rows": [_row(each) for each in found.rows],
        "calls": counts.calls,
        "cost": counts.cost if counts.calls > counts.unknown_costs else None,
        "unknown_costs": counts.unknown_costs,
    }


def _row(row: Recall) -> dict[str, Any]:
    above = row.above
    return {
        "model": row.model,
        "source": row.source,
        "kind": row.kind,
        "n": row.n,
        "recalled": row.recalled,
        "undecided": row.undecided,
        "invalid_attempts": row.invalid,
        "share": row.share,
        "low": row.interval.low,
        "high": row.interval.high,
        "level": row.interval.level,
        "above_control": None if above is None else above.value,
        "above_low": None if above is None else above.low,
        "above_high": None if above is None else above.high,
    }


def print_contamination(found: Contamination) -> None:
    """Print how many questions of each source each model restores, per 1,000, beside the control."""
    print_table(
        None,
        ("model", "source", "n", "recalled", "per 1,000", "95 % interval", "above control", "95 % interval"),
        [
            (
                row.model,
                row.source,
                f"{row.n:,}",
                f"{row.recalled:,}",
                "-" if row.share is None else f"{1000 * row.share:.0f}",
                f"{1000 * row.interval.low:.0f} to {1000 * row.interval.high:.0f}",
                "-" if row.above is None else f"{1000 * row.above.value:+.0f}",
                "-" if row.above is None else f"{1000 * row.above.low:+.0f} to {1000 * row.above.high:+.0f}",
            )
            for row in found.rows
        ],
        right=("n", "recalled", "per 1,000", "above control"),
    )


def _tell(found: Contamination) -> None:
    """Say on stderr what was left out, retired and spent, and how to go on."""
    from assay.cli.outcome import CONTROLS, told_cost

    out = notes()
    for source in found.sources:
        if source.short:
            out.print(f"  {source.name}: {counted(source.short, 'question')} too short, passed over")
    undecided, invalid = (sum(getattr(row, name) for row in found.rows) for name in ("undecided", "invalid"))
    if undecided:
        out.print(
            f"  {counted(undecided, 'question')} undecided: attempts are missing; "
            f"make them with: assay study contamination --resume {found.run}"
        )
    if invalid:
        out.print(f"  {counted(invalid, 'attempt')} without a visible answer: they restore nothing")
    if found.retired:
        out.print(f"  {counted(found.retired, 'question')} of the bank retired, siblings included")
    out.print(f"run {found.run} {found.status}, {told_cost(found.counts)}")
    if found.simulated:
        out.print("A model is simulated: nothing real was measured of it.")
    if found.status != "finished":
        why = f" ({CONTROLS.sub(' ', found.reason)})" if found.reason else ""
        again = f"assay study contamination --resume {found.run}"
        out.print(f"stopped{why}; what came back is kept. Go on with: {again}")
