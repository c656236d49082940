"""Published results of `assay rank adaptive`: the rule of an adaptive run, replayed on recorded scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.adaptive_run import Separation
from assay.results.figure import Figure, Flat
from assay.results.rank import RankSource
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class ReplayedSeparation:
    """One thing to be settled, over all replays: that `better` is better than `worse`, as in the full run.

    Without `better`: that some model is better than `worse`.
    """

    better: Annotated[
        str | None, Figure("better", meaning="the better model; none: any", missing="some model")
    ]
    worse: Annotated[str, Figure("worse")]
    difference: Annotated[
        float,
        Figure("difference", unit="points", meaning="in the full run; to the best model if any", digits=2),
    ]
    significant: Annotated[
        bool, Figure("full run", meaning="whether the full run's corrected test is significant")
    ]
    separated: Annotated[
        float, Figure("separated", meaning="share of the orders", share=True, digits=0, least=0, most=1)
    ]
    prompts: Annotated[
        float | None,
        Figure("prompts", meaning="median number until then; none if never separated", digits=0),
    ]
    most_prompts: Annotated[
        float | None, Figure("90 %", meaning="number of prompts that is enough in 90 % of these", digits=0)
    ]
    reversed: Annotated[
        float,
        Figure(
            "reversed",
            meaning="share of the orders in which the opposite was settled",
            share=True,
            digits=1,
            least=0,
            most=1,
        ),
    ]


@dataclass(frozen=True, slots=True)
class AdaptiveReplay:
    """The adaptive rule replayed on recorded scores in random orders of the prompts."""

    source: Annotated[RankSource, Flat()]
    separate: Annotated[Separation, Figure("separate")]
    alpha: Annotated[float, Figure("alpha", meaning="largest probability of any false separation")]
    batch: Annotated[int, Figure("batch", meaning="prompts between two looks")]
    orders: Annotated[int, Figure("orders", meaning="random orders of the prompts")]
    seed: Annotated[int, Figure("seed", meaning="seed of the orders")]
    scores: Annotated[
        float,
        Figure("scores used", meaning="mean share of the full run's scores", share=True, digits=1),
    ]
    stopped: Annotated[float, Figure("stopped early", meaning="share of the orders", share=True, digits=0)]
    significant: Annotated[int, Figure("significant", meaning="separations of the full run")]
    reached: Annotated[
        float | None,
        Figure(
            "reached",
            meaning="mean share of the full run's separations that were reached; none if it has none",
            share=True,
            digits=1,
        ),
    ]
    unconfirmed: Annotated[
        float,
        Figure(
            "unconfirmed",
            meaning="share of the orders with a separation that is not significant in the full run",
            share=True,
            digits=1,
        ),
    ]
    unconfirmed_separations: Annotated[
        float | None,
        Figure(
            "unconfirmed of all",
            meaning="share of all separations that are not significant in the full run; none without any",
            share=True,
            digits=2,
        ),
    ]
    reversed: Annotated[
        float,
        Figure(
            "reversed",
            meaning="share of the orders with a separation against the full run's means",
            share=True,
            digits=1,
        ),
    ]
    separations: tuple[ReplayedSeparation, ...]


REPLAYED: Final = Table(
    ReplayedSeparation,
    (
        *("better", "worse", "difference"),
        Column("full run", lambda row: "significant" if row.significant else "open"),
        *("separated", "prompts", "most_prompts", "reversed"),
    ),
    name="separations",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-adaptive": (AdaptiveReplay, "assay rank adaptive --json"),
}
