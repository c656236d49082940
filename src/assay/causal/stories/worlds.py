"""Drawing stories: what the text shows is fixed first, then stories are drawn that fit each key.

The plan (which variables there are, on how many lists each is, which of them depend on a list, what was
recorded) and the key are drawn independently of each other. All stories of a plan that a question chooses
among have equally many variables on each list, and depending on it. A plan with options is used only if some
of them make each option the only true one, so that given all that is drawn before, every key is equally
likely. Names of lists are given last, at random: each single fact, and the number of facts that name a list,
therefore has the same distribution whatever the key is.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from assay.causal.draws import until
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story

Causes = Mapping[str, AbstractSet[str]]

CANDIDATES, STARTS, STEPS = 6_000, 6, 8
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
    def measured(self) -> tuple[str, ...]:
        """The variables that were recorded."""
        return tuple(name for name in self.copies if name not in self.unrecorded)

    @property
    def recorded(self) -> tuple[str, ...]:
        """The factors that can be adjusted for."""
        return tuple(name for name in self.factors if name not in self.unrecorded)


def plan(concept: Concept, level: int, rng: random.Random) -> GraphPlan:
    """Draw a plan for a concept's story at a level."""
    size = concept.sizes[level]
    factors = tuple(f"F{number}" for number in range(size.factors))
    copies = {node.name: rng.choice(node.lists) for node in concept.nodes}
    copies |= {name: 2 if rng.random() < TWICE else 1 for name in factors}
    rooted = [name for name in factors if rng.random() < ROOTED] or [rng.choice(factors)]
    dependent = [node.name for node in concept.nodes if node.depends]
    dependent += [name for name in factors if name not in rooted]
    unrecorded = {node.name for node in concept.nodes if not node.recorded}
    unrecorded.update(rng.sample(factors, size.unrecorded))
    names = tuple(f"L{number}" for number in range(size.lists))
    copies = {name: min(each, size.lists - 1) for name, each in copies.items()}
    return GraphPlan(
        copies, tuple(dependent), frozenset(unrecorded), factors, names, concept.paths, concept.never
    )


def drawn(plan: GraphPlan, most: int, rng: random.Random) -> list[tuple[Story, Causes]]:
    """Return at most so many different stories of a plan, all with lists of the same sizes, and their graphs.

    They are states of a Markov chain whose steps exchange the places of two variables. Of several stories to
    start from, the one whose lists are used most evenly is taken: it has the most neighbours. Undrawable
    where no story is found that has the plan's paths.
    """
    now = max((until(lambda: _candidate(plan, rng), CANDIDATES) for _ in range(STARTS)), key=evenness)
    stories: list[tuple[Story, Causes]] = []
    fits: dict[object, bool] = {}
    for _ in range(STEPS * most):
        if (changed := _exchanged(now, plan, rng)) is None:
            continue
        state = (tuple(changed.on.values()), tuple(changed.source.values()))
        if state not in fits:
            graph = fitting_graph(plan, changed)
            fits[state] = graph is not None
            if graph is not None:
                stories.append((changed, graph))
        if fits[state]:
            now = changed
        if len(stories) == most:
            break
    return stories


def evenness(story: Story) -> float:
    """Return the logarithm of in how many ways lists of these sizes can be filled, up to a constant.

    The sum is rounded once, so that the order of its parts does not matter: each process orders sets in its
    own way.
    """
    members = Counter(each for lists in story.on.values() for each in lists)
    after = Counter(story.source.values())
    return -math.fsum(math.lgamma(count + 1) for count in (*members.values(), *after.values()))


def _candidate(plan: GraphPlan, rng: random.Random) -> Story | None:
    """Draw a story; None where the graph lacks a path that the concept needs.

    Lists are ordered at random, and a variable is only on lists after the one that it depends on: so every
    acyclic story can be drawn, and no other.
    """
    order = rng.choice(_orders(plan.lists))
    on: dict[str, frozenset[str]] = {}
    source: dict[str, str] = {}
    for name, count in plan.copies.items():
        depends = name in plan.dependent
        lists = rng.choice(_choices(order, count + depends))
        if depends:
            source[name], lists = lists[0], lists[1:]
        on[name] = frozenset(lists)
    story = Story(on, source, plan.unrecorded, {}, frozenset(plan.lists))
    return None if fitting_graph(plan, story) is None else story


def _exchanged(now: Story, plan: GraphPlan, rng: random.Random) -> Story | None:
    """Let two variables exchange a list that they are on, or depend on; None where they have the same."""
    unchanged = now.unrecorded, now.open, now.spare
    if rng.random() < 0.5 and len(plan.dependent) > 1:
        a, b = rng.choice(_pairs(plan.dependent))
        return Story(now.on, {**now.source, a: now.source[b], b: now.source[a]}, *unchanged)
    a, b = rng.choice(_pairs(tuple(now.on)))
    only_a, only_b = sorted(now.on[a] - now.on[b]), sorted(now.on[b] - now.on[a])
    if not only_a or not only_b:
        return None
    gone, come = rng.choice(only_a), rng.choice(only_b)
    on = {**now.on, a: now.on[a] - {gone} | {come}, b: now.on[b] - {come} | {gone}}
    return Story(on, now.source, *unchanged)


def fitting_graph(plan: GraphPlan, story: Story) -> Causes | None:
    """Return each variable's causes; None where there is a cycle, or not the paths that the concept needs."""
    members: dict[str, set[str]] = {each: set() for each in plan.lists}
    after: dict[str, set[str]] = {each: set() for each in plan.lists}
    for name, lists in story.on.items():
        for each in lists:
            members[each].add(name)
        if name in story.source:
            after[story.source[name]] |= lists
    left = set(plan.lists)
    while left:
        last = {each for each in left if not after[each] & left}
        if not last:
            return None
        left -= last
    graph = {name: members[story.source[name]] if name in story.source else set() for name in story.on}
    if not all(_leads(graph, a, b) for a, b in plan.paths) or any(_leads(graph, a, b) for a, b in plan.never):
        return None
    return graph


def _leads(graph: Causes, cause: str, effect: str) -> bool:
    """Return whether a path leads from one variable to another."""
    return cause == effect or any(_leads(graph, cause, each) for each in graph[effect])


@lru_cache(maxsize=64)
def _orders(lists: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(itertools.permutations(lists))


@lru_cache(maxsize=1024)
def _pairs(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(itertools.combinations(names, 2))


@lru_cache(maxsize=1024)
def _choices(order: tuple[str, ...], count: int) -> tuple[tuple[str, ...], ...]:
    """Return all ways to take so many lists, each in the lists' order."""
    return tuple(itertools.combinations(order, count))
