"""Checking a concept's data: its files, how often its claims are true, and questions of every kind."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from assay.causal.draft import Draft, proved
from assay.causal.item import Variant
from assay.causal.numbers import draw as numbers
from assay.causal.numbers.open_draft import proved_open
from assay.causal.numbers.read_back import checked
from assay.causal.numbers.recipe import Recipe
from assay.causal.stories.claims import bind
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import draw
from assay.causal.stories.sketch import Sketch
from assay.causal.stories.unsettled import draw_unsettled
from assay.causal.stories.worlds import drawn, plan
from assay.core.case import TwinKind
from assay.core.errors import AssayError, NotFound
from assay.results.causal import CheckedConcept, ClaimShare
from assay.studies.causal.library import concepts, library, read_concept
from assay.studies.causal.recipes import read_recipe, recipes

TOLD = (Variant.BASE, Variant.TRAP, Variant.ANALYST, Variant.TRANSFER)
PLANS, STORIES, EACH = 40, 6, 2
LEAST_SHARE = 0.005
"""A claim that is true or false less often than this gives itself away."""


def check_concept(name: str, *, step: Callable[[], None] = lambda: None) -> CheckedConcept:
    """Check a concept: one of the package, by its name, or one in a folder.

    InvalidInput with the file and line of every fault in the data, NotFound for an unknown concept. A
    question that cannot be drawn, proved or read back is a finding; `step` is called after each question.
    """
    concept, recipe = _found(name)
    rng = random.Random(f"check/{Path(name).name}")
    findings: list[str] = []
    questions = 0
    for about, make in _questions(concept, recipe, rng):
        try:
            make()
            questions += 1
        except AssayError as error:
            findings.append(f"{about}: {error}")
        step()
    if recipe is not None:
        findings += [
            f"{'.'.join(map(str, place))}: {text}" for place, text in numbers.wrong_keys(recipe, rng)
        ]
    shares = () if concept is None else tuple(_shares(concept, rng))
    findings += [
        f"the claim {each.claim!r} is true in {each.true:.1%} of the stories: change it, or the nodes"
        for each in shares
        if not LEAST_SHARE <= each.true <= 1 - LEAST_SHARE
    ]
    return CheckedConcept(name, questions, shares, tuple(findings))


def _found(name: str) -> tuple[Concept | None, Recipe | None]:
    """Return a concept's parts by its name in the package or by the path of its folder."""
    if (folder := Path(name)).is_dir():
        return read_concept(folder), read_recipe(folder)
    key = name.replace("-", "_")
    concept, recipe = concepts().get(key), recipes().get(key)
    if concept is None and recipe is None:
        known = sorted({*concepts(), *recipes()})
        raise NotFound(f"{name!r} is neither a concept nor its folder: choose from {', '.join(known)}")
    return concept, recipe


def _questions(
    concept: Concept | None, recipe: Recipe | None, rng: random.Random
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Give what is to be drawn: each kind of question at each level, with its name."""
    if concept is not None:
        for level, variant, _ in itertools.product(concept.sizes, TOLD, range(EACH)):
            yield f"{variant} at level {level}", partial(_story, concept, variant, level, rng)
        for level in concept.sizes:
            yield f"undeterminable at level {level}", partial(_unsettled, concept, level, rng)
    if recipe is not None:
        levels = sorted({level for task in recipe.tasks for level in task.levels})
        for level, _ in itertools.product(levels, range(2 * EACH)):
            yield f"numeric at level {level}", partial(_numeric, recipe, level, rng)


def _story(concept: Concept, variant: Variant, level: int, rng: random.Random) -> None:
    question = draw(concept, variant, level, library(), rng)
    for twin in (None, TwinKind.RENAMED, TwinKind.PRESSURED):
        proved(question.tell(library(), rng.choice(library().scenes), twin))


def _unsettled(concept: Concept, level: int, rng: random.Random) -> None:
    draw_unsettled(concept, level, library(), rng.choice(library().scenes), rng).prove()


def _numeric(recipe: Recipe, level: int, rng: random.Random) -> None:
    scene = rng.choice(library().scenes)
    drawn_question = numbers.draw(recipe, scene, level, rng)
    checked(drawn_question, recipe, scene, level)
    if isinstance(drawn_question, Draft):
        proved(drawn_question)
    else:
        proved_open(drawn_question)


def _shares(concept: Concept, rng: random.Random) -> list[ClaimShare]:
    """Return how often each claim is true over drawn stories of all levels."""
    counts = {each.name: [0, 0] for each in concept.claims}
    for level in concept.sizes:
        for _ in range(PLANS):
            planned = plan(concept, level, rng)
            for _, graph in drawn(planned, STORIES, rng):
                sketch = Sketch(planned.copies, [graph])
                for template in concept.claims:
                    statement = bind(template, planned.factors, planned.recorded, rng)
                    if statement is not None:
                        counts[template.name][0] += sketch.holds(statement.query, planned.measured)
                        counts[template.name][1] += 1
    return [ClaimShare(name, true / of if of else 0.0, of) for name, (true, of) in counts.items()]
