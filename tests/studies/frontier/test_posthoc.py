"""Studies of selection after the fact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from frontier_reads import made

from assay.core.errors import InvalidInput
from assay.frontier.selection.judged import ErringJudge, measure_judge
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.tensor import Tensor
from assay.results.note import NoteKind, of_kind
from assay.studies.frontier.judge_rates import JudgedAnswer, rates_of
from assay.studies.frontier.posthoc import posthoc_study
from assay.studies.frontier.posthoc_judges import groups_of, in_unit, judges_of, spell_rates
from assay.studies.frontier.posthoc_result import PosthocOptions, PosthocStudy

QUICK = PosthocOptions(resamples=20)


def study(tensor: Tensor, options: PosthocOptions = QUICK, judge: ErringJudge | None = None) -> PosthocStudy:
    """Return the study of a judge, by default of the perfect judge alone."""
    return posthoc_study(tensor, judges_of(judge or ErringJudge(), None, None), options)


@pytest.mark.slow
def test_curves_use_counts_up_to_the_recorded_answers() -> None:
    """For more answers, and for the best model by prompt, they use draws of the posterior."""
    tensor = made(prompts=30, models=2, generations=3)
    judge = ErringJudge(0.9, 0.2, 0.001)
    result = study(tensor, judge=judge)
    assert result.basis == "counts"
    direct = posthoc(tensor, judge, resamples=20)
    assert result.main.posthoc.points == direct.points
    assert study(tensor, replace(QUICK, most=7)).basis == "mixture"
    assert study(tensor, replace(QUICK, scope="per_prompt_best")).basis == "mixture"


@pytest.mark.slow
def test_the_default_k_is_what_enough_cells_have() -> None:
    """Two cells of 60 with a third answer are too few for k = 3, and too few pairs give no posterior."""
    tensor = made(prompts=30, models=2, generations=3)
    quality = tensor.quality.copy()
    quality[1:, :, 2] = np.nan
    assert study(replace(tensor, quality=quality)).most == 2
    quality[1:, :, 1] = np.nan
    result = study(replace(tensor, quality=quality))
    assert (result.most, result.carriers.method) == (1, "naive")
    assert any("only 2 cells have two answers" in note for note in result.notes)
    with pytest.raises(InvalidInput, match="give at most 3"):
        study(replace(tensor, quality=quality), replace(QUICK, most=4))


def test_one_answer_a_cell_has_a_note_on_luck() -> None:
    """Of ten models that are right on half of the prompts by chance, luck lifts 50 % to nearly 100 %."""
    quality = (np.arange(200).reshape(20, 10, 1) % 2).astype(np.float64)
    names = tuple(str(place) for place in range(20)), tuple(str(place) for place in range(10))
    result = study(Tensor(*names, quality))
    assert of_kind(result.main.posthoc.notes, NoteKind.CAVEAT) and not of_kind(result.notes, NoteKind.CAVEAT)
    assert any("from 50.0 to about 99.9 %" in note for note in result.notes)


@pytest.mark.slow
def test_the_uncertainty_of_a_measured_judge_is_in_every_curve() -> None:
    """With ten judged answers, selection and sequence are uncertain even for the same prompts."""
    judged = [JudgedAnswer(str(n), float(n < 5), float(n in (0, 1, 2, 3, 5))) for n in range(10)]
    rates = rates_of(judged, 1.0, 1.0, None, 0.9, judge="kim", metric=None)
    result = posthoc_study(made(prompts=30), judges_of(None, rates, None), QUICK)
    assert [selected.judge.label for selected in result.selected] == ["perfect, free", "kim"]
    for quality in (result.main.posthoc.points[0].quality, result.main.sequential.points[-1].quality):
        assert quality.these_prompts is not None
        assert quality.these_prompts.high - quality.these_prompts.low > 0.01
    assert any("judge kim: the price of a judgement is unknown" in note for note in result.notes)


def test_a_measured_price_is_left_out_without_costs() -> None:
    """It is reported, and a stated price is refused."""
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
    free, notes = in_unit(judges_of(None, rates, None), tensor, None)
    assert judged.price == 0.5 and free[1].point.price == 0.0
    assert notes == ("the source has no costs, so the $0.5 of a judgement is left out",)
    with pytest.raises(InvalidInput, match="has no costs"):
        in_unit(judges_of(ErringJudge(price=0.5), None, None), tensor, 0.5)


@pytest.mark.slow
def test_models_without_a_latency_are_named() -> None:
    """Seconds are left out if one model has none."""
    tensor = made(prompts=20, models=2)
    latency = np.full(tensor.quality.shape, 3.0)
    assert study(replace(tensor, latency=latency)).main.sequential.points[0].latency is not None
    latency[:, 1] = np.nan
    result = study(replace(tensor, latency=latency))
    assert result.main.sequential.points[0].latency is None
    assert any("no latency is recorded for 'model-1'" in note for note in result.notes)


@pytest.mark.slow
def test_models_are_chosen_by_name() -> None:
    """The named models are used once each, in the source's order."""
    result = study(made(), replace(QUICK, models=("model-3", "model-1", "model-3")))
    assert result.models == ("model-1", "model-3")


def test_arms_and_settings_are_grouped() -> None:
    """The group is a part of an arm's name, or a run's model without its settings."""
    assert groups_of(("a + x", "b + x"), ("model", "style"), "style") == {"a + x": "x", "b + x": "x"}
    settings = ("gpt (0a1b2c)", "gpt (ffffff)", "other")
    assert set(groups_of(settings, (), "model").values()) == {"gpt", "other"}
    with pytest.raises(InvalidInput, match="is not a column of arms: give one of model, style"):
        groups_of(("a + x",), ("model", "style"), "size")
    with pytest.raises(InvalidInput, match="cannot be split"):
        groups_of(("a + x + y",), ("model", "style"), "style")


def test_rates_in_words() -> None:
    """The label has one error rate, or both rates if they differ."""
    assert spell_rates(ErringJudge(0.95, 0.05)) == "errs 5 %"
    assert spell_rates(ErringJudge(0.9, 0.2)) == "accepts 90 % right, 20 % wrong"
