"""Blind marking by experts: assigning answers and taking marks."""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Prompting
from assay.core.sealed import Sealer, expert_mark_about, open_key
from assay.core.times import DAY_SECONDS
from assay.exam import coverage
from assay.exam.coverage import CoverageTarget
from assay.exam.judging import key_in_words
from assay.questions.prompting import messages
from assay.ranking.exam.scores import MOST_STARS
from assay.results.exam_marking import AnswersAssigned, ToMark
from assay.results.review import Reviewer
from assay.store.bank.reviewers import active_reviewer, hold_reviewer, list_reviewers
from assay.store.engine import reading, writing
from assay.store.exam.answers import answered_questions, questions_as_drawn
from assay.store.exam.human import (
    ExpertMark,
    assigned,
    keep_assignments,
    keep_human_mark,
    markable,
    marked_since,
)


def assign(
    engine: Engine, target: CoverageTarget, rng: random.Random, *, sessions: Collection[str] = (), now: float
) -> AnswersAssigned:
    """Assign answers to experts until each discipline reaches the target; return the number and shortfalls.

    Earlier assignments count. `sessions` limits the answers to these sessions. Raises InvalidInput without
    answers to mark or reviewers to mark them.
    """
    answers = markable(engine, sessions)
    reviewers = list_reviewers(engine)
    if not answers:
        raise InvalidInput("no answer to mark: close sessions that contain answers given in time first")
    if not any(reviewer.left_at is None for reviewer in reviewers):
        raise InvalidInput("no reviewer to mark answers: add one with `assay bank reviewer add`")
    with writing(engine) as connection:
        new, shortfalls = coverage.assign(answers, assigned(connection), reviewers, target, rng)
        rows = []
        for answer, expert in new:
            code = str(uuid.UUID(int=rng.getrandbits(128), version=4))
            rows.append((code, answer.session, answer.position, expert))
        keep_assignments(connection, rows, now=now)
    return AnswersAssigned(len(rows), tuple(shortfalls))


def next_to_mark(engine: Engine, reviewer: str, sealer: Sealer, *, now: float) -> ToMark | None:
    """Return an expert's next answer, in random order; None when all are marked.

    A repeated call returns the same answer until it is marked. Raises NotFound for an unknown reviewer,
    Denied for one who left, Conflict when the daily cap is reached.
    """
    with reading(engine) as connection:
        expert = active_reviewer(connection, reviewer)
        waiting = [
            assignment for assignment in assigned(connection, expert.id) if assignment.marked_at is None
        ]
        remaining = _remaining_today(connection, expert, now)
    if not waiting:
        return None
    first = waiting[0]
    answer = next(
        answer for answer in answered_questions(engine, first.session) if answer.position == first.position
    )
    drawn = questions_as_drawn(engine, [(answer.question, answer.version)])[answer.question]
    key = open_key(sealer, drawn.sealed, drawn.question.uuid, drawn.version)
    return ToMark(
        first.code,
        first.discipline,
        messages(drawn.question, Prompting.ZERO_SHOT)[0].content,
        key_in_words(drawn.question, key),
        answer.text or "",
        len(waiting),
        remaining,
    )


def take_mark(
    engine: Engine,
    reviewer: str,
    code: str,
    stars: int,
    reason: str,
    sealer: Sealer,
    *,
    seconds: float | None,
    now: float,
) -> None:
    """Store an expert's stars (0-3) with the sealed reason; a mark cannot be changed.

    Raises InvalidInput for other stars, an empty reason or an invalid time, NotFound for a code of another
    expert, Denied for an expert who left, Conflict for a marked answer or beyond the daily cap.
    """
    if type(stars) is not int or not 0 <= stars <= MOST_STARS:
        raise InvalidInput(f"invalid stars {stars!r}: use 0, 1, 2 or 3")
    if not reason.strip():
        raise InvalidInput(f"empty reason {reason!r}: give the reason in a sentence")
    if seconds is not None and not 0 <= seconds < DAY_SECONDS:
        raise InvalidInput(f"invalid seconds {seconds!r}: use the time that marking took, less than a day")
    with writing(engine) as connection:
        expert = active_reviewer(connection, reviewer)
        hold_reviewer(connection, expert.id)
        own = {assignment.code: assignment for assignment in assigned(connection, expert.id)}
        if code not in own:
            raise NotFound(
                f"{reviewer!r} has no answer with the code {code!r}: get one with `assay exam experts next`"
            )
        assignment = own[code]
        if assignment.marked_at is None:
            _remaining_today(connection, expert, now)
        about = expert_mark_about(assignment.session, assignment.position, expert.id)
        mark = ExpertMark(code, stars, sealer.seal(reason.strip(), about), seconds, now)
        if not keep_human_mark(connection, mark):
            raise Conflict(f"answer {code!r} is marked already: a mark cannot be changed")


def _remaining_today(connection: Connection, expert: Reviewer, now: float) -> int:
    """Return how many answers an expert may still mark today (UTC). Raises Conflict at the daily cap."""
    remaining = expert.daily_cap - marked_since(connection, expert.id, now - now % DAY_SECONDS)
    if remaining <= 0:
        raise Conflict(
            f"{expert.name!r} has marked {expert.daily_cap} answers today, the daily cap: continue tomorrow"
        )
    return remaining
