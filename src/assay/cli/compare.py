"""`assay compare`: two runs, compared case by case."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_legend, print_listed, print_table, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.results.compare import CHANGED, ComparedRun, FlippedCase, RunComparison
from assay.results.runs import StatusCounts
from assay.results.table import legend_of

app = new_app()
LISTED = 10


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
        raise InvalidInput("--model is the model of both runs: give it alone, or --model-a and --model-b")
    comparison = open_session(ctx, existing=True).compare(
        run_a, run_b, model_a=model_a or model, model_b=model_b or model, threshold=threshold / 100.0
    )
    changed = [*comparison.fell, *comparison.rose]
    print_listed(CHANGED, changed, output, result=comparison, text=lambda: _print_comparison(comparison))


def _print_comparison(comparison: RunComparison) -> None:
    """Print both runs with their denominators, the difference with its tests, and the changed cases."""
    a, b = comparison.a, comparison.b
    typer.echo(
        f"{comparison.suite.suite} {comparison.suite.version}: run {b.run} against run {a.run}, "
        f"{counted(comparison.cases, 'case')} in both"
    )
    print_table(
        None,
        ("run", "model", "day", "mean", "cases", "n (ok/inv/err/ungr)"),
        [_row(a, comparison.mean_a, comparison.cases), _row(b, comparison.mean_b, comparison.cases)],
        right=("run", "mean", "cases"),
    )
    print_legend(f"n (ok/inv/err/ungr) = {legend_of(StatusCounts, 'n')}, of the cases that both runs scored")
    if comparison.difference is not None:
        typer.echo(_difference(comparison))
    if comparison.fell or comparison.rose:
        typer.echo()
        _print_flips(comparison)
    for side, other, cases in ((a, b, comparison.only_a), (b, a, comparison.only_b)):
        if cases:
            more = f" and {len(cases) - LISTED} more" if len(cases) > LISTED else ""
            notes().print(
                f"left out of run {side.run}, because run {other.run} has no score for them: "
                f"{', '.join(case.case for case in cases[:LISTED])}{more}"
            )
    for remark in comparison.remarks:
        notes().print(remark)
    if comparison.simulated:
        notes().print("A simulated model answered: nothing real was measured.")


def _row(side: ComparedRun, mean: float | None, cases: int) -> tuple[object, ...]:
    """Return a run's row. Mean, cases and n all refer to the cases that both runs scored."""
    return (
        side.run,
        side.model.removeprefix("imported/"),
        side.day or "",
        "-" if mean is None else f"{mean:.1f}",
        cases,
        side.counts,
    )


def _difference(comparison: RunComparison) -> str:
    flips = f"{len(comparison.fell)} fell, {len(comparison.rose)} rose"
    passing = "" if comparison.binary else f" across {comparison.threshold:g}"
    interval = f"95 % interval {comparison.low:+.1f} to {comparison.high:+.1f}"
    return (
        f"\ndifference {comparison.difference:+.1f} points ({interval}); "
        f"paired sign-flip test p = {comparison.p:.3g}\n"
        f"changed{passing}: {flips}; exact McNemar test p = {comparison.p_flips:.3g}"
    )


def _print_flips(comparison: RunComparison) -> None:
    def rows(flips: tuple[FlippedCase, ...], word: str) -> list[tuple[object, ...]]:
        ordered = sorted(flips, key=lambda flip: -abs(flip.b - flip.a))
        return [
            (word, flip.name.case, flip.name.use_case, f"{flip.a:.1f}", f"{flip.b:.1f}") for flip in ordered
        ]

    before, after = f"run {comparison.a.run}", f"run {comparison.b.run}"
    if before == after:
        before, after = f"{before}, a", f"{after}, b"
    print_table(
        None,
        ("", "case", "use case", before, after),
        rows(comparison.fell, "fell") + rows(comparison.rose, "rose"),
        right=(before, after),
    )
