"""`assay study contamination`: whether models have met the questions before."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.calls.asking import AskingContext
from assay.calls.control import RunControl
from assay.cli.live import run_live
from assay.cli.outcome import CONTROLS
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.wording import counted
from assay.results.contamination import RECALLS, Contamination
from assay.runs.work import Work
from assay.store.runs import StoredRun
from assay.studies.contamination import ReplayRequest, begin_study, carry_on, choose, stored_study


@prints("one row per model and source")
def contamination(
    ctx: typer.Context,
    output: OutputFormat,
    model: list[str] = typer.Option([], "--model", "-m", metavar="PROVIDER/MODEL", help="Repeatable."),
    bank: bool = typer.Option(False, "--bank", help="Replay questions of the bank; this retires them."),
    suite: list[str] = typer.Option([], "--suite", metavar="SUITE", help="Suite whose prompts to replay."),
    file: list[Path] = typer.Option(
        [], "--file", metavar="FILE.jsonl", help="File whose questions to replay."
    ),
    n: int = typer.Option(1000, "--n", min=1, metavar="N", help="Number of questions of each source."),
    control: int = typer.Option(
        200, min=0, metavar="N", help="Number of made-up questions, as a control for guessing."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Seed that chooses the questions."),
    yes_retire: bool = typer.Option(
        False, "--yes-retire", help="Confirm that replayed questions of the bank are retired for good."
    ),
    resume: int | None = typer.Option(None, metavar="RUN", help="Run number of a stopped study to resume."),
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="Most to spend on the whole study, in US dollars."
    ),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Number of requests in flight to one provider."
    ),
) -> None:
    """Test whether models have seen the questions before.

    A piece of each question is hidden; a model that restores it exactly in two of three attempts has
    seen it. Questions of the bank are retired with their siblings before they are sent; without
    --yes-retire only their number is shown.
    """
    work = open_session(ctx, concurrency=concurrency, existing=bank or resume is not None)
    place = AskingContext(work.engine, work.workspace.providers, work.environment, concurrency=concurrency)
    wanted = ReplayRequest(bank, tuple(work.suite(name) for name in suite), tuple(file), n, control, seed)
    run = _begun(work, place, wanted, model, resume, yes_retire)
    run_control = RunControl()
    limit = work.workspace.budget.max_cost if max_cost is None else max_cost
    study = run_live(
        carry_on(place, run, max_cost=limit, control=run_control), run_control, label=f"study {run.id}"
    )
    print_listed(RECALLS, study.rows, output, result=study)
    _print_notes(study)
    if study.error is not None:
        raise typer.Exit(study.error.exit_status)
    if study.status != "finished":
        raise typer.Exit(ExitStatus.INTERRUPTED)


def _begun(
    work: Work,
    place: AskingContext,
    wanted: ReplayRequest,
    models: list[str],
    resume: int | None,
    may_retire: bool,
) -> StoredRun:
    """Return the study to carry on: a stored one, or a new one."""
    if resume is not None:
        if models or wanted.bank or wanted.suites or wanted.files:
            raise InvalidInput("--resume goes on with a study as it was begun: give no models or sources")
        return stored_study(work.engine, resume)
    if not models:
        raise InvalidInput("no model to study: name one with --model, or go on with a study by --resume")
    return begin_study(place, work.models(models), choose(work.engine, wanted), may_retire=may_retire)


def _print_notes(study: Contamination) -> None:
    """Say on stderr what was left out, retired and spent, and how to go on."""
    out = notes()
    for source in study.sources:
        if source.too_short:
            out.print(f"  {source.source}: {counted(source.too_short, 'question')} too short, passed over")
    undecided = sum(row.undecided for row in study.rows)
    invalid = sum(row.invalid for row in study.rows)
    again = f"assay study contamination --resume {study.run}"
    if undecided:
        question = counted(undecided, "question")
        out.print(f"  {question} undecided: attempts are missing; make them with: {again}")
    if invalid:
        out.print(f"  {counted(invalid, 'attempt')} without a visible answer: they restore nothing")
    if study.retired:
        out.print(f"  {counted(study.retired, 'question')} of the bank retired, siblings included")
    out.print(f"run {study.run} {study.status}, {study.spend}")
    if study.simulated:
        out.print("A model is simulated: nothing real was measured of it.")
    if study.status != "finished":
        why = f" ({CONTROLS.sub(' ', study.reason)})" if study.reason else ""
        out.print(f"stopped{why}; what came back is kept. Go on with: {again}")
