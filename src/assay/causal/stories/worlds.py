"""Drawing stories: what the text shows is fixed first, then stories are drawn that fit each key.

The plan (which variables there are, on how many lists each is, which of them depend on a list, what was
recorded), the options and the key are drawn independently of each other. A plan with options is used only if
some story makes each option the only true one, so that given all that is drawn before, every key is equally
likely. Names of lists are given last, at random: each single fact therefore has the same distribution
whatever the key is.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from assay.causal.draws import Undrawable
from assay.causal.search.sketch import Sketch
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story

CANDIDATES = 6_000
ROOTED = 0.35
TWICE = 0.35


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """What a story's text shows whatever is true: `copies` says on how many lists each variable is."""

    copies: Mapping[str, int]
    dependent: tuple[str, ...]
    unrecorded: frozenset[str]
    factors: tuple[str, ...]
    lists: tuple[str, ...]
    paths: tuple[tuple[str, str], ...]
    never: tuple[tuple[str, str], ...]

    @property
    def recorded(self) -> tuple[str, ...]:
        """The factors that can be adjusted for."""
        return tuple(name for name in self.factors if name not in self.unrecorded)


def plan(concept: Concept, level: int, rng: random.Random, *, lists: int = 0) -> GraphPlan:
    """Draw a plan for a concept's story at a level, with at least so many lists."""
    size = concept.sizes[level]
    factors = tuple(f"F{number}" for number in range(size.factors))
    copies = {node.name: rng.choice(node.lists) for node in concept.nodes}
    copies |= {name: 2 if rng.random() < TWICE else 1 for name in factors}
    rooted = [name for name in factors if rng.random() < ROOTED] or [rng.choice(factors)]
    dependent = [node.name for node in concept.nodes if node.depends]
    dependent += [name for name in factors if name not in rooted]
    unrecorded = {node.name for node in concept.nodes if not node.recorded}
    unrecorded.update(rng.sample(factors, size.unrecorded))
    count = max(size.lists, lists)
    names = tuple(f"L{number}" for number in range(count))
    copies = {name: min(each, count - 1) for name, each in copies.items()}
    return GraphPlan(
        copies, tuple(dependent), frozenset(unrecorded), factors, names, concept.paths, concept.never
    )


def candidate(plan: GraphPlan, rng: random.Random) -> tuple[Story, Sketch] | None:
    """Draw one story of the plan with its graph; None where it lacks a path that the concept needs.

    Lists are ordered at random, and a variable is only on lists after the one that it depends on: so every
    acyclic story can be drawn, and no other.
    """
    order = rng.choice(_orders(plan.lists))
    on: dict[str, frozenset[str]] = {}
    source: dict[str, str] = {}
    members: dict[str, set[str]] = {each: set() for each in order}
    for name, count in plan.copies.items():
        depends = name in plan.dependent
        lists = rng.choice(_choices(order, count + depends))
        if depends:
            source[name], lists = lists[0], lists[1:]
        on[name] = frozenset(lists)
        for each in lists:
            members[each].add(name)
    sketch = Sketch.of({name: members[source[name]] if name in source else set() for name in on})
    if not all(sketch.causes(a, b) for a, b in plan.paths) or any(sketch.causes(a, b) for a, b in plan.never):
        return None
    return Story(on, source, plan.unrecorded, {}, frozenset(plan.lists)), sketch


@lru_cache(maxsize=64)
def _orders(lists: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(itertools.permutations(lists))


@lru_cache(maxsize=1024)
def _choices(order: tuple[str, ...], count: int) -> tuple[tuple[str, ...], ...]:
    """Return all ways to take so many lists, each in the lists' order."""
    return tuple(itertools.combinations(order, count))


def drawn(plan: GraphPlan, count: int, rng: random.Random) -> list[tuple[Story, Sketch]]:
    """Return so many stories of a plan with their graphs. Undrawable where its paths are rarely there."""
    stories: list[tuple[Story, Sketch]] = []
    for _ in range(CANDIDATES):
        if (found := candidate(plan, rng)) is not None:
            stories.append(found)
        if len(stories) == count:
            return stories
    raise Undrawable(f"fewer than {count} stories among {CANDIDATES} candidates")
