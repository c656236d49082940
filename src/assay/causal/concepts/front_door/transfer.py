"""Transfer: which variables make a front door, and what stands in one, in graphs without a story."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, PathCount, Paths, ValidAdjustment, ValidFrontDoor, term
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

POOL = "ABCDEFGHJKLMNPQRSTUVWZ"
FORMAL = "formal"


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of four questions about a graph; stories play no part."""
    number = rng.randrange(4)
    return (_single, _pairs, _findings, _count)[number](rng, f"front-door/transfer/{number}")


def _letters(rng: random.Random) -> tuple[str, str, str, tuple[str, ...]]:
    """Draw a hidden cause, a treatment, an outcome and four other letters."""
    u, x, y, *rest = rng.sample(POOL, 7)
    return u, x, y, tuple(sorted(rest))


def _drawn(rng: random.Random, u: str, x: str, y: str, rest: tuple[str, ...], density: float) -> Dag | None:
    """Draw a graph where treatment and outcome share the hidden cause, which may touch another variable."""
    drawn = graph(rng, (x, y, *rest), density)
    touched = {x, y, rng.choice(rest)} if rng.random() < 0.4 else {x, y}
    parents = {name: (u, *above) if name in touched else above for name, above in drawn.parents.items()}
    found = Dag({u: ()} | parents, frozenset({u}))
    sketch = Sketch(found)
    return found if not sketch.lonely and sketch.causes(x, y) and x not in found.parents[y] else None


def faults(drawn: Dag, x: str, y: str, ms: tuple[str, ...]) -> tuple[bool, bool, bool]:
    """Return which front-door conditions fail, by a fast search (Pearl 2009, definition 3.3.3).

    In order: a directed path avoids the set; a back-door path from the treatment to the set is open; one from
    the set to the outcome is open given the treatment.
    """
    without = Dag({name: tuple(set(above) - set(ms)) for name, above in drawn.parents.items()})
    sketch, cut = Sketch(drawn), Sketch(without)
    return (
        cut.causes(x, y),
        any(not sketch.separated(x, m, (), backdoor=True) for m in ms),
        any(not cut.separated(m, y, (x,)) for m in ms),
    )


def _single(rng: random.Random, template: str) -> Draft:
    """Which single variable opens a front door."""
    u, x, y, rest = _letters(rng)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = _drawn(rng, u, x, y, rest, 0.42)
        if drawn is None or any(faults(drawn, x, y, (rest[target],))):
            return None
        return drawn if all(any(faults(drawn, x, y, (m,))) for m in rest if m != rest[target]) else None

    drawn = until(make)
    stem = (
        f"{u} is unmeasured, everything else in this graph is measured: {arrows(drawn, rng)}.\n\nFor the "
        f"effect of {x} on {y}, one variable satisfies the front-door criterion on its own. Name it."
    )
    answers = tuple(_door(drawn, x, y, (m,), m, place == target) for place, m in enumerate(rest))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _pairs(rng: random.Random, template: str) -> Draft:
    """Which pair opens a front door."""
    u, x, y, rest = _letters(rng)
    options = rng.sample(list(itertools.combinations(rest, 2)), 4)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = _drawn(rng, u, x, y, rest, 0.42)
        if drawn is None or any(faults(drawn, x, y, options[target])):
            return None
        return drawn if all(any(faults(drawn, x, y, ms)) for ms in options if ms != options[target]) else None

    drawn = until(make)
    stem = (
        f"The effect of {x} on {y} is to be found by the front-door formula, since {u} cannot be observed. "
        f"Among the arrows {arrows(drawn, rng)}, which of the pairs may stand in the middle, both of its "
        "members being used together?"
    )
    answers = tuple(_door(drawn, x, y, ms, braces(ms), place == target) for place, ms in enumerate(options))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _door(drawn: Dag, x: str, y: str, ms: tuple[str, ...], text: str, key: bool) -> Answer:
    claim = Claim(ValidFrontDoor(x, y, ms), True)
    if key:
        return right(text, claim, why="All three conditions of the criterion hold for it.")
    past, before, after = faults(drawn, x, y, ms)
    told = [
        sentence
        for fails, sentence in (
            (past, f"a directed path from {x} to {y} goes past it"),
            (before, f"{x} and it share a cause"),
            (after, f"a back-door path from it to {y} is open given {x}"),
        )
        if fails
    ]
    if len(told) > 1:
        kind = Kind.REVERSED
    else:
        kind = Kind.PARTIAL if past else Kind.MISAPPLIED if before else Kind.REFLEX
    return wrong(kind, text, claim, why=f"{'; '.join(told)}.")


