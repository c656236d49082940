"""A model's score and counts by category, subcategory and difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import Cells
from assay.ranking.measured import BoolArray, PromptKind
from assay.ranking.score import Counts, Score, count, score

DIMENSIONS = ("category", "subcategory", "difficulty")


@dataclass(frozen=True, slots=True)
class Group:
    """Some prompts: `by` category, subcategory or difficulty, and their `name`.

    `category` is that of a subcategory (whose names repeat between categories), otherwise None.
    """

    by: str
    name: str
    category: str | None
    prompts: int


@dataclass(frozen=True, slots=True)
class GroupScore:
    """A model's score and counts on one group; the judges that count overall count here."""

    group: Group
    score: Score
    counts: Counts


def groups(prompts: tuple[PromptKind, ...]) -> tuple[tuple[Group, BoolArray], ...]:
    """Return every group, by dimension and then by name, with the prompts (P,) that belong to it."""
    found = []
    for by in DIMENSIONS:
        keys = [_key(prompt, by) for prompt in prompts]
        for key in sorted(set(keys)):
            chosen = np.array([each == key for each in keys])
            category = key[0] if by == "subcategory" else None
            found.append((Group(by, key[-1], category, int(chosen.sum())), chosen))
    return tuple(found)


def group_scores(
    cells: Cells, model: int, counting: BoolArray, split: tuple[tuple[Group, BoolArray], ...]
) -> tuple[GroupScore, ...]:
    """Return one model's score on each group."""
    return tuple(
        GroupScore(group, score(cells, model, counting, chosen), count(cells, model, chosen))
        for group, chosen in split
    )


def _key(prompt: PromptKind, by: str) -> tuple[str, ...]:
    name: str = getattr(prompt, by)
    return (prompt.category, name) if by == "subcategory" else (name,)
