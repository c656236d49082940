"""Laying out a question: statements and four options, each of which some story makes the right one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.causal.draft import OPTIONS
from assay.causal.draws import Undrawable
from assay.causal.item import Variant
from assay.causal.stories.claims import Assertion
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, joined
from assay.causal.stories.phrases import Forms, QuestionPhrases
from assay.causal.stories.stock import NAIVE, FittingStory, Row, Stock
from assay.causal.stories.worlds import Causes, GraphPlan

COMPARED = 40
"""How many layouts of one plan are compared at most."""
FAIR = 0.02
"""By how much naive reasoners together may be right too often in a layout that is taken at once."""
ATTEMPTS = 150
NUMERALS = ("I", "II", "III", "IV", "V")

Drawn = tuple[tuple[int, ...], tuple[Row, ...]]
REFLEX_RIGHT = 0.16
"""How often the textbook's claim holds in a trap: below chance, but not never, which could be learned."""
TRAP = (REFLEX_RIGHT, *[(1 - REFLEX_RIGHT) / (OPTIONS - 1)] * (OPTIONS - 1))
EVEN = (1 / OPTIONS,) * OPTIONS
TRAPPED = 0.2
"""How often a naive reasoner may be right in traps."""
ALONE = {
    sign: frozenset(tuple(said == (at == key) for at, said in enumerate(sign)) for key in range(OPTIONS))
    for sign in itertools.product((True, False), repeat=OPTIONS)
}
"""For four statements, each asserted or denied: what is true of them in stories where one alone is right."""
CROSSED: tuple[Row, ...] = ((True, True), (True, False), (False, True), (False, False))


@dataclass(frozen=True, slots=True)
class OptionLayout:
    """A question before its story: statements, what each option says of them, and how it is put.

    Its stories are of the plan `planned`. An option is a row of `options`: for each statement True, False, or
    None where it says nothing of it. `texts` are the options' words where these do not repeat the statements.
    `right` has for each option the stories in which it alone is right, `chances` how likely it is to be the
    key, and `naive` is how often a naive reasoner may be right.
    """

    planned: GraphPlan
    statements: tuple[Assertion, ...]
    options: tuple[Row, ...]
    form: str
    texts: Forms | None
    right: tuple[tuple[FittingStory, ...], ...]
    chances: tuple[float, ...]
    naive: float

    @property
    def excess(self) -> float:
        """By how much all naive reasoners together are right too often, whatever stories are chosen."""
        least = [min(sum(each.odds) for each in stories) for stories in self.right]
        return round(_mean(least, self.chances) - self.naive * len(NAIVE), 9)

    def key(self, rng: random.Random) -> int:
        """Draw which option is to be right."""
        return rng.choices(range(OPTIONS), self.chances)[0]

    def story(self, key: int, rng: random.Random) -> Story:
        """Draw a story for a key, such that over all keys naive reasoners are right as often as they may.

        For each reasoner it is drawn whether it is to be right, with a chance that makes up for keys where
        there is no choice; of the stories that come nearest to that, one is drawn.
        """
        wanted = []
        for reasoner in range(len(NAIVE)):
            odds = [[each.odds[reasoner] for each in stories] for stories in self.right]
            low, high = _mean(map(min, odds), self.chances), _mean(map(max, odds), self.chances)
            share = (self.naive - low) / (high - low) if high > low else 0.0
            wanted.append(max(odds[key]) if rng.random() < share else min(odds[key]))

        def off(each: FittingStory) -> float:
            return sum(abs(odds - one) for odds, one in zip(each.odds, wanted, strict=True))

        return min(rng.sample(self.right[key], len(self.right[key])), key=off).story


def _mean(values: Iterable[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True))


