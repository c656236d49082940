"""Agreement of judges with experts and of experts with each other, and the experts' coverage and work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from sqlalchemy import Engine

from assay.ranking.exam.scores import MOST_STARS
from assay.results.exam_marking import Agreed, Covered, ExpertAgreement, ExpertWork
from assay.stats.agreement import cohen_kappa
from assay.stats.resample import BootstrapDraws
from assay.store.bank.reviewers import list_reviewers
from assay.store.exam.human import Assignment, assignments
from assay.store.exam.marks import stars_of

ALL = "all"
EXPERT = "a second expert"
STARS = tuple(range(MOST_STARS + 1))
Pair = tuple[int, int]


def expert_agreement(engine: Engine, judges: Sequence[str]) -> ExpertAgreement:
    """Return the agreement of judges with experts, the experts' coverage and their work."""
    return ExpertAgreement(
        tuple(agreement(engine, judges)), tuple(covered(engine)), tuple(expert_work(engine))
    )


def agreement(engine: Engine, judges: Sequence[str], *, seed: int = 0) -> list[Agreed]:
    """Return each judge's agreement with the experts, by model and over all models.

    The last rows are the agreement between experts on answers that two of them marked.
    """
    marked = [assignment for assignment in assignments(engine) if assignment.stars is not None]
    sessions = {assignment.session for assignment in marked}
    rng = np.random.default_rng(seed)
    rows = []
    for judge in judges:
        stars = {session: stars_of(engine, session, judge) for session in sessions}
        pairs = [
            (mark.model, (mark.stars, judged))
            for mark in marked
            if mark.stars is not None and (judged := stars[mark.session].get(mark.position)) is not None
        ]
        rows += _agreement_of(judge, pairs, rng)
    return rows + _agreement_of(EXPERT, _expert_pairs(marked), rng)


def _expert_pairs(marked: Sequence[Assignment]) -> list[tuple[str, Pair]]:
    """Return the pairs of experts' marks on one answer, the mark of the expert with the lower id first."""
    by_answer: dict[tuple[str, int], list[Assignment]] = defaultdict(list)
    for mark in sorted(marked, key=lambda mark: mark.reviewer):
        by_answer[mark.session, mark.position].append(mark)
    return [
        (first.model, (first.stars, second.stars))
        for marks in by_answer.values()
        for first, second in combinations(marks, 2)
        if first.stars is not None and second.stars is not None
    ]


def _agreement_of(rater: str, pairs: Sequence[tuple[str, Pair]], rng: np.random.Generator) -> list[Agreed]:
    groups: dict[str, list[Pair]] = {ALL: [pair for _, pair in pairs]}
    for model, pair in pairs:
        groups.setdefault(model, []).append(pair)
    rows = []
    for model, of_model in groups.items():
        first, second = [stars for stars, _ in of_model], [stars for _, stars in of_model]
        plain = cohen_kappa(first, second, categories=STARS, draws=BootstrapDraws(rng))
        weighted = cohen_kappa(first, second, categories=STARS, weights="quadratic")
        rows.append(
            Agreed(rater, model, plain.n, plain.value, plain.interval, plain.agreement, weighted.value)
        )
    return rows


def expert_work(engine: Engine) -> list[ExpertWork]:
    """Return the work of each expert with assignments; the cost is None without a rate or all times."""
    by_reviewer: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in assignments(engine):
        by_reviewer[assignment.reviewer].append(assignment)
    work = []
    for expert in list_reviewers(engine):
        own = by_reviewer.get(expert.id, [])
        done = [assignment for assignment in own if assignment.marked_at is not None]
        timed = [assignment.seconds for assignment in done if assignment.seconds is not None]
        hours, untimed = sum(timed) / 3600, len(done) - len(timed)
        cost = None if expert.hourly_rate is None or untimed else hours * expert.hourly_rate
        if own:
            work.append(ExpertWork(expert.name, len(own), len(done), hours, untimed, cost))
    return work


def covered(engine: Engine) -> list[Covered]:
    """Return how many answers of each discipline are marked, marked twice and waiting."""
    by_discipline: dict[str, list[Assignment]] = defaultdict(list)
    for assignment in assignments(engine):
        by_discipline[assignment.discipline].append(assignment)
    coverage = []
    for discipline, own in sorted(by_discipline.items()):
        marked = [assignment for assignment in own if assignment.marked_at is not None]
        counts = Counter((assignment.session, assignment.position) for assignment in marked)
        coverage.append(
            Covered(
                discipline,
                len({assignment.reviewer for assignment in marked}),
                len(counts),
                sum(count > 1 for count in counts.values()),
                len(own) - len(marked),
            )
        )
    return coverage
