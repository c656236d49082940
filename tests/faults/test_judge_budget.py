"""A limit on spending with a panel of dear judges: how far it can be passed, and what is said."""

from __future__ import annotations

from typing import Any

import pytest
from judged import Court, JudgedRun, judged_suite, loaded, mark
from sqlalchemy import Engine
from upstream import chat

from assay.core.judging import Panel

LIMIT = 0.25
SUBJECT, JUDGE = 0.0001, 0.01


def priced(cost: float | None, text: str) -> dict[str, Any]:
    """Return a reply that tells what it cost; None tells nothing."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return chat(text, usage=usage if cost is None else {**usage, "cost": cost})


def court(judge_cost: float | None) -> Court:
    """Return a panel of four that costs a hundred times what the subject does."""
    judges = {name: lambda body, before: priced(judge_cost, mark(4, body)) for name in ("a", "b", "c", "d")}
    made = Court(
        dict(judges), lambda body: priced(SUBJECT, f"{body['model']} on {body['messages'][-1]['content']}")
    )
    made.delay = 0.005
    return made


def test_a_panel_a_hundred_times_dearer_than_its_subject_stays_near_the_limit(sqlite: Engine) -> None:
    """Nobody knows the judges' prices: the first call of each tells, and the rest is held to its cost."""
    run = JudgedRun(sqlite, court(JUDGE), suite=judged_suite(cases=200))
    outcome = run.execute(max_cost=LIMIT)
    assert outcome.status == "stopped"
    assert "budget of $0.25" in str(outcome.reason)
    # The judges' first calls may be under way at once, before anybody knows what one costs.
    assert LIMIT / 2 < outcome.spend.known <= LIMIT + 3 * JUDGE
    assert run.execute(max_cost=100.0).status == "finished"
    assert run.court.asked == {"subject": 200, "a": 200, "b": 200, "c": 200, "d": 200}


def test_costs_of_judges_that_nobody_tells_are_said_and_hold_nobody_up(sqlite: Engine) -> None:
    """Calls without a cost are counted as such, never as 0, in a run and in grading again."""
    run = JudgedRun(sqlite, court(None), suite=loaded(cases=20))
    outcome = run.execute(max_cost=LIMIT)
    assert (outcome.status, outcome.spend.unknown) == ("finished", 80)
    assert outcome.spend.known == pytest.approx(20 * SUBJECT)
    assert [line.split(",")[0] for line in outcome.remarks] == ["80 of 100 calls have no known cost"]


def test_grading_again_says_what_it_cannot_count(sqlite: Engine) -> None:
    """The limit is for this grading alone, and so is what is said of it."""
    run = JudgedRun(sqlite, court(None), suite=loaded(cases=20), panel=Panel())
    run.execute()
    run.judged_by("a", "b")
    outcome = run.grade(max_cost=LIMIT)
    assert [line.split(",")[0] for line in outcome.remarks] == ["40 of 40 calls have no known cost"]


def test_grading_again_keeps_its_limit(sqlite: Engine) -> None:
    """Four judges of unknown price over stored answers: the sum stays within the limit."""
    run = JudgedRun(sqlite, court(JUDGE), suite=loaded(cases=100), panel=Panel())
    run.execute()
    before = 100 * SUBJECT
    run.judged_by("a", "b", "c", "d")
    outcome = run.grade(max_cost=LIMIT)
    assert outcome.status == "stopped"
    assert LIMIT / 2 < outcome.spend.known - before <= LIMIT + 3 * JUDGE
