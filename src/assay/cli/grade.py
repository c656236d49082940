"""`assay grade`: grade the stored answers of a run again."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.calls.steering import Steering
from assay.cli import judging
from assay.cli.app import new_app
from assay.cli.live import run_live
from assay.cli.outcome import end, outcome_document, tell_outcome
from assay.cli.output import print_json
from assay.cli.session import open_session
from assay.cli.shown_run import print_run_scores

app = new_app()


class Only(StrEnum):
    """Which answers are graded again."""

    ALL = "all"
    UNGRADED = "ungraded"


@app.command()
def grade(
    ctx: typer.Context,
    run: int = typer.Argument(metavar="RUN", help="The run's number, as `assay runs` lists it."),
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Joins the run's judges; may be given several times."
    ),
    geval_judge: str | None = judging.GEVAL,
    only: Only = typer.Option(
        Only.ALL, metavar="all|ungraded", help="All answers, or those without a score or with a mark missing."
    ),
    exclude: judging.Exclude | None = judging.EXCLUDE,
    substitute: str | None = judging.SUBSTITUTE,
    withhold_flags: bool = judging.WITHHOLD,
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Grade stored answers again: the models are not asked, and no mark is paid for twice."""
    work = open_session(ctx, concurrency=concurrency, existing=True)
    steering = Steering()
    said = judging.said(judge, geval_judge, exclude, substitute, withhold_flags)
    outcome = run_live(
        work.grade(run, judges=said, only=only.value, max_cost=max_cost, steering=steering),
        steering,
        label=f"grading run {run}",
    )
    if as_json:
        print_json(outcome_document(outcome))
    else:
        print_run_scores(work, outcome.run)
    tell_outcome(outcome)
    end(outcome)
