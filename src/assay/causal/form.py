"""A form: twenty bundles of five questions from one seed, equivalent to the form of any other seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.causal.concept import Concept
from assay.causal.concepts.registry import CONCEPTS
from assay.causal.draft import OPTIONS
from assay.causal.draws import Undrawable
from assay.causal.item import Item, Variant
from assay.causal.question import Question, placed, prove
from assay.causal.solvers.bands import BANDS, Band, off
from assay.causal.solvers.solver import Solver

GENERATOR = 1
"""Raised with every change after which a seed gives another form."""

MOST_BARREN = 8
MOST_REDRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Form:
    """The questions of one seed, ordered by variant and, within it, by concept. `retry` counts from 0.

    `redraws` tells by id which questions are not the first that were drawn for their place.
    """

    seed: str
    retry: int
    questions: tuple[Question, ...]
    redraws: Mapping[str, int]

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
    bands: Mapping[Solver, Band] = BANDS,
    step: Callable[[], None] = lambda: None,
) -> Form:
    """Draw and prove a form; `step` is called after each question. The same seed gives the same form.

    Every variant of a bundle tells another scene, no wording of a stem occurs twice, and each letter is
    right equally often within each variant. Questions are drawn again, one at a time, until the naive
    solvers' expected accuracies lie in their bands. Raises Disagreement or Unproved where a key is not
    proved, and Undrawable where the bands are out of reach.
    """
    places = [(concept, variant) for variant in Variant for concept in concepts]
    found: list[Question] = []
    kept: list[int] = []
    for concept, variant in places:
        first, draw = _first(seed, retry, concept, variant, concepts)
        found.append(first)
        kept.append(draw)
        step()
    drawn = list(kept)
    rng = random.Random(f"{GENERATOR}/{seed}/{retry}/bands")
    for _ in range(MOST_REDRAWS):
        if (distance := off((each.odds for each in found), bands)) == 0:
            redraws = {q.item.id: draw for q, draw in zip(found, kept, strict=True) if draw}
            return Form(seed, retry, tuple(found), redraws)
        place = rng.randrange(len(places))
        drawn[place] += 1
        concept, variant = places[place]
        try:
            other = question(seed, retry, concept, variant, drawn[place], concepts=concepts)
        except Undrawable:
            continue
        if off((each.odds for each in (*found[:place], other, *found[place + 1 :])), bands) < distance:
            found[place], kept[place] = other, drawn[place]
    raise Undrawable(f"after {MOST_REDRAWS} redraws the form is still {distance:.3f} outside its bands")


def _first(
    seed: str, retry: int, concept: Concept, variant: Variant, concepts: Sequence[Concept]
) -> tuple[Question, int]:
    """Return the first question of a place that can be drawn, and its number among the draws.

    Where options were laid out for which no world is found, others are laid out: once in many forms.
    """
    for draw in range(MOST_BARREN):
        try:
            return question(seed, retry, concept, variant, draw, concepts=concepts), draw
        except Undrawable:
            continue
    raise Undrawable(f"{concept.name}, {variant.value}: {MOST_BARREN} draws found no world that fits")


def question(
    seed: str,
    retry: int,
    concept: Concept,
    variant: Variant,
    draw: int = 0,
    *,
    concepts: Sequence[Concept] = CONCEPTS,
) -> Question:
    """Draw and prove one question of a form, as it stands there; `draw` counts the redraws of its place."""
    name = f"{GENERATOR}/{seed}/{retry}"
    scenes = random.Random(f"{name}/{concept.name}").sample(concept.scenes, len(Variant))
    letters = [place % OPTIONS for place in range(len(concepts))]
    random.Random(f"{name}/{variant.value}").shuffle(letters)
    rng = random.Random(f"{name}/{concept.name}/{variant.value}/{draw}")
    found = prove(concept.cells[variant](rng, scenes[list(Variant).index(variant)]))
    return placed(found, concept.name, variant.value, letters[concepts.index(concept)], rng)
