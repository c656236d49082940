"""Corrected means of models: end to end, which correction is better, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from referenced import referenced

from assay.core.errors import InvalidInput
from assay.ranking.corrected_marks import correct, panel_of
from assay.ranking.marks_plan import plan_marks
from assay.ranking.reference_marks import ReferenceMarks
from assay.results.corrected_marks import Correction

NAN = float("nan")
SHARES = {"a": 0.9, "b": 0.75, "c": 0.6}


def world(
    rng: np.random.Generator, hits: str = "999", corrects: str = "888", n: int = 60, denser: float = 1.0
) -> ReferenceMarks:
    """Return three models' answers to 400 items; the judge's hits and corrects are tenths, by model."""
    judges, humans = [], []
    for share, hit, correct_ in zip(SHARES.values(), hits, corrects, strict=True):
        human = (rng.random(400) < share).astype(float)
        right = np.where(human == 1.0, int(hit), int(correct_)) / 10.0
        judge = np.where(rng.random(400) < right, human, 1.0 - human)
        weight = np.where(judge == 1.0, 1.0, denser)
        marked = np.full(400, NAN)
        places = rng.choice(400, n, replace=False, p=weight / weight.sum())
        marked[places] = human[places]
        judges.append(judge)
        humans.append(marked)
    models = "a" * 400 + "b" * 400 + "c" * 400
    return referenced({"j": np.concatenate(judges)}, np.concatenate(humans), models=models)


def test_judge_only_human_only_and_corrected_by_hand() -> None:
    """The judge accepts all of 20; people accept 6 of 10: 100, 60 and 60 points."""
    (row,) = correct(panel_of(referenced({"j": [1.0] * 20}, [1.0] * 6 + [0.0] * 4 + [NAN] * 10))).models
    assert row.human_only is not None and row.corrected is not None
    assert (row.judge_only.value, row.human_only.value, row.corrected.value) == pytest.approx((100, 60, 60))
    assert (row.model, row.answers, row.n, row.rogan_gladen) == ("all answers", 20, 10, None)


def test_the_judge_s_bias_is_removed() -> None:
    """The judge rejects many good answers of b alone: its mean is off, the corrected one is not."""
    found = {
        row.model: row for row in correct(panel_of(world(np.random.default_rng(2), hits="969", n=150))).models
    }
    b = found["b"]
    assert b.corrected is not None
    assert b.judge_only.interval.high < 75.0
    assert b.corrected.interval.low <= 75.0 <= b.corrected.interval.high
    assert b.worth is not None and b.worth > 1.0


def test_rogan_gladen_is_dropped_where_the_judge_errs_differently() -> None:
    """The p of the same errors is small, and the remark says what to use."""
    found = correct(panel_of(world(np.random.default_rng(3), hits="969", n=150)))
    assert found.same_errors_p is not None and found.same_errors_p < 0.001
    assert {row.better for row in found.models} == {Correction.PREDICTION_POWERED}
    assert "Rogan-Gladen's assumption is rejected" in found.remarks[0]


def test_rogan_gladen_is_dropped_where_answers_were_chosen_by_the_judge_s_mark() -> None:
    """It would be wrong there, and the remark says what the other estimates assume."""
    found = correct(panel_of(world(np.random.default_rng(4), denser=6.0)))
    assert found.random_sample_p is not None and found.random_sample_p < 0.001
    assert {row.better for row in found.models} == {Correction.PREDICTION_POWERED}
    assert "not a random sample" in found.remarks[0]


def test_a_model_without_human_marks_gets_rogan_gladen_alone() -> None:
    """From the other models' marks."""
    marks = world(np.random.default_rng(8))
    human = np.where([answer.model == "c" for answer in marks.answers], NAN, marks.reference)
    found = {row.model: row for row in correct(panel_of(replace(marks, reference=human))).models}
    c = found["c"]
    assert (c.n, c.corrected, c.better) == (0, None, Correction.ROGAN_GLADEN)
    assert c.rogan_gladen is not None
    assert c.rogan_gladen.interval.low <= 60.0 <= c.rogan_gladen.interval.high


