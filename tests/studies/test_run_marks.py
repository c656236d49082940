"""Marks of stored runs by judges that are called over HTTP."""

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
    """Each judge's marks on all epochs are read, with the length of the answers and the rubric's scale."""
    court = Court(
        {"j": by_case, "k": always(4)},
        answer=lambda body: f"{body['model']} on Write {body['messages'][-1]['content'][6]}.",
    )
    run = JudgedRun(engine, court, subjects=("one", "two"), suite=judged_suite(cases=3, epochs=2))
    run.execute()
    result = read_run_marks(engine, run.run.id)
    marks = result.marks
    assert (result.metric, result.others) == ("rubric", ())
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
    """Two judges who differ by one mark on every answer never agree, and their leniency is 1 and -1."""
    run = JudgedRun(engine, Court({"j": always(4), "k": always(3)}))
    run.execute()
    result = run_agreement(engine, run.run.id)
    leniency = {
        judge.judge: judge.above_others and judge.above_others.value for judge in result.figures.judges
    }
    assert leniency == {"test/j": 1.0, "test/k": -1.0}
    assert result.figures.pairs[0].agreement == 0.0
    assert (result.suite, result.simulated) == ("judged", False)


def test_unreadable_marks_are_counted_and_own_models_are_not_marked(engine: Engine) -> None:
    """A judge that writes prose gives no marks, and a judge does not mark its own model."""
    court = Court({"j": always(4), "k": always(3), "talks": lambda body, before: "A fine answer!"})
    run = JudgedRun(engine, court, subjects=("j", "other"))
    run.execute()
    result = {judge.judge: judge for judge in run_agreement(engine, run.run.id).figures.judges}
    assert (result["test/talks"].marks, result["test/talks"].unread) == (0, 8)
    assert (result["test/j"].marks, result["test/j"].unread) == (4, 0)


def test_a_run_with_one_judge_is_refused(engine: Engine) -> None:
    """The message names the command that adds another judge."""
    run = JudgedRun(engine, Court({"j": always(4)}))
    run.execute()
    with pytest.raises(InvalidInput, match=r"only test/j marked 'rubric' in run 1.*assay grade 1 --judge"):
        run_agreement(engine, run.run.id)


def test_an_unknown_run_judge_or_metric_is_reported(engine: Engine) -> None:
    """A run without any marks is reported too."""
    run = JudgedRun(engine, Court({"j": always(4), "k": always(3)}))
    bare = JudgedRun(engine, Court({}), panel=Panel())
    run.execute()
    with pytest.raises(NotFound, match="no run 9"):
        run_agreement(engine, 9)
    with pytest.raises(InvalidInput, match="judge 'z' gave no marks in run 1: use one of test/j, test/k"):
        run_agreement(engine, run.run.id, judges=["z"])
    with pytest.raises(InvalidInput, match="no judge marked the metric 'stars' in run 1: use one of rubric"):
        run_agreement(engine, run.run.id, metric="stars")
    with pytest.raises(InvalidInput, match="no judge marked run 2"):
        run_agreement(engine, bare.run.id)
