"""Drawing a question: what is told first, then what is asked.

Scene, state and four things that may be asked are drawn first, then numbers for which their answers differ.
The answers are the options, and which of them is asked for is drawn last. So neither the facts nor the
numbers, told or shown as options, have anything to do with which option is right: only the question has. The
key is proved by both routes, and its formula with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np

from assay.causal.draft import Answer, Draft, Kind, wrong
from assay.causal.draws import Undrawable, until
from assay.causal.numbers.figures import rounded, stands_for
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.numbers.options import BOUNDS, PLACES, drawn_options
from assay.causal.numbers.recipe import Place, Recipe, Rung
from assay.causal.numbers.tell import Teller, answer_text, instruction
from assay.causal.numbers.world import TaskState, World, Worlds
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.stories.scene import Scene
from assay.core.case import RUNGS

EXACT_BELOW = 50_000
"""An exact fraction is asked for only where its denominator is smaller."""
FEW, MODELS, BATCHES = 30, 300, 20
"""How many models are drawn at a time, to try a formula and for an open question, and how often for it."""
OPEN_PLACES = 3
OPEN_FROM = 3
"""The level from which questions are open by chance."""
OPEN_SHARE = 0.5


def draw(
    recipe: Recipe, scene: Scene, level: int, rng: random.Random, rungs: Sequence[str] = RUNGS
) -> Draft | OpenDraft:
    """Draw a question of a level on one of the rungs.

    It is open from level 3 on by chance, and where no four things to ask make fair options. InvalidInput
    where the recipe has no such level; Undrawable where nothing can be asked on the rungs, or no numbers fit.
    """
    opened: tuple[TaskState, tuple[str, ...]] | None = None
    for case in _cases(recipe, level, rng):
        if not (asked := recipe.asked(case.task, case.state, rungs)):
            continue
        opened = opened or (case, asked)
        if level >= OPEN_FROM and rng.random() < OPEN_SHARE:
            opened = case, asked
            break
        groups = list(recipe.choices(asked))
        while groups:
            group = groups.pop(rng.choices(range(len(groups)), [len(each) for each in groups])[0])
            with suppress(Undrawable):
                world, four = drawn_options(case, group, level, rng)
                return _choice(world, four, scene, rng)
    if opened is None:
        raise Undrawable(
            f"{recipe.concept!r} asks for nothing on the rungs {', '.join(rungs)}: ask for others"
        )
    case, asked = opened
    return _open(case, rng.choice(asked), scene, level, rng)


def _cases(recipe: Recipe, level: int, rng: random.Random) -> Iterator[TaskState]:
    """Yield the tasks of a level in random order, each in its states in random order."""
    tasks = recipe.at(level)
    for task in rng.sample(tasks, len(tasks)):
        states = sorted(task.states)
        for state in rng.sample(states, len(states)):
            yield TaskState(recipe, task, state)


def rung(recipe: Recipe, drawn: Draft | OpenDraft) -> Rung:
    """Return the rung of a question of a recipe."""
    return recipe.rung_of(drawn.state.split("/")[1])


def wrong_keys(recipe: Recipe, rng: random.Random) -> Iterator[tuple[Place, str]]:
    """Yield each task, state and ask whose key's formula does not give what is asked for in a drawn model."""
    for number, task in enumerate(recipe.tasks):
        for state in sorted(task.states):
            case = TaskState(recipe, task, state)
            for ask in task.key[state]:
                world = until(partial(_holding_world, case, ask, rng))
                route = Derived(world.scm)
                if route.number(world.answer(ask)) != route.number(world.target(ask)):
                    text = (
                        f"{case.figure(ask)!r} is not what {ask!r} asks for in the state {state!r}: "
                        "correct a formula"
                    )
                    yield ("tasks", number, "key"), text


def _holding_world(case: TaskState, ask: str, rng: random.Random) -> World | None:
    """Draw a model in which what must hold does; None where none of some does."""
    worlds = Worlds(case, rng, FEW)
    at = np.flatnonzero(worlds.holding(ask))
    return worlds.world(int(at[0])) if at.size else None


