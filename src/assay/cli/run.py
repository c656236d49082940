"""`assay run`: run a suite against models."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.calls.steering import Steering
from assay.cli import judging
from assay.cli.app import new_app
from assay.cli.live import run_live
from assay.cli.outcome import end, outcome_document, tell_outcome
from assay.cli.output import print_json
from assay.cli.planned import print_plan
from assay.cli.session import Place, open_session
from assay.cli.shown_run import print_run_scores

app = new_app()


class Sampling(StrEnum):
    """Whose sampling parameters hold."""

    SUITE = "suite"
    PROVIDER_DEFAULT = "provider-default"


@app.command()
def run(
    ctx: typer.Context,
    suite: str = typer.Argument(
        metavar="SUITE", help="A built-in suite's name, its folder, or its sealed file."
    ),
    model: list[str] = typer.Option(
        ..., "--model", "-m", metavar="PROVIDER/MODEL", help="May be given several times."
    ),
    epochs: int | None = typer.Option(
        None, metavar="N", help="Generations of each case; else the suite's base counts."
    ),
    limit: int | None = typer.Option(
        None, metavar="N", help="At most this many cases, spread over the use cases."
    ),
    sampling: Sampling = typer.Option(
        Sampling.SUITE,
        metavar="suite|provider-default",
        help="Whose sampling parameters hold, temperature above all.",
    ),
    judge: list[str] = judging.JUDGE,
    geval_judge: str | None = judging.GEVAL,
    exclude: judging.Exclude | None = judging.EXCLUDE,
    substitute: str | None = judging.SUBSTITUTE,
    withhold_flags: bool = judging.WITHHOLD,
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    on: Place = typer.Option(
        Place.HERE, metavar="here|ray", help="Execute in this process, or on the Ray cluster of RAY_ADDRESS."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Print the plan with its estimate; send nothing."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Run a suite against models: every answer is graded and recorded."""
    work = open_session(ctx, concurrency=concurrency, on=on)
    plan = work.plan(
        work.suite(suite),
        work.models(model),
        epochs=epochs,
        limit=limit,
        sampling=sampling.value,
        judges=judging.said(judge, geval_judge, exclude, substitute, withhold_flags),
    )
    if dry_run:
        print_plan(plan, as_json=as_json)
        return
    steering = Steering()
    outcome = run_live(work.run(plan, max_cost=max_cost, steering=steering), steering, label=plan.suite.name)
    if as_json:
        print_json(outcome_document(outcome))
    else:
        print_run_scores(work, outcome.run)
    tell_outcome(outcome)
    end(outcome)
