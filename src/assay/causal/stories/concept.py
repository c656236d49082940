"""A concept as its data files give it: which variables a story has, and what can be claimed of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.causal.stories.claims import Template


@dataclass(frozen=True, slots=True)
class Node:
    """A variable of the story besides the scene's factors, such as "whether a record is kept".

    `noun` is a template over the scene: `{treatment}`, `{outcome}`, `{unit}`, `{units}`, or `{f}` for the
    noun of the factor that the node is `of`. `lists` are the numbers of lists that it may be on, of which one
    is drawn; `depends` tells whether it depends on a list; `recorded` whether it was recorded and can be
    adjusted for.
    """

    name: str
    noun: str
    formal: str
    plural: bool = False
    lists: tuple[int, ...] = (1,)
    depends: bool = True
    recorded: bool = True
    of: str = ""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a story is at one level: factors, those of them nobody recorded, lists, and facts besides."""

    factors: int
    unrecorded: int
    lists: int
    aliases: bool
    fillers: int


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept whose questions are facts of a graph.

    `nodes` always hold X and Y. `paths` are pairs of which the first must be a cause of the second, `never`
    pairs of which it must not be one. `claims` are used by base, transfer and analyst questions, `reflex` are
    those that the textbook makes without looking, `opening` sets the scene.
    """

    name: str
    title: str
    about: str
    nodes: tuple[Node, ...]
    sizes: Mapping[int, Size]
    paths: tuple[tuple[str, str], ...]
    never: tuple[tuple[str, str], ...]
    opening: tuple[str, ...]
    claims: tuple[Template, ...]
    reflex: tuple[Template, ...]
