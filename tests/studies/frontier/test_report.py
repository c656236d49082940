"""A frontier's report: its parts agree with each other, and every lack degrades with a stated note."""

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
from assay.studies.frontier.report_shots import default_ks, held_to


def report_of(tensor: Tensor, **options: object) -> FrontierReport:
    """Return a report with few replicates."""
    return frontier_report(read_of(tensor), resamples=40, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> FrontierReport:
    """Return the report of four models with costs, five generations, two categories."""
    return report_of(made())


def test_one_posterior_serves_every_part(whole: FrontierReport) -> None:
    """Frontier, oracle, best model by prompt, carriers and the whole set of models have one oracle."""
    value = whole.main.quality.value
    assert whole.settings.method == "mixture"
    assert whole.whole.frontier.points[-1].quality.value == pytest.approx(value)
    assert whole.whole.shots[0].per_prompt_best.value.value == pytest.approx(value)
    assert whole.carriers.oracle.value == pytest.approx(value)


def test_methods_stand_beside_one_another(whole: FrontierReport) -> None:
    """The report's own first; the naive one is above its bracket's lower end."""
    assert [each.method for each in whole.methods] == ["mixture", "naive", "bracket", "power", "smooth"]
    bracket = whole.methods[2]
    assert bracket.lower is not None and bracket.upper is not None
    assert bracket.lower.value is not None and bracket.upper.value is not None
    assert bracket.lower.value < bracket.upper.value
    assert bracket.upper.value == whole.methods[1].quality.value


def test_k_shot_quantities_are_kept_apart(whole: FrontierReport) -> None:
    """all_models_k is the unbiased closed form, which pays k of every model; the other is debiased."""
    tensor = made()
    last = whole.whole.shots[-1]
    closed = shots(tensor.correct, tensor.given, ks=[5])[0]
    assert (last.k, last.all_models.told, last.per_prompt_best.told) == (5, "recorded", "debiased")
    assert last.all_models.value.value == pytest.approx(closed.all_models.value)
    assert last.fixed_best.value.value == pytest.approx(closed.fixed_best.value)
    assert last.all_models.answers.value == 20
    assert last.plug_in != pytest.approx(closed.all_models.value)


def test_the_error_reduction_is_over_the_best_single_model() -> None:
    """By hand: models right on 2 and 1 of 4 prompts, together on 3: of an error of 1/2, half goes."""
    quality = np.array([[1, 0], [1, 0], [0, 1], [0, 0]], dtype=np.float64)[:, :, None]
    found = report_of(Tensor(("a", "b", "c", "d"), ("x", "y"), quality))
    assert found.whole.shots[0].all_models.value.value == 0.75
    assert found.whole.shots[0].all_models.error_reduction.value == pytest.approx(0.5)
    assert found.whole.frontier.gains.error_reduction.estimate.value == pytest.approx(0.5)


def test_categories_of_enough_prompts_have_rows(whole: FrontierReport) -> None:
    """Each has its own denominators and best model; their prompts add to the whole's."""
    assert [each.name for each in whole.groups] == ["topic-0", "topic-1"]
    assert sum(each.counted.prompts for each in whole.groups) == whole.whole.counted.prompts == 48
    assert [each.k for each in whole.groups[0].shots] == [1, 5]
    assert whole.uplift is not None and whole.uplift.uplift.debiased_by == "mixture"


def test_small_categories_are_counted_and_not_shown() -> None:
    """Below 20 prompts a category has no row, and the report says how many prompts those have."""
    found = report_of(made(prompts=45, categories=4, generations=3))
    assert found.groups == ()
    assert found.few == {"topic-0": 12, "topic-1": 11, "topic-2": 11, "topic-3": 11}


def test_one_generation_gives_way_to_naive_and_says_so() -> None:
    """The bias cannot be measured, the bracket stands beside it, and a note says how much may be luck."""
    found = report_of(made(generations=1), methods_beside=("power",))
    assert (found.settings.asked, found.settings.method) == ("mixture", "naive")
    assert [each.method for each in found.methods] == ["naive", "power", "bracket"]
    assert found.reliability is None
    told = " ".join(found.notes)
    assert "cannot be measured" in told and "luck alone would lift" in told
    assert found.carriers.method == "naive"


def test_one_model_has_nothing_to_choose() -> None:
    """The oracle is that model; nothing crashes and the note says so."""
    found = report_of(made(models=1, generations=3))
    assert found.main.gain.value == pytest.approx(0.0)
    assert any("one model" in note for note in found.notes)


def test_without_costs_nothing_is_said_of_savings() -> None:
    """Savings are None with the reason, and the caveats say so."""
    found = report_of(made(costs=False, generations=3))
    assert found.whole.frontier.gains.saving.estimate.value is None
    assert any("nothing is said of savings" in caveat for caveat in found.caveats)
    assert found.sequential is not None and found.sequential.unit == "generations"


def test_continuous_quality_leaves_out_what_needs_right_or_wrong() -> None:
    """No reliability, no plan, no judge; k-shot results are the recorded ones."""
    found = report_of(made(continuous=True, generations=3))
    assert (found.reliability, found.sequential, found.judged) == (None, None, ())
    assert found.whole.shots[0].per_prompt_best.told == "recorded"
    assert sum("quality is not 0/1" in note for note in found.notes) >= 2


@pytest.mark.slow
def test_missing_cells_are_counted() -> None:
    """A third of three models' cells is empty; every denominator says so and nothing crashes."""
    found = report_of(made(missing=0.33, generations=3))
    counted = found.whole.counted
    assert 30 < counted.missing < 66
    assert counted.answers == 3 * (counted.cells - counted.missing)
    assert all(single.coverage <= 1 for single in found.whole.frontier.singles)
    assert any("miss some prompts" in note for note in found.notes)


def test_no_categories_no_topic_entropy() -> None:
    """The note says so."""
    found = report_of(made(categories=0, generations=2))
    assert (found.uplift, found.groups) == (None, ())
    assert any("no categories" in note for note in found.notes)


@pytest.mark.slow
def test_new_prices_reach_every_part() -> None:
    """At twice the prices everything costs twice as much, and decisions stay."""
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
def test_the_date_of_prices_is_told_or_missed() -> None:
    """Without one it says `not stated`."""
    tensor = made(generations=2, categories=0)
    assert any("not stated" in each for each in report_of(tensor).caveats)
    assert any("2026-03-01" in each for each in report_of(tensor, prices_date="2026-03-01").caveats)


@pytest.mark.parametrize(
    ("options", "told"),
    [({"method": "magic"}, "magic"), ({"ks": [0]}, "from 1"), ({"methods_beside": ["no"]}, "'no'")],
)
def test_wrong_wishes_are_named(options: dict[str, object], told: str) -> None:
    """An unknown method, a k below 1."""
    with pytest.raises(InvalidInput, match=told):
        report_of(made(generations=2), **options)


def test_many_generations_have_fewer_ks() -> None:
    """1..G up to 20; above, 1, 2, 5, 10, 20, 50 and the most."""
    assert default_ks(3) == (1, 2, 3)
    assert default_ks(96) == (1, 2, 5, 10, 20, 50, 96)
    assert default_ks(50) == (1, 2, 5, 10, 20, 50)


def test_carriers_are_of_the_debiased_oracle(whole: FrontierReport) -> None:
    """Not of the cells' means, whose oracle is greater."""
    naive = carriers(made().mean_quality(), made().models, resamples=0)
    assert whole.carriers.oracle.value is not None and naive.oracle.value is not None
    assert whole.carriers.oracle.value < naive.oracle.value


def test_all_is_frozen(whole: FrontierReport) -> None:
    """A report is a value."""
    assert replace(whole, notes=()) != whole


def test_below_five_generations_the_bracket_stands_in_the_place_of_a_value() -> None:
    """Asked for the default: the method shown is the bracket, and the first note says why."""
    found = report_of(made(generations=3, categories=0))
    assert (found.settings.asked, found.settings.method) == ("mixture", "bracket")
    assert found.main.quality.value is None
    assert "mixture claims no value here" in " ".join(found.notes)


@pytest.mark.parametrize(("most", "held"), [(0.7, 0.7), (0.9, 0.8)])
def test_the_best_model_by_prompt_never_exceeds_all_models(most: float, held: float) -> None:
    """Its k answers are among theirs: 0.8 beside 0.7 is held to 0.7; beside 0.9 it stays."""
    none = Estimate(None)
    together = Way(Estimate(most), None, "recorded", Estimate(0.1), none, None)
    apart = Way(none, Estimate(0.8, Interval(0.6, 0.95, 0.9)), "debiased", Estimate(0.2), none, None)
    found = held_to(apart, together)
    assert found.value.value == held
    assert found.value.over_prompts is not None
    assert found.value.over_prompts.high <= max(most, 0.95 if held == 0.8 else most)
