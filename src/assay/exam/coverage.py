"""Assigning answers to experts: a number for each discipline, some of them marked by two, models balanced."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.errors import InvalidInput
from assay.results.exam_marking import Shortfall
from assay.results.review import Reviewer
from assay.store.exam.human import AnswerToMark, Assignment

NewAssignment = tuple[AnswerToMark, int]
"""An answer and the id of the reviewer who is to mark it."""


@dataclass(frozen=True, slots=True)
class CoverageTarget:
    """How many experts mark how many answers in each discipline.

    `shared` is the share of an expert's answers that a second expert of the discipline marks too. Seed 003
    (appendix E.2) uses about 2 experts for each discipline.
    """

    experts: int = 2
    each: int = 20
    shared: float = 0.25

    def __post_init__(self) -> None:
        for name, value in (("experts", self.experts), ("each", self.each)):
            if value < 1:
                raise InvalidInput(f"invalid `{name}` {value}: use 1 or more")
        if not 0.0 <= self.shared <= 1.0:
            raise InvalidInput(f"invalid `shared` {self.shared!r}: use a share from 0 to 1")


def assign(
    answers: Sequence[AnswerToMark],
    before: Sequence[Assignment],
    reviewers: Sequence[Reviewer],
    target: CoverageTarget,
    rng: random.Random,
) -> tuple[list[NewAssignment], list[Shortfall]]:
    """Return new assignments that reach the target, and the disciplines where it cannot be reached.

    In each discipline the experts who already have most of its answers continue, then those with the least
    work. Answers are drawn at random from the models in turn, so that each model is marked equally often.
    """
    by_discipline: dict[str, list[AnswerToMark]] = defaultdict(list)
    for answer in answers:
        by_discipline[answer.discipline].append(answer)
    load: dict[int, int] = defaultdict(int)
    for assignment in before:
        load[assignment.reviewer] += 1
    assigned: list[NewAssignment] = []
    shortfalls: list[Shortfall] = []
    for discipline, candidates in sorted(by_discipline.items()):
        held = [assignment for assignment in before if assignment.discipline == discipline]
        experts = [expert for expert in reviewers if expert.left_at is None and expert.reads(discipline)]
        counts = {expert.id: sum(old.reviewer == expert.id for old in held) for expert in experts}
        rng.shuffle(experts)
        experts.sort(key=lambda expert: (-counts[expert.id], load[expert.id]))
        chosen = [expert.id for expert in experts[: target.experts]]
        new = _share_out(_alternate_models(candidates, rng), held, chosen, target)
        for _, expert in new:
            load[expert] += 1
        assigned += new
        wanted = sum(max(0, target.each - counts[expert]) for expert in chosen)
        if len(experts) < target.experts or len(new) < wanted:
            missing = max(0, target.experts - len(experts))
            shortfalls.append(Shortfall(discipline, missing, wanted - len(new)))
    return assigned, shortfalls


def _alternate_models(answers: Sequence[AnswerToMark], rng: random.Random) -> list[AnswerToMark]:
    """Return the answers in random order, with the models taking turns."""
    by_model: dict[str, list[AnswerToMark]] = defaultdict(list)
    for answer in answers:
        by_model[answer.model].append(answer)
    lists = list(by_model.values())
    rng.shuffle(lists)
    for of_model in lists:
        rng.shuffle(of_model)
    longest = max(map(len, lists))
    return [of_model[row] for row in range(longest) for of_model in lists if row < len(of_model)]


def _share_out(
    answers: Sequence[AnswerToMark],
    held: Sequence[Assignment],
    experts: Sequence[int],
    target: CoverageTarget,
) -> list[NewAssignment]:
    """Share answers out among experts.

    Each expert first gets some answers of the expert before, then answers that nobody has. When there are no
    more of these, the rest comes from the expert before as well.
    """
    taken = {(old.session, old.position) for old in held}
    unassigned = iter([answer for answer in answers if (answer.session, answer.position) not in taken])
    keys_of = {
        expert: {(old.session, old.position) for old in held if old.reviewer == expert} for expert in experts
    }
    answer_of = {(answer.session, answer.position): answer for answer in answers}
    shared = round(target.shared * target.each) if len(experts) > 1 else 0
    assigned: list[NewAssignment] = []

    def give(expert: int, key: tuple[str, int]) -> None:
        keys_of[expert].add(key)
        assigned.append((answer_of[key], expert))

    for row, expert in enumerate(experts):
        own = keys_of[expert]
        previous = [key for key in keys_of[experts[row - 1]] if key in answer_of] if row else []
        common = len(own.intersection(previous))
        spare = [key for key in sorted(previous) if key not in own]
        while common < shared and spare and len(own) < target.each:
            give(expert, spare.pop())
            common += 1
        while len(own) < target.each and (answer := next(unassigned, None)) is not None:
            give(expert, (answer.session, answer.position))
        while spare and len(own) < target.each:
            give(expert, spare.pop())
    return assigned
