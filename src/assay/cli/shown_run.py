"""A run as a page: its plan, counts, scores and samples, printed or as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import typer

from assay.calls.asking import ASKED
from assay.cli.outcome import told_cost, told_counts
from assay.cli.output import counted, moment, print_table
from assay.cli.runs import run_document
from assay.core.suite import Suite
from assay.runs.plan import Plan, stored_plan
from assay.runs.resuming import resume_command
from assay.runs.summary import UseCaseScore, score_run
from assay.runs.work import Work
from assay.store.runs import RunCounts, StoredRun, count_runs, read_run
from assay.store.samples import SampleLine, list_samples
from assay.store.suites import read_suite


@dataclass(frozen=True, slots=True)
class RunPage:
    """All that is shown of a run. `plan` is None for one that has no cases to run (imports, `ASKED`, …).

    What was asked outside a suite has no `samples`: its calls are not answers to cases.
    """

    run: StoredRun
    suite: Suite
    plan: Plan | None
    counts: RunCounts
    scores: tuple[UseCaseScore, ...]
    samples: Sequence[SampleLine]


def run_page(work: Work, number: int, *, only: str | None, limit: int | None) -> RunPage:
    """Read a run's page from the database."""
    run = read_run(work.engine, number)
    suite = read_suite(work.engine, run.suite)
    planned = run.kind not in {"import", "calibrate", *ASKED}
    return RunPage(
        run,
        suite,
        stored_plan(suite, [model for _, model in run.models], run.plan) if planned else None,
        count_runs(work.engine, [number])[number],
        score_run(work.engine, run, suite),
        [] if run.kind in ASKED else list_samples(work.engine, number, only=only, limit=limit),
    )


def shown_document(page: RunPage) -> dict[str, Any]:
    """Return a run's page as a JSON document."""
    names = {row: model.name for row, model in page.run.models}
    return {
        **run_document(page.run, page.counts),
        "plan": None if page.plan is None else _plan_document(page.plan),
        "scores": score_documents(page.scores),
        "samples": [
            {
                "id": f"{page.run.id}.{line.row.position}",
                "model": names[line.row.model],
                "use_case": page.suite.cases[line.row.case_ordinal].use_case,
                "case": page.suite.cases[line.row.case_ordinal].id,
                "epoch": line.row.epoch,
                "status": line.row.status,
                "score": line.row.score,
                "routing_changed": bool(line.row.routing_changed),
                "finished_at": moment(line.row.finished_at),
                "error": line.error,
                "provider": line.provider,
                "attempts": line.attempts,
                "prompt_tokens": line.prompt_tokens,
                "completion_tokens": line.completion_tokens,
                "cost": line.cost,
                "latency": line.latency,
            }
            for line in page.samples
        ],
    }


def score_documents(scores: Sequence[UseCaseScore]) -> list[dict[str, Any]]:
    """Return scores as JSON objects."""
    return [
        {
            "model": each.model,
            "use_case": each.use_case,
            "score": each.score,
            "cases": each.cases,
            "n": each.n,
            "ok": each.ok,
            "invalid": each.invalid,
            "error": each.error,
            "ungraded": each.ungraded,
        }
        for each in scores
    ]


def _plan_document(plan: Plan) -> dict[str, Any]:
    return {
        "samples": plan.size,
        "cases": len(plan.chosen),
        "sampling": plan.sampling,
        "epochs": [{"use_case": name, "epochs": count} for name, count in plan.epochs.items()],
        "topped": [
            {"model": plan.models[model].name, "use_case": use_case}
            for model, use_case in sorted(plan.topped)
        ],
    }


def print_run(page: RunPage) -> None:
    """Print a run: what it was, how it ended, scores with denominators, and its samples."""
    run = page.run
    day = f", counted for {run.day}" if run.day else ""
    mark = "  SIMULATED" if run.simulated else ""
    typer.echo(f"run {run.id}  {run.kind} of {run.suite_name} {run.suite_version}  {run.status}{mark}")
    ended = moment(run.finished_at) or "-"
    typer.echo(f"started {moment(run.created_at)}, ended {ended}{day}")
    if run.holder is not None:
        typer.echo(f"executed by {run.holder}")
    if run.status == "dead":
        typer.echo(f"dead: its process ended without saying so; go on with: {resume_command(run)}")
    elif run.reason:
        typer.echo(f"stopped: {run.reason}; go on with: {resume_command(run)}")
    if page.plan is not None:
        typer.echo(_told_plan(page.plan))
    typer.echo(f"{told_counts(page.counts)}, {told_cost(page.counts)}\n")
    print_scores(page.scores)
    if not page.samples:
        return
    typer.echo("")
    _print_samples(page)
    total = page.counts.samples
    if len(page.samples) < total:
        typer.echo(f"{len(page.samples)} of {total} samples; all with --limit 0")
    typer.echo(f"one sample: assay show {run.id}.{page.samples[0].row.position}", err=True)


def _told_plan(plan: Plan) -> str:
    cases_of = plan.suite.cases
    counts = sorted({plan.epochs[cases_of[ordinal].use_case] for ordinal in plan.chosen})
    epochs = counted(counts[0], "epoch") if len(counts) == 1 else f"{counts[0]}-{counts[-1]} epochs"
    models, cases = counted(len(plan.models), "model"), counted(len(plan.chosen), "case")
    told = f"planned: {models} x {cases} x {epochs} = {counted(plan.size, 'sample')}"
    if plan.topped:
        told += f", {counted(len(plan.topped), 'pair')} of model and use case at full count"
    return told if plan.sampling == "suite" else told + "; the providers' own sampling parameters"


def print_scores(scores: Sequence[UseCaseScore]) -> None:
    """Print the score of each use case with its denominators, a table for each model."""
    for place, (model, group) in enumerate(groupby(scores, key=lambda each: each.model)):
        if place:
            typer.echo("")
        _print_model(model, list(group))


def print_run_scores(work: Work, number: int) -> None:
    """Print the scores of a run as it stands in the database."""
    run = read_run(work.engine, number)
    print_scores(score_run(work.engine, run, read_suite(work.engine, run.suite)))


def _print_model(model: str, scores: Sequence[UseCaseScore]) -> None:
    print_table(
        model,
        ("use case", "score", "cases", "n", "ok", "invalid", "error", "ungraded"),
        [
            (
                each.use_case,
                "-" if each.score is None else f"{each.score:.1f}",
                each.cases,
                each.n,
                each.ok,
                each.invalid,
                each.error,
                each.ungraded,
            )
            for each in scores
        ],
        right=("score", "cases", "n", "ok", "invalid", "error", "ungraded"),
    )


def _print_samples(page: RunPage) -> None:
    names = {row: model.name for row, model in page.run.models}
    cases = page.suite.cases
    print_table(
        None,
        ("sample", "model", "case", "epoch", "status", "score"),
        [
            (
                f"{page.run.id}.{line.row.position}",
                names[line.row.model],
                cases[line.row.case_ordinal].id,
                line.row.epoch,
                _status(line),
                "-" if line.row.score is None else f"{line.row.score:.1f}",
            )
            for line in page.samples
        ],
        right=("epoch", "score"),
    )


def _status(line: SampleLine) -> str:
    routed = f", routed to {line.provider}" if line.row.routing_changed else ""
    if line.row.status == "ok":
        return ("ok" if line.row.score is not None else "ungraded") + routed
    return (f"{line.row.status}: {line.error}" if line.error else line.row.status) + routed
