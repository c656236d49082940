"""Statements about the stories of one plan: whether each is true in each story, and who would believe it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.causal import queries as q
from assay.causal.draws import Undrawable
from assay.causal.scm import Dag
from assay.causal.solvers import naive
from assay.causal.solvers.solver import picks
from assay.causal.stories.claims import Assertion, Template, bind
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.sketch import Graphs, Sketch, bits
from assay.causal.stories.worlds import Causes, GraphPlan

STOCK = 10
NAIVE = (naive.marginal, naive.adjusting)

Row = tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class FittingStory:
    """A story in which one option alone is right, and each naive reasoner's chance to pick that option."""

    story: Story
    odds: tuple[float, ...]


class Stock:
    """Statements about one plan, and in which of its stories each is true, and is believed.

    `true` has for each statement the numbers of the stories in which it is true.
    """

    def __init__(
        self,
        concept: Concept,
        planned: GraphPlan,
        stories: Sequence[tuple[Story, Causes]],
        rng: random.Random,
    ) -> None:
        self.rng, self.stories = rng, [story for story, _ in stories]
        self.sketch = Sketch(planned.copies, [graph for _, graph in stories])
        self.measured = planned.measured
        self.reflexes = different(concept.reflex, 2, planned, rng, asserted=True)
        self.statements = [*self.reflexes, *different(concept.claims, STOCK, planned, rng)]
        self.true = [self._where(each.query, each.asserted) for each in self.statements]
        self.believed: list[dict[int, Graphs]] = [{} for _ in NAIVE]

    def _where(self, query: q.Query, asserted: bool) -> Graphs:
        """Return in which stories a query has this answer."""
        found = self.sketch.holds(query, self.measured)
        return found if asserted else self.sketch.every & ~found

    @cached_property
    def dags(self) -> list[Dag]:
        """The stories' graphs, as naive reasoners read them."""
        return [story.dag() for story in self.stories]

    def _beliefs(self, reasoner: int, place: int) -> Graphs:
        """Return in which stories a naive reasoner believes a statement."""
        believed = self.believed[reasoner]
        if place not in believed:
            statement = self.statements[place]
            query, read = statement.query, NAIVE[reasoner]
            readings: dict[q.Query, Graphs] = {}
            for number, dag in enumerate(self.dags):
                heard = read(query, dag)
                readings[heard] = readings.get(heard, 0) | 1 << number
            believed[place] = sum(
                self._where(heard, statement.asserted) & at for heard, at in readings.items()
            )
        return believed[place]

    def said(self, chosen: Sequence[int]) -> tuple[Assertion, ...]:
        """Return the statements of these places."""
        return tuple(self.statements[place] for place in chosen)

    def by_truths(self, chosen: Sequence[int]) -> dict[tuple[bool, ...], Graphs]:
        """Return the stories by which of the chosen statements are true in them."""
        return self.sketch.by_truths([self.true[place] for place in chosen])

    def right(self, chosen: Sequence[int], options: Sequence[Row]) -> tuple[tuple[FittingStory, ...], ...]:
        """Return for each option the stories in which it alone is right; nothing unless each has some."""
        fitting: list[list[int]] = [[] for _ in options]
        for truths, stories in sorted(self.by_truths(chosen).items(), key=lambda each: bits(each[1])[0]):
            holds = [all(a is None or a == b for a, b in zip(row, truths, strict=True)) for row in options]
            if holds.count(True) == 1:
                fitting[holds.index(True)] += bits(stories)
        if not all(fitting):
            return ()
        odds = [self._odds(reasoner, chosen, options) for reasoner in range(len(NAIVE))]
        return tuple(
            tuple(FittingStory(self.stories[one], tuple(each[one][key] for each in odds)) for one in several)
            for key, several in enumerate(fitting)
        )

    def _odds(
        self, reasoner: int, chosen: Sequence[int], options: Sequence[Row]
    ) -> dict[int, tuple[float, ...]]:
        """Return for each story the chance that a naive reasoner picks each option, as `chances` does."""
        found: dict[int, tuple[float, ...]] = {}
        beliefs = [self._beliefs(reasoner, place) for place in chosen]
        for believed, at in self.sketch.by_truths(beliefs).items():
            shares = []
            for row in options:
                said = [a == b for a, b in zip(row, believed, strict=True) if a is not None]
                shares.append(sum(said) / len(said))
            found |= dict.fromkeys(bits(at), picks(shares))
        return found

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
