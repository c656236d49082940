"""A day and its baseline on the same cases: missing cases move nothing, a real fall is still seen."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel
from assay.watch.judgement import Judgement, judge
from assay.watch.same_cases import CaseTable, compare, match_golden, match_window

THRESHOLDS = Thresholds()
NONE = np.nan


def by_case(scores: np.ndarray, use_cases: int = 1) -> History:
    """Return the history of case scores (models, cases, days), 0-100, one sample each, NaN for none."""
    model, case, day = (part.astype(np.int64) for part in np.nonzero(~np.isnan(scores)))
    ones, zeros = np.ones(len(day), dtype=np.int64), np.zeros(len(day), dtype=np.int64)
    models, cases, days = scores.shape
    names = np.array_split([f"c{place}" for place in range(cases)], use_cases)
    return History(
        suite="s",
        version="1",
        subjects=tuple(WatchedModel(f"m{place}") for place in range(models)),
        use_cases=tuple(
            UseCaseSeries(f"u{place}", Grading.DETERMINISTIC, tuple(str(name) for name in part))
            for place, part in enumerate(names)
        ),
        first=date(2026, 1, 1),
        days=days,
        runs=tuple(DayRun(place, place) for place in range(days)),
        rows=SampleRows(day, model, case, ones, zeros, zeros, zeros, scores[model, case, day], zeros),
    )


def judged(scores: np.ndarray, use_cases: int = 1) -> Judgement:
    return judge(by_case(scores, use_cases), THRESHOLDS)


def steady(cases: int, days: int, best: float = 100.0) -> np.ndarray:
    """Return one model's cases of unlike difficulty, each the same every day."""
    return np.repeat(np.linspace(0.0, best, cases)[np.newaxis, :, np.newaxis], days, axis=2)


@pytest.mark.parametrize(("cases", "missing"), [(25, 2), (20, 7), (15, 3), (20, 13), (5, 1)])
def test_a_partial_outage_is_no_fall(cases: int, missing: int) -> None:
    """Constant scores of which the best cases are missing for two days never read as a fall."""
    scores = steady(cases, 12)
    scores[0, -missing:, 10:] = NONE
    states = judged(scores).states[0, 10:]
    share = (cases - missing) / cases
    assert set(states.tolist()) == {State.OK if share >= 0.8 else State.GAP}


def test_a_window_day_is_adjusted_for_its_missing_case() -> None:
    """Worked by hand in docs/methodology/baseline.md: case c is missing on the second day.

    Means 1, 0.5 and 0.25; the second day scores (0 + 0.5) / 2 above them on a and b: 0.5833 + 0.25.
    """
    past = np.array([[[1.0, 1.0, 1.0], [0.25, 1.0, 0.25], [0.0, NONE, 0.5]]])
    found = compare(np.array([[1.0, 0.5, 0.25]]), past, Thresholds(least_days=3, common_share=0.6))
    level = (1.0 + 0.5 + 0.25) / 3
    days = [level + (0 - 0.25 - 0.25) / 3, level + (0 + 0.5) / 2, level + (0 - 0.25 + 0.25) / 3]
    assert found.mean[0] == pytest.approx(100 * np.mean(days))
    assert found.deviation[0] == pytest.approx(100 * np.std(days, ddof=1))
    assert (found.score[0], found.days[0]) == (pytest.approx(100 * level), 3)


def test_a_window_day_with_too_few_common_cases_is_left_out() -> None:
    """A day with two of five common cases says nothing of the other three."""
    past = np.full((1, 5, 6), 0.8)
    past[0, 2:, 0] = NONE
    found = compare(np.full((1, 5), 0.8), past, THRESHOLDS)
    assert (found.days[0], found.window_days[0], found.common[0]) == (5, 6, 5)


def test_a_case_belongs_to_the_baseline_from_half_of_its_days() -> None:
    """A case scored on three of six days is common, one scored on two is not."""
    past = np.full((1, 6, 6), 0.8)
    past[0, 4, :3] = NONE
    past[0, 5, :4] = NONE
    found = compare(np.full((1, 6), 0.8), past, THRESHOLDS)
    assert found.steady[0].tolist() == [True] * 5 + [False]
    assert (found.common[0], found.known[0]) == (5, 6)


def test_cases_that_stay_away_leave_the_baseline() -> None:
    """Two of five cases vanish for good: eight gaps, then the three that are left are judged."""
    scores = steady(5, 40)
    scores[0, 3:, 20:] = NONE
    states = judged(scores).evidence.state[0, 0]
    assert states[20:28].tolist() == [State.GAP] * 8
    assert set(states[28:].tolist()) == {State.OK}


def test_the_golden_baseline_is_compared_on_common_cases() -> None:
    """The best of five cases vanishes after the golden window: no drift."""
    scores = steady(5, 40)
    scores[0, 4, 20:] = NONE
    golden = judged(scores).golden
    assert golden.scores[0, 0, 30] == pytest.approx(37.5)
    assert golden.baseline.mean[0, 0, 30] == pytest.approx(37.5)


def test_recovery_is_read_on_common_cases() -> None:
    """A fall ends though the best case is missing on the days back at the old level."""
    scores = steady(5, 20)
    scores[0, :, 10:12] = 0.0
    scores[0, 4, 12:] = NONE
    down = judged(scores).recovery.down[0, 0]
    assert np.flatnonzero(down).tolist() == [10, 11, 12, 13]


