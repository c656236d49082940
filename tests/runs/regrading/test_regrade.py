"""Grading stored answers again: subjects are never asked, judges only for what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judged import Court, JudgedRun, always, loaded, mark
from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.core.judging import Panel
from assay.core.model import Model
from assay.store.marks import read_marks
from assay.store.runs import keep_models
from assay.store.samples import read_samples


def test_another_judge_joins_without_asking_anybody_else(engine: Engine) -> None:
    """A second judge marks four stored answers: four calls, and grades made of both judges' marks."""
    court = Court({"kind": always(5), "stern": always(1)})
    run = JudgedRun(engine, court, suite=loaded(), panel=Panel(("test/kind",)))
    run.execute()
    both = replace(
        run.plan,
        panel=Panel(("test/kind", "test/stern")),
        judges=keep_models(engine, [Model("test", "kind"), Model("test", "stern")]),
    )
    outcome = run.grade(both)
    assert court.asked == {"subject": 4, "kind": 4, "stern": 4}
    assert {sample.row.score for sample in read_samples(engine, run.run.id)} == {50.0}
    assert (outcome.counts.ok, outcome.status) == (4, "finished")


def test_only_what_is_ungraded(engine: Engine) -> None:
    """A judge that failed on two answers is asked for those two again."""
    failing = {"Write 1.", "Write 3."}

    def judge(body: dict[str, Any], before: int) -> Any:
        text = body["messages"][-1]["content"]
        return 500 if any(f"\n{prompt}\n" in text for prompt in failing) else mark(4, body)

    court = Court({"kind": judge})
    run = JudgedRun(engine, court, suite=loaded())
    assert run.execute().counts.ungraded == 2
    failing.clear()
    before = court.asked["kind"]
    outcome = run.grade(only="ungraded")
    assert (outcome.counts.ungraded, court.asked["kind"] - before, court.asked["subject"]) == (0, 2, 4)


def test_a_panels_missing_mark_counts_as_ungraded(sqlite: Engine) -> None:
    """An answer with a score but a mark missing is graded again too."""
    broken = [True]
    court = Court({"kind": always(5), "odd": lambda body, before: 500 if broken[0] else mark(3, body)})
    run = JudgedRun(sqlite, court, suite=loaded())
    run.execute()
    broken[0] = False
    run.grade(only="ungraded")
    values = [each.row.value for each in read_marks(sqlite, [run.run.id])]
    assert sorted(values) == [3.0] * 4 + [5.0] * 4
    assert court.asked["kind"] == 4


def test_nothing_to_do_asks_nobody(sqlite: Engine) -> None:
    """A whole run graded again is made of its own marks."""
    court = Court({"kind": always(5)})
    run = JudgedRun(sqlite, court, suite=loaded())
    run.execute()
    run.grade()
    run.grade(only="ungraded")
    assert court.asked == {"subject": 4, "kind": 4}


def test_a_limit_holds(sqlite: Engine) -> None:
    """Grading again stops at its own limit and says so; what was marked stays."""
    court = Court({"kind": always(5)})
    run = JudgedRun(sqlite, court, suite=loaded(cases=30), panel=Panel())
    run.execute()
    judged = replace(
        run.plan, panel=Panel(("test/kind",)), judges=keep_models(sqlite, [Model("test", "kind")])
    )
    outcome = run.grade(judged, max_cost=0.01)
    assert outcome.status == "stopped"
    assert 1 <= court.asked["kind"] <= 12
    assert "budget" in str(outcome.reason)


def test_a_run_with_other_versions_of_its_graders_is_refused(sqlite: Engine) -> None:
    """Otherwise grades by two versions of a grader would be mixed."""
    run = JudgedRun(sqlite, Court({"kind": always(5)}), suite=replace(loaded(), digest="0" * 64))
    run.execute()
    with pytest.raises(Conflict, match="other versions of its graders"):
        run.grade()
