"""A frontier's report: its parts agree with each other, and a note explains each missing part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from frontier_reads import made, read_of

from assay.core.errors import InvalidInput
from assay.frontier.carriers.shapley import carriers
from assay.frontier.selection.kshot import shots
from assay.frontier.sweep.prices import Price
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_report import Way
from assay.stats.intervals import Interval
from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.report_shots import default_ks, limit_to_all_models


def report_of(tensor: Tensor, **options: object) -> FrontierReport:
    """Return a report with few replicates."""
    return frontier_report(read_of(tensor), resamples=40, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> FrontierReport:
    """Return the report of four models with costs, five generations and two categories."""
    return report_of(made())


def test_one_posterior_serves_every_part(whole: FrontierReport) -> None:
    """Frontier, oracle, best model by prompt and carriers have the same oracle."""
    value = whole.main.quality.value
    assert whole.settings.method == "mixture"
    assert whole.whole.frontier.points[-1].quality.value == pytest.approx(value)
    assert whole.whole.shots[0].per_prompt_best.value.value == pytest.approx(value)
    assert whole.carriers.oracle.value == pytest.approx(value)


def test_the_report_compares_methods(whole: FrontierReport) -> None:
    """The report's method is first, and the naive value is the bracket's upper end."""
    assert [method.method for method in whole.methods] == ["mixture", "naive", "bracket", "power", "smooth"]
    bracket = whole.methods[2]
    assert bracket.lower is not None and bracket.upper is not None
    assert bracket.lower.value is not None and bracket.upper.value is not None
    assert bracket.lower.value < bracket.upper.value
    assert bracket.upper.value == whole.methods[1].quality.value


def test_k_shot_quantities_use_their_own_estimators(whole: FrontierReport) -> None:
    """All models use the closed form and pay for k answers each; the best by prompt is debiased."""
    tensor = made()
    last = whole.whole.shots[-1]
    closed = shots(tensor.correct, tensor.answers, ks=[5])[0]
    assert (last.k, last.all_models.shown, last.per_prompt_best.shown) == (5, "recorded", "debiased")
    assert last.all_models.value.value == pytest.approx(closed.all_models.value)
    assert last.fixed_best.value.value == pytest.approx(closed.fixed_best.value)
    assert last.all_models.answers.value == 20
    assert last.plug_in != pytest.approx(closed.all_models.value)


def test_the_error_reduction_is_over_the_best_single_model() -> None:
    """Models right on 2 and 1 of 4 prompts are together right on 3, which halves the error of 1/2."""
    quality = np.array([[1, 0], [1, 0], [0, 1], [0, 0]], dtype=np.float64)[:, :, None]
    report = report_of(Tensor(("a", "b", "c", "d"), ("x", "y"), quality))
    assert report.whole.shots[0].all_models.value.value == 0.75
    assert report.whole.shots[0].all_models.error_reduction.value == pytest.approx(0.5)
    assert report.whole.frontier.gains.error_reduction.estimate.value == pytest.approx(0.5)


def test_categories_of_enough_prompts_are_groups(whole: FrontierReport) -> None:
    """Each has its own denominators and best model, and their prompts add up to all prompts."""
    assert [group.name for group in whole.groups] == ["topic-0", "topic-1"]
    assert sum(group.counted.prompts for group in whole.groups) == whole.whole.counted.prompts == 48
    assert [shot.k for shot in whole.groups[0].shots] == [1, 5]
    assert whole.uplift is not None and whole.uplift.uplift.debiased_by == "mixture"


def test_small_categories_are_counted_and_not_shown() -> None:
    """A category with fewer than 20 prompts is not a group, and the report has its number of prompts."""
    report = report_of(made(prompts=45, categories=4, generations=3))
    assert report.groups == ()
    assert report.few == {"topic-0": 12, "topic-1": 11, "topic-2": 11, "topic-3": 11}


def test_with_one_generation_the_method_is_naive() -> None:
    """The bracket is shown too, and notes explain the bias and how much can be luck."""
    report = report_of(made(generations=1), methods_beside=("power",))
    assert (report.settings.asked, report.settings.method) == ("mixture", "naive")
    assert [method.method for method in report.methods] == ["naive", "power", "bracket"]
    assert report.reliability is None
    notes = " ".join(report.notes)
    assert "cannot be measured" in notes and "luck alone would lift" in notes
    assert report.carriers.method == "naive"


def test_one_model_has_nothing_to_choose() -> None:
    """The oracle is that model, and a note says so."""
    report = report_of(made(models=1, generations=3))
    assert report.main.gain.value == pytest.approx(0.0)
    assert any("one model" in note for note in report.notes)


def test_without_costs_there_are_no_savings() -> None:
    """Savings are None, and a caveat says so."""
    report = report_of(made(costs=False, generations=3))
    assert report.whole.frontier.gains.saving.estimate.value is None
    assert any("no figures on savings" in caveat for caveat in report.caveats)
    assert report.sequential is not None and report.sequential.unit == "generations"


def test_parts_that_need_right_and_wrong_are_left_out_for_continuous_quality() -> None:
    """There is no reliability, no plan and no judge, and k-shot results are the recorded ones."""
    report = report_of(made(continuous=True, generations=3))
    assert (report.reliability, report.sequential, report.judged) == (None, None, ())
    assert report.whole.shots[0].per_prompt_best.shown == "recorded"
    assert sum("quality is not 0/1" in note for note in report.notes) >= 2


@pytest.mark.slow
def test_missing_cells_are_counted() -> None:
    """If a third of three models' cells is empty, all denominators show it."""
    report = report_of(made(missing=0.33, generations=3))
    counted = report.whole.counted
    assert 30 < counted.missing < 66
    assert counted.answers == 3 * (counted.cells - counted.missing)
    assert all(single.coverage <= 1 for single in report.whole.frontier.singles)
    assert any("miss some prompts" in note for note in report.notes)


