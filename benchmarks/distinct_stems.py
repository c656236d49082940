"""The number of distinct texts of each cell of the causal benchmark, counted from its data. Prints JSON.

A cell is a concept, a variant and a level. Texts that differ in their scene, in the factors or letters that
are named, or in the names of lists are different whatever else they say, so these choices are counted and
nothing else: neither graphs, nor statements, nor sentence forms, nor order. For numbers, the values of the
drawn shares are counted instead of names of lists; a draw that breaks a condition of its recipe is not shown,
so that these counts are of texts before the conditions.
"""

from __future__ import annotations

import json
from math import comb, prod

from assay.causal.item import Variant
from assay.causal.numbers.recipe import CastRole, Recipe, Task
from assay.causal.stories.cast import LETTERS
from assay.causal.stories.concept import Concept
from assay.studies.causal.generate import content
from assay.studies.causal.library import library

LEAST = 1_000_000
STORIES = (Variant.BASE, Variant.TRAP, Variant.ANALYST)


def stories(concept: Concept, level: int) -> int:
    """Return the number of scenes, sets of factors, words for a list, and sets of names of lists."""
    words, size = library(), concept.sizes[level]
    scenes = sum(comb(len(scene.factors), size.factors) for scene in words.scenes)
    return scenes * len(words.facts.kinds) * comb(len(words.facts.names), size.lists)


def formulas(concept: Concept, level: int) -> int:
    """Return the number of sets of letters and of names of sets."""
    size = concept.sizes[level]
    variables = len(concept.nodes) + size.factors
    return comb(len(LETTERS), variables) * comb(len(library().formal.names), size.lists)


def numbers(recipe: Recipe, level: int) -> int:
    """Return the number of scenes, sets of factors and values of drawn shares, over the tasks of a level."""
    return sum(_told(recipe, task) for task in recipe.at(level))


def _told(recipe: Recipe, task: Task) -> int:
    named = {each for _, about in task.facts for each in about}
    factors = sum(recipe.cast[name].role is CastRole.FACTOR for name in named if name in recipe.cast)
    scenes = sum(comb(len(scene.factors), factors) for scene in library().scenes)
    drawn = [row for chances in task.model.values() for values in chances.rows.values() for row in values]
    drawn += list(task.draws.values())
    return scenes * prod(len(values) for values in drawn if isinstance(values, tuple))


def main() -> None:
    """Count the texts of every cell and print the smallest."""
    data = content()
    cells: dict[str, int] = {}
    for name, concept in data.concepts.items():
        for level in concept.sizes:
            cells |= {f"{name}/{variant.value}/{level}": stories(concept, level) for variant in STORIES}
            cells[f"{name}/{Variant.TRANSFER.value}/{level}"] = formulas(concept, level)
    for name, recipe in data.recipes.items():
        for level in sorted({level for task in recipe.tasks for level in task.levels}):
            cells[f"{name}/{Variant.NUMERIC.value}/{level}"] = numbers(recipe, level)
    smallest = {
        variant.value: min((count, cell) for cell, count in cells.items() if f"/{variant.value}/" in cell)
        for variant in Variant
    }
    few = {cell: count for cell, count in cells.items() if count < LEAST}
    print(json.dumps({"cells": len(cells), "smallest": smallest, "below_a_million": few}, indent=2))


if __name__ == "__main__":
    main()
