"""The page of a run: its plan, counts, scores and samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import typer

from assay.cli.adaptive import print_models
from assay.cli.outcome import describe_counts
from assay.cli.output import OutputFormat, print_help_hint, print_listed, print_rows
from assay.core.wording import counted
from assay.results.figure import utc
from assay.results.plans import RunPlan
from assay.results.run_pages import SAMPLES, SCORES, RunPage, UseCaseScore
from assay.results.runs import RunOutcome, RunStatus
from assay.runs.score_run import score_run
from assay.runs.work import Work
from assay.store.runs import read_run
from assay.store.suites import read_suite


def print_run(page: RunPage) -> None:
    """Print a run: its suite and plan, how it ended, scores with denominators, and samples."""
    run, counts = page.run, page.run.counts
    day = f", counted for {run.day}" if run.day else ""
    mark = "  SIMULATED" if run.simulated else ""
    typer.echo(f"run {run.run}  {run.kind} of {run.suite.suite} {run.suite.version}  {run.status}{mark}")
    ended = "-" if run.finished_at is None else utc(run.finished_at)
    typer.echo(f"started {utc(run.created_at)}, ended {ended}{day}")
    if run.holder is not None:
        typer.echo(f"executed by {run.holder}")
    if run.status is RunStatus.DEAD:
        typer.echo(f"dead: its process ended unexpectedly; continue with: {run.resume}")
    elif run.reason:
        typer.echo(f"stopped: {run.reason}; continue with: {run.resume}")
    if page.plan is not None:
        typer.echo(_describe_plan(page.plan, len(run.models)))
    typer.echo(f"{describe_counts(counts.samples)}, {counts.spend}\n")
    print_scores(page.scores)
    print_help_hint([run.status] if run.status in (RunStatus.DEAD, RunStatus.STOPPED) else [])
    if not page.samples:
        return
    typer.echo("")
    print_rows(SAMPLES, page.samples)
    if len(page.samples) < counts.samples.n:
        typer.echo(f"{len(page.samples)} of {counts.samples.n} samples; list all with --limit 0")
    typer.echo(f"show one sample: assay show {page.samples[0].sample.id}", err=True)


def _describe_plan(plan: RunPlan, number: int) -> str:
    least, most = plan.used_epochs[0], plan.used_epochs[-1]
    epochs = counted(most, "epoch") if least == most else f"{least}-{most} epochs"
    models, cases = counted(number, "model"), counted(plan.cases, "case")
    text = f"planned: {models} x {cases} x {epochs} = {counted(plan.samples, 'sample')}"
    if plan.topped:
        text += f", {counted(len(plan.topped), 'pair')} of model and use case topped up"
    if plan.adaptive is not None:
        text = f"adaptive: {plan.adaptive}"
    return text if plan.sampling == "suite" else text + "; sampling parameters: the providers' defaults"


def print_scores(scores: Sequence[UseCaseScore]) -> None:
    """Print the score of each use case with its denominators, in a table for each model."""
    groups = [(model, list(group)) for model, group in groupby(scores, key=lambda score: score.model)]
    for place, (model, group) in enumerate(groups, start=1):
        print_rows(SCORES, group, model, legend=place == len(groups))
        if place < len(groups):
            typer.echo("")


def print_run_scores(work: Work, outcome: RunOutcome, output: OutputFormat) -> None:
    """Print a run's scores from the database, or its outcome as a JSON document."""
    run = read_run(work.engine, outcome.run)
    scores = score_run(work.engine, run, read_suite(work.engine, run.suite))

    def text() -> None:
        print_scores(scores)
        print_models(outcome.adaptive)

    print_listed(SCORES, scores, output, result=outcome, text=text)
