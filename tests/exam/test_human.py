"""Blind marking by experts, and their agreement with judges."""

from __future__ import annotations

import dataclasses
import random

import pytest
from exam_rows import (
    NONCE,
    NOW,
    SEALER,
    Answered,
    add_draw,
    add_marks,
    add_organisation,
    add_session,
    fill_bank,
)
from sqlalchemy import Engine, select

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import EXAM_JUDGE
from assay.core.sealed import expert_mark_about
from assay.exam.agreement import ALL, EXPERT, agreement, covered, expert_work
from assay.exam.coverage import CoverageTarget
from assay.exam.human import assign, next_to_mark, take_mark
from assay.exam.manifest import manifest
from assay.files.sealing import KeySealer
from assay.results.exam_marking import AnswersAssigned
from assay.store.bank.reviewers import add_reviewer, leave
from assay.store.bank.sealed_columns import rekey
from assay.store.engine import reading
from assay.store.exam.human import assignments
from assay.store.schema_exam import human_marks

JUDGE = EXAM_JUDGE


@pytest.fixture
def session(engine: Engine) -> str:
    """A marked session with six answers in law and six in history, and two experts: one reads law alone."""
    draw = add_draw(engine, fill_bank(engine, {"law": 6, "history": 6}))
    found = add_session(engine, add_organisation(engine), draw, [Answered()] * 12, n=12)
    add_marks(engine, found, {place: place % 4 for place in range(1, 13)})
    expert(engine, "Ada", ["law"], rate=60.0)
    expert(engine, "Bo", [], cap=2)
    return found


def expert(
    engine: Engine, name: str, disciplines: list[str], *, cap: int = 50, rate: float | None = None
) -> None:
    """Store a reviewer."""
    add_reviewer(engine, name=name, disciplines=disciplines, daily_cap=cap, hourly_rate=rate, now=NOW)


def give(engine: Engine, **target: float) -> AnswersAssigned:
    """Assign answers to the experts."""
    return assign(engine, CoverageTarget(**target), random.Random(1), now=NOW)  # type: ignore[arg-type]


def test_each_discipline_gets_its_experts_and_answers(engine: Engine, session: str) -> None:
    """Two experts in law get four of its six answers each, so two are shared.

    History has one expert, which is reported as a shortfall. A second call assigns nothing.
    """
    given = give(engine, experts=2, each=4, shared=0.25)
    rows = assignments(engine)
    assert given.assigned == len(rows) == 12
    assert [(one.discipline, one.experts) for one in given.short] == [("history", 1)]
    by_law = [one.position for one in rows if one.discipline == "law"]
    assert (len(by_law), len(set(by_law))) == (8, 6)
    assert give(engine, experts=2, each=4, shared=0.25).assigned == 0


def test_marking_is_blind(engine: Engine, session: str) -> None:
    """An expert sees question, key and answer, but neither model, session, organisation nor stars."""
    give(engine, each=4)
    shown = next_to_mark(engine, "Ada", SEALER, now=NOW)
    assert shown is not None
    assert NONCE in shown.key
    assert shown.answer == "True, because it follows."
    text = str(dataclasses.asdict(shown))
    for hidden in (session, "lab/one", "'lab'", "openai", "rationale", "reply"):
        assert hidden not in text
    assert shown.code not in session


def test_the_next_answer_stays_until_it_is_marked(engine: Engine, session: str) -> None:
    """A second mark for an answer is refused, and the first one stays."""
    give(engine, each=4)
    first = next_to_mark(engine, "Ada", SEALER, now=NOW)
    assert first is not None
    assert next_to_mark(engine, "Ada", SEALER, now=NOW) == first
    mark(engine, "Ada", first.code, 2)
    second = next_to_mark(engine, "Ada", SEALER, now=NOW)
    assert second is not None
    assert (second.code != first.code, second.left) == (True, 3)
    with pytest.raises(Conflict, match="marked already"):
        mark(engine, "Ada", first.code, 0)
    assert [one.stars for one in assignments(engine) if one.code == first.code] == [2]


def mark(engine: Engine, reviewer: str, code: str, stars: int, *, now: float = NOW) -> None:
    """Store an expert's stars."""
    take_mark(engine, reviewer, code, stars, "sound", SEALER, seconds=90.0, now=now)


def test_the_reason_is_sealed(engine: Engine, session: str) -> None:
    """It opens with the bank's key, also after all texts are sealed again with a new key."""
    give(engine, each=4)
    shown = next_to_mark(engine, "Ada", SEALER, now=NOW)
    assert shown is not None
    mark(engine, "Ada", shown.code, 2)
    with reading(engine) as connection:
        row = connection.execute(select(human_marks).where(human_marks.c.code == shown.code)).one()
    about = expert_mark_about(row.session, row.position, row.reviewer)
    assert SEALER.open(bytes(row.rationale), about) == "sound"
    new = KeySealer(b"n" * 32)
    assert rekey(engine, SEALER, new)["human_marks.rationale"] == 1
    with reading(engine) as connection:
        row = connection.execute(select(human_marks).where(human_marks.c.code == shown.code)).one()
    assert new.open(bytes(row.rationale), about) == "sound"


