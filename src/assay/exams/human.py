"""Human marking, blind: giving answers to experts, taking their marks, and what that costs."""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import Prompting
from assay.core.sealed import Sealer, key_about, read_key
from assay.exams.coverage import Shortfall, Target, choose
from assay.exams.judging import reference
from assay.questions.prompting import messages
from assay.ranking.exam.scores import MOST_STARS
from assay.store.bank.reviewers import Reviewer, hold_reviewer, list_reviewers, reviewer_named
from assay.store.engine import reading, writing
from assay.store.exam.answers import answered_questions, questions_as_drawn
from assay.store.exam.human import (
    Assignment,
    Given,
    assigned,
    human_about,
    keep_assignments,
    keep_human_mark,
    markable,
    marked_since,
)

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ToMark:
    """What an expert sees of one answer: a code, what was asked, the key in words, and the answer.

    It does not tell whose answer it is, in which session, or what a judge gave. `left` and `today` count
    what the expert still has, and may still mark today.
    """

    code: str
    discipline: str
    question: str
    key: str
    answer: str
    left: int
    today: int


def assign(
    engine: Engine, target: Target, rng: random.Random, *, sessions: Collection[str] = (), now: float
) -> tuple[int, list[Shortfall]]:
    """Give experts answers until each discipline has its target; return how many were given, and what lacks.

    What was given before counts. `sessions` keeps the answers of these. Raises InvalidInput where there is
    nothing to mark or nobody to mark it.
    """
    answers = markable(engine, sessions)
    reviewers = list_reviewers(engine)
    if not answers:
        raise InvalidInput("there is no answer to mark: sessions must be closed, and hold answers in time")
    if not any(one.left_at is None for one in reviewers):
        raise InvalidInput("there is no reviewer: `assay bank reviewer add` makes one")
    with writing(engine) as connection:
        chosen, short = choose(answers, assigned(connection), reviewers, target, rng)
        codes = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in chosen]
        rows = [
            (code, one.session, one.position, who) for code, (one, who) in zip(codes, chosen, strict=True)
        ]
        keep_assignments(connection, rows, now=now)
    return len(rows), short


def next_to_mark(engine: Engine, reviewer: str, sealer: Sealer, *, now: float) -> ToMark | None:
    """Return an expert's next answer in an order that tells nothing, None when all are marked.

    Asking again gives the same one until it is marked. Raises NotFound for an unknown reviewer, Denied for
    one who left, Conflict when the day's cap is reached.
    """
    with reading(engine) as connection:
        who = _working(connection, reviewer)
        waiting = [one for one in assigned(connection, who.id) if one.marked_at is None]
        room = _room(connection, who, now)
    if not waiting:
        return None
    return _shown(engine, waiting[0], sealer, left=len(waiting), today=room)


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
    """Store an expert's stars, 0-3, with the reason sealed; written once.

    Raises InvalidInput for other stars, no reason or a negative time, NotFound for a code that is not this
    expert's, Denied for one who left, Conflict for an answer that is marked, or beyond the day's cap.
    """
    if type(stars) is not int or not 0 <= stars <= MOST_STARS:
        raise InvalidInput(f"stars are {stars!r}: give 0, 1, 2 or 3")
    if not reason.strip():
        raise InvalidInput(f"reason {reason!r} says nothing: say in a sentence why")
    if seconds is not None and not 0 <= seconds < DAY:
        raise InvalidInput(f"seconds are {seconds!r}: give the time that marking took, under a day")
    with writing(engine) as connection:
        who = _working(connection, reviewer)
        hold_reviewer(connection, who.id)
        found = next((one for one in assigned(connection, who.id) if one.code == code), None)
        if found is None:
            raise NotFound(f"{reviewer!r} has no answer with the code {code!r}: `assay exam experts next`")
        if found.marked_at is None:
            _room(connection, who, now)
        about = human_about(found.session, found.position, who.id)
        given = Given(code, stars, sealer.seal(reason.strip(), about), seconds, now)
        if not keep_human_mark(connection, given):
            raise Conflict(f"the answer {code!r} is marked already: marks are given once")


def _shown(engine: Engine, one: Assignment, sealer: Sealer, *, left: int, today: int) -> ToMark:
    answer = next(each for each in answered_questions(engine, one.session) if each.position == one.position)
    drawn = questions_as_drawn(engine, [(answer.question, answer.version)])[answer.question]
    key = read_key(sealer.open(drawn.sealed, key_about(drawn.question.uuid, drawn.version)))
    asked = messages(drawn.question, Prompting.ZERO_SHOT)[0].content
    return ToMark(
        one.code, one.discipline, asked, reference(drawn.question, key), answer.text or "", left, today
    )


def _working(connection: Connection, name: str) -> Reviewer:
    found = reviewer_named(connection, name)
    if found.left_at is not None:
        raise Denied(f"reviewer {name!r} has left: what they had is given to nobody else")
    return found


def _room(connection: Connection, who: Reviewer, now: float) -> int:
    """Return how many answers an expert may still mark on this day (UTC); Conflict when none."""
    room = who.daily_cap - marked_since(connection, who.id, now - now % DAY)
    if room <= 0:
        raise Conflict(
            f"{who.name!r} has marked {who.daily_cap} answers today, the daily cap: go on tomorrow"
        )
    return room
