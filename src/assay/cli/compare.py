"""`assay compare`: two runs case by case."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.session import open_session
from assay.cli.shown_comparison import print_comparison
from assay.core.errors import InvalidInput
from assay.results.compare import CHANGED

app = new_app()


@app.command()
@prints("one row per changed case")
def compare(
    ctx: typer.Context,
    output: OutputFormat,
    run_a: int = typer.Argument(metavar="RUN_A", help="Number of the baseline run."),
    run_b: int = typer.Argument(metavar="RUN_B", help="Number of the run to compare with it."),
    model: str | None = typer.Option(
        None, "--model", "-m", metavar="PROVIDER/MODEL", help="Model to compare, if a run has several."
    ),
    model_a: str | None = typer.Option(None, metavar="PROVIDER/MODEL", help="Model in RUN_A."),
    model_b: str | None = typer.Option(None, metavar="PROVIDER/MODEL", help="Model in RUN_B."),
    threshold: float = typer.Option(
        50.0, min=0.0, max=100.0, metavar="SCORE", help="Score from which a case counts as passed, 0-100."
    ),
) -> None:
    """Compare two runs of one suite version: changed cases, the difference, and a paired test."""
    if model is not None and (model_a is not None or model_b is not None):
        raise InvalidInput("--model names the model of both runs: give it, or --model-a and --model-b")
    comparison = open_session(ctx, existing=True).compare(
        run_a, run_b, model_a=model_a or model, model_b=model_b or model, threshold=threshold / 100.0
    )
    changed = [*comparison.fell, *comparison.rose]
    print_listed(CHANGED, changed, output, result=comparison, text=lambda: print_comparison(comparison))
