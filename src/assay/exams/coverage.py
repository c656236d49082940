"""Which expert is to mark which answers: so many of each discipline, some of them twice, models alike."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.errors import InvalidInput
from assay.store.bank.reviewers import Reviewer
from assay.store.exam.human import Answer, Assignment

Chosen = tuple[Answer, int]


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be covered in each discipline: by so many experts, so many answers each.

    `shared` is the share of an expert's answers that a second one of the discipline marks too. About 2
    experts a discipline is seed 003's (appendix E.2).
    """

    experts: int = 2
    each: int = 20
    shared: float = 0.25

    def __post_init__(self) -> None:
        for name, value in (("experts", self.experts), ("each", self.each)):
            if value < 1:
                raise InvalidInput(f"{name} is {value}: give 1 or more")
        if not 0.0 <= self.shared <= 1.0:
            raise InvalidInput(f"shared is {self.shared!r}: give a share from 0 to 1")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A discipline whose target cannot be reached: experts or answers that are missing."""

    discipline: str
    experts: int
    answers: int


def choose(
    answers: Sequence[Answer],
    before: Sequence[Assignment],
    reviewers: Sequence[Reviewer],
    target: Target,
    rng: random.Random,
) -> tuple[list[Chosen], list[Shortfall]]:
    """Return which answers go to whom (reviewers' ids) besides what they have, and what cannot be reached.

    In each discipline the experts who have most of its answers already go on, then those with least work.
    Answers are taken at random from the models in turn, so that all are marked alike often.
    """
    by_discipline: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        by_discipline[one.discipline].append(one)
    load: dict[int, int] = defaultdict(int)
    for old in before:
        load[old.reviewer] += 1
    chosen: list[Chosen] = []
    short: list[Shortfall] = []
    for discipline, there in sorted(by_discipline.items()):
        held = [old for old in before if old.discipline == discipline]
        able = [one for one in reviewers if one.left_at is None and one.reads(discipline)]
        own = {one.id: sum(old.reviewer == one.id for old in held) for one in able}
        rng.shuffle(able)
        able.sort(key=lambda one: (-own[one.id], load[one.id]))
        picked = _picked(_in_turn(there, rng), held, [one.id for one in able[: target.experts]], target)
        for _, who in picked:
            load[who] += 1
        chosen += picked
        wanted = sum(max(0, target.each - own[one.id]) for one in able[: target.experts])
        if len(able) < target.experts or len(picked) < wanted:
            short.append(Shortfall(discipline, max(0, target.experts - len(able)), wanted - len(picked)))
    return chosen, short


def _in_turn(answers: Sequence[Answer], rng: random.Random) -> list[Answer]:
    """Return answers in random order with the models taking turns."""
    by_model: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        by_model[one.model].append(one)
    lists = list(by_model.values())
    rng.shuffle(lists)
    for each in lists:
        rng.shuffle(each)
    longest = max(map(len, lists))
    return [each[row] for row in range(longest) for each in lists if row < len(each)]


def _picked(
    answers: Sequence[Answer], held: Sequence[Assignment], experts: Sequence[int], target: Target
) -> list[Chosen]:
    """Share answers out: each expert marks some that the one before has, then others; where these run out,
    more of the same.
    """
    taken = {(old.session, old.position) for old in held}
    fresh = iter([one for one in answers if (one.session, one.position) not in taken])
    mine = {who: {(old.session, old.position) for old in held if old.reviewer == who} for who in experts}
    known = {(one.session, one.position): one for one in answers}
    shared = round(target.shared * target.each) if len(experts) > 1 else 0
    found: list[Chosen] = []

    def take(who: int, spot: tuple[str, int]) -> None:
        mine[who].add(spot)
        found.append((known[spot], who))

    for place, who in enumerate(experts):
        other = [spot for spot in mine[experts[place - 1]] if spot in known] if place else []
        both = len(mine[who].intersection(other))
        spare = [spot for spot in sorted(other) if spot not in mine[who]]
        while both < shared and spare and len(mine[who]) < target.each:
            take(who, spare.pop())
            both += 1
        while len(mine[who]) < target.each and (one := next(fresh, None)) is not None:
            take(who, (one.session, one.position))
        while spare and len(mine[who]) < target.each:
            take(who, spare.pop())
    return found
