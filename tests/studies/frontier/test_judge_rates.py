"""A judge's rates, measured from a run of the workspace."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from frontier_judged import measured_run, often
from judged import Court, JudgedRun, always, mark
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.studies.frontier.judge_rates import run_judge_rates


def test_rates_of_a_run(engine: Engine) -> None:
    """The judge marks 3 of the 4 right answers and 1 of the 4 wrong ones with 4 or more."""
    found = run_judge_rates(engine, measured_run(engine, j=often), accept=4.0, price=0.02)
    measured = found.measured
    assert (measured.right, measured.right_accepted) == (4, 3)
    assert (measured.wrong, measured.wrong_accepted) == (4, 1)
    assert measured.judge().price == 0.02
    assert (found.judge, found.metric) == ("test/j", "rubric")


def test_a_judgements_price_is_the_cost_of_its_calls(engine: Engine) -> None:
    """Every reply of the test's server costs 0.001 US dollars."""
    found = run_judge_rates(engine, measured_run(engine, j=often), accept=4.0)
    assert found.price == pytest.approx(0.001)
    assert found.measured.price == found.price


def test_marks_that_cannot_be_read_are_counted(engine: Engine) -> None:
    """A judge that writes prose about three answers gives no marks on them."""

    def sometimes(body: dict[str, Any], before: int) -> str:
        number = int(re.findall(r"answer (\d+) is", json.dumps(body))[0])
        return "Lovely!" if number < 3 else mark(5, body)

    found = run_judge_rates(engine, measured_run(engine, j=sometimes), accept=4.0)
    assert found.left_out == {"no readable mark": 3}
    assert (found.measured.right, found.measured.wrong) == (1, 4)


def test_missing_options_are_named(engine: Engine) -> None:
    """A 1-5 scale needs a threshold, and a run with two judges needs the name of one."""
    number = measured_run(engine, j=often, k=always(4))
    with pytest.raises(InvalidInput, match="2 judges marked run 1: name one of test/j, test/k"):
        run_judge_rates(engine, number)
    with pytest.raises(InvalidInput, match="give the least mark with which the judge accepts"):
        run_judge_rates(engine, number, judge="test/j")


def test_a_run_without_checks_is_refused(engine: Engine) -> None:
    """If no check counts, it is unknown which answers are right."""
    run = JudgedRun(engine, Court({"j": always(4)}))
    run.execute()
    with pytest.raises(InvalidInput, match="both a mark and a check that counts"):
        run_judge_rates(engine, run.run.id, accept=4.0)
