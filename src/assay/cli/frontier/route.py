"""`assay frontier route`: how much of the gap practical routers reach today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from assay.cli.frontier.source import costs_in, progress, tell_source, with_source
from assay.cli.output import OutputFormat, notes, print_csv, print_legend, print_output, print_table, prints
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.frontier.selection.judged import erring
from assay.results.frontier import Estimate
from assay.results.frontier_routing import FrontierRouting, Routed, Routing
from assay.results.table import legend_of, record, record_names
from assay.studies.frontier.read import Read
from assay.studies.frontier.routing import route as measure
from assay.studies.frontier.routing_embeddings import read_embeddings
from assay.studies.frontier.routing_remarks import caveats, verdict

Spelled = Callable[[float], str]


@prints("one row per router")
@with_source
def route(
    ctx: typer.Context,
    output: OutputFormat,
    read: Read,
    router: list[str] = typer.Option(
        ["category", "neighbours", "linear", "cascade"],
        "--router",
        metavar="ROUTER",
        help="category, neighbours, linear or cascade; several.",
    ),
    embeddings: Path | None = typer.Option(
        None,
        "--embeddings",
        metavar="FILE",
        help="File with the prompts' embeddings: .parquet, .jsonl, .csv or .npz.",
    ),
    verifier_error: float | None = typer.Option(
        None,
        "--verifier-error",
        min=0.0,
        max=0.5,
        metavar="RATE",
        help="Error rate of a verifier; adds a cascade that reads answers.",
    ),
    verifier_price: float = typer.Option(
        0.0, "--verifier-price", min=0.0, metavar="COST", help="Cost of verifying one answer."
    ),
    folds: int = typer.Option(5, min=2, metavar="N", help="Number of cross-validation folds."),
    repeats: int = typer.Option(
        3, min=1, metavar="N", help="Number of times the prompts are split into folds."
    ),
    level: float = typer.Option(0.95, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Number of bootstrap replicates."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of folds, shuffles and replicates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for the chart."),
) -> None:
    """Measure practical routers against the frontier.

    Routers are trained on some prompts and evaluated on the others: the best single model, the best
    model of each category, nearest neighbours and linear models on texts or embeddings, and a cascade.
    Trust the figure of the router whose type was chosen in training. Texts and embeddings need
    assay[route].
    """
    tell_source(read)
    found = measure(
        read.tensor,
        routers=router,
        embeddings=None if embeddings is None else read_embeddings(embeddings, read.tensor.prompts),
        judge=None if verifier_error is None else erring(verifier_error, verifier_price),
        folds=folds,
        repeats=repeats,
        level=level,
        resamples=resamples,
        seed=seed,
        tell=progress(),
    )
    result = FrontierRouting(read.summary, resamples, seed, verdict(found), found, caveats(found))
    print_output(
        output,
        result=result,
        csv=lambda: print_csv(map(record, found.routers), record_names(Routed)),
        text=lambda: print_routing(found, result.verdict, result.caveats),
    )
    if out is not None:
        _write(found, out)


def _write(found: Routing, folder: Path) -> None:
    """Write the chart as a page, a drawing and a picture, and say where."""
    from assay.report.frontier.routers import routers_chart
    from assay.report.save import save_chart

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write the chart to {str(folder)!r}: {error.strerror}") from None
    chart = routers_chart(found)
    for suffix in (".html", ".svg", ".png"):
        save_chart(chart, folder / f"routers{suffix}")
    notes().print(f"chart in {folder}: routers (.html, .svg, .png)")


def print_routing(found: Routing, verdict: str, caveats: tuple[str, ...]) -> None:
    """Print the verdict, one row a router, the same at matched cost, what was learnt, notes and caveats."""
    typer.echo(verdict)
    typer.echo("")
    _print_any_cost(found)
    if found.random.cost is not None:
        typer.echo("")
        _print_matched(found)
    typer.echo("")
    for each in found.routers:
        if each.settings and not each.answers:
            told = ", ".join(f"{name} ({count})" for name, count in each.settings.items())
            typer.echo(f"{each.name}: {told} of {counted(found.folds * found.repeats, 'training set')}")
    for note in found.notes:
        typer.echo(note)
    for caveat in caveats:
        typer.echo(f"caveat: {caveat}")


def _print_any_cost(found: Routing) -> None:
    share = f"{100 * found.level:g} %"
    prompts = counted(found.prompts, "prompt")
    folds = f"{found.folds} folds, {counted(found.repeats, 'time')}"
    typer.echo(f"{prompts}, {folds}; quality at any cost, on prompts not trained on")
    costed = found.random.cost is not None
    columns = ["router", "quality", "gain", share, "of the gap", f"{share} ", "above shuffled", f"{share}  "]
    columns += ["cost"] if costed else []
    spent = costs_in(found.unit)
    rows = [["random", _percent(found.random.quality), *[""] * 6, spent(found.random.cost or 0.0)]]
    for each in found.routers:
        rows.append(
            [
                each.name + (" *" if each.answers else ""),
                _one(each.quality, _percent),
                *_with_ends(each.gain),
                *_with_ends(each.share),
                *(("", "") if each.over_shuffled is None else _with_ends(each.over_shuffled)),
                _one(each.cost, spent),
            ]
        )
    oracle = found.oracle
    rows.append(
        [
            f"oracle ({oracle.method})",
            _one(oracle.quality, _percent),
            *_with_ends(oracle.gap),
            "100.0",
            "",
            "",
            "",
            _one(oracle.cost, spent),
        ]
    )
    print_table(None, columns, [row[: len(columns)] for row in rows], right=columns[1:])
    if any(each.answers for each in found.routers):
        typer.echo("* reads answers and asks again, which the oracle here does not: its share may exceed 100")


def _print_matched(found: Routing) -> None:
    share = f"{100 * found.level:g} %"
    single = found.router(found.best_single)
    spent = costs_in(found.unit)
    typer.echo(
        f"at the best single model's cost ({_one(single.cost, spent)}), the setting chosen in training"
    )
    columns = ["router", "quality", "cost", "gain", share, "of the gap", f"{share} ", "AIQ"]
    rows = [_matched_row(each, spent) for each in found.routers if each.matched is not None]
    rows.append(
        [
            "frontier",
            "",
            "",
            *_with_ends(found.oracle.gap_at_cost),
            "100.0",
            "",
            _one(found.oracle.aiq, _percent),
        ]
    )
    print_table(None, columns, rows, right=columns[1:])
    print_legend(f"AIQ = {legend_of(Routed, 'aiq')}")


def _matched_row(each: Routed, spent: Spelled) -> list[str]:
    assert each.matched is not None
    matched = each.matched
    return [
        each.name + (" *" if each.answers else ""),
        _one(matched.quality, _percent),
        _one(matched.cost, spent),
        *_with_ends(matched.gain),
        *_with_ends(matched.share),
        _one(each.aiq, _percent),
    ]


def _with_ends(estimate: Estimate) -> tuple[str, str]:
    ends = estimate.over_prompts
    told = "-" if ends is None else f"{_percent(ends.low)} to {_percent(ends.high)}"
    return _one(estimate, _percent), told


def _one(estimate: Estimate, shown: Spelled) -> str:
    return "-" if estimate.value is None else shown(estimate.value)


def _percent(value: float) -> str:
    told = f"{100 * value:.1f}"
    return "0.0" if told == "-0.0" else told
