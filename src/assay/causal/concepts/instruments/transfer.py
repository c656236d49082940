"""Transfer: which variable, with what held fixed, is an instrument in a graph."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.instruments.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, Separated, ValidInstrument
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces, listed

Candidate = tuple[str, tuple[str, ...]]
LETTERS = "ABCDEFGHJKLMNPQRSTZ"
RULE = (
    "a variable that is associated with the treatment given the set, that is d-separated from the outcome "
    "by the set "
    "once all arrows out of the treatment are deleted, and whose set has no descendant of the treatment"
)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording. `fixed` says whether one candidate is offered with four sets, or four candidates."""

    stem: str
    option: str
    fixed: bool


WORDINGS = (
    Words(
        "The arrows of a causal graph are {arrows}; {u} was not measured. One wants the effect of {t} on "
        "{o} by an "
        "instrument, that is, by " + RULE + ". Exactly one of the following will do. Which?",
        "{z} given {s}",
        False,
    ),
    Words(
        "Take the directed acyclic graph with these edges:\n{arrows}\n\nLet {u} be latent, {t} the "
        "exposure and {o} the "
        "response. Pearl's graphical criterion asks of (V, W): V and {t} are not d-separated by W; V and "
        "{o} are, in "
        "the graph without the edges that leave {t}; W holds nothing downstream of {t}. Find the pair that "
        "passes.",
        "V = {z}, W = {s}",
        False,
    ),
    Words(
        "Somebody wants to use {z} as an instrument for what {t} does to {o}, but is unsure what else to "
        "condition on. "
        "In the diagram, {u} is hidden; the links are: {arrows}. For which one of these sets does {z} meet "
        "the "
        "conditions, namely dependence with {t} given the set, no open path to {o} other than by the links "
        "that {t} "
        "sends out, and no consequence of {t} in the set?",
        "{s}",
        True,
    ),
    Words(
        "Model: {arrows}.\nUnobserved: {u}.\nEffect wanted: {t} on {o}.\nInstrument proposed: "
        "{z}.\n\nConditional on the right "
        "covariates the proposal is sound (relevant; cut off from {o} when {t} stops acting; covariates "
        "not affected "
        "by {t}). Conditional on the wrong ones it is not. Which covariates are the right ones?",
        "Condition on {s}",
        True,
    ),
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Lay out four candidates with their sets, then seek a graph in which the intended one alone is valid."""
    number = rng.randrange(len(WORDINGS))
    words = WORDINGS[number]
    t, o, u, *rest = rng.sample(LETTERS, 8)
    candidates = _candidates(rng, rest, words.fixed)
    place = rng.randrange(4)
    world = until(lambda: _graph(rng, (t, o, u), rest, candidates, place))
    stem = words.stem.format(arrows=arrows(world, rng), t=t, o=o, u=u, z=candidates[0][0])
    answers = tuple(_answer(words, world, (t, o), each, each == candidates[place]) for each in candidates)
    return Draft(world, stem, answers, f"instruments/transfer/{number}", "formal", f"place {place}")


def _candidates(rng: random.Random, names: list[str], fixed: bool) -> list[Candidate]:
    """Draw four candidates with a set of one each, or one candidate with four sets of one or two."""
    if fixed:
        z, *others = rng.sample(names, len(names))
        size = rng.choice((1, 2))
        sets: set[tuple[str, ...]] = set()
        while len(sets) < 4:
            sets.add(tuple(sorted(rng.sample(others, size))))
        return [(z, each) for each in rng.sample(sorted(sets), 4)]
    size = rng.choice((0, 1))
    return [(z, tuple(rng.sample([n for n in names if n != z], size))) for z in rng.sample(names, 4)]


def _graph(
    rng: random.Random, named: tuple[str, str, str], rest: list[str], candidates: list[Candidate], place: int
) -> Dag | None:
    """Draw a graph in which only the candidate at `place` is valid, and that one not by a quirk."""
    t, o, u = named
    order = rng.sample([t, o, *rest], len(rest) + 2)
    if order.index(t) > order.index(o):
        return None
    parents: dict[str, tuple[str, ...]] = {u: ()}
    for at, name in enumerate(order):
        causes = [cause for cause in order[:at] if (cause, name) != (t, o) and rng.random() < 0.32]
        causes += [t] if name == o else []
        parents[name] = tuple(causes + ([u] if name in (t, o) else []))
    drawn = Dag(parents, frozenset({u}))
    named_here = {name for z, given in candidates for name in (z, *given)}
    if not named_here <= {name for edge in drawn.edges for name in edge}:
        return None
    whole, cut = Sketch(drawn), Sketch(Dag({n: tuple(c for c in cs if c != t) for n, cs in parents.items()}))

    def passes(candidate: Candidate) -> bool:
        z, given = candidate
        if whole.separated(z, t, given) or not cut.separated(z, o, given):
            return False
        return not any(whole.causes(t, name) for name in given)

    if [passes(each) for each in candidates] != [at == place for at in range(4)]:
        return None
    return None if whole.causes(t, candidates[place][0]) else drawn


def _answer(words: Words, world: Dag, ends: tuple[str, str], candidate: Candidate, key: bool) -> Answer:
    (t, o), (z, given) = ends, candidate
    text = words.option.format(z=z, s=braces(given))
    claim = Claim(ValidInstrument(z, t, o, given), True)
    route = Derived(world)
    held = f"given {listed(sorted(given))}" if given else "unconditionally"
    if key:
        why = f"{z} is tied to {t} {held}, and cutting what leaves {t} separates it from {o}."
        return right(text, claim, why=why)
    if any(route.holds(Causes(t, name)) for name in given):
        return wrong(Kind.MISAPPLIED, text, claim, why=f"The set holds something that {t} affects.")
    if route.holds(Separated(z, t, given)):
        return wrong(Kind.PARTIAL, text, claim, why=f"{z} is independent of {t} {held}: it moves nothing.")
    kind = Kind.REVERSED if route.holds(Causes(t, z)) else Kind.REFLEX
    return wrong(kind, text, claim, why=f"{z} reaches {o} {held} by a path that does not leave {t}.")