patterns = st.tuples(st.integers(1, 12), st.integers(6, 40)).flatmap(
    lambda size: st.tuples(
        arrays(np.bool_, size, elements=st.booleans() | st.just(True)),
        arrays(np.float64, (size[0],), elements=st.sampled_from([0.0, 20.0, 55.0, 80.0, 100.0])),
    )
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(patterns)
def test_unchanged_cases_never_fall(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    """Whatever is missing, cases that do not change read OK, CALIBRATING or GAP, and drop by 0."""
    there, levels = drawn
    scores = np.where(there, levels[:, np.newaxis], NONE)[np.newaxis]
    found = judged(scores)
    assert set(found.states[0].tolist()) <= {State.OK, State.CALIBRATING, State.GAP}
    drops = found.evidence.drop[~np.isnan(found.evidence.drop)]
    np.testing.assert_allclose(drops, 0.0, atol=1e-9)
    golden = found.golden_evidence.drop[~np.isnan(found.golden_evidence.drop)]
    np.testing.assert_allclose(golden, 0.0, atol=1e-9)
    assert not found.recovery.down.any()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_uniform_fall_is_seen_through_missing_cases(seed: int) -> None:
    """A tenth of the samples is missing at random: a fall of all cases by 40 % is a drop of 40 %."""
    rng = np.random.default_rng(seed)
    scores = np.repeat(rng.uniform(50.0, 100.0, (1, 20, 1)), 20, axis=2)
    scores[..., 15:] *= 0.6
    scores[rng.random(scores.shape) < 0.1] = NONE
    found = judged(scores)
    state, drop = found.evidence.state[0, 0, 15], found.evidence.drop[0, 0, 15]
    assert state == State.GAP or (state == State.COOKED and drop == pytest.approx(0.4))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_order_of_cases_changes_nothing(seed: int) -> None:
    """Cases may stand in any order within their use case."""
    rng = np.random.default_rng(seed)
    scores = rng.choice([NONE, 0.0, 50.0, 100.0, 100.0, 100.0], (2, 8, 25))
    one, other = judged(scores), judged(scores[:, rng.permutation(8)])
    np.testing.assert_array_equal(one.states, other.states)
    np.testing.assert_allclose(one.matched.baseline.mean, other.matched.baseline.mean)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_later_days_and_other_models_change_nothing(seed: int) -> None:
    """A day's comparison depends on its own window and model alone, to the last bit."""
    rng = np.random.default_rng(seed)
    scores = rng.choice([NONE, 0.0, 50.0, 100.0, 100.0, 100.0], (3, 6, 25))
    scores[0, :, :20] = 80.0
    whole, part = judged(scores, 2), judged(scores[:1, :, :20], 2)
    np.testing.assert_array_equal(whole.matched.scores[:1, :, :20], part.matched.scores)
    np.testing.assert_array_equal(whole.baseline.mean[:1, :, :20], part.baseline.mean)
    np.testing.assert_array_equal(whole.baseline.spread[:1, :, :20], part.baseline.spread)


def ragged(seed: int) -> CaseTable:
    """Return three models on use cases of 4, 1 and 9 cases, with missing cases, days and unfit days."""
    rng, starts = np.random.default_rng(seed), (0, 4, 5, 14)
    cases = rng.integers(0, 4, (3, 14, 40)) / 3.0
    cases[rng.random(cases.shape) < 0.05] = NONE
    there = np.add.reduceat(~np.isnan(cases), starts[:-1], axis=1)
    total = np.add.reduceat(np.nan_to_num(cases), starts[:-1], axis=1)
    scores = np.where(there > 0, 100.0 * total / np.maximum(there, 1), NONE)
    return CaseTable.of(cases, scores, (there > 0) & (rng.random(there.shape) > 0.1), starts)


@pytest.mark.parametrize("seed", range(4))
def test_whole_histories_are_compared_as_each_day_alone(seed: int) -> None:
    """Days compared together give what each gives with its own window; a window given once serves all."""
    table, floors, lags = ragged(seed), np.full(3, 2.0), np.arange(14, 0, -1)
    rolled, gold = match_window(table, floors, THRESHOLDS), match_golden(table, floors, THRESHOLDS)
    for model, use_case in np.argwhere(table.uneven):
        entering = np.flatnonzero(table.fit[model, use_case])[:14]
        for day in range(20, 40):
            at, on = np.array([model]), np.array([day])
            today = table.today(int(use_case), at, on)
            for matched, window in ((rolled, day - lags), (gold, entering)):
                found = compare(today, table.past(int(use_case), at, on, window[np.newaxis]), THRESHOLDS)
                cell = (model, use_case, day)
                assert matched.baseline.mean[cell] == pytest.approx(found.mean[0])
                assert (matched.common[cell], matched.known[cell]) == (found.common[0], found.known[0])
                score = NONE if found.sparse(THRESHOLDS)[0] else found.score[0]
                assert matched.scores[cell] == pytest.approx(score, nan_ok=True)


def test_cells_of_several_use_cases_are_compared_at_once() -> None:
    """Narrow use cases are filled up, which changes nothing."""
    table, window = ragged(9), 30 - np.arange(14, 0, -1)
    models, use_cases, days = np.zeros(3, dtype=np.int64), np.arange(3), np.full(3, 30)
    whole = compare(
        table.today(use_cases, models, days),
        table.past(use_cases, models, days, np.tile(window, (3, 1))),
        THRESHOLDS,
    )
    for place in range(3):
        one = slice(place, place + 1)
        alone = compare(
            table.today(place, models[one], days[one]),
            table.past(place, models[one], days[one], window[np.newaxis]),
            THRESHOLDS,
        )
        assert (whole.mean[place], whole.common[place]) == (pytest.approx(alone.mean[0]), alone.common[0])
