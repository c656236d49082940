"""Transfer: two treatments in a row and what may be adjusted for, in graphs without a story."""

from __future__ import annotations

import dataclasses
import itertools
import random
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.joint import mediated, serves
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

POOL = "ABCDEFGHJKLMNPQRSTUVWZ"
FORMAL = "formal"
NAME = "time-varying-confounding/transfer"


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of four questions about a graph; stories play no part."""
    number = rng.randrange(4)
    return (_findings, _joint, _late, _count)[number](rng, f"{NAME}/{number}")


def _letters(rng: random.Random) -> tuple[str, str, str, tuple[str, ...]]:
    """Draw two treatments, the first coming first, an outcome and four other letters."""
    first, second, y, *rest = rng.sample(POOL, 7)
    return first, second, y, tuple(sorted(rest))


def _findings(rng: random.Random, template: str) -> Draft:
    """May a reading between two treatments be adjusted for, and may it be left out?"""
    first, second, y, rest = _letters(rng)
    state = rng.choice(PAIRS)
    reading, latent = rng.sample(rest, 2)
    other = tuple(name for name in rest if name not in (reading, latent))[:1]
    held, bare = ValidAdjustment((first, second), y, (reading,)), ValidAdjustment((first, second), y, ())

    def make() -> Dag | None:
        drawn = mediated(rng, (first, second, y), (reading, latent, *other), 0.5)
        if drawn is None or drawn.parents[latent] or not Sketch(drawn).causes(latent, y):
            return None
        if drawn.names.index(second) < drawn.names.index(reading) or not drawn.parents[reading]:
            return None
        found = serves(drawn, first, second, y, (reading,)), serves(drawn, first, second, y, ())
        return dataclasses.replace(drawn, hidden=frozenset({latent})) if found == state else None

    drawn = until(make)
    stem = (
        f"{first} and {second} are treatments at successive times, {y} is the outcome, {reading} is read "
        f"before {second}, and {latent} is latent; the arrows are {arrows(drawn, rng)}. For the joint "
        f"effect of both treatments, is standardising over {reading} correct, and is ignoring it correct? "
        "(Correct means: for all mechanisms that fit the graph.)"
    )

    def say(option: Pair) -> str:
        one, other = ("correct" if right else "incorrect" for right in option)
        return f"Standardising {one}, ignoring {other}."

    def claims(option: Pair) -> tuple[Claim, ...]:
        return Claim(held, option[0]), Claim(bare, option[1])

    why = (
        f"{braces((reading,))} is {'' if state[0] else 'not '}valid for the two treatments together, and "
        f"the empty set is {'' if state[1] else 'not '}valid."
    )
    topics = ("standardising", "ignoring")
    answers = crossed(state, say, claims, topics=topics, why=why, kinds=reflexes(True, None))
    return Draft(drawn, stem, answers, template, FORMAL, f"held={state[0]} bare={state[1]}")


def _joint(rng: random.Random, template: str) -> Draft:
    """Which pair serves for both treatments at once."""
    first, second, y, rest = _letters(rng)
    options = rng.sample(list(itertools.combinations(rest, 2)), 4)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = mediated(rng, (first, second, y), rest, 0.45)
        if drawn is None or not serves(drawn, first, second, y, options[target]):
            return None
        rivals = [over for over in options if over != options[target]]
        return None if any(serves(drawn, first, second, y, over) for over in rivals) else drawn

    drawn = until(make)
    stem = (
        f"A regime sets {first} and, later, {second}; its effect on {y} is wanted, and all variables are "
        f"measured. Arrows: {arrows(drawn, rng)}. A single stratification by two more variables will do in "
        "one case out of these four, and in the others it will not. Which case?"
    )
    answers = tuple(
        _set(drawn, (first, second), y, over, (), place == target) for place, over in enumerate(options)
    )
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _late(rng: random.Random, template: str) -> Draft:
    """Which variable, next to the first treatment, frees the second one from confounding."""
    first, second, y, rest = _letters(rng)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = mediated(rng, (first, second, y), rest, 0.45)
        if drawn is None or not Sketch(drawn).valid(second, y, (first, rest[target])):
            return None
        rivals = [name for name in rest if name != rest[target]]
        return None if any(Sketch(drawn).valid(second, y, (first, name)) for name in rivals) else drawn

    drawn = until(make)
    stem = (
        f"In the last factor of a g-formula the effect of the later treatment {second} on {y} is read "
        f"within strata of the earlier one, {first}, and of exactly one covariate. With "
        f"{arrows(drawn, rng)}, one of the covariates below makes that reading causal. Pick it."
    )
    answers = tuple(
        _set(drawn, (second,), y, (name,), (first,), place == target) for place, name in enumerate(rest)
    )
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _set(
    drawn: Dag, treatments: tuple[str, ...], y: str, over: tuple[str, ...], beside: tuple[str, ...], key: bool
) -> Answer:
    claim = Claim(ValidAdjustment(treatments, y, (*beside, *over)), True)
    text = braces(over) if len(over) > 1 else over[0]
    if key:
        return right(
            text,
            claim,
            why=("Given it, no back-door path is open, and nothing on or below a causal path is fixed."),
        )
    sketch = Sketch(drawn)
    below = [name for name in over if any(sketch.causes(each, name) for each in treatments)]
    late = [name for name in over if sketch.causes(y, name)]
    if late:
        return wrong(
            Kind.REVERSED, text, claim, why=(f"It conditions on a consequence of the outcome, {late[0]}.")
        )
    if below:
        return wrong(
            Kind.MISAPPLIED,
            text,
            claim,
            why=(f"It conditions on {below[0]}, which a treatment affects, to no avail."),
        )
    kind = (
        Kind.REFLEX
        if any(name in drawn.parents[each] for name in over for each in treatments)
        else Kind.PARTIAL
    )
    return wrong(kind, text, claim, why="It leaves a back-door path open.")


def _count(rng: random.Random, template: str) -> Draft:
    """How many back-door paths of the second treatment stay open given the first and a covariate."""
    first, second, y, rest = _letters(rng)
    over, start, target = rng.choice(rest), rng.randint(0, 1), rng.randrange(4)
    given = (first, over)
    asked = PathCount(second, y, Paths.OPEN_BACKDOOR, given)

    def make() -> Dag | None:
        drawn = mediated(rng, (first, second, y), rest, 0.6)
        if drawn is None:
            return None
        sketch = Sketch(drawn)
        count = sum(sketch.open(path, given) for path in sketch.paths(second, y, backdoor=True))
        return drawn if count == start + target else None

    drawn = until(make)
    route = Derived(drawn)
    whole = route.number(PathCount(second, y, Paths.BACKDOOR))
    bare = route.number(PathCount(second, y, Paths.OPEN_BACKDOOR))

    def answer(count: int) -> Answer:
        claim = Claim(asked, Fraction(count))
        if count == start + target:
            return right(
                str(count), claim, why=(f"Of {whole} back-door paths, {count} are open given these two.")
            )
        if count == bare:
            return wrong(
                Kind.REVERSED, str(count), claim, why=("This many are open when nothing is held fixed.")
            )
        if count == whole:
            return wrong(
                Kind.REFLEX, str(count), claim, why=("These are all back-door paths, open or blocked.")
            )
        kind = Kind.MISAPPLIED if count < start + target else Kind.PARTIAL
        return wrong(kind, str(count), claim, why=f"Miscounted: {start + target} are open given these two.")

    stem = (
        f"{arrows(drawn, rng)}: so runs the graph, where {first} is given first and {second} next. An "
        f"analyst of the effect of {second} on {y} conditions on {given[0]} and {given[1]}. Among the paths "
        f"from {second} to {y} whose first arrow points at {second}, how many does that leave unblocked?"
    )
    answers = tuple(answer(start + step) for step in range(4))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}", (("open paths", asked),))
