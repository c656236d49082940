"""A form: twenty bundles of five questions from one seed, equivalent to the form of any other seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.causal.concept import Concept
from assay.causal.concepts.registry import CONCEPTS
from assay.causal.draft import OPTIONS
from assay.causal.item import Item, Variant
from assay.causal.question import Question, placed, prove
from assay.causal.solvers.solver import Solver

GENERATOR = 1
"""Raised with every change after which a seed gives another form."""


@dataclass(frozen=True, slots=True)
class Form:
    """The questions of one seed, ordered by variant and, within it, by concept. `retry` counts from 0."""

    seed: str
    retry: int
    questions: tuple[Question, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """The questions as they are shown."""
        return tuple(question.item for question in self.questions)

    def expected(self, solver: Solver) -> float:
        """Return a solver's expected accuracy on this form."""
        return sum(question.odds[solver] for question in self.questions) / len(self.questions)


def form(
    seed: str,
    retry: int = 0,
    *,
    concepts: Sequence[Concept] = CONCEPTS,
    step: Callable[[], None] = lambda: None,
) -> Form:
    """Draw and prove a form. `step` is called after each question; the same seed gives the same form.

    Every variant of a bundle tells another scene, no wording of a stem occurs twice, and each letter is
    right equally often within each variant. Raises Disagreement or Unproved where a key is not proved.
    """
    found = []
    for variant in Variant:
        for concept in concepts:
            found.append(question(seed, retry, concept, variant, concepts=concepts))
            step()
    return Form(seed, retry, tuple(found))


def question(
    seed: str, retry: int, concept: Concept, variant: Variant, *, concepts: Sequence[Concept] = CONCEPTS
) -> Question:
    """Draw and prove one question of a form, as it stands there."""
    name = f"{GENERATOR}/{seed}/{retry}"
    scenes = random.Random(f"{name}/{concept.name}").sample(concept.scenes, len(Variant))
    letters = [place % OPTIONS for place in range(len(concepts))]
    random.Random(f"{name}/{variant.value}").shuffle(letters)
    rng = random.Random(f"{name}/{concept.name}/{variant.value}")
    found = prove(concept.cells[variant](rng, scenes[list(Variant).index(variant)]))
    return placed(found, concept.name, variant.value, letters[concepts.index(concept)], rng)
