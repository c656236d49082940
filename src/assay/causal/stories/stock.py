"""Statements about the stories of one plan: whether each is true in each story, and who would believe it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from assay.causal import queries as q
from assay.causal.draws import Undrawable
from assay.causal.solvers import naive
from assay.causal.solvers.solver import picks
from assay.causal.stories.claims import Assertion, Template, bind, quickly
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.sketch import Sketch
from assay.causal.stories.worlds import GraphPlan

STOCK = 10
NAIVE = (naive.marginal, naive.adjusting)

Row = tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class FittingStory:
    """A story in which one option alone is right, and each naive reasoner's chance to pick that option."""

    story: Story
    odds: tuple[float, ...]


class Stock:
    """Statements about one plan, whether each is true in each of its stories, and what is believed there."""

    def __init__(
        self,
        concept: Concept,
        planned: GraphPlan,
        stories: Sequence[tuple[Story, Sketch]],
        rng: random.Random,
    ) -> None:
        self.rng, self.stories = rng, stories
        different_graphs = {id(sketch): (story, sketch) for story, sketch in stories}
        self.graphs = {key: (story.dag(), sketch) for key, (story, sketch) in different_graphs.items()}
        self.measured = [name for name in planned.copies if name not in planned.unrecorded]
        self.reflexes = different(concept.reflex, 2, planned, rng, asserted=True)
        self.statements = [*self.reflexes, *different(concept.claims, STOCK, planned, rng)]
        self.true = [self._answers(_as_asked, each) for each in self.statements]
        self.believed: dict[int, list[tuple[bool, ...]]] = {}

    def _answers(self, read: naive.Reading, statement: Assertion) -> list[bool]:
        """Return for each story whether a statement holds as it is read."""
        query = statement.query
        known = {
            graph: quickly(read(query, dag), sketch, self.measured) == statement.asserted
            for graph, (dag, sketch) in self.graphs.items()
        }
        return [known[id(sketch)] for _, sketch in self.stories]

    def beliefs(self, place: int) -> list[tuple[bool, ...]]:
        """Return for each story which naive reasoners believe a statement."""
        if place not in self.believed:
            read = [self._answers(each, self.statements[place]) for each in NAIVE]
            self.believed[place] = list(zip(*read, strict=True))
        return self.believed[place]

    def said(self, chosen: Sequence[int]) -> tuple[Assertion, ...]:
        """Return the statements of these places."""
        return tuple(self.statements[place] for place in chosen)

    def right(self, chosen: Sequence[int], options: Sequence[Row]) -> tuple[tuple[FittingStory, ...], ...]:
        """Return for each option the stories in which it alone is right; nothing unless each has some."""
        by_truths: dict[tuple[bool, ...], list[int]] = {}
        for story, truths in enumerate(zip(*(self.true[place] for place in chosen), strict=True)):
            by_truths.setdefault(truths, []).append(story)
        fitting: list[list[int]] = [[] for _ in options]
        for truths, stories in by_truths.items():
            holds = [all(a is None or a == b for a, b in zip(row, truths, strict=True)) for row in options]
            if holds.count(True) == 1:
                fitting[holds.index(True)] += stories
        if not all(fitting):
            return ()
        believed = list(zip(*(self.beliefs(place) for place in chosen), strict=True))
        odds = {each: _odds(options, each) for each in set(believed)}
        return tuple(
            tuple(FittingStory(self.stories[one][0], odds[believed[one]][key]) for one in several)
            for key, several in enumerate(fitting)
        )

    def others(self, chosen: Sequence[int]) -> list[int]:
        """Return the places of the statements about other queries than those chosen, in random order."""
        asked = {self.statements[place].query for place in chosen}
        free = range(len(self.reflexes), len(self.statements))
        places = [place for place in free if self.statements[place].query not in asked]
        return self.rng.sample(places, len(places))

    def sample(self, count: int) -> tuple[int, ...]:
        """Draw the places of so many statements. Undrawable where there are too few."""
        if len(places := self.others(())) < count:
            raise Undrawable("too few different statements")
        return tuple(places[:count])


def _odds(options: Sequence[Row], beliefs: Sequence[Sequence[bool]]) -> list[tuple[float, ...]]:
    """Return for each option the chance that each naive reasoner picks it, as `chances` does.

    `beliefs` has for each statement whether each reasoner believes it.
    """
    found = []
    for believed in zip(*beliefs, strict=True):
        shares = []
        for row in options:
            said = [a == b for a, b in zip(row, believed, strict=True) if a is not None]
            shares.append(sum(said) / len(said))
        found.append(picks(shares))
    return list(zip(*found, strict=True))


def _as_asked(query: q.Query, world: naive.World) -> q.Query:
    del world
    return query


def different(
    templates: Sequence[Template],
    count: int,
    planned: GraphPlan,
    rng: random.Random,
    *,
    asserted: bool = False,
) -> list[Assertion]:
    """Draw at most `count` statements with different queries; some deny unless `asserted`."""
    found: list[Assertion] = []
    queries: set[q.Fact] = set()
    for _ in range(5 * count):
        bound = bind(rng.choice(templates), planned.factors, planned.recorded, rng)
        if bound is not None and bound.query not in queries and len(found) < count:
            queries.add(bound.query)
            found.append(bound if asserted or rng.random() < 0.5 else bound.denied())
    if not found:
        raise Undrawable("too few factors for the claims")
    return found
