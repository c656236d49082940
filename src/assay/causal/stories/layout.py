"""Laying out a question: statements and four options, each of which some story makes the right one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.causal import queries as q
from assay.causal.draft import OPTIONS
from assay.causal.draws import Undrawable
from assay.causal.item import Variant
from assay.causal.search.sketch import Sketch
from assay.causal.solvers import naive
from assay.causal.stories.claims import Assertion, Template, bind, quickly
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, joined
from assay.causal.stories.phrases import Forms, QuestionPhrases
from assay.causal.stories.worlds import GraphPlan

STOCK = 10
NAIVE = (naive.marginal, naive.adjusting)
HARD, LOOKED_AT, TESTS = 0.4, 8, 4
ATTEMPTS = 150
NUMERALS = ("I", "II", "III", "IV", "V")

Row = tuple[bool | None, ...]
Drawn = tuple[tuple[int, ...], tuple[Row, ...]]
SINGLE: tuple[Row, ...] = tuple(
    tuple(True if place == own else None for place in range(4)) for own in range(4)
)
CROSSED: tuple[Row, ...] = ((True, True), (True, False), (False, True), (False, False))


@dataclass(frozen=True, slots=True)
class OptionLayout:
    """A question before its story: statements, what each option says of them, and how it is put.

    An option is a row of `options`: for each statement True, False, or None where it says nothing of it.
    `texts` are the options' words where these do not repeat the statements. `right` has for each option the
    stories, as bits, in which it alone is right.
    """

    statements: tuple[Assertion, ...]
    options: tuple[tuple[bool | None, ...], ...]
    form: str
    texts: Forms | None
    right: tuple[int, ...]


class Stock:
    """Statements about one plan, and in which of its stories each is true, as bits."""

    def __init__(
        self,
        concept: Concept,
        planned: GraphPlan,
        stories: Sequence[tuple[Story, Sketch]],
        rng: random.Random,
    ) -> None:
        self.rng, self.all = rng, (1 << len(stories)) - 1
        measured = [name for name in planned.copies if name not in planned.unrecorded]
        self.reflexes = different(concept.reflex, 2, planned, rng, asserted=True)
        self.statements = [*self.reflexes, *different(concept.claims, STOCK, planned, rng)]
        self.true = []
        for each in self.statements:
            query, asserted = each.query, each.asserted
            bits = 0
            for place, (_, sketch) in enumerate(stories):
                bits |= (quickly(query, sketch, measured) == asserted) << place
            self.true.append(bits)

    def right(self, chosen: Sequence[int], options: Sequence[Row]) -> tuple[int, ...]:
        """Return for each option the stories in which it alone is right."""
        holds = []
        for option in options:
            bits = self.all
            for place, said in zip(chosen, option, strict=True):
                if said is not None:
                    bits &= self.true[place] if said else ~self.true[place]
            holds.append(bits)
        alone = []
        for place, bits in enumerate(holds):
            for other, also in enumerate(holds):
                if other != place:
                    bits &= ~also
            alone.append(bits)
        return tuple(alone)

    def sample(self, count: int, first: int | None = None) -> tuple[int, ...]:
        """Draw the places of so many statements with different queries; `first` is one of them."""
        places = [] if first is None else [first]
        free = list(range(len(self.reflexes), len(self.statements)))
        self.rng.shuffle(free)
        queries = {self.statements[place].query for place in places}
        for place in free:
            if len(places) < count and self.statements[place].query not in queries:
                queries.add(self.statements[place].query)
                places.append(place)
        if len(places) < count:
            raise Undrawable("too few different statements")
        return tuple(places)


def lay_out(
    concept: Concept,
    variant: Variant,
    level: int,
    planned: GraphPlan,
    stories: Sequence[tuple[Story, Sketch]],
    phrases: QuestionPhrases,
    rng: random.Random,
) -> OptionLayout:
    """Draw statements and options of which each can be the only right one. Undrawable without."""
    stock = Stock(concept, planned, stories, rng)
    form, make, texts = _shape(variant, level, stock, phrases, rng)
    measured = [name for name in planned.copies if name not in planned.unrecorded]
    found: list[tuple[int, Drawn, tuple[int, ...]]] = []
    for _ in range(ATTEMPTS):
        chosen, options = make()
        right = stock.right(chosen, options)
        if not all(right):
            continue
        statements = [stock.statements[place] for place in chosen]
        hard = sum(
            _can_be_hard(key, statements, options, bits, stories, measured) for key, bits in enumerate(right)
        )
        found.append((hard, (chosen, options), right))
        if hard == OPTIONS or len(found) == TESTS:
            break
    if not found:
        raise Undrawable("no options of which each can be right")
    _, (chosen, options), right = max(found, key=lambda each: each[0])
    said = tuple(stock.statements[place] for place in chosen)
    if form in phrases.statements:
        texts = tuple(map(_which, options))
    if form in phrases.reasons:
        said, options = (*said, said[0].denied()), tuple((*row, None) for row in options)
    return OptionLayout(said, options, form, texts, right)


def _can_be_hard(
    key: int,
    statements: Sequence[Assertion],
    options: Sequence[Row],
    right: int,
    stories: Sequence[tuple[Story, Sketch]],
    measured: Sequence[str],
) -> bool:
    """Return whether in some story that makes an option right no naive reasoner picks it for certain."""
    fitting = [each for place, each in enumerate(stories) if right >> place & 1]
    return any(
        max(naive_odds(key, statements, options, story, sketch, measured)) < HARD
        for story, sketch in fitting[:LOOKED_AT]
    )


def naive_odds(
    key: int,
    statements: Sequence[Assertion],
    options: Sequence[Row],
    story: Story,
    sketch: Sketch,
    measured: Sequence[str],
) -> list[float]:
    """Return each naive reasoner's chance to pick the key, as `chances` does, by a fast search."""
    dag, odds = story.dag(), []
    for read_as in NAIVE:
        believed = [
            quickly(read_as(each.query, dag), sketch, measured) == each.asserted for each in statements
        ]
        beliefs = []
        for option in options:
            said = [value == true for value, true in zip(believed, option, strict=False) if true is not None]
            beliefs.append(sum(said) / len(said))
        best = max(beliefs)
        odds.append((beliefs[key] == best) / beliefs.count(best))
    return odds


