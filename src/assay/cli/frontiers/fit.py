"""`assay frontier fit`: what all models together reach, by one method or several."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.frontiers.source import source_document, tell_source, with_source
from assay.cli.output import notes, print_json

if TYPE_CHECKING:
    from assay.frontier.estimate import Estimate
    from assay.frontier.oracles.oracle import OracleEstimate
    from assay.studies.frontier.read import Read

QUIET_SECONDS = 2.0
"""Progress is told from here on: what is over sooner needs none."""


@with_source
def fit(
    ctx: typer.Context,
    read: Read,
    method: list[str] = typer.Option(
        ["shrink"],
        "--method",
        metavar="METHOD",
        help="naive, power, smooth, shrink, pgm, bracket or all; several.",
    ),
    level: float = typer.Option(0.9, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Bootstrap replicates of the prompts."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of replicates and draws."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Estimate what all models together reach, without luck.

    Each prompt goes to the model that is truly best on it: the oracle, beside the best single model. The
    methods differ in how they take the luck of few generations out: naive does not; power and smooth follow
    its decay; shrink and pgm model the generations; bracket encloses the value without a model.
    """
    from assay.cli.frontiers.shown_fit import print_fit
    from assay.studies.frontier.fitting import caveats, wanted
    from assay.studies.frontier.fitting import fit as value

    methods = wanted(method)
    tell_source(read)
    found = value(read.tensor, methods, level=level, resamples=resamples, seed=seed, tell=_progress())
    if as_json:
        print_json(
            {
                "source": source_document(read),
                "level": level,
                "resamples": resamples,
                "seed": seed,
                **fit_document(found),
                "caveats": list(caveats(read.tensor)),
            }
        )
    else:
        print_fit(found, level, caveats(read.tensor))


def fit_document(found: tuple[OracleEstimate, ...]) -> dict[str, Any]:
    """Return the values of one source's oracle as parts of a JSON document."""
    first = found[0]
    costs = [None] * len(first.sizes) if first.cost_curve is None else first.cost_curve.tolist()
    return {
        "prompts": first.prompts,
        "best_single": {"model": first.best_model, "quality": estimate_document(first.best_single)},
        "curve": [
            {"generations": size, "quality": quality, "cost": cost}
            for size, quality, cost in zip(first.sizes.tolist(), first.curve.tolist(), costs, strict=True)
        ],
        "unit": None if first.cost_curve is None else first.unit,
        "paper_cost": _maybe(first.paper_cost),
        "methods": [
            {
                "method": each.method,
                "quality": estimate_document(each.quality),
                "lower": _maybe(each.lower),
                "upper": _maybe(each.upper),
                "gain": estimate_document(each.gain),
                "error_reduction": estimate_document(each.error_reduction),
                "cost": _maybe(each.cost),
                "cost_estimator": each.cost_estimator,
                "notes": list(each.notes),
            }
            for each in found
        ],
    }


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as a part of a JSON document."""

    def ends(interval: Any) -> dict[str, float] | None:
        return None if interval is None else {"low": interval.low, "high": interval.high}

    return {
        "value": estimate.value,
        "over_prompts": ends(estimate.over_prompts),
        "these_prompts": ends(estimate.these_prompts),
    }


def _maybe(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate_document(estimate)


def _progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, from two seconds after now on."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return tell
