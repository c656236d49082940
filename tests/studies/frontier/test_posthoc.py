"""Tests of a study of selection after the fact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from frontier_reads import made

from assay.core.errors import InvalidInput
from assay.frontier.selection.judged import ErringJudge, measure_judge
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.tensor import Tensor
from assay.studies.frontier.judge_rates import JudgedAnswer, rates_of
from assay.studies.frontier.posthoc import posthoc_study
from assay.studies.frontier.posthoc_judges import groups_of, in_unit, judges_of, spell_rates
from assay.studies.frontier.posthoc_result import PosthocStudy, Wish

QUICK = Wish(resamples=20)


def study(tensor: Tensor, wish: Wish = QUICK, judge: ErringJudge | None = None) -> PosthocStudy:
    """Return the study of a judge, the perfect one alone by default."""
    return posthoc_study(tensor, judges_of(judge or ErringJudge(), None, None), wish)


@pytest.mark.slow
def test_curves_are_of_counts_as_far_as_they_go() -> None:
    """Up to the recorded answers they are the pure function's; beyond, and for an oracle's model, draws."""
    tensor = made(prompts=30, models=2, generations=3)
    judge = ErringJudge(0.9, 0.2, 0.001)
    found = study(tensor, judge=judge)
    assert found.basis == "counts"
    direct = posthoc(tensor, judge, resamples=20)
    assert found.main.posthoc.points == direct.points
    assert study(tensor, replace(QUICK, most=7)).basis == "mixture"
    assert study(tensor, replace(QUICK, scope="per_prompt_best")).basis == "mixture"


@pytest.mark.slow
def test_the_default_goes_to_what_enough_cells_have() -> None:
    """Two cells of 60 with a third answer do not make k = 3; too few cells of two leave no posterior."""
    tensor = made(prompts=30, models=2, generations=3)
    quality = tensor.quality.copy()
    quality[1:, :, 2] = np.nan
    assert study(replace(tensor, quality=quality)).most == 2
    quality[1:, :, 1] = np.nan
    found = study(replace(tensor, quality=quality))
    assert (found.most, found.carriers.method) == (1, "naive")
    assert any("only 2 cells have two answers" in note for note in found.notes)
    with pytest.raises(InvalidInput, match="give at most 3"):
        study(replace(tensor, quality=quality), replace(QUICK, most=4))


def test_one_answer_a_cell_says_how_much_may_be_luck() -> None:
    """Ten models, each right on half of the prompts by chance alone: luck lifts 50 % to nearly 100 %."""
    quality = (np.arange(200).reshape(20, 10, 1) % 2).astype(np.float64)
    names = tuple(str(place) for place in range(20)), tuple(str(place) for place in range(10))
    found = study(Tensor(*names, quality))
    assert any("from 50.0 to about 99.9 %" in note for note in found.notes)


@pytest.mark.slow
def test_a_measured_judges_doubt_is_in_every_curve() -> None:
    """Ten judged answers leave doubt of selection and of the sequence, beyond other prompts."""
    judged = [JudgedAnswer(str(n), float(n < 5), float(n in (0, 1, 2, 3, 5))) for n in range(10)]
    rates = rates_of(judged, 1.0, 1.0, None, 0.9, judge="kim", metric=None)
    found = posthoc_study(made(prompts=30), judges_of(None, rates, None), QUICK)
    assert [each.judge.label for each in found.selected] == ["perfect, free", "kim"]
    for quality in (found.main.posthoc.points[0].quality, found.main.sequential.points[-1].quality):
        assert quality.these_prompts is not None
        assert quality.these_prompts.high - quality.these_prompts.low > 0.01
    assert any("judge kim: what a judgement costs is unknown" in note for note in found.notes)


def test_a_measured_price_is_left_out_where_there_are_no_costs() -> None:
    """It is reported; a stated one is refused, for it could not be added to anything."""
    tensor = made(prompts=5, costs=False)
    judged = measure_judge([True, False], [True, False], price=0.5)
    rates = rates_of(
        [JudgedAnswer("a", 1.0, 1.0), JudgedAnswer("b", 0.0, 0.0)],
        1.0,
        1.0,
        0.5,
        0.9,
        judge="kim",
        metric=None,
    )
    kept, notes = in_unit(judges_of(None, rates, None), tensor, None)
    assert judged.price == 0.5 and kept[1].point.price == 0.0
    assert notes == ("what a judgement cost, $0.5, is not counted: the source has no costs",)
    with pytest.raises(InvalidInput, match="has no costs"):
        in_unit(judges_of(ErringJudge(price=0.5), None, None), tensor, 0.5)


@pytest.mark.slow
def test_models_without_a_latency_are_named() -> None:
    """Seconds are left out where one model has none."""
    tensor = made(prompts=20, models=2)
    latency = np.full(tensor.quality.shape, 3.0)
    assert study(replace(tensor, latency=latency)).main.sequential.points[0].latency is not None
    latency[:, 1] = np.nan
    found = study(replace(tensor, latency=latency))
    assert found.main.sequential.points[0].latency is None
    assert any("no latency is recorded of 'model-1'" in note for note in found.notes)


@pytest.mark.slow
def test_models_are_kept_by_name() -> None:
    """Those named, once each, in the source's order."""
    found = study(made(), replace(QUICK, models=("model-3", "model-1", "model-3")))
    assert found.models == ("model-1", "model-3")


def test_arms_and_settings_are_grouped() -> None:
    """A part of an arm's name, or a run's model without its settings; nothing else."""
    assert groups_of(("a + x", "b + x"), ("model", "style"), "style") == {"a + x": "x", "b + x": "x"}
    settings = ("gpt (0a1b2c)", "gpt (ffffff)", "other")
    assert set(groups_of(settings, (), "model").values()) == {"gpt", "other"}
    with pytest.raises(InvalidInput, match="groups nothing: give one of model, style"):
        groups_of(("a + x",), ("model", "style"), "size")
    with pytest.raises(InvalidInput, match="cannot be taken apart"):
        groups_of(("a + x + y",), ("model", "style"), "style")


def test_rates_in_words() -> None:
    """One error, or both rates where they differ."""
    assert spell_rates(ErringJudge(0.95, 0.05)) == "errs 5 %"
    assert spell_rates(ErringJudge(0.9, 0.2)) == "accepts 90 % right, 20 % wrong"
