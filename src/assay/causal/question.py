"""A proved question of a form: the item that is shown, the draft behind it, and how naive solvers fare."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.draft import OPTIONS, Answer, Draft, proved
from assay.causal.item import Item
from assay.causal.solvers.solver import Solver, chances


@dataclass(frozen=True, slots=True)
class Question:
    """`order`: each shown option's place in the draft; `odds`: each solver's chance to be right."""

    item: Item
    draft: Draft
    order: tuple[int, ...]
    odds: dict[Solver, float]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers in the order shown."""
        return tuple(self.draft.answers[place] for place in self.order)


@dataclass(frozen=True, slots=True)
class Proved:
    """A draft with the place of its right answer and each solver's chance to give it."""

    draft: Draft
    key: int
    odds: dict[Solver, float]


def prove(draft: Draft) -> Proved:
    """Prove a draft's key by both routes and let the solvers try it."""
    key = proved(draft)
    return Proved(draft, key, {solver: chances(draft, solver)[key] for solver in Solver})


def placed(found: Proved, concept: str, variant: str, letter: int, rng: random.Random) -> Question:
    """Order the answers at random, with the right one at `letter` (0 for A)."""
    order = order_of(found.key, letter, rng)
    options = tuple(found.draft.answers[place].text for place in order)
    item = Item(f"{concept}-{variant}", concept, variant, found.draft.stem, options, letter)
    return Question(item, found.draft, order, found.odds)


def order_of(key: int, letter: int, rng: random.Random) -> tuple[int, ...]:
    """Return the options' places in the order shown: the key at its letter, the others at random."""
    others = [place for place in range(OPTIONS) if place != key]
    rng.shuffle(others)
    return (*others[:letter], key, *others[letter:])
