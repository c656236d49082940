"""What a plan will need, before anything is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from judged import judged_suite
from small_suite import make_suite

from assay.core.ask import Message
from assay.core.case import Case, Exemplar, Grading
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.money import Prices
from assay.core.suite import Suite, UseCase
from assay.runs.estimate import LEAST_COMPLETION, estimate
from assay.runs.plan import Plan, plan_run

PRICED = Model("p", "a", prices=Prices(1.0, 10.0, request=0.001))
UNPRICED = Model("p", "b")


def suite_of(*cases: Case) -> Suite:
    """Return a suite of one use case."""
    use_case = UseCase("u", "U", Grading.DETERMINISTIC, 1, 3, cases)
    return Suite("s", "1", "S", "public", (use_case,), "0" * 64)


def case(prompt: str, *answers: str, max_tokens: int = 4096) -> Case:
    """Return a case with exemplars."""
    exemplars = tuple(Exemplar(answer, 1.0) for answer in answers)
    return Case(f"c{len(prompt)}", "u", (Message("user", prompt),), (), max_tokens, exemplars)


def test_calls_are_cases_times_epochs_times_models() -> None:
    """Ten cases, two models, three epochs: sixty calls, thirty each."""
    found = estimate(plan_run(make_suite(), [PRICED, UNPRICED], epochs=3))
    assert (found.calls, [model.calls for model in found.expected[0].models]) == (60, [30, 30])


def test_tokens_are_four_characters_each() -> None:
    """400 characters and one turn are 108 prompt tokens; the longest exemplar of 2,000 is 500."""
    (part,) = (
        estimate(plan_run(suite_of(case("x" * 400, "short", "y" * 2000)), [UNPRICED])).expected[0].models
    )
    assert (part.prompt_tokens, part.completion_tokens) == (108, 500)


def test_an_answer_is_at_least_a_few_hundred_tokens_and_at_most_the_limit() -> None:
    """Short exemplars say little about what a model writes; `max_tokens` bounds it."""
    plan = plan_run(suite_of(case("x", "y"), case("xx", "y" * 8000, max_tokens=100)), [UNPRICED])
    assert estimate(plan).expected[0].models[0].completion_tokens == LEAST_COMPLETION + 100


def test_the_cost_is_tokens_times_prices_and_a_price_for_each_request() -> None:
    """Two epochs: 2 x (108 x $1 + 500 x $10)/1M + 2 x $0.001."""
    plan = plan_run(suite_of(case("x" * 400, "y" * 2000)), [PRICED], epochs=2)
    assert estimate(plan).cost == pytest.approx(2 * (108 * 1.0 + 500 * 10.0) / 1e6 + 0.002)


def test_one_unknown_price_makes_the_whole_unknown() -> None:
    """It is never counted as 0; the known model's share is still told."""
    found = estimate(plan_run(make_suite(), [PRICED, UNPRICED]))
    assert found.cost is None
    assert found.expected[0].models[0].cost is not None
    assert found.expected[0].models[1].cost is None


def test_the_most_that_re_runs_could_add_is_told() -> None:
    """From one sample to three for every case and model; nothing more where all are topped up."""
    plan = plan_run(make_suite(), [PRICED, UNPRICED])
    assert [part.calls for part in estimate(plan, calibrated=True).possible] == [10 * 2 * 2]
    pairs = frozenset((model, name) for model in range(2) for name in ("use-0", "use-1"))
    assert estimate(replace(plan, topped=pairs), calibrated=True).possible == ()


def test_a_limit_shows_in_the_estimate() -> None:
    """Four of ten cases are four calls."""
    assert estimate(plan_run(make_suite(), [PRICED], limit=4)).calls == 4


def judged_plan() -> Plan:
    """A plan of a judged suite with twelve exemplars, four cases, one sample each, and a priced judge."""
    judge = Model("p", "judge", prices=Prices(1.0, 10.0))
    plan = plan_run(judged_suite(cases=4), [PRICED], panel=Panel(judges=(judge.name,)))
    return replace(plan, judges=((1, judge),))


def test_a_watch_is_estimated_with_its_calibration() -> None:
    """Four samples, four marks, twelve exemplars: each a part with its cost, and the total their sum."""
    found = estimate(judged_plan(), calibrated=True)
    assert {part.name: part.calls for part in found.expected} == {
        "samples": 4,
        "judges": 4,
        "calibration": 12,
    }
    assert found.calls == 20
    assert found.cost == pytest.approx(sum(part.cost or 0.0 for part in found.expected))


def test_what_may_come_on_top_is_an_upper_bound() -> None:
    """Two more samples a case with their marks, and one more ask for each of all 4 + 12 + 8 marks."""
    found = estimate(judged_plan(), calibrated=True)
    assert {part.name: part.calls for part in found.possible} == {"top-ups": 16, "re-asks": 24}
    assert found.most_calls == 20 + 16 + 24


def test_a_run_has_no_calibration() -> None:
    """Only a watch calibrates, and a resumed one that has done so does it no more."""
    assert "calibration" not in {part.name for part in estimate(judged_plan()).expected}
    resumed = replace(judged_plan(), calibrations=(1,))
    assert "calibration" not in {part.name for part in estimate(resumed, calibrated=True).expected}
