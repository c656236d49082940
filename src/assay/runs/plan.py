"""The plan of a run, in which every (case, model, epoch) has a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from assay.core.case import SampleKey
from assay.core.errors import InvalidInput
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.ranking.adaptive import AdaptiveRule
from assay.results.adaptive_run import Separation
from assay.results.plans import Sampling


@dataclass(frozen=True, slots=True)
class PromptBatch:
    """One batch of an adaptive run: the next `prompts` of its order, for some models (by position).

    `epochs` is the largest number of generations of each case.
    """

    prompts: int
    epochs: int
    models: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AdaptivePlan:
    """The adaptive part of a plan: the rule, the random order of the cases (ordinals), the batches so far.

    `seed` made the order. `settled` is true when the rule has stopped, so that no batch follows.
    """

    rule: AdaptiveRule
    seed: int
    order: tuple[int, ...]
    batches: tuple[PromptBatch, ...] = ()
    settled: bool = False

    @property
    def used(self) -> int:
        """The number of cases of the order that the batches have used."""
        return sum(batch.prompts for batch in self.batches)

    def cases(self) -> Iterator[tuple[PromptBatch, tuple[int, ...]]]:
        """Yield each batch with its cases."""
        start = 0
        for batch in self.batches:
            yield batch, self.order[start : start + batch.prompts]
            start += batch.prompts


@dataclass(frozen=True, slots=True)
class Plan:
    """The samples of one run.

    `epochs` has the number of generations of every case, by use case. `chosen` are the ordinals of the cases
    to run, in order. `topped` are the (model, use case) pairs that get the manifest's full count instead,
    because their provisional score looked suspicious. With `sampling` "provider-default" no sampling
    parameter of the suite is sent, so that the provider's default temperature holds. `panel` names the
    judges; `judges` are their models with their rows (0 before the run is stored). `calibrations` are the
    runs that calibrated the judges before this one. With `adaptive` only the samples of its batches are
    asked for; None for all samples.
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
    adaptive: AdaptivePlan | None = None

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
        """The number of samples; the largest possible number for an adaptive plan that is not settled."""
        if self.adaptive is None:
            return self.full_size
        asked = sum(1 for _ in self.positions())
        if self.adaptive.settled:
            return asked
        batches = self.adaptive.batches
        models = batches[-1].models if batches else range(len(self.models))
        return asked + self._count(self.adaptive.order[self.adaptive.used :], models)

    @property
    def full_size(self) -> int:
        """The number of samples without an adaptive rule."""
        return self._count(self.chosen, range(len(self.models)))

    @property
    def partial(self) -> bool:
        """Whether an adaptive rule leaves out samples, or has not stopped yet."""
        return self.adaptive is not None and not (self.adaptive.settled and self.size == self.full_size)

    def _count(self, ordinals: Iterable[int], models: Collection[int]) -> int:
        """Return the number of samples of some cases with all their epochs."""
        cases = self.suite.cases
        counts = Counter(cases[ordinal].use_case for ordinal in ordinals)
        return sum(
            count * self.epochs_of(model, use_case) for use_case, count in counts.items() for model in models
        )

    def positions(self, models: Collection[int] | None = None) -> Iterator[int]:
        """Yield the positions in order: epoch by epoch, case by case, the models taking turns."""
        if self.adaptive is not None:
            yield from self._adaptive_positions(self.adaptive, models)
            return
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

    def _adaptive_positions(self, adaptive: AdaptivePlan, models: Collection[int] | None) -> Iterator[int]:
        """Yield the positions of an adaptive plan's batches, in the same order within each batch."""
        cases = self.suite.cases
        for batch, ordinals in adaptive.cases():
            numbers = [model for model in batch.models if models is None or model in models]
            for epoch in range(batch.epochs):
                for ordinal in ordinals:
                    for model in numbers:
                        if epoch < self.epochs_of(model, cases[ordinal].use_case):
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
        described = {
            "epochs": dict(self.epochs),
            "chosen": list(self.chosen),
            "sampling": self.sampling,
            "topped": sorted([model, use_case] for model, use_case in self.topped),
            "panel": asdict(self.panel),
            "judges": [row for row, _ in self.judges],
            "calibrations": list(self.calibrations),
        }
        return described if self.adaptive is None else {**described, "adaptive": asdict(self.adaptive)}


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


def plan_adaptively(plan: Plan, rule: AdaptiveRule, seed: int) -> Plan:
    """Return a plan whose cases are asked in random order, in batches, until the rule stops.

    Raises InvalidInput for fewer than two models.
    """
    if len(plan.models) < 2:
        raise InvalidInput(
            f"an adaptive run compares models, and there is {len(plan.models)}: name two or more"
        )
    order = np.random.default_rng(seed).permutation(np.array(plan.chosen, dtype=np.int64))
    return replace(plan, adaptive=AdaptivePlan(rule, seed, tuple(order.tolist())))


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
        _stored_adaptive(described.get("adaptive")),
    )


def _stored_adaptive(described: Mapping[str, Any] | None) -> AdaptivePlan | None:
    if described is None:
        return None
    rule = described["rule"]
    return AdaptivePlan(
        AdaptiveRule(Separation(rule["separate"]), rule["alpha"], rule["batch"]),
        described["seed"],
        tuple(described["order"]),
        tuple(
            PromptBatch(batch["prompts"], batch["epochs"], tuple(batch["models"]))
            for batch in described["batches"]
        ),
        described["settled"],
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
