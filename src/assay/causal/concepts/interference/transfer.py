"""Transfer: two treatments that both reach one outcome: joint adjustment, and ways of the spillover."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.interference.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import PathCount, Paths, Term, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "BCDEFGHJKLMNPQRSTVWZ"


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `sets` tells questions about adjustment from questions about the number of ways."""

    stem: str
    option: str
    sets: bool


WORDINGS = (
    Words(
        "Two units share a household. {a} is the treatment of the first, {b} that of the second, {y} the "
        "first one's outcome; the "
        "other letters are covariates of either. {u} is unobserved. Arrows: {arrows}. The average of {y} "
        "is wanted for "
        "each setting of {a} and {b} together. Adjusting for which set delivers it, whatever the strength "
        "of the arrows?",
        "{s}",
        True,
    ),
    Words(
        "Under interference an outcome {y} has potential values for every pair of settings of ({a}, {b}), "
        "one's own and "
        "the neighbour's. Suppose that the structure is\n{arrows}\nwith {u} latent. Exactly one of the "
        "covariate "
        "sets below satisfies the adjustment criterion for the joint intervention on both. Name it.",
        "Adjust for {s}",
        True,
    ),
    Words(
        "In the network {arrows} the node {b} is the treatment given to your neighbour, {a} the one given "
        "to you, and {y} is "
        "your outcome. A spillover route is a chain of arrows, all pointing forward, that runs from {b} to "
        "{y} and does not "
        "go through {a}. How many such routes are there?",
        "The number of routes is {n}",
        False,
    ),
    Words(
        "Treating {a} and {b} is up to us; {y} is what we care about. They belong to neighbours, which is "
        "why both bear on {y} "
        "or may do so. We drew this picture, each arrow from cause to effect:\n{arrows}\n({u} is in the "
        "picture but not in the "
        "data.) To estimate what the two do jointly, which covariates will do when held fixed in a "
        "comparison "
        "across the four treatment patterns?",
        "Hold {s} fixed",
        True,
    ),
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Lay out four sets or four counts, then seek a graph in which the intended one is right."""
    number = rng.randrange(len(WORDINGS))
    words = WORDINGS[number]
    a, b, y, u, *rest = rng.sample(LETTERS, 8)
    place = rng.randrange(4)
    if words.sets:
        sets = _sets(rng, rest)
        world = until(lambda: _for_sets(rng, (a, b, y, u), rest, sets, place))
        answers = tuple(_set(words, world, (a, b, y), each, each == sets[place]) for each in sets)
    else:
        start = rng.randint(0, 2)
        world = until(lambda: _for_count(rng, (a, b, y), rest, start + place))
        answers = tuple(_count(words, (a, b, y), start + at, at - place) for at in range(4))
    stem = words.stem.format(arrows=arrows(world, rng), a=a, b=b, y=y, u=u)
    return Draft(world, stem, answers, f"interference/transfer/{number}", "formal", f"place {place}")


def spillovers(a: str, b: str, y: str) -> Term:
    """Return the number of directed paths from b to y that do not pass through a."""
    through = PathCount(b, a, Paths.CAUSAL) * PathCount(a, y, Paths.CAUSAL)
    return PathCount(b, y, Paths.CAUSAL) - through


def _sets(rng: random.Random, names: list[str]) -> list[tuple[str, ...]]:
    size = rng.choice((1, 2))
    found: set[tuple[str, ...]] = set()
    while len(found) < 4:
        found.add(tuple(sorted(rng.sample(names, size))))
    return rng.sample(sorted(found), 4)


def _for_sets(
    rng: random.Random,
    ends: tuple[str, str, str, str],
    rest: list[str],
    sets: list[tuple[str, ...]],
    place: int,
) -> Dag | None:
    a, b, y, u = ends
    drawn = _graph(rng, (a, b, y), rest, 0.33, u)
    if drawn is None or not {n for each in sets for n in each} <= {n for edge in drawn.edges for n in edge}:
        return None
    cut = Sketch(Dag({n: tuple(c for c in cs if c not in (a, b)) for n, cs in drawn.parents.items()}))
    key, whole = sets[place], Sketch(drawn)
    if any(whole.causes(x, name) for x in (a, b) for name in key):
        return None
    if not all(cut.separated(x, y, key) for x in (a, b)):
        return None
    route = Derived(drawn)
    if not route.holds(ValidAdjustment((a, b), y, sets[place])):
        return None
    others = [each for at, each in enumerate(sets) if at != place]
    return None if any(route.holds(ValidAdjustment((a, b), y, each)) for each in others) else drawn


def _for_count(rng: random.Random, ends: tuple[str, str, str], rest: list[str], wanted: int) -> Dag | None:
    drawn = _graph(rng, ends, rest, 0.42 + 0.06 * max(0, wanted - 2), None)
    if drawn is None:
        return None
    sketch = Sketch(drawn)
    a, b, y = ends
    found = sum(
        a not in path and all(one in drawn.parents[two] for one, two in itertools.pairwise(path))
        for path in sketch.paths(b, y)
    )
    return drawn if found == wanted else None


def _graph(
    rng: random.Random, ends: tuple[str, str, str], rest: list[str], density: float, hidden: str | None
) -> Dag | None:
    """Draw a graph in which both treatments come before the outcome; a hidden cause has two effects."""
    a, b, y = ends
    order = rng.sample([a, b, y, *rest], len(rest) + 3)
    if max(order.index(a), order.index(b)) > order.index(y):
        return None
    parents: dict[str, tuple[str, ...]] = {hidden: ()} if hidden else {}
    moved = rng.sample(order, 2) if hidden else []
    for at, name in enumerate(order):
        causes = tuple(cause for cause in order[:at] if rng.random() < density)
        parents[name] = (*causes, hidden) if hidden and name in moved else causes
    drawn = Dag(parents, frozenset({hidden} if hidden else ()))
    return drawn if {*ends} <= {n for edge in drawn.edges for n in edge} else None


def _set(words: Words, world: Dag, ends: tuple[str, str, str], over: tuple[str, ...], key: bool) -> Answer:
    a, b, y = ends
    text, claim = words.option.format(s=braces(over)), Claim(ValidAdjustment((a, b), y, over), True)
    if key:
        return right(
            text, claim, why=f"It blocks what joins {a} and {b} to {y} otherwise, and opens nothing."
        )
    sketch = Sketch(world)
    if any(sketch.causes(x, name) for x in (a, b) for name in over):
        return wrong(Kind.REVERSED, text, claim, why=f"It holds something that {a} or {b} affects.")
    if sketch.valid(a, y, over) or sketch.valid(b, y, over):
        return wrong(
            Kind.PARTIAL, text, claim, why="It does for one of the two treatments, not for both together."
        )
    kind = Kind.REFLEX if all(sketch.causes(name, y) for name in over) else Kind.MISAPPLIED
    return wrong(kind, text, claim, why=f"A path that is no effect of {a} or {b} remains open.")


def _count(words: Words, ends: tuple[str, str, str], count: int, off: int) -> Answer:
    text, claim = words.option.format(n=count), Claim(spillovers(*ends), Fraction(count))
    if off == 0:
        return right(text, claim, why=f"Number of forward chains that avoid one's own treatment: {count}.")
    kinds = {-1: Kind.PARTIAL, 1: Kind.REFLEX}
    kind = kinds.get(off, Kind.MISAPPLIED if off > 0 else Kind.REVERSED)
    if off > 0:
        why = f"{count} is too many: only {count - off} run forward and avoid one's own treatment."
    else:
        why = f"{count} is too few: {count - off} run forward and avoid one's own treatment."
    return wrong(kind, text, claim, why=why)
