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
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from assay.causal.draws import until
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.sketch import bits

Causes = Mapping[str, AbstractSet[str]]
State = tuple[tuple[int, ...], tuple[int, ...]]

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
    places = _Places(plan)
    starts = [until(lambda: _candidate(places, rng), CANDIDATES) for _ in range(STARTS)]
    now = max(starts, key=lambda state: evenness(places.story(state)))
    stories: list[tuple[Story, Causes]] = []
    fits: dict[State, bool] = {}
    for _ in range(STEPS * most):
        if (changed := _exchanged(places, now, rng)) is None:
            continue
        if changed not in fits:
            causes = places.causes(changed)
            fits[changed] = causes is not None
            if causes is not None:
                stories.append((places.story(changed), places.named(causes)))
        if fits[changed]:
            now = changed
        if len(stories) == most:
            break
    return stories


def fitting_graph(plan: GraphPlan, story: Story) -> Causes | None:
    """Return a story's graph; None where it has a cycle, or not the paths that the concept needs."""
    places = _Places(plan)
    causes = places.causes(places.state(story))
    return None if causes is None else places.named(causes)


def evenness(story: Story) -> float:
    """Return the logarithm of in how many ways lists of these sizes can be filled, up to a constant.

    The sum is rounded once, so that the order of its parts does not matter: each process orders sets in its
    own way.
    """
    members = Counter(each for lists in story.on.values() for each in lists)
    after = Counter(story.source.values())
    return -math.fsum(math.lgamma(count + 1) for count in (*members.values(), *after.values()))


class _Places:
    """A plan's stories in numbers, which are faster to change and to check.

    Variables and lists are numbered in the plan's order, and a set of either is an int with a bit for each.
    A state has for each variable the lists that it is on, and for each that depends on a list its number.
    """

    def __init__(self, plan: GraphPlan) -> None:
        self.plan, self.names = plan, tuple(plan.copies)
        number = {name: at for at, name in enumerate(self.names)}
        self.counts = [(count, name in plan.dependent) for name, count in plan.copies.items()]
        self.dependent = [number[name] for name in plan.dependent]
        self.paths = [(number[a], number[b], True) for a, b in plan.paths]
        self.paths += [(number[a], number[b], False) for a, b in plan.never]

    def story(self, state: State) -> Story:
        """Return the story of a state."""
        lists, (on, source) = self.plan.lists, state
        return Story(
            {n: frozenset(lists[each] for each in bits(at)) for n, at in zip(self.names, on, strict=True)},
            {n: lists[each] for n, each in zip(self.plan.dependent, source, strict=True)},
            self.plan.unrecorded,
            {},
            frozenset(lists),
        )

    def state(self, story: Story) -> State:
        """Return the state of a story."""
        number = {name: at for at, name in enumerate(self.plan.lists)}
        on = tuple(sum(1 << number[each] for each in story.on[name]) for name in self.names)
        return on, tuple(number[story.source[name]] for name in self.plan.dependent)

    def named(self, causes: Sequence[int]) -> Causes:
        """Return the graph of these causes."""
        return {
            name: {self.names[each] for each in bits(at)} for name, at in zip(self.names, causes, strict=True)
        }

    def causes(self, state: State) -> list[int] | None:
        """Return each variable's causes; None where there is a cycle, or not the paths that are needed."""
        on, source = state
        members, after = [0] * len(self.plan.lists), [0] * len(self.plan.lists)
        for variable, lists in enumerate(on):
            for each in bits(lists):
                members[each] |= 1 << variable
        for variable, each in zip(self.dependent, source, strict=True):
            after[each] |= on[variable]
        causes = [0] * len(on)
        for variable, each in zip(self.dependent, source, strict=True):
            causes[variable] = members[each]
        if not all(_leads(causes, cause, effect) == wanted for cause, effect, wanted in self.paths):
            return None
        left = (1 << len(after)) - 1
        while left:
            last = sum(1 << each for each in bits(left) if not after[each] & left)
            if not last:
                return None
            left ^= last
        return causes


def _leads(causes: Sequence[int], cause: int, effect: int) -> bool:
    """Return whether a path leads from one variable to another."""
    above = new = 1 << effect
    while new and not above >> cause & 1:
        found = 0
        for each in bits(new):
            found |= causes[each]
        new = found & ~above
        above |= new
    return bool(above >> cause & 1)


def _candidate(places: _Places, rng: random.Random) -> State | None:
    """Draw a state; None where the graph lacks a path that the concept needs.

    Lists are ordered at random, and a variable is only on lists after the one that it depends on: so every
    acyclic story can be drawn, and no other.
    """
    order = rng.choice(_orders(len(places.plan.lists)))
    on, source = [], []
    for count, depends in places.counts:
        first, rest = rng.choice(_choices(order, count, depends))
        on.append(rest)
        if depends:
            source.append(first)
    state = tuple(on), tuple(source)
    return None if places.causes(state) is None else state


def _exchanged(places: _Places, now: State, rng: random.Random) -> State | None:
    """Let two variables exchange a list that they are on, or depend on; None where they have the same."""
    on, source = now
    if rng.random() < 0.5 and len(source) > 1:
        a, b = rng.choice(_pairs(len(source)))
        changed = list(source)
        changed[a], changed[b] = source[b], source[a]
        return on, tuple(changed)
    a, b = rng.choice(_pairs(len(on)))
    only_a, only_b = on[a] & ~on[b], on[b] & ~on[a]
    if not only_a or not only_b:
        return None
    exchanged = 1 << rng.choice(bits(only_a)) | 1 << rng.choice(bits(only_b))
    changed = list(on)
    changed[a] ^= exchanged
    changed[b] ^= exchanged
    return tuple(changed), source


@lru_cache(maxsize=64)
def _orders(lists: int) -> tuple[tuple[int, ...], ...]:
    return tuple(itertools.permutations(range(lists)))


@lru_cache(maxsize=64)
def _pairs(variables: int) -> tuple[tuple[int, int], ...]:
    return tuple(itertools.combinations(range(variables), 2))


@lru_cache(maxsize=4096)
def _choices(order: tuple[int, ...], count: int, depends: bool) -> tuple[tuple[int, int], ...]:
    """Return all ways to take so many lists, and before them one to depend on: that one, and the set."""
    taken = itertools.combinations(order, count + depends)
    return tuple((each[0], sum(1 << number for number in each[depends:])) for each in taken)
