"""What a run is to execute: every (case, model, epoch) has a position, and a key that never changes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.sample import SampleKey
from assay.core.suite import Suite

Sampling = Literal["suite", "provider-default"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The samples of one run.

    `epochs` gives, for each use case, how many generations every case gets. `chosen` are the
    ordinals of the cases to run, in order. `topped` are (model, use case) pairs that get the manifest's
    full count instead, because their provisional score looked suspicious. With `sampling`
    "provider-default" no sampling parameter of the suite is sent, so that the provider's own
    temperature holds. `panel` names who judges; `judges` are their models with the numbers of their
    rows, once the run is stored. `calibrations` are the runs that calibrated the judges before this one.
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
        """Return how many generations each case of a use case gets from a model."""
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
        """How many samples there are."""
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
        """Return the number of a sample within its run; more epochs never move it."""
        return (key.epoch * self._cases + key.case) * len(self.models) + key.model

    def locate(self, position: int) -> SampleKey:
        """Return which sample a position stands for."""
        rest, model = divmod(position, len(self.models))
        epoch, case = divmod(rest, self._cases)
        return SampleKey(case, model, epoch)

    @property
    def _cases(self) -> int:
        return sum(len(use_case.cases) for use_case in self.suite.use_cases)

    def described(self) -> dict[str, Any]:
        """Return the plan as plain JSON values; suite and models are stored beside it."""
        return {
            "epochs": dict(self.epochs),
            "chosen": list(self.chosen),
            "sampling": self.sampling,
            "topped": sorted([model, use_case] for model, use_case in self.topped),
            "panel": asdict(self.panel),
            "judges": [row for row, _ in self.judges],
            "calibrations": list(self.calibrations),
        }

    def key(self, position: int) -> bytes:
        """Return the sample's key: SHA-256 of suite digest, case, model fingerprint and epoch."""
        at = self.locate(position)
        case, model = self.suite.cases[at.case], self.models[at.model]
        text = f"{self.suite.digest}\n{case.id}\n{model.fingerprint}\n{at.epoch}"
        return hashlib.sha256(text.encode()).digest()


def plan_run(
    suite: Suite,
    models: Sequence[Model],
    *,
    epochs: int | None = None,
    full: bool = False,
    limit: int | None = None,
    sampling: Sampling = "suite",
    panel: Panel | None = None,
) -> Plan:
    """Plan a run of a suite.

    `epochs` overrides the manifest's counts (base, or full with `full`). `limit` keeps that many cases,
    spread evenly over the use cases. `panel` stands in for the judges that the suite names.
    """
    counts = {
        use_case.name: epochs if epochs is not None else (use_case.full if full else use_case.base)
        for use_case in suite.use_cases
    }
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
    """Return the plan of a stored run from what `Plan.described` gave, with its judges' models and rows."""
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
