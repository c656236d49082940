"""The fleet-adjusted test: a fall beside the other watched models, with what they share taken out."""

import numpy as np
import pytest

from assay.watch import fleet, sequential
from assay.watch.null import stated
from assay.watch.sequential import LEAST_DAYS, YEAR

NAN = np.nan


def alone(models: int) -> np.ndarray:
    """No two models are related."""
    return np.zeros((models, models), dtype=bool)


def ties(models: int, days: int) -> np.ndarray:
    """Every tie counts against the alarm: no chance."""
    return np.ones((models, days))


def swinging(rng: np.random.Generator, models: int, days: int, *, persistence: float = 0.6) -> np.ndarray:
    """The factors of a swing of 2 % that all models share, correlated from day to day."""
    swing = rng.standard_normal(days)
    for day in range(1, days):
        swing[day] = persistence * swing[day - 1] + np.sqrt(1 - persistence**2) * swing[day]
    return np.broadcast_to(1.0 + 0.02 * swing, (models, days)).copy()


def test_what_all_models_share_is_taken_out_by_hand() -> None:
    """Two models that move alike to the last digit: nothing is left of either, so no day is worse."""
    ratios = np.array([[[0.0, 1.0, 0.0, 2.0] * 3], [[1.0, 3.0, 1.0, 5.0] * 3]])
    patterns = np.ones((2, 12), dtype=np.int64)
    found = fleet.adjusted(ratios, patterns, ~np.eye(2, dtype=bool))
    assert found.scores[0] == pytest.approx(np.full(12, 0.75))
    assert (found.controls[0], found.common[0].sum()) == (1, 12)


def test_a_day_apart_stands_out_by_what_the_control_does_not_show() -> None:
    """The control is constant: the model's own day scores stay as they are."""
    ratios = np.array([[[0.0] * 11 + [4.0]], [[1.0] * 12]])
    found = fleet.adjusted(ratios, np.ones((2, 12), dtype=np.int64), ~np.eye(2, dtype=bool))
    assert found.scores[0].tolist() == [0.0] * 11 + [4.0]


def test_days_without_a_control_are_left_out() -> None:
    """Graded in other use cases, or not at all, the other model is no control on that day."""
    patterns = np.array([[1] * 20, [1] * 15 + [-1, 3, 1, 1, 1]])
    found = fleet.adjusted(np.zeros((2, 1, 20)), patterns, ~np.eye(2, dtype=bool))
    assert np.flatnonzero(~found.common[0]).tolist() == [15, 16]


def test_the_outermost_controls_are_left_out_of_the_swing() -> None:
    """Of three controls the middle one counts on each day: one that falls on its own changes nothing."""
    rng = np.random.default_rng(1)
    ratios = rng.standard_normal((4, 1, 40))
    fallen = ratios.copy()
    fallen[3, :, -1] = 1e6
    patterns, others = np.ones((4, 40), dtype=np.int64), ~np.eye(4, dtype=bool)
    calm, odd = (fleet.adjusted(each, patterns, others).scores[0] for each in (ratios, fallen))
    assert abs(odd[-1] - calm[-1]) < 3.0


def swing_of(ratios: np.ndarray, scored: np.ndarray, model: int) -> np.ndarray:
    """The trimmed mean of the other models' standardised ratios on each day, model by model."""
    others = [own for own in range(len(ratios)) if own != model]
    z = np.full(ratios.shape, np.nan)
    for own in others:
        values = ratios[own, scored[own]]
        z[own, scored[own]] = (values - values.mean()) / values.std()
    swing = np.empty(ratios.shape[1])
    for day in range(ratios.shape[1]):
        values = np.sort([z[own, day] for own in others if scored[own, day]])
        cut = 0 if len(values) < 3 else max(1, int(fleet.TRIMMED * len(values)))
        swing[day] = values[cut : len(values) - cut].mean()
    return swing


@pytest.mark.parametrize("models", [2, 3, 4, 9])
def test_each_model_is_adjusted_as_if_it_were_alone_with_its_controls(models: int) -> None:
    """Models that are sorted together: each has the scores that the definition gives it by itself."""
    rng = np.random.default_rng(7)
    ratios, scored = rng.standard_normal((models, 1, 60)), rng.random((models, 60)) < 0.9
    scored[0], scored[:, -1] = True, True
    found = fleet.adjusted(ratios, np.where(scored, 1, -1), ~np.eye(models, dtype=bool))
    for model in range(models):
        days = np.flatnonzero(found.common[model])
        swing = swing_of(ratios[:, 0, days], scored[:, days], model)
        own, moved = ratios[model, 0, days], swing - swing.mean()
        slope = max(0.0, float(((own - own.mean()) * moved).mean() / (moved**2).mean()))
        assert found.scores[model, days] == pytest.approx(own - slope * moved, abs=1e-6)