def _findings(rng: random.Random, template: str) -> Draft:
    """Does a variable intercept all, and is its own effect freed of confounding by the treatment?"""
    u, x, y, rest = _letters(rng)
    m, state = rng.choice(rest), rng.choice(PAIRS)
    past = PathCount(x, y, Paths.CAUSAL) - PathCount(x, m, Paths.CAUSAL) * PathCount(m, y, Paths.CAUSAL)
    whole, freed = Compare(past, "=", term(0)), ValidAdjustment((m,), y, (x,))

    def make() -> Dag | None:
        drawn = _drawn(rng, u, x, y, rest, 0.5)
        if drawn is None or not (Sketch(drawn).causes(x, m) and Sketch(drawn).causes(m, y)):
            return None
        if faults(drawn, x, y, (m,))[0] == state[0]:
            return None
        return drawn if Sketch(drawn).valid(m, y, (x,)) == state[1] else None

    drawn = until(make)
    stem = (
        f"Someone means to use {m} as the front-door variable for the effect of {x} on {y}. Nobody has data "
        f"on {u}. Drawn out, the assumptions are: {arrows(drawn, rng)}. Check two points. Does {m} "
        f"intercept every directed path from {x} to {y}? Does adjusting for {x} free the effect of {m} on "
        f"{y} from confounding?"
    )

    def say(option: Pair) -> str:
        first, second = ("yes" if held else "no" for held in option)
        return f"Intercepting: {first}. Freeing: {second}."

    def claims(option: Pair) -> tuple[Claim, ...]:
        return Claim(whole, option[0]), Claim(freed, option[1])

    count = Derived(drawn).number(past)
    why = (
        f"{count} directed paths go past {m}; adjusting for {x} {'gives' if state[1] else 'does not give'} "
        f"the effect of {m} on {y}."
    )
    topics = ("the paths past it", "the confounding of its effect")
    answers = crossed(state, say, claims, topics=topics, why=why, kinds=reflexes(None, True))
    told = f"whole={state[0]} freed={state[1]}"
    return Draft(drawn, stem, answers, template, FORMAL, told, (("directed paths past it", past),))


def _count(rng: random.Random, template: str) -> Draft:
    """How many back-door paths from the mediator stay open once the treatment is held fixed."""
    u, x, y, rest = _letters(rng)
    m, start, target = rng.choice(rest), rng.randint(0, 1), rng.randrange(4)
    asked = PathCount(m, y, Paths.OPEN_BACKDOOR, (x,))

    def make() -> Dag | None:
        drawn = _drawn(rng, u, x, y, rest, 0.55)
        if drawn is None:
            return None
        sketch = Sketch(drawn)
        if not (sketch.causes(x, m) and sketch.causes(m, y)):
            return None
        count = sum(sketch.open(path, (x,)) for path in sketch.paths(m, y, backdoor=True))
        return drawn if count == start + target else None

    drawn = until(make)
    route = Derived(drawn)
    whole, bare = (
        route.number(PathCount(m, y, Paths.BACKDOOR)),
        route.number(PathCount(m, y, Paths.OPEN_BACKDOOR)),
    )

    def answer(count: int) -> Answer:
        claim = Claim(asked, Fraction(count))
        if count == start + target:
            return right(str(count), claim, why=f"Of {whole} back-door paths, {count} are open given {x}.")
        if count == bare:
            return wrong(
                Kind.REVERSED, str(count), claim, why=("This many are open when nothing is held fixed.")
            )
        if count == whole:
            return wrong(
                Kind.REFLEX, str(count), claim, why=("These are all back-door paths, open or blocked.")
            )
        kind = Kind.MISAPPLIED if count < start + target else Kind.PARTIAL
        return wrong(kind, str(count), claim, why=f"Miscounted: {start + target} are open given {x}.")

    stem = (
        f"The second half of a front-door argument relates {m} to {y} while {x} is held fixed. Consider the "
        f"graph {arrows(drawn, rng)}, where {u} is latent. Of the paths between {m} and {y} that begin with "
        f"an arrow into {m}, how many are open when {x} and no other variable is conditioned on?"
    )
    answers = tuple(answer(start + step) for step in range(4))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}", (("open paths", asked),))
