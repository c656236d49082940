"""Marks of stored runs, made by real judges over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite, mark
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.judging import Panel
from assay.studies.judges import run_agreement
from assay.studies.run_marks import read_run_marks


def by_case(body: dict[str, Any], before: int) -> str:
    """Mark 5 for the first case's answers and 3 for the others."""
    return mark(5 if "on Write 0." in json.dumps(body) else 3, body)


def test_marks_of_a_run(engine: Engine) -> None:
    """Each judge's marks on each epoch of each case, with the words of the answer and the rubric's scale."""
    court = Court(
        {"j": by_case, "k": always(4)},
        answer=lambda body: f"{body['model']} on Write {body['messages'][-1]['content'][6]}.",
    )
    run = JudgedRun(engine, court, subjects=("one", "two"), suite=judged_suite(cases=3, epochs=2))
    run.execute()
    found = read_run_marks(engine, run.run.id)
    marks = found.marks
    assert (found.metric, found.others) == ("rubric", ())
    assert marks.scale.categories == ("1", "2", "3", "4", "5")
    assert len(marks.answers) == 12
    assert {answer.generation for answer in marks.answers} == {0, 1}
    assert set(marks.lengths.tolist()) == {4.0}
    given = dict(zip(marks.judges, marks.table.tolist(), strict=True))
    assert given["test/k"] == [4.0] * 12
    assert [
        value for answer, value in zip(marks.answers, given["test/j"], strict=True) if answer.item == "case-0"
    ] == [5.0] * 4


def test_agreement_of_a_run(engine: Engine) -> None:
    """Two judges that differ by one on every answer: leniency a mark either way, no agreement."""
    run = JudgedRun(engine, Court({"j": always(4), "k": always(3)}))
    run.execute()
    found = run_agreement(engine, run.run.id)
    leniency = {each.judge: each.above_others and each.above_others.value for each in found.figures.judges}
    assert leniency == {"test/j": 1.0, "test/k": -1.0}
    assert found.figures.pairs[0].agreement == 0.0
    assert (found.suite, found.simulated) == ("judged", False)


def test_unreadable_marks_and_own_models_are_no_marks(engine: Engine) -> None:
    """A judge that talks gives none, and is counted; one never marks its own model."""
    court = Court({"j": always(4), "k": always(3), "talks": lambda body, before: "A fine answer!"})
    run = JudgedRun(engine, court, subjects=("j", "other"))
    run.execute()
    found = {each.judge: each for each in run_agreement(engine, run.run.id).figures.judges}
    assert (found["test/talks"].marks, found["test/talks"].unread) == (0, 8)
    assert (found["test/j"].marks, found["test/j"].unread) == (4, 0)


def test_a_run_with_one_judge_is_refused(engine: Engine) -> None:
    """The message names the command that adds another."""
    run = JudgedRun(engine, Court({"j": always(4)}))
    run.execute()
    with pytest.raises(InvalidInput, match=r"only test/j marked 'rubric' in run 1.*assay grade 1 --judge"):
        run_agreement(engine, run.run.id)


def test_what_is_not_there_is_told(engine: Engine) -> None:
    """A run, a judge, a metric, any marks at all."""
    run = JudgedRun(engine, Court({"j": always(4), "k": always(3)}))
    bare = JudgedRun(engine, Court({}), panel=Panel())
    run.execute()
    with pytest.raises(NotFound, match="no run 9"):
        run_agreement(engine, 9)
    with pytest.raises(InvalidInput, match="judge 'z' gave no marks in run 1: there are test/j, test/k"):
        run_agreement(engine, run.run.id, judges=["z"])
    with pytest.raises(InvalidInput, match="no judge marked 'stars' in run 1: there are rubric"):
        run_agreement(engine, run.run.id, metric="stars")
    with pytest.raises(InvalidInput, match="no judge marked run 2"):
        run_agreement(engine, bare.run.id)