def lay_out(
    concept: Concept,
    variant: Variant,
    level: int,
    planned: GraphPlan,
    stories: Sequence[tuple[Story, Causes]],
    phrases: QuestionPhrases,
    rng: random.Random,
) -> OptionLayout:
    """Draw statements and options of which each can be the only right one. Undrawable without."""
    stock = Stock(concept, planned, stories, rng)
    form, made, texts = _shape(variant, level, stock, phrases, rng)
    chances, naively_right = (TRAP, TRAPPED) if variant is Variant.TRAP else (EVEN, 1 / OPTIONS)
    drawn = (
        OptionLayout(planned, stock.said(chosen), options, form, texts, right, chances, naively_right)
        for chosen, options in made
        if (right := stock.right(chosen, options))
    )
    if (best := fairest(drawn, COMPARED)) is None:
        raise Undrawable("no options of which each can be right")
    if form in phrases.statements:
        return replace(best, texts=tuple(map(_which, best.options)))
    if form in phrases.reasons:
        said, rows = (*best.statements, best.statements[0].denied()), best.options
        return replace(best, statements=said, options=tuple((*row, None) for row in rows))
    return best


def fairest(layouts: Iterable[OptionLayout], most: int) -> OptionLayout | None:
    """Return the first layout that is fair, or of so many the one with the least excess; None without any."""
    seen: list[OptionLayout] = []
    for each in itertools.islice(layouts, most):
        seen.append(each)
        if each.excess <= FAIR:
            break
    return min(seen, key=lambda each: each.excess, default=None)


def _shape(
    variant: Variant, level: int, stock: Stock, phrases: QuestionPhrases, rng: random.Random
) -> tuple[str, Iterator[Drawn], Forms | None]:
    """Return how a question of a variant and level is put, draws of its options, and their words."""
    if variant is Variant.ANALYST:
        analysts = level < 3
        form = rng.choice(phrases.analysts if analysts else phrases.reasons)
        texts = rng.choice(phrases.verdicts if analysts else phrases.reason_verdicts)
        return form, _crossed(stock), texts
    if variant is Variant.TRAP:
        return rng.choice(phrases.reflex), _single(stock, [rng.randrange(len(stock.reflexes))]), None
    if variant is Variant.TRANSFER or level == 1:
        return rng.choice(phrases.base), _single(stock), None
    if level == 2:
        return rng.choice(phrases.base), _crossed(stock), None
    if level == 3:
        return rng.choice(phrases.base), _pairs(stock, rng), None
    return rng.choice(phrases.statements), _sets(stock, rng), None


def _single(stock: Stock, first: Sequence[int] = ()) -> Iterator[Drawn]:
    """Give four options of one statement each, such that each can be the only right one.

    The statement `first` is asserted, others are asserted or denied.
    """
    rest = OPTIONS - len(first)
    sets = list(itertools.combinations(stock.others(first), rest))
    for others in stock.rng.sample(sets, len(sets)):
        chosen = (*first, *others)
        seen = stock.by_truths(chosen).keys()
        signs = [(*(True for _ in first), *each) for each in itertools.product((True, False), repeat=rest)]
        for sign in stock.rng.sample(signs, len(signs)):
            if ALONE[sign] <= seen:
                yield (
                    chosen,
                    tuple(
                        tuple(said if at == own else None for at, said in enumerate(sign))
                        for own in range(OPTIONS)
                    ),
                )


def _crossed(stock: Stock) -> Iterator[Drawn]:
    """Give two statements, of which the options assert or deny each."""
    for _ in range(ATTEMPTS):
        yield stock.sample(2), CROSSED


def _pairs(stock: Stock, rng: random.Random) -> Iterator[Drawn]:
    """Give four options of two statements out of three, each asserted or denied."""
    for _ in range(ATTEMPTS):
        pairs = [(0, 1), (0, 2), (1, 2), rng.choice([(0, 1), (0, 2), (1, 2)])]
        rows = [tuple(rng.random() < 0.5 if place in pair else None for place in range(3)) for pair in pairs]
        yield stock.sample(3), tuple(rows)


def _sets(stock: Stock, rng: random.Random) -> Iterator[Drawn]:
    """Give five statements, and four sets of them that are all that is true in some story."""
    for _ in range(ATTEMPTS):
        chosen = stock.sample(5)
        rows = list(stock.by_truths(chosen))
        if len(rows) >= OPTIONS:
            yield chosen, tuple(rng.sample(rows, OPTIONS))


def _which(truths: Sequence[bool | None]) -> str:
    true = [Noun(numeral) for numeral, holds in zip(NUMERALS, truths, strict=True) if holds]
    if len(true) in (0, len(truths)):
        return "All of them" if true else "None of them"
    return f"Only {joined(true).text}"
