"""The sequential test with a stated false-alarm rate."""

from collections.abc import Callable

import numpy as np
import pytest

from assay.watch.null import fallen, stated
from assay.watch.sequential import LEAST_DAYS, YEAR, follow

NAN = np.nan
OFTEN = 20.0
"""A rate of false alarms high enough to be counted in a short simulation."""

Null = Callable[[np.random.Generator, int, int], np.ndarray]


def ties(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    return 1.0 - rng.random((models, days))


def coins(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    """Three cases that pass or fail: many days tie."""
    return (rng.random((models, 3, days)) < np.array([0.5, 0.9, 1.0])[:, None]).astype(float)


def heavy_tails(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    """Cauchy noise of very different size from case to case."""
    scale = np.array([0.001, 0.01, 0.1, 1.0])[:, None]
    return np.clip(0.5 + scale * rng.standard_cauchy((models, 4, days)), 0, 1)


def shared_shocks(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    """All cases of a day move together, independently from day to day."""
    shock = 0.1 * rng.standard_exponential((models, 1, days))
    return np.clip(0.9 - shock + 0.01 * rng.standard_normal((models, 4, days)), 0, 1)


def missing_cases(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    """A third of the scores is missing, so days differ in what was graded; the use cases differ in level."""
    scores = np.clip(np.array([0.2, 0.5, 0.9])[:, None] + 0.1 * rng.standard_normal((models, 3, days)), 0, 1)
    return np.where(rng.random(scores.shape) < 0.33, NAN, scores)


def swings(rng: np.random.Generator, models: int, days: int) -> np.ndarray:
    """Quality wanders: today is like yesterday, which no set of exchangeable days is."""
    level = np.zeros((models, 1, days))
    noise = rng.standard_normal((models, days))
    for day in range(1, days):
        level[:, 0, day] = 0.95 * level[:, 0, day - 1] + 0.3 * noise[:, day]
    return np.clip(0.5 + 0.1 * level + 0.01 * rng.standard_normal((models, 4, days)), 0, 1)


def alarms_against_promise(null: Null, models: int = 300, days: int = 120) -> tuple[float, float, float]:
    """Return alarms a model, their standard error, and the promise, at `OFTEN` false alarms a year."""
    rng = np.random.default_rng(7)
    scores = null(rng, models, days)
    names = np.arange(scores.shape[1])
    course = follow(scores, names, ties(rng, models, days), false_alarms=OFTEN)
    counts = course.alarm.sum(axis=1)
    return float(counts.mean()), float(counts.std() / np.sqrt(models)), OFTEN * days / YEAR


@pytest.mark.slow
@pytest.mark.parametrize("null", [coins, heavy_tails, shared_shocks, missing_cases])
def test_false_alarms_stay_within_the_promise(null: Null) -> None:
    """Whatever the scores look like, exchangeable days raise no more alarms than stated."""
    mean, error, promise = alarms_against_promise(null)
    assert mean <= promise + 3 * error


def test_slow_swings_break_the_promise() -> None:
    """The limit of the guarantee: days that hang together raise more alarms than stated."""
    mean, error, promise = alarms_against_promise(swings)
    assert mean > promise + 3 * error


def test_the_money_grows_by_one_a_day_on_average() -> None:
    """After d days of betting the mean of the money is d, when nothing is wrong."""
    rng = np.random.default_rng(8)
    days = LEAST_DAYS + 5
    scores = rng.random((20_000, 2, days))
    course = follow(scores, np.arange(2), ties(rng, len(scores), days), false_alarms=1e-6)
    money = course.level * YEAR / 1e-6
    error = money.std(axis=0) / np.sqrt(len(scores))
    expected = np.maximum(np.arange(days) - LEAST_DAYS + 1, 0)
    assert (np.abs(money.mean(axis=0) - expected) <= 4 * error + 1e-9).all()
    assert error[-1] < 0.25


def test_the_order_of_the_days_before_does_not_matter() -> None:
    """Before the first bet, days are a set: shuffling them leaves the evidence of later days alone."""
    rng = np.random.default_rng(9)
    scores = rng.random((1, 3, 20))
    chance = ties(rng, 1, 20)
    shuffled = scores.copy()
    shuffled[:, :, :LEAST_DAYS] = scores[:, :, LEAST_DAYS - 1 :: -1]
    usual = follow(scores, np.arange(3), chance).level
    other = follow(shuffled, np.arange(3), chance).level
    np.testing.assert_allclose(other[:, LEAST_DAYS:], usual[:, LEAST_DAYS:])


def test_a_day_does_not_depend_on_later_days() -> None:
    """The course of the first days is the beginning of the whole course, with gaps and missing cases."""
    rng = np.random.default_rng(10)
    scores = rng.random((3, 4, 40))
    scores[0, :, 12:15] = scores[1, 2, 5:25] = scores[2, :2, 20:] = NAN
    scores[1, :, 30:] *= 0.3
    chance, use_cases = ties(rng, 3, 40), np.array([0, 0, 1, 1])
    whole = follow(scores, use_cases, chance, false_alarms=OFTEN)
    for days in (14, 25, 39):
        part = follow(scores[:, :, :days], use_cases, chance[:, :days], false_alarms=OFTEN)
        np.testing.assert_allclose(part.level, whole.level[:, :days], rtol=1e-9)
        assert (part.alarm == whole.alarm[:, :days]).all()
        assert (part.since == whole.since[:, :days]).all()


def test_a_gap_changes_nothing() -> None:
    """A history with gaps reads like the same days without them."""
    rng = np.random.default_rng(11)
    scores, chance = rng.random((1, 3, 30)), ties(rng, 1, 30)
    gaps = np.insert(scores, [10, 10, 20], NAN, axis=2)
    some = np.insert(chance, [10, 10, 20], 0.5, axis=1)
    usual = follow(scores, np.arange(3), chance).level
    scored = ~np.isnan(gaps[0, 0])
    np.testing.assert_allclose(follow(gaps, np.arange(3), some).level[:, scored], usual)


def test_an_ungraded_use_case_is_no_fall() -> None:
    """When the better half of the suite stops being graded, days are compared with days like them."""
    rng = np.random.default_rng(12)
    scores = np.array([0.9, 0.2])[None, :, None] + 0.05 * rng.random((50, 2, 90))
    scores[:, 0, 45:] = NAN
    course = follow(scores, np.arange(2), ties(rng, 50, 90), false_alarms=1.0)
    assert course.level[:, 45].mean() == pytest.approx(course.level[:, 44].mean(), rel=0.5)
    assert course.alarm.sum() <= 50 * 90 / YEAR + 3 * np.sqrt(50 * 90 / YEAR)


def test_a_missing_case_counts_as_its_own_mean() -> None:
    """Losing the best case of a use case for some days is no fall either."""
    rng = np.random.default_rng(16)
    scores = np.array([0.9, 0.2])[None, :, None] + 0.05 * rng.random((50, 2, 90))
    scores[:, 0, 45:55] = NAN
    course = follow(scores, np.zeros(2), ties(rng, 50, 90), false_alarms=1.0)
    assert course.alarm[:, 45:55].sum() <= 2


def test_counting_ties_in_full_never_adds_evidence() -> None:
    """With ties at 1 the level stays at or below that of any draw of the ties."""
    rng = np.random.default_rng(13)
    scores = coins(rng, 40, 60)
    drawn = follow(scores, np.arange(3), ties(rng, 40, 60), false_alarms=1e-3).level
    full = follow(scores, np.arange(3), np.ones((40, 60)), false_alarms=1e-3).level
    assert (full <= drawn * (1 + 1e-9)).all()
    assert (full < drawn).any()


def test_a_fall_of_a_tenth_is_seen_within_three_days() -> None:
    """The stated suite, 60 days of history: the median delay at 0.05 false alarms a year."""
    rng = np.random.default_rng(14)
    profile = stated(rng, 60)
    drawn = profile.draw(fallen(80, 60, 0.10), 60, rng)
    course = follow(drawn.base, profile.shape.use_cases, ties(rng, 60, 80))
    waits = np.where(course.alarm[:, 60:].any(axis=1), course.alarm[:, 60:].argmax(axis=1) + 1, 99)
    assert np.median(waits) <= 3


def test_an_alarm_names_the_first_day_of_the_fall_and_empties_the_stakes() -> None:
    """`since` points at the fall; the evidence starts anew the day after."""
    rng = np.random.default_rng(15)
    scores = 0.8 + 0.02 * rng.standard_normal((1, 10, 70))
    scores[:, :, 60:] -= 0.3
    course = follow(scores, np.arange(10), ties(rng, 1, 70))
    day = int(course.alarm[0].argmax())
    assert course.alarm[0, day]
    assert abs(int(course.since[0, day]) - 60) <= 1
    assert course.level[0, day] >= 1.0 > course.level[0, day + 1]


def test_more_use_cases_than_bits_are_refused() -> None:
    """The patterns of graded use cases are bits of one number."""
    with pytest.raises(ValueError, match="63 use cases"):
        follow(np.full((1, 63, 3), 0.5), np.arange(63), np.ones((1, 3)))


def test_scores_that_are_not_shares_are_refused() -> None:
    """Scores of 0-100 are a mistake worth an error."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        follow(np.full((1, 2, 3), 80.0), np.arange(2), np.ones((1, 3)))
