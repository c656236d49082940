"""`assay frontier route`: the part of the gap to the oracle that practical routers close."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from assay.cli.frontier.printing import write_charts
from assay.cli.frontier.source import costs_in, print_source, progress, with_source
from assay.cli.options import LEVEL, RESAMPLES
from assay.cli.output import OutputFormat, print_csv, print_legend, print_output, print_table, prints
from assay.core.wording import counted
from assay.frontier.selection.judged import erring
from assay.results.frontier import Estimate
from assay.results.frontier_routing import FrontierRouting, Routed, Routing
from assay.results.table import legend_of, record, record_names
from assay.studies.frontier.routing import route as measure
from assay.studies.frontier.routing_embeddings import read_embeddings
from assay.studies.frontier.routing_remarks import caveats, verdict
from assay.studies.frontier.tensor_source import TensorSource

Format = Callable[[float], str]


@prints("one row per router")
@with_source
def route(
    ctx: typer.Context,
    output: OutputFormat,
    read: TensorSource,
    router: list[str] = typer.Option(
        ["category", "neighbours", "linear", "cascade"],
        "--router",
        metavar="ROUTER",
        help="category, neighbours, linear or cascade; repeatable.",
    ),
    embeddings: Path | None = typer.Option(
        None,
        "--embeddings",
        metavar="FILE",
        help="File with embeddings of the prompts: .parquet, .jsonl, .csv or .npz.",
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
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of folds, shuffles and replicates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for the chart."),
) -> None:
    """Measure practical routers against the frontier.

    Routers are trained on some prompts and evaluated on the others: the best single model, the best
    model of each category, nearest neighbours and linear models on texts or embeddings, and a cascade.
    Rely on the figure of the router whose type was chosen in training. Texts and embeddings need
    assay[route].
    """
    print_source(read)
    routing = measure(
        read.tensor,
        routers=router,
        embeddings=None if embeddings is None else read_embeddings(embeddings, read.tensor.prompts),
        judge=None if verifier_error is None else erring(verifier_error, verifier_price),
        folds=folds,
        repeats=repeats,
        level=level,
        resamples=resamples,
        seed=seed,
        progress=progress(),
    )
    result = FrontierRouting(read.summary, resamples, seed, verdict(routing), routing, caveats(routing))
    print_output(
        output,
        result=result,
        csv=lambda: print_csv(map(record, routing.routers), record_names(Routed)),
        text=lambda: print_routing(routing, result.verdict, result.caveats),
    )
    if out is not None:
        from assay.report.frontier.routers import routers_chart

        write_charts({"routers": routers_chart(routing)}, out)


def print_routing(routing: Routing, verdict: str, caveats: tuple[str, ...]) -> None:
    """Print the verdict, the routers at any cost and at matched cost, settings, notes and caveats."""
    typer.echo(verdict)
    typer.echo("")
    _print_any_cost(routing)
    if routing.random.cost is not None:
        typer.echo("")
        _print_matched(routing)
    typer.echo("")
    typer.echo(f"settings chosen in {counted(routing.folds * routing.repeats, 'training set')} (how often):")
    for router in routing.routers:
        if router.settings and not router.answers:
            settings = ", ".join(f"{name} ({count})" for name, count in router.settings.items())
            typer.echo(f"{router.name}: {settings}")
    for note in routing.notes:
        typer.echo(note)
    for caveat in caveats:
        typer.echo(f"caveat: {caveat}")


def _print_any_cost(routing: Routing) -> None:
    share = f"{100 * routing.level:g} %"
    prompts = counted(routing.prompts, "prompt")
    folds = f"{routing.folds} folds, {counted(routing.repeats, 'time')}"
    typer.echo(f"{prompts}, {folds}; quality at any cost, on prompts outside the training set")
    costed = routing.random.cost is not None
    columns = ["router", "quality", "gain", share, "of the gap", f"{share} ", "above shuffled", f"{share}  "]
    columns += ["cost"] if costed else []
    write_cost = costs_in(routing.unit)
    rows = [["random", _percent(routing.random.quality), *[""] * 6, write_cost(routing.random.cost or 0.0)]]
    for router in routing.routers:
        rows.append(
            [
                router.name + (" *" if router.answers else ""),
                _value_text(router.quality, _percent),
                *_value_and_interval(router.gain),
                *_value_and_interval(router.share),
                *(("", "") if router.over_shuffled is None else _value_and_interval(router.over_shuffled)),
                _value_text(router.cost, write_cost),
            ]
        )
    oracle = routing.oracle
    rows.append(
        [
            f"oracle ({oracle.method})",
            _value_text(oracle.quality, _percent),
            *_value_and_interval(oracle.gap),
            "100.0",
            "",
            "",
            "",
            _value_text(oracle.cost, write_cost),
        ]
    )
    print_table(None, columns, [row[: len(columns)] for row in rows], right=columns[1:])
    if any(router.answers for router in routing.routers):
        typer.echo(
            "* reads answers and may ask again; the oracle here does not, so this share may exceed 100"
        )


def _print_matched(routing: Routing) -> None:
    share = f"{100 * routing.level:g} %"
    single = routing.router(routing.best_single)
    write_cost = costs_in(routing.unit)
    typer.echo(
        f"at the best single model's cost ({_value_text(single.cost, write_cost)}), setting chosen in "
        "training"
    )
    columns = ["router", "quality", "cost", "gain", share, "of the gap", f"{share} ", "AIQ"]
    rows = [_matched_row(router, write_cost) for router in routing.routers if router.matched is not None]
    rows.append(
        [
            "frontier",
            "",
            "",
            *_value_and_interval(routing.oracle.gap_at_cost),
            "100.0",
            "",
            _value_text(routing.oracle.aiq, _percent),
        ]
    )
    print_table(None, columns, rows, right=columns[1:])
    print_legend(f"AIQ = {legend_of(Routed, 'aiq')}")


def _matched_row(router: Routed, write_cost: Format) -> list[str]:
    assert router.matched is not None
    matched = router.matched
    return [
        router.name + (" *" if router.answers else ""),
        _value_text(matched.quality, _percent),
        _value_text(matched.cost, write_cost),
        *_value_and_interval(matched.gain),
        *_value_and_interval(matched.share),
        _value_text(router.aiq, _percent),
    ]


def _value_and_interval(estimate: Estimate) -> tuple[str, str]:
    ends = estimate.over_prompts
    interval = "-" if ends is None else f"{_percent(ends.low)} to {_percent(ends.high)}"
    return _value_text(estimate, _percent), interval


def _value_text(estimate: Estimate, write: Format) -> str:
    return "-" if estimate.value is None else write(estimate.value)


def _percent(value: float) -> str:
    text = f"{100 * value:.1f}"
    return "0.0" if text == "-0.0" else text
