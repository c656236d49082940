"""Transfer: routes through a mediator, and what stands in the way of telling them apart, in bare graphs."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, Compare, Fact, PathCount, Paths, Term, ValidAdjustment, term
from assay.causal.scm import Dag
from assay.causal.search.joint import mediated, serves, ways
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

POOL = "ABCDEFGHJKLMNPQRSTUVWZ"
FORMAL = "formal"


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of four questions about a graph; stories play no part."""
    number = rng.randrange(4)
    return (_routes, _sets, _witness, _findings)[number](rng, f"mediation/transfer/{number}")


def _letters(rng: random.Random, count: int) -> tuple[str, str, str, tuple[str, ...]]:
    """Draw a treatment, a mediator, an outcome and so many other letters."""
    x, m, y, *rest = rng.sample(POOL, count + 3)
    return x, m, y, tuple(sorted(rest))


def through(x: str, m: str, y: str) -> Term:
    """Return the number of directed paths through the mediator: those up to it times those from it."""
    return PathCount(x, m, Paths.CAUSAL) * PathCount(m, y, Paths.CAUSAL)


def beside(x: str, m: str, y: str) -> Term:
    """Return the number of directed paths that avoid the mediator."""
    return PathCount(x, y, Paths.CAUSAL) - through(x, m, y)


def _routes(rng: random.Random, template: str) -> Draft:
    """How many directed paths go through the mediator, or past it."""
    x, m, y, rest = _letters(rng, 4)
    past = rng.random() < 0.5
    start, target = rng.randint(0, 2) + (not past), rng.randrange(4)
    asked = beside(x, m, y) if past else through(x, m, y)

    def make() -> Dag | None:
        drawn = mediated(rng, (x, m, y), rest, 0.6)
        if drawn is None:
            return None
        count = ways(drawn, x, y, m) if past else ways(drawn, x, m) * ways(drawn, m, y)
        return drawn if count == start + target else None

    drawn = until(make)
    route = Derived(drawn)
    whole, open_ = (
        route.number(PathCount(x, y, Paths.CAUSAL)),
        route.number(PathCount(x, y, Paths.OPEN, (m,))),
    )
    other = whole - (start + target)

    def answer(count: int) -> Answer:
        claim = Claim(asked, Fraction(count))
        if count == start + target:
            return right(str(count), claim, why=f"Of {whole} directed paths, {count} are of that sort.")
        if count == other:
            return wrong(
                Kind.REVERSED, str(count), claim, why=("These are the directed paths of the other sort.")
            )
        if count == whole:
            return wrong(Kind.REFLEX, str(count), claim, why="These are all directed paths.")
        if count == open_:
            why = f"This many paths transmit association given {m}, whether directed or not."
            return wrong(Kind.MISAPPLIED, str(count), claim, why=why)
        return wrong(Kind.PARTIAL, str(count), claim, why=f"Miscounted: there are {start + target}.")

    carries = (
        f"leave {m} out, and so carry a direct effect"
        if past
        else (f"contain {m}, and so carry an indirect effect")
    )
    stem = (
        f"Suppose the arrows are {arrows(drawn, rng)}. Consider the effect of {x} on {y} and, as mediator, "
        f"{m}. How many of the directed paths from {x} to {y} {carries}?"
    )
    answers = tuple(answer(start + step) for step in range(4))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target} past={past}", (("paths", asked),))


