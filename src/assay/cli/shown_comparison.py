"""Printing how two runs compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from assay.cli.output import counted, notes, print_table

if TYPE_CHECKING:
    from assay.ranking.comparison import Flip, RunDifference
    from assay.runs.compare_runs import ComparedRuns, Side

LISTED = 10


def print_comparison(found: ComparedRuns) -> None:
    """Print both runs with their denominators, the difference with its tests, and the flipped cases."""
    suite, shown = found.suite, found.difference
    typer.echo(
        f"{suite.name} {suite.version}: run {found.b.run.id} against run {found.a.run.id}, "
        f"{counted(shown.cases, 'case')} in both"
    )
    print_table(
        None,
        ("run", "model", "day", "mean", "cases", "n (ok/inv/err/ungr)"),
        [_row(found.a, shown.mean_a, shown.cases), _row(found.b, shown.mean_b, shown.cases)],
        right=("run", "mean", "cases"),
    )
    if shown.difference is not None:
        typer.echo()
        for line in _told(shown):
            typer.echo(line)
    if shown.fell or shown.rose:
        typer.echo()
        _flips(found)
    for side, other, names in ((found.a, found.b, shown.only_a), (found.b, found.a, shown.only_b)):
        if names:
            more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
            notes().print(
                f"no score in run {other.run.id}, so left out of run {side.run.id} too: "
                f"{', '.join(names[:LISTED])}{more}"
            )
    for remark in found.remarks:
        notes().print(remark)
    if found.simulated:
        notes().print("A simulated model answered: nothing real was measured.")


def _row(side: Side, mean: float | None, cases: int) -> tuple[object, ...]:
    """Return a run's line: mean, cases and n are all of the cases that both runs scored."""
    return (
        side.run.id,
        side.model.name.removeprefix("imported/"),
        side.run.day or "",
        "-" if mean is None else f"{100 * mean:.1f}",
        cases,
        f"{side.n} ({side.ok}/{side.invalid}/{side.error}/{side.ungraded})",
    )


def _told(shown: RunDifference) -> tuple[str, str]:
    assert shown.difference is not None
    assert shown.interval is not None
    low, high = 100 * shown.interval.low, 100 * shown.interval.high
    flips = f"{len(shown.fell)} fell, {len(shown.rose)} rose"
    passing = "" if shown.binary else f" across {100 * shown.threshold:g}"
    return (
        f"difference {100 * shown.difference:+.1f} points (95 % interval {low:+.1f} to {high:+.1f}); "
        f"paired sign-flip test p = {shown.p:.3g}",
        f"flipped{passing}: {flips}; exact McNemar test p = {shown.mcnemar:.3g}",
    )


def _flips(found: ComparedRuns) -> None:
    use_cases = {case.id: case.use_case for case in found.suite.cases}

    def rows(flips: tuple[Flip, ...], word: str) -> list[tuple[object, ...]]:
        ordered = sorted(flips, key=lambda flip: -abs(flip.after - flip.before))
        return [
            (word, flip.case, use_cases[flip.case], f"{100 * flip.before:.1f}", f"{100 * flip.after:.1f}")
            for flip in ordered
        ]

    before, after = f"run {found.a.run.id}", f"run {found.b.run.id}"
    if before == after:
        before, after = f"{before}, a", f"{after}, b"
    print_table(
        None,
        ("", "case", "use case", before, after),
        rows(found.difference.fell, "fell") + rows(found.difference.rose, "rose"),
        right=(before, after),
    )