def test_without_categories_there_is_no_topic_entropy() -> None:
    """A note says so."""
    report = report_of(made(categories=0, generations=2))
    assert (report.uplift, report.groups) == (None, ())
    assert any("no categories" in note for note in report.notes)


@pytest.mark.slow
def test_new_prices_apply_to_every_part() -> None:
    """At twice the prices all costs double, and the decisions are the same."""
    tensor = made(generations=6, categories=0)
    before = report_of(tensor)
    after = report_of(tensor, prices={name: Price(factor=2.0) for name in tensor.models})
    for once, twice in (
        (before.main.cost, after.main.cost),
        (before.whole.shots[-1].all_models.cost, after.whole.shots[-1].all_models.cost),
        (before.whole.frontier.points[0].cost, after.whole.frontier.points[0].cost),
    ):
        assert once is not None and twice is not None and once.value is not None
        assert twice.value == pytest.approx(2 * once.value)
    assert before.sequential is not None and after.sequential is not None
    assert before.sequential.saving.value == pytest.approx(after.sequential.saving.value)
    assert after.whole.frontier.old_decisions is not None


@pytest.mark.slow
def test_the_date_of_prices_is_in_the_caveats() -> None:
    """Without a date the caveat says `not stated`."""
    tensor = made(generations=2, categories=0)
    assert any("not stated" in caveat for caveat in report_of(tensor).caveats)
    assert any("2026-03-01" in caveat for caveat in report_of(tensor, prices_date="2026-03-01").caveats)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"method": "magic"}, "magic"), ({"ks": [0]}, "from 1"), ({"methods_beside": ["no"]}, "'no'")],
)
def test_invalid_arguments_are_reported(options: dict[str, object], message: str) -> None:
    """Unknown methods and k below 1 are named in the error."""
    with pytest.raises(InvalidInput, match=message):
        report_of(made(generations=2), **options)


def test_many_generations_have_fewer_ks() -> None:
    """There are all k up to G = 20, and above it 1, 2, 5, 10, 20, 50 and G."""
    assert default_ks(3) == (1, 2, 3)
    assert default_ks(96) == (1, 2, 5, 10, 20, 50, 96)
    assert default_ks(50) == (1, 2, 5, 10, 20, 50)


def test_carriers_are_of_the_debiased_oracle(whole: FrontierReport) -> None:
    """The oracle of the cells' means is greater."""
    naive = carriers(made().mean_quality(), made().models, resamples=0)
    assert whole.carriers.oracle.value is not None and naive.oracle.value is not None
    assert whole.carriers.oracle.value < naive.oracle.value


def test_all_is_frozen(whole: FrontierReport) -> None:
    """A report is a value."""
    assert replace(whole, notes=()) != whole


def test_below_five_generations_the_bracket_replaces_the_default_method() -> None:
    """A note explains that the default method gives no single value."""
    report = report_of(made(generations=3, categories=0))
    assert (report.settings.asked, report.settings.method) == ("mixture", "bracket")
    assert report.main.quality.value is None
    assert "mixture gives no single value here" in " ".join(report.notes)


@pytest.mark.parametrize(("most", "limited"), [(0.7, 0.7), (0.9, 0.8)])
def test_the_best_model_by_prompt_never_exceeds_all_models(most: float, limited: float) -> None:
    """A value of 0.8 is limited to 0.7 if all models reach 0.7, and unchanged if they reach 0.9."""
    none = Estimate(None)
    all_models = Way(Estimate(most), None, "recorded", Estimate(0.1), none, None)
    best = Way(none, Estimate(0.8, Interval(0.6, 0.95, 0.9)), "debiased", Estimate(0.2), none, None)
    result = limit_to_all_models(best, all_models)
    assert result.value.value == limited
    assert result.value.over_prompts is not None
    assert result.value.over_prompts.high <= max(most, 0.95 if limited == 0.8 else most)