def test_models_behind_one_another_leave_the_rest_of_the_pool_alike() -> None:
    """A model that may not be a control changes its own comparison, as if it were not there."""
    rng = np.random.default_rng(8)
    ratios, patterns = rng.standard_normal((5, 2, 40)), np.ones((5, 40), dtype=np.int64)
    allowed = ~np.eye(5, dtype=bool)
    allowed[0, 4] = allowed[4, 0] = False
    found = fleet.adjusted(ratios, patterns, allowed)
    without = fleet.adjusted(ratios[:4], patterns[:4], ~np.eye(4, dtype=bool))
    assert found.controls.tolist() == [3, 4, 4, 4, 3]
    assert found.scores[0] == pytest.approx(without.scores[0])


@pytest.mark.parametrize("related", [np.ones((2, 2), dtype=bool), None])
def test_without_controls_there_is_no_test(related: np.ndarray | None) -> None:
    """One model, or two that are one model behind two providers: no bet is ever made."""
    models = 1 if related is None else 2
    scores = np.zeros((models, 3, 40))
    found = fleet.follow(scores, np.zeros(3), ties(models, 40), alone(1) if related is None else related)
    assert not found.controls.any()
    assert not found.level.any()


def test_the_first_bet_waits_for_enough_common_days() -> None:
    """A model that joins late has controls at once and bets after seven days in common."""
    scores = np.random.default_rng(2).random((2, 3, 40))
    scores[1, :, :20] = NAN
    found = fleet.follow(scores, np.zeros(3), ties(2, 40), alone(2))
    begun = np.flatnonzero(found.level[1] > 0.0)[0]
    assert found.days[1, begun] == LEAST_DAYS + 1


def test_past_evidence_never_changes() -> None:
    """What a day said does not depend on the days after it."""
    rng = np.random.default_rng(3)
    scores, chance = rng.random((3, 4, 40)), 1.0 - rng.random((3, 40))
    whole = fleet.follow(scores, np.zeros(4), chance, alone(3))
    part = fleet.follow(scores[:, :, :30], np.zeros(4), chance[:, :30], alone(3))
    assert np.array_equal(whole.level[:, :30], part.level)


@pytest.mark.slow
def test_days_exchangeable_together_keep_the_promise() -> None:
    """The order of days carries no information here: at 20 alarms a year at most 20 a year are raised."""
    rng, days, models = np.random.default_rng(4), 120, 4
    alarms = 0
    for _ in range(6):
        shock = 0.2 * rng.standard_exponential((1, 1, days))
        scores = np.clip(0.9 - shock + 0.05 * rng.standard_normal((models, 4, days)), 0, 1)
        chance = 1.0 - rng.random((models, days))
        alarms += fleet.follow(scores, np.zeros(4), chance, alone(models), false_alarms=20.0).alarm.sum()
    assert alarms <= 20.0 * 6 * models * days / YEAR


@pytest.mark.slow
def test_a_shared_correlated_swing_raises_fewer_alarms_than_alone() -> None:
    """2 % at correlation 0.6, at one alarm a year: with three controls less than half of the plain test's."""
    rng, models, days = np.random.default_rng(5), 4, 200
    own = beside = 0
    for _ in range(3):
        profile = stated(rng, models)
        scores = profile.draw(swinging(rng, models, days), models, rng).base
        chance = 1.0 - rng.random((models, days))
        use_cases = profile.shape.use_cases
        own += int(sequential.follow(scores, use_cases, chance, false_alarms=1.0).alarm.sum())
        beside += int(fleet.follow(scores, use_cases, chance, alone(models), false_alarms=1.0).alarm.sum())
    assert own >= 8
    assert beside < own / 2


def fallen_models(who: list[int]) -> tuple[sequential.SequentialCourse, fleet.FleetCourse, int]:
    """Follow five models under the swing, of which some fall by 10 % after 60 days."""
    rng, models, days, start = np.random.default_rng(6), 5, 75, 60
    profile, chance = stated(rng, models), 1.0 - rng.random((models, days))
    factors = swinging(rng, models, days)
    factors[who, start:] *= 0.9
    scores, use_cases = profile.draw(factors, models, rng).base, profile.shape.use_cases
    beside = fleet.follow(scores, use_cases, chance, alone(models))
    return sequential.follow(scores, use_cases, chance), beside, start


def test_a_fall_of_one_model_is_seen_under_the_swing() -> None:
    """10 % of one model of five, within ten days."""
    _, beside, start = fallen_models([0])
    assert beside.alarm[0, start : start + 10].any()


def test_a_fall_of_all_models_is_seen_by_the_test_of_each_alone() -> None:
    """In six days each model's own test sees it; the adjusted test takes most of it for a common swing."""
    own, beside, start = fallen_models([0, 1, 2, 3, 4])
    assert own.alarm[:, start : start + 6].any(axis=1).all()
    assert beside.alarm[:, start : start + 6].any(axis=1).sum() <= 1