def _shape(
    variant: Variant, level: int, stock: Stock, phrases: QuestionPhrases, rng: random.Random
) -> tuple[str, Callable[[], Drawn], Forms | None]:
    """Return how a question of a variant and level is put, how its options are drawn, and their words."""
    if variant is Variant.ANALYST:
        analysts = level < 3
        form = rng.choice(phrases.analysts if analysts else phrases.reasons)
        texts = rng.choice(phrases.verdicts if analysts else phrases.reason_verdicts)
        return form, lambda: (stock.sample(2), CROSSED), texts
    if variant is Variant.TRAP:
        return (
            rng.choice(phrases.reflex),
            lambda: (stock.sample(OPTIONS, rng.randrange(len(stock.reflexes))), SINGLE),
            None,
        )
    if variant is Variant.TRANSFER or level == 1:
        return rng.choice(phrases.base), lambda: (stock.sample(OPTIONS), SINGLE), None
    if level == 2:
        return rng.choice(phrases.base), lambda: (stock.sample(2), CROSSED), None
    if level == 3:
        return rng.choice(phrases.base), lambda: (stock.sample(3), _pairs(rng)), None
    return rng.choice(phrases.statements), lambda: _sets(stock, rng), None


def _pairs(rng: random.Random) -> tuple[Row, ...]:
    """Return four options of two statements out of three, each asserted or denied."""
    pairs = [(0, 1), (0, 2), (1, 2), rng.choice([(0, 1), (0, 2), (1, 2)])]
    return tuple(tuple(rng.random() < 0.5 if place in pair else None for place in range(3)) for pair in pairs)


def _sets(stock: Stock, rng: random.Random) -> Drawn:
    """Return five statements, and four sets of them that are all that is true in some story."""
    chosen = stock.sample(5)
    places = rng.sample(range(stock.all.bit_length()), min(40, stock.all.bit_length()))
    rows = list(
        dict.fromkeys(tuple(bool(stock.true[each] >> place & 1) for each in chosen) for place in places)
    )
    return chosen, tuple(rng.sample(rows, OPTIONS) if len(rows) >= OPTIONS else rows[:1] * OPTIONS)


def _which(truths: Sequence[bool | None]) -> str:
    true = [Noun(numeral) for numeral, holds in zip(NUMERALS, truths, strict=True) if holds]
    if len(true) in (0, len(truths)):
        return "All of them" if true else "None of them"
    return f"Only {joined(true).text}"


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
