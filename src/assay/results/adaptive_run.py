"""The published result of an adaptive run: what it settled, and what it saved against the full run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.ranking import ENDS
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


class Separation(StrEnum):
    """What an adaptive run settles: which model is first, or the order of all pairs of models."""

    FIRST = "first"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class AdaptiveModel:
    """One model of an adaptive run: how much it was asked, and whether another one is shown to be better."""

    model: Annotated[str, Figure("model")]
    prompts: Annotated[int, Figure("prompts", meaning="prompts with a score of the model")]
    samples: Annotated[int, Figure("samples", meaning="samples of the model")]
    mean: Annotated[
        float | None, Figure("mean", meaning="mean score on these prompts, 0-100", of="prompts", digits=1)
    ]
    lead: Annotated[
        float | None,
        Figure("lead", unit="points", meaning="mean lead of the best model on common prompts", digits=1),
    ]
    lead_interval: Annotated[Interval | None, Flat("lead", ENDS)]
    leading: Annotated[bool, Figure("leading", meaning="whether no other model is shown to be better")]


@dataclass(frozen=True, slots=True)
class AdaptiveResult:
    """What an adaptive run settled, and what it saved against the full run."""

    separate: Annotated[Separation, Figure("separate")]
    alpha: Annotated[float, Figure("alpha", meaning="largest probability of any false separation")]
    prompts: Annotated[int, Figure("prompts", meaning="prompts that were used")]
    all_prompts: Annotated[int, Figure("prompts of the full run")]
    samples: Annotated[int, Figure("samples")]
    all_samples: Annotated[int, Figure("samples of the full run")]
    cost: Annotated[
        float | None, Figure("cost", unit="USD", meaning="the known part; none if no call has a known cost")
    ]
    saved: Annotated[
        float | None,
        Figure(
            "saved",
            unit="USD",
            meaning="estimate: the samples left out, at each model's mean cost; none if that is unknown",
        ),
    ]
    settled: Annotated[bool, Figure("settled", meaning="whether everything to be settled was settled")]
    open_pairs: Annotated[int, Figure("open pairs", meaning="pairs of models that are not separated")]
    models: tuple[AdaptiveModel, ...]


def _lead_ends(row: AdaptiveModel) -> str:
    ends = row.lead_interval
    return "" if ends is None else f"{ends.low:.1f} to {ends.high:.1f}"


ADAPTIVE: Final = Table(
    AdaptiveModel,
    (
        *("model", "prompts", "samples", "mean", "lead"),
        Column("95 %", _lead_ends),
        Column("", lambda row: "leading" if row.leading else "behind"),
    ),
    name="models",
)
