"""Drawing a question: its words and the key's place first, then numbers until they fit.

Scene, parts, sentence forms, order, what is so, what is asked and at which place the key stands among the
four answers are drawn before any number. The key is proved by both routes, and its formula with it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from assay.causal import queries as q
from assay.causal.draft import OPTIONS, Answer, Draft, Kind, wrong
from assay.causal.draws import Undrawable, until
from assay.causal.numbers.formula import bound, parsed
from assay.causal.numbers.model import LEAST_SIZE, drawn_model
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.numbers.recipe import (
    Display,
    Place,
    Recipe,
    Rung,
    Task,
    names_of,
    told_terms,
)
from assay.causal.numbers.tell import Teller, Told, Untellable, answer_text, instruction, shown
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.scm import Scm
from assay.causal.search.beside import KeyPlace, beside, drawn_places
from assay.causal.search.rough import Rough
from assay.causal.stories.scene import Scene
from assay.causal.wording.figures import rounded, stands_for

MOST_UNITS = 20_000
EXACT_BELOW = 50_000
"""An exact fraction is asked for only where its denominator is smaller."""
OPEN_PLACES = 3
PLACES = 2
"""Choices are whole percents or points: decimals would tell one sort of figure from another."""
BOUNDS = {Display.PERCENT: (0.01, 0.99), Display.POINTS: (-0.99, 0.99), Display.NUMBER: (-math.inf, math.inf)}
"""Between which values all answers lie, so that none can be ruled out, or known, by being extreme."""
OPEN_SHARE = 0.5
PLACE_TRIES = 150
"""How often numbers are drawn for a key's place before an easier one is tried."""
SELDOM = 0.02
"""How readily a figure that is never a key is shown, against the shares of questions in which others are."""

States = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Case:
    """What is so and what is asked in one question."""

    recipe: Recipe
    task: Task
    state: str
    ask: str

    @property
    def names(self) -> States:
        """What the names of the state, and of levels in the question, stand for."""
        return names_of(self.recipe, self.task, self.state, self.ask)

    @property
    def key(self) -> str:
        """The name of the right figure."""
        return self.task.key[self.state][self.ask]

    def kind(self, name: str) -> Kind | None:
        """Return what is wrong with another figure; None where it is not shown."""
        return self.recipe.kind(self.task, name, self.state, self.ask)


def draw(recipe: Recipe, scene: Scene, level: int, rng: random.Random) -> Draft | OpenDraft:
    """Draw a question of a level; above level 2 it may be open.

    InvalidInput where the recipe has no such level; Undrawable where no numbers fit.
    """
    task = rng.choice(recipe.at(level))
    case = _Case(recipe, task, rng.choice(sorted(task.states)), rng.choice(task.asks))
    opened = rng.choice(("decimal", "exact")) if task.open and rng.random() < OPEN_SHARE else ""
    places = () if opened else drawn_places(rng, signed=recipe.asks[case.ask].display is not Display.PERCENT)
    words = random.Random(rng.getrandbits(64))
    teller = Teller(recipe, scene, case.names, words)
    ask = recipe.asks[case.ask]
    asks_for = instruction(recipe, ask, words, opened, OPEN_PLACES)
    formulas = _formulas(recipe.figures[name].formula for name in task.figures)
    fitting = partial(_fitting, case, formulas, _weights(case), level, opened, rng)
    found = _first_fitting(fitting, places) if places else until(fitting)
    world, parameters, told, chosen = found
    stem = teller.stem(task, told, ask, asks_for)
    target = bound(parsed(ask.target), case.names, parameters)
    terms = {
        name: bound(formulas[number], case.names, parameters) for number, name in enumerate(task.figures)
    }
    template = f"{recipe.concept}/numbers/{recipe.tasks.index(task)}"
    state = f"{case.state}/{case.ask}"
    derivation = (*((f"formula: {name}", terms[name]) for name in (case.key, *chosen)),)
    if opened:
        return _open(
            case,
            world,
            stem,
            target,
            terms[case.key],
            opened,
            (template, scene.name, state),
            teller,
            derivation,
        )
    answers = _answers(case, world, target, terms, chosen, teller)
    return Draft(world, stem, answers, template, scene.name, state, derivation)


