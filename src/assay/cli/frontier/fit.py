"""`assay frontier fit`: what all models together reach, by one method or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import typer

from assay.cli.frontier.source import costs_in, progress, tell_source, with_source
from assay.cli.output import OutputFormat, print_csv, print_output, print_table, prints
from assay.core.wording import counted
from assay.frontier.methods.registry import DEFAULT, METHODS
from assay.results.frontier import Estimate, OracleEstimate
from assay.results.table import record
from assay.stats.intervals import Interval
from assay.studies.frontier.fitting import caveats, fitted, wanted
from assay.studies.frontier.fitting import fit as value
from assay.studies.frontier.read import Read

SHOWN = 10
"""So many generations are shown one by one, more at 1, 2, 5, 10, 20, 50 and so on."""
Spelled = Callable[[float], str]


@prints("one row per method")
@with_source
def fit(
    ctx: typer.Context,
    output: OutputFormat,
    read: Read,
    method: list[str] = typer.Option(
        [DEFAULT],
        "--method",
        metavar="METHOD",
        help=f"{', '.join(METHODS)} or all; several.",
    ),
    level: float = typer.Option(0.95, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Number of bootstrap replicates."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
) -> None:
    """Estimate what all models together reach, corrected for luck.

    The oracle sends each prompt to the model that is truly best on it. Methods correct for the luck of few
    generations in different ways: naive does not; power and smooth extrapolate; mixture and pgm model the
    generations; bracket gives bounds without a model.
    """
    methods = wanted(method)
    tell_source(read)
    found = value(read.tensor, methods, level=level, resamples=resamples, seed=seed, tell=progress())
    print_output(
        output,
        result=fitted(read, found, level=level, resamples=resamples, seed=seed),
        csv=lambda: print_csv(map(record, found)),
        text=lambda: print_fit(found, level, caveats(read.tensor)),
    )


def print_fit(found: Sequence[OracleEstimate], level: float, caveats: Sequence[str]) -> None:
    """Print one row a method below the best single model's, the curve, and what must be known of both."""
    first = found[0]
    shown = _percent if _bounded(found) else _plain
    cost = costs_in(first.unit)
    share = f"{100 * level:g} %"
    columns = [
        "method",
        "oracle",
        f"{share} other prompts",
        f"{share} these prompts",
        "gain",
        "error reduction",
    ]
    rows = [[first.best_model, *_spread(first.best_single, shown), "", ""]]
    rows += [
        [
            each.method,
            *_spread(each.quality, shown, each),
            _one(each.gain, shown),
            _one(each.error_reduction, _percent),
        ]
        for each in found
    ]
    if first.cost_curve is not None:
        columns += ["cost", f"{share} other prompts "]
        rows[0] += ["", ""]
        for row, each in zip(rows[1:], found, strict=True):
            row += [_one(each.cost, cost), "" if each.cost is None else _ends(each.cost.over_prompts, cost)]
    typer.echo(f"{counted(first.prompts, 'prompt')}; best single model and oracle by method")
    print_table(None, columns, rows, right=columns[1:])
    _print_curve(first, shown, cost)
    _print_notes(found, caveats, cost)


def _print_curve(first: OracleEstimate, shown: Spelled, cost: Spelled) -> None:
    most = len(first.sizes)
    sizes = [
        size
        for size in first.sizes.tolist()
        if size <= SHOWN or size == most or str(size).rstrip("0") in ("1", "2", "5")
    ]
    typer.echo("")
    columns = ["generations", *map(str, sizes)]
    rows = [["biased oracle", *(shown(float(first.curve[size - 1])) for size in sizes)]]
    if first.cost_curve is not None:
        rows.append(["its cost", *(cost(float(first.cost_curve[size - 1])) for size in sizes)])
    print_table(None, columns, rows, right=columns[1:])


def _print_notes(found: Sequence[OracleEstimate], caveats: Sequence[str], cost: Spelled) -> None:
    shared = [note for note in found[0].notes if all(note in each.notes for each in found)]
    typer.echo("")
    if found[0].cost_curve is not None:
        for each in found:
            typer.echo(f"cost by {each.method}: {each.cost_estimator}")
        paper = found[0].paper_cost
        told = (
            "needs 5 generations"
            if paper is None
            else f"{_one(paper, cost)} ({_ends(paper.over_prompts, cost)})"
        )
        typer.echo(f"cost by the paper's own estimator, equation 12 on the cost curve: {told}")
    for each in found:
        for note in each.notes:
            if len(found) == 1 or note not in shared:
                typer.echo(f"{each.method}: {note}")
    if len(found) > 1:
        for note in shared:
            typer.echo(note)
    for caveat in caveats:
        typer.echo(f"caveat: {caveat}")


def _spread(estimate: Estimate, shown: Spelled, whole: OracleEstimate | None = None) -> list[str]:
    """Return value and both intervals; a bracket's value is what lies between its ends."""
    value = _one(estimate, shown)
    if whole is not None and whole.upper is not None:
        low = "?" if whole.lower is None else _one(whole.lower, shown)
        value = f"{low} to {_one(whole.upper, shown)}"
    return [value, _ends(estimate.over_prompts, shown), _ends(estimate.these_prompts, shown)]


def _one(estimate: Estimate | None, shown: Spelled) -> str:
    if estimate is None or (estimate.value is None and estimate.over_prompts is None):
        return "-"
    if estimate.value is None:
        return _ends(estimate.over_prompts, shown)
    return shown(estimate.value)


def _ends(interval: Interval | None, shown: Spelled) -> str:
    return "-" if interval is None else f"{shown(interval.low)} to {shown(interval.high)}"


def _bounded(found: Sequence[OracleEstimate]) -> bool:
    return bool((found[0].curve >= 0.0).all() and (found[0].curve <= 1.0).all())


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _plain(value: float) -> str:
    return f"{value:.4g}"
