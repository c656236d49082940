"""Plans of runs, and estimates of the calls and the cost that they need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.runs import SuiteKey
from assay.results.table import Table

Sampling = Literal["suite", "provider-default"]
PartName = Literal["samples", "judges", "calibration", "top-ups", "re-asks"]


@dataclass(frozen=True, slots=True)
class ToppedUp:
    """A use case that a model answers at full count, because its provisional score looked suspicious."""

    model: Annotated[str, Figure("model")]
    use_case: Annotated[str, Figure("use case")]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The plan of a run."""

    samples: Annotated[int, Figure("samples")]
    cases: Annotated[int, Figure("cases")]
    sampling: Annotated[Sampling, Figure("sampling")]
    epochs: Annotated[Mapping[str, int], Figure("epochs"), Listed("use_case", "epochs")]
    topped: tuple[ToppedUp, ...]
    used_epochs: Annotated[tuple[int, ...], Hidden()]
    """The different numbers of epochs among the planned cases, in ascending order."""
    adaptive: Annotated[
        str | None,
        Figure("adaptive", meaning="how far the rule of an adaptive run has gone; none for other runs"),
    ] = None


_ESTIMATED: Final = Figure(
    "cost",
    unit="USD",
    meaning="estimate; none if the prices of one model are unknown",
    missing="unknown",
)


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """One model's share of a part of a plan."""

    model: Annotated[str, Figure("model")]
    calls: Annotated[int, Figure("calls")]
    prompt_tokens: Annotated[int, Figure("tokens in")]
    completion_tokens: Annotated[
        int,
        Figure("tokens out", meaning="tokens of the answers; reasoning tokens cannot be estimated"),
    ]
    cost: Annotated[
        float | None,
        Figure("cost", unit="USD", meaning="none if the model's prices are unknown", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One part of a plan: samples, judges, calibration, top-ups or re-asks."""

    name: Annotated[PartName, Figure("part", name="part")]
    up_to: Annotated[
        bool, Figure("up to", meaning="whether this is the upper bound of a part that may be added")
    ]
    models: tuple[ModelNeeds, ...]

    @property
    def calls(self) -> Annotated[int, Figure("calls")]:
        """The number of calls of the part."""
        return sum(model.calls for model in self.models)

    @property
    def cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost in US dollars; None if one model's prices are unknown."""
        return _sum(model.cost for model in self.models)


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """A model, by name, and the finished watch run that measured it on the day."""

    model: Annotated[str, Figure("model")]
    run: Annotated[int, Figure("run")]


@dataclass(frozen=True, slots=True)
class PlanEstimate:
    """The calls and cost of a plan: `expected` parts, and upper bounds of `possible` additional parts."""

    suite: Annotated[SuiteKey, Flat()]
    sampling: Annotated[Sampling, Figure("sampling")]
    parts: tuple[PlanPart, ...]
    already_measured: Annotated[
        tuple[MeasuredModel, ...],
        Figure(
            "measured", meaning="models that are left out because a finished run of the day measured them"
        ),
    ] = ()

    @property
    def expected(self) -> tuple[PlanPart, ...]:
        """The parts that are certain."""
        return tuple(part for part in self.parts if not part.up_to)

    @property
    def possible(self) -> tuple[PlanPart, ...]:
        """The parts that may be added."""
        return tuple(part for part in self.parts if part.up_to)

    @property
    def calls(self) -> Annotated[int, Figure("calls", meaning="expected calls")]:
        """The number of expected calls."""
        return sum(part.calls for part in self.expected)

    @property
    def cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost of the expected calls in US dollars; None if one model's prices are unknown."""
        return _sum(part.cost for part in self.expected)

    @property
    def most_calls(self) -> Annotated[int, Figure("calls, at most", meaning="with top-ups and re-asks")]:
        """The number of expected calls and of all calls that may be added."""
        return sum(part.calls for part in self.parts)

    @property
    def most_cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost of these calls in US dollars; None if one model's prices are unknown."""
        return _sum(part.cost for part in self.parts)


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost or 0.0 for cost in known)


NEEDS: Final = Table(ModelNeeds)

SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "plan": (PlanEstimate, "--dry-run --json: the calls and cost of a run; nothing is sent"),
}