def rung(recipe: Recipe, drawn: Draft | OpenDraft) -> Rung:
    """Return the rung of a question of a recipe."""
    return recipe.asks[drawn.state.split("/")[1]].rung or recipe.rung


def wrong_keys(recipe: Recipe, rng: random.Random) -> Iterator[tuple[Place, str]]:
    """Yield each task, state and ask whose key's formula does not give what is asked for in a drawn model."""
    for number, task in enumerate(recipe.tasks):
        for state, ask in itertools.product(sorted(task.states), task.asks):
            case = _Case(recipe, task, state, ask)
            world, parameters = until(lambda case=case: drawn_model(recipe, case.task, case.names, rng))  # type: ignore[misc]
            key = bound(parsed(recipe.figures[case.key].formula), case.names, parameters)
            target = bound(parsed(recipe.asks[ask].target), case.names, parameters)
            route = Derived(world)
            if route.number(key) != route.number(target):
                text = f"{case.key!r} is not what {ask!r} asks for in the state {state!r}: correct a formula"
                yield ("tasks", number, "key"), text


def _formulas(texts: Iterator[str]) -> tuple[q.Term, ...]:
    return tuple(map(parsed, texts))


Fitting = tuple[Scm, Mapping[str, q.Term | Fraction], tuple[Told, ...], tuple[str, ...]]


def _weights(case: _Case) -> Mapping[str, float]:
    """Return how readily each figure is shown as a wrong answer, without those that are not shown."""
    shares = case.recipe.key_shares()
    return {name: float(shares[name]) + SELDOM for name in sorted(case.task.figures) if case.kind(name)}


def _first_fitting(fitting: Callable[[KeyPlace], Fitting | None], places: Sequence[KeyPlace]) -> Fitting:
    """Draw numbers for the first place for which some are found. Undrawable without."""
    for place in places[:-1]:
        with suppress(Undrawable):
            return until(partial(fitting, place), PLACE_TRIES)
    return until(partial(fitting, places[-1]))


def _fitting(
    case: _Case,
    formulas: Sequence[q.Term],
    weights: Mapping[str, float],
    level: int,
    opened: str,
    rng: random.Random,
    place: KeyPlace | None = None,
) -> Fitting | None:
    """Draw numbers, and three wrong figures beside which the key is at its place; None if they do not fit."""
    task = case.task
    if (made := drawn_model(case.recipe, task, case.names, rng, coarse=opened == "exact")) is None:
        return None
    world, parameters = made
    rough = Rough(world)
    values = {
        name: rough.number(bound(formula, case.names, parameters))
        for name, formula in zip(task.figures, formulas, strict=True)
    }
    key = values.pop(case.key)
    bounds = BOUNDS[case.recipe.asks[case.ask].display]
    if not bounds[0] < key < bounds[1]:
        return None
    values = {name: number for name, number in values.items() if bounds[0] < number < bounds[1]}
    chosen: tuple[str, ...] = ()
    if place is not None:
        others = [name for name in weights if name in values]
        shown_as, readily = [values[name] for name in others], [weights[name] for name in others]
        three = beside(key, shown_as, readily, place, least=float(task.apart), rng=rng)
        if three is None:
            return None
        chosen = tuple(others[at] for at in three)
    elif not _tempting(case, key, values):
        return None
    if (told := _told(case, world, parameters, level)) is None:
        return None
    exact = formulas[task.figures.index(case.key)]
    if (
        opened == "exact"
        and Derived(world).number(bound(exact, case.names, parameters)).denominator >= EXACT_BELOW
    ):
        return None
    return world, parameters, told, chosen


