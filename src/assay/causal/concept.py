"""One of the twenty concepts: its stories, and how each of its five variants is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.causal.draft import Draft
from assay.causal.item import Variant

Cell = Callable[[random.Random, Any], Draft]


@dataclass(frozen=True, slots=True)
class Concept:
    """A bundle of five variants on one concept.

    `about` says in one sentence what is understood by whoever solves it. `scenes` are the concept's stories,
    of a type of its own, each with a `name`; a form gives every variant of a bundle another scene.
    """

    name: str
    title: str
    about: str
    scenes: tuple[Any, ...]
    cells: Mapping[Variant, Cell]
