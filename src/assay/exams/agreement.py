"""How far judges agree with experts and with each other, and what the experts' work came to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.ranking.exam.scores import MOST_STARS
from assay.stats.kappa import Kappa, cohen
from assay.store.bank.reviewers import list_reviewers
from assay.store.exam.human import Assignment, assignments
from assay.store.exam.marks import stars_of

ALL = "all"
EXPERT = "a second expert"
STARS = tuple(range(MOST_STARS + 1))
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Cohen's kappa of two raters on the answers of one model, or of `all`.

    `kappa` takes the four stars as they are, as seed 003's table 10 does; `weighted` counts a near miss as
    half a hit by quadratic weights. Both over `n` pairs of marks; an answer that two experts marked gives
    two pairs.
    """

    rater: str
    model: str
    kappa: Kappa
    weighted: Kappa


@dataclass(frozen=True, slots=True)
class Work:
    """What one expert has done: `cost` is US dollars, None where rate or times are unknown."""

    reviewer: str
    assigned: int
    marked: int
    hours: float
    untimed: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Covered:
    """How far a discipline is marked: experts who have marked in it, answers marked, those marked twice."""

    discipline: str
    experts: int
    answers: int
    twice: int
    waiting: int


def agreement(engine: Engine, judges: Sequence[str], *, seed: int = 0) -> list[Agreed]:
    """Return how far each judge agrees with the experts, by model and over all; and the experts with each
    other, where two marked one answer.
    """
    marked = [one for one in assignments(engine) if one.stars is not None]
    rng = np.random.default_rng(seed)
    found = []
    for judge in judges:
        stars = {session: stars_of(engine, session, judge) for session in {one.session for one in marked}}
        pairs = [
            (one.model, (one.stars, given))
            for one in marked
            if one.stars is not None and (given := stars[one.session].get(one.position)) is not None
        ]
        found += _agreed(judge, pairs, rng)
    return found + _agreed(EXPERT, _doubles(marked), rng)


def _doubles(marked: Sequence[Assignment]) -> list[tuple[str, Pair]]:
    """Return the pairs of experts' marks on one answer, the expert who came first in the list first."""
    by_answer: dict[tuple[str, int], list[Assignment]] = defaultdict(list)
    for one in sorted(marked, key=lambda one: one.reviewer):
        by_answer[one.session, one.position].append(one)
    return [
        (first.model, (first.stars, second.stars))
        for both in by_answer.values()
        for place, first in enumerate(both)
        for second in both[place + 1 :]
        if first.stars is not None and second.stars is not None
    ]


def _agreed(rater: str, pairs: Sequence[tuple[str, Pair]], rng: np.random.Generator) -> list[Agreed]:
    groups: dict[str, list[Pair]] = {ALL: [pair for _, pair in pairs]}
    for model, pair in pairs:
        groups.setdefault(model, []).append(pair)
    found = []
    for model, those in groups.items():
        first, second = [one for one, _ in those], [other for _, other in those]
        plain = cohen(first, second, categories=STARS, rng=rng if those else None)
        weighted = cohen(first, second, categories=STARS, weights="quadratic")
        found.append(Agreed(rater, model, plain, weighted))
    return found


def work(engine: Engine) -> list[Work]:
    """Return what each expert who was given answers has done."""
    by_reviewer: dict[int, list[Assignment]] = defaultdict(list)
    for one in assignments(engine):
        by_reviewer[one.reviewer].append(one)
    found = []
    for who in list_reviewers(engine):
        own = by_reviewer.get(who.id, [])
        done = [one for one in own if one.marked_at is not None]
        timed = [one.seconds for one in done if one.seconds is not None]
        hours = sum(timed) / 3600
        known = who.hourly_rate is not None and len(timed) == len(done)
        if own:
            cost = hours * who.hourly_rate if known and who.hourly_rate is not None else None
            found.append(Work(who.name, len(own), len(done), hours, len(done) - len(timed), cost))
    return found


def covered(engine: Engine) -> list[Covered]:
    """Return how far each discipline is marked."""
    by_discipline: Mapping[str, list[Assignment]] = defaultdict(list)
    for one in assignments(engine):
        by_discipline[one.discipline].append(one)
    found = []
    for discipline, own in sorted(by_discipline.items()):
        times: dict[tuple[str, int], int] = defaultdict(int)
        for one in own:
            if one.marked_at is not None:
                times[one.session, one.position] += 1
        found.append(
            Covered(
                discipline,
                len({one.reviewer for one in own if one.marked_at is not None}),
                len(times),
                sum(count > 1 for count in times.values()),
                sum(one.marked_at is None for one in own),
            )
        )
    return found