def _tempting(case: _Case, key: float, values: Mapping[str, float]) -> bool:
    """Return whether the reflex, and at least three wrong figures, differ from an open question's key."""
    kinds = {name: case.kind(name) for name in values}
    away = {
        name for name, number in values.items() if kinds[name] and abs(key - number) >= float(case.task.apart)
    }
    return len(away) >= OPTIONS - 1 and all(name in away for name in values if kinds[name] is Kind.REFLEX)


def _told(
    case: _Case, world: Scm, parameters: Mapping[str, q.Term | Fraction], level: int
) -> tuple[Told, ...] | None:
    """Return the numbers to tell; None where one cannot be written exactly, or takes too many units."""
    route = Derived(world)
    made = []
    for given in case.task.given:
        if level not in given.levels:
            continue
        if given.number:
            number = route.number(bound(parsed(given.number), case.names, parameters))
            made.append(Told(given, (), ((number,),)))
            continue
        terms = told_terms(case.task, given, case.names)
        numbers = _counted(route, terms) if given.counts else tuple((route.number(term),) for term in terms)
        if numbers is None:
            return None
        made.append(Told(given, terms, numbers))
    return tuple(made) if all(map(_tellable, made)) else None


def _counted(route: Derived, terms: Sequence[q.Probability]) -> tuple[tuple[Fraction, ...], ...] | None:
    """Return how many units there are of each sort, and how many of them have the event, in whole numbers."""
    sizes = [route.number(q.Probability(term.given)) for term in terms]
    hits = [size * route.number(term) for size, term in zip(sizes, terms, strict=True)]
    step = math.lcm(*(number.denominator for number in (*sizes, *hits)))
    everyone = step * -(-LEAST_SIZE // step)
    if everyone > MOST_UNITS:
        return None
    return tuple((size * everyone, hit * everyone) for size, hit in zip(sizes, hits, strict=True))


def _tellable(told: Told) -> bool:
    if told.given.counts:
        return True
    try:
        for (number,) in told.numbers:
            shown(number, told.given.display)
    except Untellable:
        return False
    return True


def _answers(
    case: _Case,
    world: Scm,
    target: q.Term,
    terms: Mapping[str, q.Term],
    chosen: Sequence[str],
    teller: Teller,
) -> tuple[Answer, ...]:
    display, places = case.recipe.asks[case.ask].display, PLACES
    route = Derived(world)

    def why(name: str) -> str:
        return teller.text(case.recipe.figures[name].why)

    key = route.number(terms[case.key])
    text = answer_text(key, display, places)
    claim = stands_for(target, key, places)
    found = [Answer(text, (claim,), f"This is {why(case.key)}.", of=Claim(terms[case.key], key))]
    for name in chosen:
        value = route.number(terms[name])
        kind = case.kind(name)
        assert kind is not None
        reason = f"This is {why(name)}; asked for is {why(case.key)}, {text}."
        shown_text = answer_text(value, display, places)
        of = stands_for(terms[name], value, places)
        found.append(wrong(kind, shown_text, stands_for(target, value, places), why=reason, of=of))
    return tuple(found)


def _open(
    case: _Case,
    world: Scm,
    stem: str,
    target: q.Term,
    formula: q.Term,
    opened: str,
    labels: tuple[str, str, str],
    teller: Teller,
    derivation: tuple[tuple[str, q.Term], ...],
) -> OpenDraft:
    key = Derived(world).number(formula)
    claims = (Claim(target, key), Claim(formula, key))
    exact = opened == "exact"
    expect = str(key) if exact else str(float(rounded(key, OPEN_PLACES)))
    tolerance = Fraction(0) if exact else Fraction(1, 2 * 10**OPEN_PLACES)
    why = f"This is {teller.text(case.recipe.figures[case.key].why)}."
    return OpenDraft(world, stem, key, expect, tolerance, claims, why, *labels, derivation)
