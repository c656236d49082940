"""Transfer: what conditioning on variables downstream of the treatment does, in graphs without a story."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import graph, until
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, Compare, Fact, PathCount, Paths, ValidAdjustment, term
from assay.causal.scm import Dag
from assay.causal.wording.graphs import arrows, braces

POOL = "ABCDEFGHJKLMNPQRSTUVWZ"
FORMAL = "formal"


def transfer(rng: random.Random, scene: object) -> Draft:
    """Draw one of four questions about a graph; stories play no part."""
    number = rng.randrange(4)
    return (_sets, _count, _spoiler, _findings)[number](rng, f"mediators/transfer/{number}")


def _letters(rng: random.Random, count: int) -> tuple[str, str, tuple[str, ...]]:
    """Draw a treatment, an outcome and so many other letters."""
    x, y, *rest = rng.sample(POOL, count + 2)
    return x, y, tuple(sorted(rest))


def _forbidden(drawn: Dag, x: str, y: str) -> set[str]:
    """Return what lies on a causal path or below; nothing if there is no mediator or a lone variable."""
    if len({name for edge in drawn.edges for name in edge}) < len(drawn.names):
        return set()
    below, above = {x}, {y}
    for name in drawn.names:
        if below.intersection(drawn.parents[name]):
            below.add(name)
    for name in reversed(drawn.names):
        if name in above:
            above.update(drawn.parents[name])
    on = below & above - {x}
    if len(on) < 2:
        return set()
    for name in drawn.names:
        if on.intersection(drawn.parents[name]):
            on.add(name)
    return on


def _open(x: str, y: str, over: tuple[str, ...]) -> PathCount:
    return PathCount(x, y, Paths.OPEN_BACKDOOR, over)


def _below(x: str, over: tuple[str, ...]) -> Fact:
    """Return the fact that some member is a consequence of the treatment."""
    paths = term(0)
    for name in over:
        paths = paths + PathCount(x, name, Paths.CAUSAL)
    return Compare(paths, ">", term(0))


def _sets(rng: random.Random, template: str) -> Draft:
    """Which of four pairs gives the total effect."""
    x, y, rest = _letters(rng, 5)
    options = rng.sample(list(itertools.combinations(rest, 2)), 4)
    target = rng.randrange(4)

    def make() -> Dag | None:
        drawn = graph(rng, (x, y, *rest), 0.42)
        forbidden = _forbidden(drawn, x, y)
        if not forbidden or forbidden.intersection(options[target]):
            return None
        route = Derived(drawn)
        for over in (options[target], *options[:target], *options[target + 1 :]):
            if route.holds(ValidAdjustment((x,), y, over)) != (over == options[target]):
                return None
        return drawn if any(forbidden.intersection(over) for over in options) else None

    drawn = until(make)
    stem = (
        f"All variables of this graph are measured: {arrows(drawn, rng)}.\n\nSomebody wants the total "
        f"effect of {x} on {y} and will stratify on exactly two variables, averaging over the strata. For "
        "which of these pairs does that work whatever the mechanisms behind the arrows are?"
    )
    answers = tuple(_pair(drawn, x, y, over, place == target) for place, over in enumerate(options))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}")


def _pair(drawn: Dag, x: str, y: str, over: tuple[str, ...], key: bool) -> Answer:
    claim, route = Claim(ValidAdjustment((x,), y, over), True), Derived(drawn)
    if key:
        return right(
            braces(over),
            claim,
            why=("No back-door path is left open, and nothing on or below a causal path is held fixed."),
        )
    fixed, left = route.holds(_below(x, over)), route.number(_open(x, y, over))
    if fixed and left:
        why = f"It leaves back-door paths open ({left}) and conditions on a consequence of {x}."
        return wrong(Kind.REVERSED, braces(over), claim, why=why)
    if fixed:
        why = f"All back-door paths are shut, but it conditions on a consequence of {x}."
        return wrong(Kind.REFLEX, braces(over), claim, why=why)
    return wrong(Kind.PARTIAL, braces(over), claim, why=f"It leaves back-door paths open: {left}.")


def _count(rng: random.Random, template: str) -> Draft:
    """How many paths stay open when a mediator and something else are held fixed."""
    x, y, rest = _letters(rng, 4)
    start, target = rng.randint(0, 2), rng.randrange(4)
    over = tuple(sorted(rng.sample(rest, 2)))
    asked = PathCount(x, y, Paths.OPEN, over)

    def make() -> Dag | None:
        drawn = graph(rng, (x, y, *rest), 0.55)
        route = Derived(drawn)
        if not _forbidden(drawn, x, y) or not any(route.holds(Causes(x, name)) for name in over):
            return None
        return drawn if route.number(asked) == start + target else None

    drawn = until(make)
    route = Derived(drawn)
    everything = route.number(PathCount(x, y, Paths.ALL))
    unfixed = route.number(PathCount(x, y, Paths.OPEN))

    def answer(count: int) -> Answer:
        claim = Claim(asked, Fraction(count))
        if count == start + target:
            return right(
                str(count), claim, why=f"Of {everything} paths in all, {count} are open given these two."
            )
        if count == everything:
            return wrong(Kind.REFLEX, str(count), claim, why="This counts all paths, open or not.")
        if count == unfixed:
            return wrong(
                Kind.REVERSED, str(count), claim, why="This many are open when nothing is held fixed."
            )
        kind = Kind.MISAPPLIED if count < start + target else Kind.PARTIAL
        fault = (
            "leaves out paths that conditioning opens or that it does not touch"
            if count < start + target
            else "includes paths that conditioning blocks or that a collider blocks"
        )
        return wrong(kind, str(count), claim, why=f"This {fault}; {start + target} are open.")

    stem = (
        f"Arrows: {arrows(drawn, rng)}.\n\nCount the paths between {x} and {y} in whatever direction their "
        f"arrows point, each visiting a variable once at most. With {over[0]} and {over[1]} both "
        "conditioned on, how many of them, causal or not, transmit association?"
    )
    answers = tuple(answer(start + step) for step in range(4))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target}", (("open paths", asked),))


def _spoiler(rng: random.Random, template: str) -> Draft:
    """Which single variable, added to a set that works, makes it fail (or: leaves it working)."""
    x, y, rest = _letters(rng, 5)
    base = rng.choice(rest)
    options = [name for name in rest if name != base]
    target, spoils = rng.randrange(4), rng.random() < 0.5

    def make() -> Dag | None:
        drawn = graph(rng, (x, y, *rest), 0.42)
        forbidden = _forbidden(drawn, x, y)
        kept = [name for place, name in enumerate(options) if (place == target) != spoils]
        if not forbidden or forbidden.intersection((base, *kept)):
            return None
        route = Derived(drawn)
        if not route.holds(ValidAdjustment((x,), y, (base,))):
            return None
        for place, name in enumerate(options):
            if route.holds(ValidAdjustment((x,), y, (base, name))) != ((place == target) != spoils):
                return None
        return drawn

    drawn = until(make)
    route = Derived(drawn)
    does = "stops the set from giving it" if spoils else "lets the set go on giving it"
    stem = (
        f"Take the graph with {arrows(drawn, rng)}. Adjusting for {base} alone yields the total effect of "
        f"{x} on {y}. One more variable is to be added to the set. For three of the four below the "
        f"consequence is the same; which is the one that {does}?"
    )

    def answer(place: int, name: str) -> Answer:
        over = tuple(sorted((base, name)))
        claim = Claim(ValidAdjustment((x,), y, over), not spoils)
        below = route.holds(_below(x, (name,)))
        what = f"a consequence of {x}" if below else f"no consequence of {x}"
        left = route.number(_open(x, y, over))
        why = f"{name} is {what}; with it, {left} back-door paths are open."
        if place == target:
            return right(name, claim, why=why)
        kind = Kind.REFLEX if below == spoils else Kind.MISAPPLIED
        return wrong(kind if below else Kind.PARTIAL, name, claim, why=why)

    answers = tuple(answer(place, name) for place, name in enumerate(options))
    return Draft(drawn, stem, answers, template, FORMAL, f"place={target} spoils={spoils}")


def _findings(rng: random.Random, template: str) -> Draft:
    """Does a set shut all back-door paths, and does it touch what the treatment sets in motion?"""
    x, y, rest = _letters(rng, 5)
    over, state = tuple(sorted(rng.sample(rest, 2))), rng.choice(PAIRS)
    shut, touched = Compare(_open(x, y, over), "=", term(0)), _below(x, over)

    def make() -> Dag | None:
        drawn = graph(rng, (x, y, *rest), 0.42)
        route = Derived(drawn)
        if not _forbidden(drawn, x, y) or any(route.holds(Causes(x, v)) for v in over) != state[1]:
            return None
        if not drawn.parents[x] or not route.number(PathCount(x, y, Paths.BACKDOOR)):
            return None
        return drawn if route.holds(shut) == state[0] else None

    drawn = until(make)
    stem = (
        f"A colleague proposes {braces(over)} as a set of control variables for the effect of {x} on {y}. "
        f"The graph that both of you accept consists of {arrows(drawn, rng)}. Before you reply you check "
        f"two things: whether every back-door path from {x} to {y} is blocked once the set is conditioned "
        f"on, and whether the set keeps clear of descendants of {x}. What do you find?"
    )

    def say(option: Pair) -> str:
        first = "every back-door path is blocked" if option[0] else "some back-door path is open"
        second = "some descendant is in the set" if option[1] else "no descendant is in the set"
        return f"{first[0].upper()}{first[1:]}; {second}."

    def claims(option: Pair) -> tuple[Claim, ...]:
        return Claim(shut, option[0]), Claim(touched, option[1])

    route = Derived(drawn)
    why = (
        f"Open back-door paths given the set: {route.number(_open(x, y, over))}; "
        f"{'a member descends' if state[1] else 'no member descends'} from {x}."
    )
    topics = ("the back-door paths", "the descendants")
    answers = crossed(state, say, claims, topics=topics, why=why, kinds=reflexes(True, None))
    told = f"shut={state[0]} touched={state[1]}"
    return Draft(drawn, stem, answers, template, FORMAL, told, (("open back-door paths", _open(x, y, over)),))
