"""Transfer: which record is non-differential, and which recorded covariates suffice, in a graph."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.measurement_error.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.wording.graphs import arrows, braces

LETTERS = "BCDEFGHJKLMNPQRSTVWZ"


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `sets` tells questions about adjustment from questions about one record."""

    stem: str
    option: str
    sets: bool


WORDINGS = (
    Words(
        "{t} is an exposure that cannot be observed, {y} an outcome that can. Variables that might stand "
        "in for {t} are "
        "scattered in the graph {arrows}. Call a stand-in non-differential if, given {t}, it is "
        "d-separated from {y}. "
        "Which one is?",
        "{z}",
        False,
    ),
    Words(
        "The causal structure, one arrow for each direct influence, reads {arrows}. {u} is the true "
        "covariate, never seen; what "
        "is on file besides {t} and {y} are other variables, some of them affected by {u}. Adjusting for "
        "which of these sets "
        "identifies the effect of {t} on {y} in spite of that?",
        "{s}",
        True,
    ),
    Words(
        "A confounder {u} has been measured with error if at all. Given\n{arrows}\na colleague offers four "
        "ways of adjusting the "
        "association of {t} with {y} by columns that exist ({u} is no column). Three of them leave bias "
        "for some values of "
        "the arrows' strengths. Which is the fourth?",
        "Adjust for {s}",
        True,
    ),
    Words(
        "Which of the four recordings named below has an error mechanism that ignores {y}, in the sense "
        "that recording and {y} "
        "are independent in every stratum of the latent {t}, under each distribution that factorises "
        "along\n{arrows}?",
        "The recording {z}",
        False,
    ),
)


def transfer(rng: random.Random, scene: Scene) -> Draft:
    """Lay out four records or four sets, then seek a graph in which the intended one alone will do."""
    number = rng.randrange(len(WORDINGS))
    words = WORDINGS[number]
    t, y, u, *rest = rng.sample(LETTERS, 8)
    place = rng.randrange(4)
    if words.sets:
        sets = _sets(rng, rest)
        world = until(lambda: _for_sets(rng, (t, y, u), rest, sets, place))
        answers = tuple(_set(words, world, (t, y), each, each == sets[place]) for each in sets)
    else:
        records = rng.sample(rest, 4)
        world = until(lambda: _for_records(rng, (t, y), [u, *rest], records, place))
        answers = tuple(_record(words, world, (t, y), each, each == records[place]) for each in records)
    stem = words.stem.format(arrows=arrows(world, rng), t=t, y=y, u=u)
    return Draft(world, stem, answers, f"measurement-error/transfer/{number}", "formal", f"place {place}")


def _sets(rng: random.Random, names: list[str]) -> list[tuple[str, ...]]:
    size = rng.choice((1, 2))
    found: set[tuple[str, ...]] = set()
    while len(found) < 4:
        found.add(tuple(sorted(rng.sample(names, size))))
    return rng.sample(sorted(found), 4)


def _drawn(rng: random.Random, order: list[str], hidden: str, density: float) -> Dag:
    parents = {
        name: tuple(cause for cause in order[:at] if rng.random() < density) for at, name in enumerate(order)
    }
    return Dag(parents, frozenset({hidden}))


def _whole(drawn: Dag) -> bool:
    return set(drawn.names) == {name for edge in drawn.edges for name in edge}


def _for_sets(
    rng: random.Random, ends: tuple[str, str, str], rest: list[str], sets: list[tuple[str, ...]], place: int
) -> Dag | None:
    t, y, u = ends
    drawn = _drawn(rng, [u, *rng.sample([t, y, *rest], len(rest) + 2)], u, 0.34)
    sketch = Sketch(drawn)
    if not _whole(drawn) or sketch.causes(y, t) or not sketch.causes(u, y) or not sketch.causes(u, t):
        return None
    return drawn if [sketch.valid(t, y, each) for each in sets] == [at == place for at in range(4)] else None


def _for_records(
    rng: random.Random, ends: tuple[str, str], rest: list[str], records: list[str], place: int
) -> Dag | None:
    """Draw a graph in which all records tell of the exposure, and one alone tells no more of the outcome."""
    t, y = ends
    drawn = _drawn(rng, rng.sample([t, y, *rest], len(rest) + 2), t, 0.34)
    sketch = Sketch(drawn)
    if not _whole(drawn) or not sketch.causes(t, y) or any(sketch.separated(each, t, ()) for each in records):
        return None
    alone = [sketch.separated(each, y, (t,)) for each in records]
    return drawn if alone == [at == place for at in range(4)] else None


def _set(words: Words, world: Dag, ends: tuple[str, str], over: tuple[str, ...], key: bool) -> Answer:
    t, y = ends
    text, claim = words.option.format(s=braces(over)), Claim(ValidAdjustment((t,), y, over), True)
    if key:
        return right(text, claim, why=f"It blocks all that joins {t} and {y} without being an effect of {t}.")
    sketch = Sketch(world)
    if any(sketch.causes(t, name) for name in over):
        return wrong(
            Kind.REVERSED, text, claim, why=f"It holds something that {t} affects, or leaves a path open."
        )
    kind = Kind.REFLEX if all(sketch.causes(name, y) for name in over) else Kind.MISAPPLIED
    return wrong(kind, text, claim, why=f"It leaves a path between {t} and {y} open, or opens one.")


def _record(words: Words, world: Dag, ends: tuple[str, str], record: str, key: bool) -> Answer:
    t, y = ends
    text, claim = words.option.format(z=record), Claim(Separated(record, y, (t,)), True)
    if key:
        return right(text, claim, why=f"Given {t}, no open path leads from {record} to {y}.")
    sketch = Sketch(world)
    if sketch.causes(record, t):
        kind = Kind.PARTIAL if sketch.causes(record, y) else Kind.MISAPPLIED
    else:
        kind = Kind.REFLEX if sketch.causes(t, record) else Kind.REVERSED
    return wrong(kind, text, claim, why=f"Given {t}, {record} is still joined to {y} by an open path.")