def _sets(rng: random.Random, template: str) -> Draft:
    """Which pair serves for the joint effect of treatment and mediator."""
    x, m, y, rest = _letters(rng, 4)
    options = rng.sample(list(itertools.combinations(rest, 2)), 4)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = mediated(rng, (x, m, y), rest, 0.45)
        if drawn is None or not serves(drawn, x, m, y, options[target]):
            return None
        return (
            None
            if any(serves(drawn, x, m, y, over) for over in options if over != options[target])
            else drawn
        )

    drawn = until(make)
    route = Derived(drawn)

    def answer(place: int, over: tuple[str, ...]) -> Answer:
        claim = Claim(ValidAdjustment((x, m), y, over), True)
        if place == target:
            why = (
                "Given it, all back-door paths of the two are shut, and nothing that they bring about is "
                "fixed."
            )
            return right(braces(over), claim, why=why)
        total, below = (
            route.holds(ValidAdjustment((x,), y, over)),
            any(ways(drawn, x, name) for name in over),
        )
        if total:
            return wrong(
                Kind.REFLEX,
                braces(over),
                claim,
                why=(f"It serves for the total effect of {x}, not for the joint one."),
            )
        if below:
            return wrong(
                Kind.MISAPPLIED,
                braces(over),
                claim,
                why=(f"It holds a consequence of {x} and fails for the joint effect."),
            )
        return wrong(
            Kind.PARTIAL, braces(over), claim, why=(f"It leaves a back-door path of {x} or of {m} open.")
        )

    stem = (
        f"Wanted is the joint effect on {y} of setting both {x} and {m}, whence all controlled direct "
        f"effects of {x} follow. One regression of {y} on {x}, {m} and two further variables must do. Given "
        f"that {arrows(drawn, rng)} are all the arrows there are, which two?"
    )
    answers = tuple(answer(place, over) for place, over in enumerate(options))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _witness(rng: random.Random, template: str) -> Draft:
    """Which variable is moved by the treatment and reaches the outcome through the mediator and past it."""
    x, m, y, rest = _letters(rng, 4)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = mediated(rng, (x, m, y), rest, 0.55)
        if drawn is None:
            return None
        found = [
            name for name in rest if ways(drawn, x, name) and ways(drawn, name, m) and ways(drawn, name, y, m)
        ]
        return drawn if found == [rest[target]] else None

    drawn = until(make)
    route = Derived(drawn)

    def answer(place: int, name: str) -> Answer:
        facts = _recants(x, m, y, name)
        claims = [Claim(fact, True) for fact in facts]
        if place == target:
            why = f"{name} comes from {x}, leads to {m}, and has a directed path to {y} without {m}."
            return right(name, *claims, why=why)
        missing = [not route.holds(fact) for fact in facts]
        why = "; ".join(
            text
            for lacks, text in zip(
                missing,
                (
                    f"{name} does not come from {x}",
                    f"{name} does not lead to {m}",
                    (f"past {m} it has no way to {y}"),
                ),
                strict=True,
            )
            if lacks
        )
        kind = (
            Kind.REVERSED
            if sum(missing) > 1
            else (Kind.REFLEX, Kind.PARTIAL, Kind.MISAPPLIED)[missing.index(True)]
        )
        return wrong(kind, name, *claims, why=f"{why}.")

    stem = (
        f"In a model whose arrows read {arrows(drawn, rng)}, every variable is measured, and still the "
        f"natural direct and indirect effects of {x} on {y} through {m} cannot be separated. The reason is "
        f"a single variable: moved by {x}, it acts on {y} through {m} and in other ways as well. Which one?"
    )
    answers = tuple(answer(place, name) for place, name in enumerate(rest))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _recants(x: str, m: str, y: str, name: str) -> tuple[Fact, ...]:
    return Causes(x, name), Causes(name, m), Compare(beside(name, m, y), ">", term(0))


def _findings(rng: random.Random, template: str) -> Draft:
    """Does a set serve for the total effect, and does it serve for the joint effect?"""
    x, m, y, rest = _letters(rng, 4)
    over, state = tuple(sorted(rng.sample(rest, 2))), rng.choice(PAIRS)
    total, joint = ValidAdjustment((x,), y, over), ValidAdjustment((x, m), y, over)

    def make() -> Dag | None:
        drawn = mediated(rng, (x, m, y), rest, 0.5)
        if drawn is None or Sketch(drawn).valid(x, y, over) != state[0]:
            return None
        return drawn if serves(drawn, x, m, y, over) == state[1] else None

    drawn = until(make)
    stem = (
        f"Graph: {arrows(drawn, rng)}. Treatment {x}, mediator {m}, outcome {y}. A script fits two models, "
        f"one of {y} on {x} and the covariates {braces(over)}, the other with {m} besides, all interactions "
        f"included in both. The first is to give the total effect of {x}, the second the joint effect of {x} "
        f"and {m} when both are set, each after averaging over the covariates' distribution. Judge the two."
    )

    def say(option: Pair) -> str:
        first, second = ("right" if held else "wrong" for held in option)
        return f"Total effect {first}; joint effect {second}."

    def claims(option: Pair) -> tuple[Claim, ...]:
        return Claim(total, option[0]), Claim(joint, option[1])

    why = (
        f"{braces(over)} is {'' if state[0] else 'not '}valid for {x} alone, and "
        f"{'' if state[1] else 'not '}for {x} and {m} together."
    )
    topics = ("the total effect", "the joint effect")
    answers = crossed(state, say, claims, topics=topics, why=why, kinds=reflexes(True, None))
    return Draft(drawn, stem, answers, template, FORMAL, f"total={state[0]} joint={state[1]}")
