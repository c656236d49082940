"""Practical routers compared with the frontier. Each is evaluated on prompts that it was not trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Listed
from assay.results.frontier import Estimate, FrontierSource

FeatureKind = Literal["none", "category", "text", "embedding"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Quality and cost per prompt at one setting of a trade-off."""

    quality: float
    cost: Annotated[float | None, Figure("cost", meaning="per prompt; none without costs")]


@dataclass(frozen=True, slots=True)
class Matched:
    """A router at the best single model's cost; its setting was chosen in training."""

    quality: Estimate
    cost: Annotated[Estimate, Figure("cost", meaning="actual cost on held-out prompts")]
    gain: Annotated[Estimate, Figure("gain", meaning="over the best single model's quality")]
    share: Annotated[
        Estimate,
        Figure("share", meaning="share of the frontier's gain at the best single model's cost"),
    ]


@dataclass(frozen=True, slots=True)
class Routed:
    """One router on prompts that it was not trained on; `quality` and `cost` are at alpha = 1.

    Unless the interval of `over_shuffled` is above 0, there is no evidence that the router has learnt
    anything.
    """

    name: Annotated[str, Figure("router", name="router")]
    kind: Annotated[FeatureKind, Figure("features", name="features")]
    quality: Annotated[Estimate, Figure("quality", meaning="at any cost, on prompts it was not trained on")]
    cost: Annotated[Estimate, Figure("cost", meaning="per prompt; without a value where costs are unknown")]
    gain: Annotated[Estimate, Figure("gain", meaning="over the best single model chosen in training")]
    share: Annotated[
        Estimate,
        Figure("share", meaning="gain divided by the oracle's gain; without a value if there is no gap"),
    ]
    over_shuffled: Annotated[
        Estimate | None,
        Figure(
            "above shuffled",
            meaning="quality minus that of the same router with randomly assigned features; none for routers "
            "without features of their own",
        ),
    ]
    between_repeats: Annotated[
        float | None,
        Figure(
            "between repeats",
            meaning="standard deviation of the quality over repeats of the folds; none with one repeat",
        ),
    ]
    matched: Annotated[
        Matched | None,
        Figure(
            "matched",
            meaning="at the best single model's cost, with the setting chosen in training; none without "
            "costs",
        ),
    ]
    aiq: Annotated[
        Estimate,
        Figure("AIQ", meaning="mean height of the hull of its curve; without a value without costs"),
    ]
    curve: Annotated[
        tuple[Spot, ...], Figure("curve", meaning="its trade-off; the last point is at any cost")
    ]
    settings: Annotated[
        Mapping[str, int],
        Listed("setting", "trainings"),
        Figure("settings", meaning="settings chosen in the training sets, the most frequent first"),
    ]
    models: Annotated[
        Mapping[str, float],
        Listed("model", "share"),
        Figure("models", meaning="models chosen at any cost, with the share of the prompts"),
    ]
    answers: Annotated[
        bool,
        Figure(
            "reads answers",
            name="reads_answers",
            meaning="whether it reads answers and asks again; the oracle does not, so its share may exceed 1",
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class RoutingOracle:
    """The oracle and the frontier on the same prompts, which routers are compared with."""

    method: Annotated[str, Figure("method", meaning="the default, or `naive` if no cell has two generations")]
    quality: Estimate
    cost: Estimate
    gap: Annotated[Estimate, Figure("gap", meaning="over the best single model chosen in training")]
    gap_at_cost: Annotated[
        Estimate,
        Figure(
            "gap at cost",
            meaning="gap of the frontier at the best single model's cost; without a value without costs",
        ),
    ]
    aiq: Annotated[Estimate, Figure("AIQ", meaning="mean height of the frontier's hull")]
    curve: Annotated[tuple[Spot, ...], Figure("curve", meaning="the frontier; the last point is the oracle")]


@dataclass(frozen=True, slots=True)
class SingleModel:
    """One model alone, on every prompt."""

    model: str
    spot: Annotated[Spot, Flat()]


@dataclass(frozen=True, slots=True)
class Routing:
    """All routers over the same folds, compared with the oracle."""

    level: float
    folds: int
    repeats: int
    prompts: int
    groups: Annotated[
        int,
        Figure(
            "distinct prompts",
            name="distinct_prompts",
            meaning="prompts that read alike count once and share their fold",
        ),
    ]
    unit: Annotated[str | None, Figure("unit", meaning="unit of costs; none without costs")]
    oracle: RoutingOracle
    best_single: Annotated[str, Figure("best single", meaning="the router that the others are compared with")]
    nested: Annotated[
        str,
        Figure(
            "nested",
            meaning="the router whose type was chosen in training, which is the most trustworthy figure; the "
            "best single model if no router was measured",
        ),
    ]
    routers: tuple[Routed, ...]
    random: Annotated[Spot, Figure("random", meaning="a model chosen at random with equal probabilities")]
    models: Annotated[tuple[SingleModel, ...], Figure("models", meaning="each model alone")]
    notes: tuple[str, ...]

    def router(self, name: str) -> Routed:
        """Return the router of that name."""
        return next(router for router in self.routers if router.name == name)


@dataclass(frozen=True, slots=True)
class FrontierRouting:
    """Measured routers with their source, verdict and caveats."""

    source: FrontierSource
    resamples: int
    seed: int
    verdict: Annotated[str, Figure("verdict", meaning="how much of the gap routers achieve, in one sentence")]
    routing: Annotated[Routing, Flat()]
    caveats: tuple[str, ...]


SCHEMAS: Final = {
    "frontier-route": (
        FrontierRouting,
        "assay frontier route --json: practical routers measured against the frontier by cross-validation",
    )
}
