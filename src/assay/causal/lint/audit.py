"""The audit of a generator: whether any attack gains on thousands of its questions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.causal.item import Item
from assay.causal.lint import fixed, training
from assay.causal.lint.attacked import Attacked, Outcome, attacked
from assay.causal.lint.balance import Balance, balance
from assay.causal.lint.catalogue import RULES
from assay.causal.lint.learners import LEARNERS
from assay.causal.lint.reading import Reading, read_all
from assay.causal.lint.splits import Splits, by_bundle, by_cell, by_form
from assay.stats.p_values import holm

LEAST_QUESTIONS = 2_000
LIMIT = 1.2
"""An attack's upper bound may be this many times chance: 30 % with four options."""
LEVEL = 0.05
SPLITS = 20


@dataclass(frozen=True, slots=True)
class AttackGroup:
    """The attacks on the questions of one variant or one concept, for the author's information."""

    name: str
    balance: Balance
    attacks: tuple[Attacked, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    """An attack that gains in a group, where it has something to say; `p` is Holm's over all groups."""

    group: str
    attack: Attacked
    p: float


@dataclass(frozen=True, slots=True)
class Audit:
    """The attacks on a generator's questions, on all of them and by group.

    `limit` is what every attack's upper bound may be at most. `leaks` do not enter the verdict.
    """

    questions: int
    limit: float
    balance: Balance
    attacks: tuple[Attacked, ...]
    by_variant: tuple[AttackGroup, ...]
    by_concept: tuple[AttackGroup, ...]
    leaks: tuple[Leak, ...]

    @property
    def enough(self) -> bool:
        """Whether there are questions enough for a verdict: 2,000."""
        return self.questions >= LEAST_QUESTIONS

    @property
    def failing(self) -> tuple[Attacked, ...]:
        """The attacks whose upper bound lies above the limit, worst first."""
        over = [one for one in self.attacks if one.interval.high > self.limit]
        return tuple(sorted(over, key=lambda one: -one.interval.high))

    @property
    def passed(self) -> bool:
        """Whether the bounds of all attacks are within the limit, on enough questions."""
        return self.enough and not self.failing


def audit(
    items: Sequence[Item],
    *,
    rng: np.random.Generator,
    forms: Sequence[Hashable] | None = None,
    splits: int = SPLITS,
) -> Audit:
    """Carry out every attack on questions of one generator.

    `forms` names the form of each question (such as its seed); without it the attacks that train on
    other forms are left out. Trained attacks are averaged over `splits` splits.
    """
    questions = read_all(items)
    outcomes = (
        *(fixed.carry_out(rule, questions, rng) for rule in RULES),
        *_trained(questions, forms, rng, splits),
    )
    view = _View(items, outcomes, rng)
    everything = np.ones(len(items), dtype=bool)
    by_variant = view.groups([item.variant for item in items])
    by_concept = view.groups([item.concept for item in items])
    chance = float(view.chances.mean()) if len(items) else 0.0
    return Audit(
        questions=len(items),
        limit=LIMIT * chance,
        balance=balance(view.keys, view.sizes, rng),
        attacks=view.attacks(everything),
        by_variant=by_variant,
        by_concept=by_concept,
        leaks=_leaks((*by_variant, *by_concept)),
    )


def _trained(
    questions: Sequence[Reading], forms: Sequence[Hashable] | None, rng: np.random.Generator, seeds: int
) -> Iterator[Outcome]:
    items = [question.item for question in questions]
    keys = fixed.keys(questions)
    ways: list[Splits] = [by_bundle([item.concept for item in items], rng, seeds)]
    if forms is not None:
        cells = [(item.concept, item.variant) for item in items]
        ways += [by_form(forms, rng, seeds), by_cell(cells, forms, rng, seeds)]
    for learner in LEARNERS:
        design = learner.sees(questions)
        for way in ways:
            if way.blocks:
                yield training.carry_out(learner, design, keys, way)


class _View:
    """Summaries of the outcomes on parts of the questions."""

    def __init__(self, items: Sequence[Item], outcomes: Sequence[Outcome], rng: np.random.Generator) -> None:
        self.outcomes = outcomes
        self.rng = rng
        self.keys = np.array([item.key for item in items], dtype=np.int64)
        self.sizes = np.array([len(item.options) for item in items], dtype=np.int64)
        self.chances = 1.0 / self.sizes
        self.concepts = np.array([item.concept for item in items])

    def attacks(self, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Attacked, ...]:
        return tuple(
            attacked(outcome.at(rows), self.chances[rows], self.concepts[rows]) for outcome in self.outcomes
        )

    def groups(self, names: Sequence[str]) -> tuple[AttackGroup, ...]:
        labels = np.array(names)
        return tuple(
            AttackGroup(name, balance(self.keys[rows], self.sizes[rows], self.rng), self.attacks(rows))
            for name in dict.fromkeys(names)
            for rows in [labels == name]
        )


def _leaks(groups: Sequence[AttackGroup]) -> tuple[Leak, ...]:
    pairs = [(group, one) for group in groups for one in group.attacks if one.spoke]
    adjusted = holm([one.p for _, one in pairs])
    found = [
        Leak(group.name, one, float(p)) for (group, one), p in zip(pairs, adjusted, strict=True) if p <= LEVEL
    ]
    return tuple(sorted(found, key=lambda leak: leak.p))
