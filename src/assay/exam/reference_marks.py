"""Judges' stars beside experts' stars on the answers of exams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.exam import SessionState
from assay.exam.series import all_series, unknown_series
from assay.exam.tally import tallied
from assay.ranking.exam.scores import MOST_STARS
from assay.ranking.reference_marks import (
    ReferencedAnswer,
    ReferenceMarks,
    ReferenceSource,
    describe_source,
)
from assay.results.exam_sitting import ZERO_BY_RULE, SittingRow
from assay.store.exam.answers import answered_questions, list_sittings
from assay.store.exam.human import assignments
from assay.store.exam.marks import count_marks, stars_of

STARS = tuple(range(MOST_STARS + 1))


class _StarredAnswer(NamedTuple):
    answer: ReferencedAnswer
    judges: list[float]
    expert: float
    by_rule: bool


def exam_reference(engine: Engine, series: str, judges: Sequence[str] = ()) -> ReferenceSource:
    """Return judges' and experts' stars in a series' ended sittings, or in all exams without a name.

    An answer's item is its question, and its number that of the model's sitting. If several experts marked
    an answer, the one who was added first counts. Answers that get 0 by rule are settled. Raises NotFound
    for an unknown series, InvalidInput for an unknown judge and without marked answers.
    """
    known = count_marks(engine)
    unknown = [judge for judge in judges if judge not in known]
    if unknown:
        raise InvalidInput(f"judge {unknown[0]!r} marked no exam: use one of {', '.join(known) or 'none'}")
    chosen = tuple(judges or known)
    sittings = _sittings(engine, series)
    starred = list(_starred(engine, sittings, chosen)) if chosen else []
    if not starred:
        raise InvalidInput(f"no marked answers in {series or 'any exam'!r}: run `assay exam mark` first")
    marks = ReferenceMarks(
        judges=chosen,
        answers=tuple(row.answer for row in starred),
        marks=np.array([row.judges for row in starred]).T,
        reference=np.array([row.expert for row in starred]),
        categories=tuple(map(float, STARS)),
        names=tuple(map(str, STARS)),
        ordered=True,
        weights=np.ones(len(starred)),
        settled=np.array([row.by_rule for row in starred], dtype=np.bool_),
    )
    by_rule = int(marks.by_rule.sum())
    simulated = any(sitting.simulated for sitting in sittings)
    simulated = simulated or any(judge.startswith("simulated/") for judge in chosen)
    notes = [f"{by_rule:,} answers get 0 by rule"] if by_rule else []
    return ReferenceSource(marks, describe_source(f"exam:{series}", marks, notes, simulated=simulated))


def _sittings(engine: Engine, name: str) -> list[SittingRow]:
    """Return the ended sittings of a series, or of all exams, that were not declared void."""
    series = None
    if name:
        numbers = {official.name: official.id for official, _ in all_series(engine)}
        if name not in numbers:
            raise unknown_series(name, list(numbers))
        series = numbers[name]
    return [
        sitting
        for sitting in list_sittings(engine, series=series)
        if sitting.void is None and sitting.state is not SessionState.OPEN
    ]


def _starred(
    engine: Engine, sittings: Sequence[SittingRow], judges: Sequence[str]
) -> Iterator[_StarredAnswer]:
    experts = _expert_stars(engine)
    sat: Counter[str] = Counter()
    for sitting in sittings:
        model = f"{sitting.organisation_name}/{sitting.model}"
        drawn = answered_questions(engine, sitting.session)
        tallies = [tallied(drawn, stars_of(engine, sitting.session, judge)) for judge in judges]
        for answer, *rows in zip(drawn, *tallies, strict=True):
            stars = [np.nan if row.stars is None else float(row.stars) for row in rows]
            if answer.excluded is not None or np.isnan(stars).all():
                continue
            by_rule = rows[0].standing in ZERO_BY_RULE
            expert = np.nan if by_rule else experts.get((sitting.session, answer.position), np.nan)
            place = f"session {sitting.session} position {answer.position}"
            named = ReferencedAnswer(answer.uuid, model, sat[model], None, place)
            yield _StarredAnswer(named, stars, expert, by_rule)
        sat[model] += 1


def _expert_stars(engine: Engine) -> dict[tuple[str, int], float]:
    """Return the stars of the first expert by session and position."""
    marked = [mark for mark in assignments(engine) if mark.stars is not None]
    stars: dict[tuple[str, int], float] = {}
    for mark in sorted(marked, key=lambda mark: mark.reviewer):
        stars.setdefault((mark.session, mark.position), float(mark.stars or 0))
    return stars
