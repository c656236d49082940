"""Printing how two runs compare."""

from __future__ import annotations

import typer

from assay.cli.output import notes, print_legend, print_table
from assay.core.wording import counted
from assay.results.compare import ComparedRun, FlippedCase, RunComparison
from assay.results.runs import StatusCounts
from assay.results.table import legend_of

LISTED = 10


def print_comparison(shown: RunComparison) -> None:
    """Print both runs with their denominators, the difference with its tests, and the flipped cases."""
    typer.echo(
        f"{shown.suite.suite} {shown.suite.version}: run {shown.b.run} against run {shown.a.run}, "
        f"{counted(shown.cases, 'case')} in both"
    )
    print_table(
        None,
        ("run", "model", "day", "mean", "cases", "n (ok/inv/err/ungr)"),
        [_row(shown.a, shown.mean_a, shown.cases), _row(shown.b, shown.mean_b, shown.cases)],
        right=("run", "mean", "cases"),
    )
    print_legend(f"n (ok/inv/err/ungr) = {legend_of(StatusCounts, 'n')}, of the cases that both runs scored")
    if shown.difference is not None:
        typer.echo(_difference(shown))
    if shown.fell or shown.rose:
        typer.echo()
        _print_flips(shown)
    for side, other, cases in ((shown.a, shown.b, shown.only_a), (shown.b, shown.a, shown.only_b)):
        if cases:
            more = f" and {len(cases) - LISTED} more" if len(cases) > LISTED else ""
            notes().print(
                f"no score in run {other.run}, so left out of run {side.run} too: "
                f"{', '.join(case.case for case in cases[:LISTED])}{more}"
            )
    for remark in shown.remarks:
        notes().print(remark)
    if shown.simulated:
        notes().print("A simulated model answered: nothing real was measured.")


def _row(side: ComparedRun, mean: float | None, cases: int) -> tuple[object, ...]:
    """Return a run's line: mean, cases and n are all of the cases that both runs scored."""
    return (
        side.run,
        side.model.removeprefix("imported/"),
        side.day or "",
        "-" if mean is None else f"{mean:.1f}",
        cases,
        side.counts,
    )


def _difference(shown: RunComparison) -> str:
    flips = f"{len(shown.fell)} fell, {len(shown.rose)} rose"
    passing = "" if shown.binary else f" across {shown.threshold:g}"
    return (
        f"\ndifference {shown.difference:+.1f} points (95 % interval {shown.low:+.1f} to {shown.high:+.1f}); "
        f"paired sign-flip test p = {shown.p:.3g}\n"
        f"flipped{passing}: {flips}; exact McNemar test p = {shown.p_flips:.3g}"
    )


def _print_flips(shown: RunComparison) -> None:
    def rows(flips: tuple[FlippedCase, ...], word: str) -> list[tuple[object, ...]]:
        ordered = sorted(flips, key=lambda flip: -abs(flip.b - flip.a))
        return [
            (word, flip.name.case, flip.name.use_case, f"{flip.a:.1f}", f"{flip.b:.1f}") for flip in ordered
        ]

    before, after = f"run {shown.a.run}", f"run {shown.b.run}"
    if before == after:
        before, after = f"{before}, a", f"{after}, b"
    print_table(
        None,
        ("", "case", "use case", before, after),
        rows(shown.fell, "fell") + rows(shown.rose, "rose"),
        right=(before, after),
    )
