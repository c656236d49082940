"""`assay grade`: grade the stored answers of a run again."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.calls.control import RunControl
from assay.cli.app import new_app
from assay.cli.judge import options as judging
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST
from assay.cli.outcome import end, print_outcome
from assay.cli.output import OutputFormat, prints
from assay.cli.session import open_session
from assay.cli.shown_run import print_run_scores

app = new_app()


class RegradedAnswers(StrEnum):
    """The answers that are graded again."""

    ALL = "all"
    UNGRADED = "ungraded"


@app.command()
@prints("one row per model and use case")
def grade(
    ctx: typer.Context,
    output: OutputFormat,
    run: int = typer.Argument(metavar="RUN", help="Run number, as listed by `assay runs`."),
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Judge to add to the run's judges; repeatable."
    ),
    geval_judge: str | None = judging.GEVAL,
    only: RegradedAnswers = typer.Option(
        RegradedAnswers.ALL,
        metavar="all|ungraded",
        help="Answers to grade: all, or only those with no score or with a missing mark.",
    ),
    exclude: judging.Exclude | None = judging.EXCLUDE,
    substitute: str | None = judging.SUBSTITUTE,
    withhold_flags: bool = judging.WITHHOLD,
    max_cost: float | None = MAX_COST,
    concurrency: int | None = CONCURRENCY,
) -> None:
    """Grade stored answers again. Models are not called, and existing marks are not paid for again."""
    work = open_session(ctx, concurrency=concurrency, existing=True)
    control = RunControl()
    judges = judging.judge_choice(judge, geval_judge, exclude, substitute, withhold_flags)
    outcome = run_live(
        work.grade(run, judges=judges, only=only.value, max_cost=max_cost, control=control),
        control,
        label=f"grading run {run}",
    )
    print_run_scores(work, outcome, output)
    print_outcome(outcome)
    end(outcome)