def test_the_daily_cap_holds_until_midnight(engine: Engine, session: str) -> None:
    """Bo's third answer can be neither fetched nor marked before the next day (UTC)."""
    give(engine, each=4)
    for _ in range(2):
        shown = next_to_mark(engine, "Bo", SEALER, now=NOW)
        assert shown is not None
        mark(engine, "Bo", shown.code, 1)
    with pytest.raises(Conflict, match=r"2 answers today.*tomorrow"):
        next_to_mark(engine, "Bo", SEALER, now=NOW)
    third = next(one.code for one in assignments(engine) if one.reviewer == 2 and one.stars is None)
    with pytest.raises(Conflict, match="daily cap"):
        mark(engine, "Bo", third, 1)
    mark(engine, "Bo", third, 1, now=NOW + 86_400)


@pytest.mark.parametrize(("stars", "reason"), [(4, "sound"), (-1, "sound"), (True, "sound"), (2, " ")])
def test_invalid_stars_and_an_empty_reason_are_refused(sqlite: Engine, stars: int, reason: str) -> None:
    """The message shows the value."""
    with pytest.raises(InvalidInput, match=r"(?i)true|4|-1|' '"):
        take_mark(sqlite, "Ada", "code", stars, reason, SEALER, seconds=None, now=NOW)


def test_only_the_assigned_expert_can_mark(engine: Engine, session: str) -> None:
    """Another expert's code is not found, an expert who left is denied, an unknown one is not found."""
    give(engine, each=4)
    own = next_to_mark(engine, "Ada", SEALER, now=NOW)
    assert own is not None
    with pytest.raises(NotFound, match="'Bo' has no answer"):
        mark(engine, "Bo", own.code, 3)
    leave(engine, "Ada", NOW)
    with pytest.raises(Denied, match="'Ada' has left"):
        mark(engine, "Ada", own.code, 3)
    with pytest.raises(NotFound, match="'Cy'"):
        next_to_mark(engine, "Cy", SEALER, now=NOW)


def test_assigning_needs_answers_and_reviewers(sqlite: Engine) -> None:
    """The refusal names what is missing or the invalid target."""
    with pytest.raises(InvalidInput, match="no answer to mark"):
        give(sqlite)
    draw = add_draw(sqlite, fill_bank(sqlite, {"law": 2}))
    add_session(sqlite, add_organisation(sqlite), draw, [Answered()] * 2, n=2)
    with pytest.raises(InvalidInput, match="no reviewer to mark"):
        give(sqlite)
    with pytest.raises(InvalidInput, match="invalid `shared` 2"):
        give(sqlite, shared=2)


def test_agreement_with_the_judge_by_hand(engine: Engine, session: str) -> None:
    """Ada agrees with the judge on three of four answers: agreement 3/4, and kappa from the margins."""
    give(engine, experts=1, each=4, shared=0.0)
    judged = {row.position: row.stars for row in manifest(engine, session) if row.row == "mark"}
    mine = [one for one in assignments(engine) if one.reviewer == 1]
    theirs = [judged[one.position] or 0 for one in mine]
    own = [(theirs[0] + 1) % 4, *theirs[1:]]
    for one, stars in zip(mine, own, strict=True):
        mark(engine, "Ada", one.code, stars)
    found = {(one.rater, one.model): one for one in agreement(engine, [JUDGE])}
    chance = sum(own.count(stars) * theirs.count(stars) for stars in range(4)) / 16
    agreed = found[JUDGE, ALL]
    assert (agreed.n, agreed.observed) == (4, 0.75)
    assert agreed.kappa == pytest.approx((0.75 - chance) / (1 - chance))
    assert found[JUDGE, "lab/one"].kappa == agreed.kappa
    assert found[EXPERT, ALL].n == 0


def test_hours_cost_and_coverage(engine: Engine, session: str) -> None:
    """Two marks of 90 s are 0.05 hours, 3 dollars at 60 an hour; without a rate the cost is unknown."""
    give(engine, experts=2, each=2, shared=1.0)
    for name in ("Ada", "Ada", "Bo"):
        shown = next_to_mark(engine, name, SEALER, now=NOW)
        assert shown is not None
        mark(engine, name, shown.code, 3)
    done = {one.reviewer: one for one in expert_work(engine)}
    assert (done["Ada"].marked, done["Ada"].hours, done["Ada"].cost) == (2, 0.05, pytest.approx(3.0))
    assert (done["Bo"].assigned, done["Bo"].marked, done["Bo"].cost) == (4, 1, None)
    law = next(one for one in covered(engine) if one.discipline == "law")
    assert (law.answers, law.twice + law.waiting) == (2, 2)


def test_two_experts_on_one_answer_are_compared(engine: Engine, session: str) -> None:
    """With every answer of law shared, the experts' own agreement has as many pairs as both marked."""
    give(engine, experts=2, each=1, shared=1.0)
    for one in assignments(engine):
        if one.discipline == "law":
            mark(engine, "Ada" if one.reviewer == 1 else "Bo", one.code, 2)
    found = {(one.rater, one.model): one for one in agreement(engine, [])}
    assert (found[EXPERT, ALL].n, found[EXPERT, ALL].observed) == (1, 1.0)
