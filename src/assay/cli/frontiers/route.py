"""`assay frontier route`: how much of the gap practical routers reach today."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.frontiers.fit import estimate_document
from assay.cli.frontiers.source import source_document, tell_source, with_source
from assay.cli.output import notes, print_json

if TYPE_CHECKING:
    from assay.frontier.routing.result import Matched, Routed, Routing, Spot
    from assay.studies.frontier.read import Read

QUIET_SECONDS = 2.0
"""Progress is told from here on: what is over sooner needs none."""


@with_source
def route(
    ctx: typer.Context,
    read: Read,
    router: list[str] = typer.Option(
        ["category", "neighbours", "linear", "cascade"],
        "--router",
        metavar="ROUTER",
        help="category, neighbours, linear or cascade; several.",
    ),
    embeddings: Path | None = typer.Option(
        None, "--embeddings", metavar="FILE", help="Embeddings of the prompts: .parquet, .jsonl, .csv, .npz."
    ),
    verifier_error: float | None = typer.Option(
        None,
        "--verifier-error",
        min=0.0,
        max=0.5,
        metavar="RATE",
        help="Add a cascade that reads answers with a verifier who errs so often.",
    ),
    verifier_price: float = typer.Option(
        0.0, "--verifier-price", min=0.0, metavar="COST", help="What the verifier costs an answer."
    ),
    folds: int = typer.Option(5, min=2, metavar="N", help="Folds of the prompts."),
    repeats: int = typer.Option(3, min=1, metavar="N", help="So often the prompts are dealt into folds."),
    level: float = typer.Option(0.9, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Bootstrap replicates of the prompts."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of folds, shuffles and replicates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Write the chart into this folder."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Measure practical routers against the frontier.

    Routers learn on some prompts and are valued on the others: the best single model, the best model of each
    category, nearest neighbours and linear models on texts or embeddings, and a cascade. The figure to trust
    is that of the router whose type was chosen in training. Texts and embeddings need assay[route].
    """
    from assay.cli.frontiers.shown_route import print_routing
    from assay.frontier.selection.judged import erring
    from assay.studies.frontier.routing import route as measure
    from assay.studies.frontier.routing_embeddings import read_embeddings
    from assay.studies.frontier.routing_remarks import caveats, verdict

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
        tell=_progress(),
    )
    told = verdict(found), caveats(found)
    if as_json:
        settings = {"resamples": resamples, "seed": seed}
        print_json({"source": source_document(read), **settings, **routing_document(found, *told)})
    else:
        print_routing(found, *told)
    if out is not None:
        _write(found, out)


def routing_document(found: Routing, verdict: str, caveats: tuple[str, ...]) -> dict[str, Any]:
    """Return measured routers as parts of a JSON document."""
    return {
        "verdict": verdict,
        "level": found.level,
        "folds": found.folds,
        "repeats": found.repeats,
        "prompts": found.prompts,
        "distinct_prompts": found.groups,
        "unit": None if found.random.cost is None else found.unit,
        "oracle": {
            "method": found.method,
            "quality": estimate_document(found.oracle),
            "cost": estimate_document(found.oracle_cost),
            "gap": estimate_document(found.gap),
            "gap_at_cost": estimate_document(found.gap_at_cost),
            "aiq": estimate_document(found.frontier_aiq),
            "curve": [_spot(each) for each in found.frontier],
        },
        "best_single": found.best_single,
        "nested": found.nested,
        "routers": [_router(each) for each in found.routers],
        "random": _spot(found.random),
        "models": [{"model": name, **_spot(spot)} for name, spot in found.singles],
        "notes": list(found.notes),
        "caveats": list(caveats),
    }


def _router(each: Routed) -> dict[str, Any]:
    over = each.over_shuffled
    return {
        "router": each.name,
        "features": each.kind,
        "reads_answers": each.answers,
        "quality": estimate_document(each.quality),
        "cost": estimate_document(each.cost),
        "gain": estimate_document(each.gain),
        "share": estimate_document(each.share),
        "over_shuffled": None if over is None else estimate_document(over),
        "between_repeats": each.between_repeats,
        "matched": None if each.matched is None else _matched(each.matched),
        "aiq": estimate_document(each.aiq),
        "curve": [_spot(spot) for spot in each.curve],
        "settings": [{"setting": name, "trainings": count} for name, count in each.settings],
        "models": [{"model": name, "share": share} for name, share in each.models],
    }


def _matched(matched: Matched) -> dict[str, Any]:
    return {
        "quality": estimate_document(matched.quality),
        "cost": estimate_document(matched.cost),
        "gain": estimate_document(matched.gain),
        "share": estimate_document(matched.share),
    }


def _spot(spot: Spot) -> dict[str, float | None]:
    return {"quality": spot.quality, "cost": spot.cost}


def _progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, from two seconds after now on."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return tell


def _write(found: Routing, folder: Path) -> None:
    """Write the chart as a page, a drawing and a picture, and say where."""
    from assay.core.errors import InvalidInput
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