def test_answers_settled_by_rule_count_as_zero() -> None:
    """Ten of twenty answers are empty: all means are halved, and no human mark is counted for them."""
    marks = referenced({"j": [1.0] * 10 + [0.0] * 10}, [1.0] * 10 + [NAN] * 10)
    (row,) = correct(panel_of(replace(marks, settled=np.arange(20) >= 10))).models
    assert row.corrected is not None and row.human_only is not None
    assert (row.n, row.judge_only.value, row.corrected.value, row.human_only.value) == (10, 50.0, 50.0, 50.0)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        (referenced({"j": [1.0, 0.0]}, [1.0, NAN]), "1 answers have a human mark"),
        (referenced({"j": [1.0, NAN], "k": [NAN, 1.0]}, [1.0, 0.0]), "no answer has marks of all judges"),
        (referenced({"j": [3.0] * 20}, [3.0] * 20, categories=(3.0,)), "every mark is 3"),
        (replace(referenced({"j": [1.0]}, [1.0]), ordered=False), "names without an order"),
    ],
)
def test_what_cannot_be_corrected_is_named(marks: ReferenceMarks, message: str) -> None:
    """One message each."""
    with pytest.raises(InvalidInput, match=message):
        correct(panel_of(marks))


def test_marks_outside_the_range_are_refused() -> None:
    """The message shows the mark and the ends."""
    with pytest.raises(InvalidInput, match="mark 1 is outside 2 to 3"):
        panel_of(referenced({"j": [1.0, 0.0]}, [1.0, 0.0]), (2.0, 3.0))


@pytest.mark.slow
@pytest.mark.parametrize("denser", [1.0, 5.0])
def test_the_better_correction_covers(denser: float) -> None:
    """93-97 % of the intervals of what is called better hold the true mean, also with a shifted mix."""
    rng = np.random.default_rng(41)
    hits = n = 0
    for _ in range(300):
        for row in correct(panel_of(world(rng, denser=denser))).models:
            shown = row.corrected if row.better is Correction.PREDICTION_POWERED else row.rogan_gladen
            assert shown is not None
            hits += shown.interval.low <= 100 * SHARES[row.model] <= shown.interval.high
            n += 1
    assert 0.93 <= hits / n <= 0.97


def test_a_plan_says_how_many_and_which() -> None:
    """Every model reaches the half-width; answers are taken once, and none that is marked."""
    marks = world(np.random.default_rng(7))
    planned = plan_marks(panel_of(marks), 6.0, "human", np.random.default_rng(0))
    assert all(row.wanted == row.marked + row.further for row in planned.models)
    assert sum(row.further for row in planned.strata) == len(planned.take) > 0
    assert all((row.wanted or 0) <= row.at_random for row in planned.models)
    marked = {
        (answer.item, answer.model)
        for answer, mark in zip(marks.answers, marks.reference, strict=True)
        if not np.isnan(mark)
    }
    taken = {(row.item, row.model) for row in planned.take}
    assert len(taken) == len(planned.take)
    assert not taken & marked
    assert {(row.judge, row.mark) for row in planned.take} == {("human", "")}


def test_a_half_width_out_of_reach_is_said() -> None:
    """400 answers cannot give one point: nothing is planned, and the remark says what would be needed."""
    planned = plan_marks(panel_of(world(np.random.default_rng(7))), 1.0, "human", np.random.default_rng(0))
    assert [(row.wanted, row.further) for row in planned.models] == [(None, 0)] * 3
    assert "1 points cannot be reached even if people mark all answers" in planned.remarks[0]


@pytest.mark.parametrize("wanted", [0.0, -1.0, 50.0])
def test_an_invalid_half_width_is_refused(wanted: float) -> None:
    """The message shows it."""
    with pytest.raises(InvalidInput, match=f"invalid half-width {wanted:g}"):
        plan_marks(panel_of(world(np.random.default_rng(7))), wanted, "human", np.random.default_rng(0))
