"""`assay run`: run a suite against models."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.calls.control import RunControl
from assay.cli.adaptive import print_worst_case, with_adaptive
from assay.cli.app import new_app
from assay.cli.judge import options as judging
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST
from assay.cli.outcome import end, print_outcome
from assay.cli.output import OutputFormat, prints
from assay.cli.planned import print_plan
from assay.cli.session import Place, open_session
from assay.cli.shown_run import print_run_scores
from assay.ranking.adaptive import AdaptiveRule

app = new_app()


class Sampling(StrEnum):
    """The source of a run's sampling parameters."""

    SUITE = "suite"
    PROVIDER_DEFAULT = "provider-default"


@app.command()
@prints("one row per model and use case")
@with_adaptive
def run(
    ctx: typer.Context,
    output: OutputFormat,
    rule: AdaptiveRule | None,
    suite: str = typer.Argument(
        metavar="SUITE", help="Name of a built-in suite, a folder, or a sealed file."
    ),
    model: list[str] = typer.Option(
        ..., "--model", "-m", metavar="PROVIDER/MODEL", help="Model to run the suite on; repeatable."
    ),
    epochs: int | None = typer.Option(
        None, metavar="N", help="Number of answers to each case (default: the suite's base counts)."
    ),
    limit: int | None = typer.Option(
        None, metavar="N", help="Largest number of cases, spread over the use cases."
    ),
    sampling: Sampling = typer.Option(
        Sampling.SUITE,
        metavar="suite|provider-default",
        help="Source of the sampling parameters such as temperature.",
    ),
    judge: list[str] = judging.JUDGE,
    geval_judge: str | None = judging.GEVAL,
    exclude: judging.Exclude | None = judging.EXCLUDE,
    substitute: str | None = judging.SUBSTITUTE,
    withhold_flags: bool = judging.WITHHOLD,
    max_cost: float | None = MAX_COST,
    concurrency: int | None = CONCURRENCY,
    on: Place = typer.Option(
        Place.HERE,
        metavar="here|ray",
        help="Place of execution: this process, or the Ray cluster at RAY_ADDRESS.",
    ),
    seed: int = typer.Option(
        0, "--seed", min=0, metavar="SEED", help="Seed of the random order of an adaptive run."
    ),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Print the plan and its estimated cost; send nothing."
    ),
) -> None:
    """Run a suite on models; grade and record every answer."""
    work = open_session(ctx, concurrency=concurrency, on=on)
    plan = work.plan(
        work.suite(suite),
        work.models(model),
        epochs=epochs,
        limit=limit,
        sampling=sampling.value,
        judges=judging.judge_choice(judge, geval_judge, exclude, substitute, withhold_flags),
        adaptive=rule,
        seed=seed,
    )
    if dry_run:
        print_plan(plan, output)
        print_worst_case(rule)
        return
    control = RunControl()
    outcome = run_live(work.run(plan, max_cost=max_cost, control=control), control, label=plan.suite.name)
    print_run_scores(work, outcome, output)
    print_outcome(outcome)
    end(outcome)
