"""The page of a run: its plan, counts, scores and samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import typer

from assay.calls.asking import ASKED
from assay.cli.adaptive import print_models
from assay.cli.outcome import describe_counts
from assay.cli.output import OutputFormat, print_help_hint, print_listed, print_rows
from assay.cli.runs import run_summary
from assay.core.ask import CallStatus
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.results.figure import utc
from assay.results.runs import (
    SAMPLES,
    SCORES,
    ListedSample,
    RunOutcome,
    RunPage,
    RunPlan,
    RunStatus,
    SampleHead,
    ToppedUp,
    UseCaseScore,
)
from assay.runs.plan import AdaptivePlan, Plan, stored_plan
from assay.runs.score_run import score_run
from assay.runs.work import Work
from assay.store.rows import SampleRow
from assay.store.runs import StoredRun, count_runs, read_run
from assay.store.samples import list_samples
from assay.store.suites import read_suite


def run_page(work: Work, number: int, *, only: str | None, limit: int | None) -> RunPage:
    """Read a run's page from the database.

    Imports, calibrations and runs without a suite (`ASKED`) have no plan. Runs without a suite have no
    samples either, because their calls are not answers to cases.
    """
    run = read_run(work.engine, number)
    suite = read_suite(work.engine, run.suite)
    planned = run.kind not in {"import", "calibrate", *ASKED}
    lines = [] if run.kind in ASKED else list_samples(work.engine, number, only=only, limit=limit)
    return RunPage(
        run_summary(run, count_runs(work.engine, [number])[number]),
        _plan(run, suite) if planned else None,
        score_run(work.engine, run, suite),
        tuple(ListedSample(sample_head(run, suite, line.row), line.last) for line in lines),
    )


def _plan(run: StoredRun, suite: Suite) -> RunPlan:
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    return RunPlan(
        samples=plan.size,
        cases=len(plan.chosen),
        sampling=plan.sampling,
        epochs=plan.epochs,
        topped=tuple(ToppedUp(plan.models[model].name, use_case) for model, use_case in sorted(plan.topped)),
        used_epochs=tuple(sorted({plan.epochs[suite.cases[ordinal].use_case] for ordinal in plan.chosen})),
        adaptive=None if plan.adaptive is None else _describe_adaptive(plan, plan.adaptive),
    )


def _describe_adaptive(plan: Plan, adaptive: AdaptivePlan) -> str:
    rule, batches = adaptive.rule, adaptive.batches
    state = "stopped" if adaptive.settled else "going on"
    left = len(batches[-1].models) if batches else len(plan.models)
    return (
        f"separate {rule.separate}, alpha {rule.alpha:g}; {state} after {adaptive.used} of "
        f"{len(adaptive.order)} cases, the last batch with {counted(left, 'model')}; "
        f"the full run has {counted(plan.full_size, 'sample')}"
    )


def sample_head(run: StoredRun, suite: Suite, row: SampleRow) -> SampleHead:
    """Return the case, status and score of a stored sample."""
    case = suite.cases[row.case_ordinal]
    return SampleHead(
        id=f"{run.id}.{row.position}",
        model=dict(run.models)[row.model].name,
        use_case=case.use_case,
        case=case.id,
        epoch=row.epoch,
        status=CallStatus(row.status),
        score=row.score,
        routing_changed=bool(row.routing_changed),
        finished_at=row.finished_at,
    )


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