def _world_of_key(case: TaskState, ask: str, level: int, rng: random.Random, *, exact: bool) -> World | None:
    """Draw numbers for an open question whose answer no reflex gives; None where none fit, or can be told."""
    worlds = Worlds(case, rng, MODELS, coarse=exact)
    key = worlds.values(ask, case.formula(ask))
    low, high = BOUNDS[case.ask(ask).display]
    fitting = worlds.holding(ask) & (low < key) & (key < high)
    for name in case.task.reflexes:
        figure = case.recipe.figures[name]
        if name != case.figure(ask) and figure.kind(case.state, ask) is Kind.REFLEX:
            fitting &= abs(key - worlds.values(ask, case.formula(ask, name))) > float(case.task.apart)
    for at in np.flatnonzero(fitting).tolist():
        world = worlds.world(at)
        if exact and Derived(world.scm).number(world.answer(ask)).denominator >= EXACT_BELOW:
            continue
        if (told := world.telling(level)) is not None:
            return told
    return None


def _choice(world: World, four: Sequence[str], scene: Scene, rng: random.Random) -> Draft:
    """Draw which of four things is asked for, and tell the question."""
    case, ask = world.case, rng.choice(four)
    teller = Teller(case.recipe, scene, case.names(), rng)
    stem = teller.stem(case.task, world.told, _question(world, ask, teller))
    listed = (ask, *(each for each in four if each != ask))
    derivation = tuple((f"formula: {case.figure(each)}", world.answer(each)) for each in listed)
    return Draft(world.scm, stem, _answers(world, listed, teller), *_labels(case, ask, scene), derivation)


def _question(world: World, ask: str, teller: Teller, opened: str = "") -> str:
    asked = world.case.ask(ask)
    asks_for = instruction(world.case.recipe, asked, teller.rng, opened, OPEN_PLACES)
    return teller.asking(world.case.names(ask)).question(asked, asks_for)


def _labels(case: TaskState, ask: str, scene: Scene) -> tuple[str, str, str]:
    """Return the names of a question's template, scene and state."""
    number = case.recipe.tasks.index(case.task)
    return f"{case.recipe.concept}/numbers/{number}", scene.name, f"{case.state}/{ask}"


def _answers(world: World, listed: Sequence[str], teller: Teller) -> tuple[Answer, ...]:
    """Return the answers to four questions as options of the first."""
    case, route = world.case, Derived(world.scm)
    asked, target = listed[0], world.target(listed[0])
    display = case.ask(asked).display

    def why(ask: str) -> str:
        return teller.asking(case.names(ask)).text(case.why(ask))

    found = []
    for ask in listed:
        term = world.answer(ask)
        value = route.number(term)
        text = answer_text(value, display, PLACES)
        claim = stands_for(target, value, PLACES)
        if ask == asked:
            asked_for = f"{why(ask)}, {text}"
            found.append(Answer(text, (claim,), f"This is {why(ask)}.", of=Claim(term, value)))
        else:
            kind = case.recipe.figures[case.figure(ask)].kind(case.state, asked) or Kind.MISAPPLIED
            reason = f"This is {why(ask)}; asked for is {asked_for}."
            found.append(wrong(kind, text, claim, why=reason, of=stands_for(term, value, PLACES)))
    return tuple(found)


def _open(case: TaskState, ask: str, scene: Scene, level: int, rng: random.Random) -> OpenDraft:
    """Draw an open question: its answer is an exact fraction where numbers for one are found."""
    opened = rng.choice(("decimal", "exact"))
    fitting = partial(_world_of_key, case, ask, level, rng)
    if (world := fitting(exact=opened == "exact")) is None:
        opened, world = "decimal", until(partial(fitting, exact=False), BATCHES)
    teller = Teller(case.recipe, scene, case.names(), rng)
    stem = teller.stem(case.task, world.told, _question(world, ask, teller, opened))
    formula = world.answer(ask)
    key = Derived(world.scm).number(formula)
    claims = (Claim(world.target(ask), key), Claim(formula, key))
    exact = opened == "exact"
    expect = str(key) if exact else str(float(rounded(key, OPEN_PLACES)))
    tolerance = Fraction(0) if exact else Fraction(1, 2 * 10**OPEN_PLACES)
    why = f"This is {teller.asking(case.names(ask)).text(case.why(ask))}."
    derivation = ((f"formula: {case.figure(ask)}", formula),)
    labels = _labels(case, ask, scene)
    return OpenDraft(world.scm, stem, key, expect, tolerance, claims, why, *labels, derivation)
