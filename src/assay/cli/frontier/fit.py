"""`assay frontier fit`: the quality that all models together reach, by one method or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import typer

from assay.cli.frontier.source import costs_in, print_source, progress, with_source
from assay.cli.options import LEVEL, RESAMPLES
from assay.cli.output import OutputFormat, print_csv, print_output, print_table, prints
from assay.core.wording import counted
from assay.frontier.methods.registry import DEFAULT, METHODS
from assay.results.frontier import Estimate, OracleEstimate
from assay.results.table import record
from assay.stats.intervals import Interval
from assay.studies.frontier.fitting import caveats, choose_methods, fitted
from assay.studies.frontier.fitting import fit as value
from assay.studies.frontier.tensor_source import TensorSource

SHOWN = 10
"""Up to this number every number of generations is shown, then only 20, 50, 100 and so on."""
Format = Callable[[float], str]


@prints("one row per method")
@with_source
def fit(
    ctx: typer.Context,
    output: OutputFormat,
    read: TensorSource,
    method: list[str] = typer.Option(
        [DEFAULT],
        "--method",
        metavar="METHOD",
        help=f"{', '.join(METHODS)} or all; repeatable.",
    ),
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
) -> None:
    """Estimate what all models together reach, corrected for luck.

    The oracle sends each prompt to the model that is truly best on it. The methods differ in how they
    correct for the luck of few generations: naive does not correct; power and smooth extrapolate; mixture
    and pgm model the generations; bracket gives bounds without a model.
    """
    methods = choose_methods(method)
    print_source(read)
    estimates = value(read.tensor, methods, level=level, resamples=resamples, seed=seed, progress=progress())
    print_output(
        output,
        result=fitted(read, estimates, level=level, resamples=resamples, seed=seed),
        csv=lambda: print_csv(map(record, estimates)),
        text=lambda: print_fit(estimates, level, caveats(read.tensor)),
    )


def print_fit(estimates: Sequence[OracleEstimate], level: float, caveats: Sequence[str]) -> None:
    """Print the best single model and the oracle by each method, the curve, notes and caveats."""
    first = estimates[0]
    write = _percent if _bounded(estimates) else _plain
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
    rows = [[first.best_model, *_spread(first.best_single, write), "", ""]]
    rows += [
        [
            estimate.method,
            *_spread(estimate.quality, write, estimate),
            _value_text(estimate.gain, write),
            _value_text(estimate.error_reduction, _percent),
        ]
        for estimate in estimates
    ]
    if first.cost_curve is not None:
        columns += ["cost", f"{share} other prompts "]
        rows[0] += ["", ""]
        for row, estimate in zip(rows[1:], estimates, strict=True):
            row += [
                _value_text(estimate.cost, cost),
                "" if estimate.cost is None else _interval_text(estimate.cost.over_prompts, cost),
            ]
    typer.echo(f"{counted(first.prompts, 'prompt')}; best single model and oracle by method")
    print_table(None, columns, rows, right=columns[1:])
    _print_curve(first, write, cost)
    _print_notes(estimates, caveats, cost)


def _print_curve(first: OracleEstimate, write: Format, cost: Format) -> None:
    most = len(first.sizes)
    sizes = [
        size
        for size in first.sizes.tolist()
        if size <= SHOWN or size == most or str(size).rstrip("0") in ("1", "2", "5")
    ]
    typer.echo("")
    columns = ["generations", *map(str, sizes)]
    rows = [["biased oracle", *(write(float(first.curve[size - 1])) for size in sizes)]]
    if first.cost_curve is not None:
        rows.append(["its cost", *(cost(float(first.cost_curve[size - 1])) for size in sizes)])
    print_table(None, columns, rows, right=columns[1:])


def _print_notes(estimates: Sequence[OracleEstimate], caveats: Sequence[str], cost: Format) -> None:
    shared = [note for note in estimates[0].notes if all(note in estimate.notes for estimate in estimates)]
    typer.echo("")
    if estimates[0].cost_curve is not None:
        for estimate in estimates:
            typer.echo(f"cost by {estimate.method}: {estimate.cost_estimator}")
        paper = estimates[0].paper_cost
        paper_text = (
            "needs 5 generations"
            if paper is None
            else f"{_value_text(paper, cost)} ({_interval_text(paper.over_prompts, cost)})"
        )
        typer.echo(f"cost by the paper's own estimator, equation 12 on the cost curve: {paper_text}")
    for estimate in estimates:
        for note in estimate.notes:
            if len(estimates) == 1 or note not in shared:
                typer.echo(f"{estimate.method}: {note}")
    if len(estimates) > 1:
        for note in shared:
            typer.echo(note)
    for caveat in caveats:
        typer.echo(f"caveat: {caveat}")


def _spread(estimate: Estimate, write: Format, whole: OracleEstimate | None = None) -> list[str]:
    """Return the value and both intervals; for a bracket the range between its ends is the value."""
    value = _value_text(estimate, write)
    if whole is not None and whole.upper is not None:
        low = "?" if whole.lower is None else _value_text(whole.lower, write)
        value = f"{low} to {_value_text(whole.upper, write)}"
    return [
        value,
        _interval_text(estimate.over_prompts, write),
        _interval_text(estimate.these_prompts, write),
    ]


def _value_text(estimate: Estimate | None, write: Format) -> str:
    if estimate is None or (estimate.value is None and estimate.over_prompts is None):
        return "-"
    if estimate.value is None:
        return _interval_text(estimate.over_prompts, write)
    return write(estimate.value)


def _interval_text(interval: Interval | None, write: Format) -> str:
    return "-" if interval is None else f"{write(interval.low)} to {write(interval.high)}"


def _bounded(estimates: Sequence[OracleEstimate]) -> bool:
    return bool((estimates[0].curve >= 0.0).all() and (estimates[0].curve <= 1.0).all())


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _plain(value: float) -> str:
    return f"{value:.4g}"
