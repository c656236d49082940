"""The plan of a run, in which every (case, model, epoch) has a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from assay.core.case import SampleKey
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.results.runs import Sampling


@dataclass(frozen=True, slots=True)
class Plan:
    """The samples of one run.

    `epochs` has the number of generations of every case, by use case. `chosen` are the ordinals of the cases
    to run, in order. `topped` are the (model, use case) pairs that get the manifest's full count instead,
    because their provisional score looked suspicious. With `sampling` "provider-default" no sampling
    parameter of the suite is sent, so that the provider's default temperature holds. `panel` names the
    judges; `judges` are their models with their rows (0 before the run is stored). `calibrations` are the
    runs that calibrated the judges before this one.
    """

    suite: Suite
    models: tuple[Model, ...]
    epochs: Mapping[str, int]
    chosen: tuple[int, ...]
    sampling: Sampling = "suite"
    topped: frozenset[tuple[int, str]] = frozenset()
    panel: Panel = Panel()
    judges: tuple[tuple[int, Model], ...] = ()
    calibrations: tuple[int, ...] = ()

    def epochs_of(self, model: int, use_case: str) -> int:
        """Return the number of generations of each case of a use case by a model."""
        base = self.epochs[use_case]
        if (model, use_case) in self.topped:
            return max(base, self.suite.use_case(use_case).full)
        return base

    @property
    def everyone(self) -> list[Model]:
        """All models that the plan asks, subjects and judges."""
        return [*self.models, *(model for _, model in self.judges)]

    @property
    def size(self) -> int:
        """The number of samples."""
        cases = self.suite.cases
        chosen = Counter(cases[ordinal].use_case for ordinal in self.chosen)
        return sum(
            count * self.epochs_of(model, use_case)
            for use_case, count in chosen.items()
            for model in range(len(self.models))
        )

    def positions(self, models: Collection[int] | None = None) -> Iterator[int]:
        """Yield the positions in order: epoch by epoch, case by case, the models taking turns."""
        cases = self.suite.cases
        numbers = range(len(self.models)) if models is None else sorted(models)
        wanted = {
            use_case: [self.epochs_of(model, use_case) for model in range(len(self.models))]
            for use_case in self.epochs
        }
        for epoch in range(max((max(counts, default=0) for counts in wanted.values()), default=0)):
            for ordinal in self.chosen:
                counts = wanted[cases[ordinal].use_case]
                for model in numbers:
                    if epoch < counts[model]:
                        yield self.position(SampleKey(ordinal, model, epoch))

    def position(self, key: SampleKey) -> int:
        """Return the position of a sample within its run; it does not depend on the number of epochs."""
        return (key.epoch * self._cases + key.case) * len(self.models) + key.model

    def locate(self, position: int) -> SampleKey:
        """Return the sample at a position."""
        rest, model = divmod(position, len(self.models))
        epoch, case = divmod(rest, self._cases)
        return SampleKey(case, model, epoch)

    @property
    def _cases(self) -> int:
        return sum(len(use_case.cases) for use_case in self.suite.use_cases)

    def described(self) -> dict[str, Any]:
        """Return the plan as JSON values; suite and models are stored separately."""
        return {
            "epochs": dict(self.epochs),
            "chosen": list(self.chosen),
            "sampling": self.sampling,
            "topped": sorted([model, use_case] for model, use_case in self.topped),
            "panel": asdict(self.panel),
            "judges": [row for row, _ in self.judges],
            "calibrations": list(self.calibrations),
        }


def plan_run(
    suite: Suite,
    models: Sequence[Model],
    *,
    epochs: int | None = None,
    limit: int | None = None,
    sampling: Sampling = "suite",
    panel: Panel | None = None,
) -> Plan:
    """Plan a run of a suite.

    `epochs` overrides the manifest's base counts. `limit` is the number of cases,
    spread evenly over the use cases. `panel` replaces the judges that the suite names.
    """
    counts = {use_case.name: use_case.base if epochs is None else epochs for use_case in suite.use_cases}
    return Plan(
        suite, tuple(models), counts, _chosen(suite, limit), sampling, panel=panel or default_panel(suite)
    )


def default_panel(suite: Suite) -> Panel:
    """Return the judges that a suite names: its panel, or its one pinned judge."""
    if suite.panel.judges or suite.judge is None:
        return suite.panel
    return replace(suite.panel, judges=(suite.judge,))


def stored_plan(
    suite: Suite,
    models: Sequence[Model],
    described: Mapping[str, Any],
    judges: Sequence[tuple[int, Model]] = (),
) -> Plan:
    """Return the plan of a stored run from its description, with its judges' rows and models."""
    panel = described.get("panel") or {}
    return Plan(
        suite,
        tuple(models),
        described["epochs"],
        tuple(described["chosen"]),
        described["sampling"],
        frozenset((model, use_case) for model, use_case in described.get("topped", ())),
        Panel(**{**panel, "judges": tuple(panel.get("judges", ()))}),
        tuple(judges),
        tuple(described.get("calibrations", ())),
    )


def _chosen(suite: Suite, limit: int | None) -> tuple[int, ...]:
    if limit is None or limit >= len(suite.cases):
        return tuple(range(len(suite.cases)))
    ordinals, start = [], 0
    for use_case in suite.use_cases:
        ordinals.append(range(start, start + len(use_case.cases)))
        start += len(use_case.cases)
    rounds = max(len(group) for group in ordinals)
    spread = [group[turn] for turn in range(rounds) for group in ordinals if turn < len(group)]
    return tuple(sorted(spread[:limit]))
