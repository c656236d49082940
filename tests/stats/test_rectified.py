"""Means of human marks from judge marks: by hand, against PPI++, differences, and coverage in many worlds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.rectified import (
    calibrate_judge,
    merge_strata,
    random_sample,
    rectified_difference,
    rectified_mean,
    rogan_gladen,
    same_errors,
)

NAN = np.nan
Rng = np.random.Generator
Array = np.ndarray


def marked(human: Array, places: Array) -> Array:
    """Return human marks at these places only."""
    kept = np.full(len(human), NAN)
    kept[places] = human[places]
    return kept


def judged(rng: Rng, human: Array, hit: float, correct: float) -> Array:
    """Return yes-or-no marks of a judge with this sensitivity and specificity."""
    return np.where(human == 1.0, rng.random(len(human)) < hit, rng.random(len(human)) >= correct).astype(
        float
    )


def test_strata_by_hand() -> None:
    """The judge accepts 6 of 10; people accept 2 of 3 of these and 1 of 2 of the others: 0.6 2/3 + 0.4/2."""
    judge = np.array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0.0])
    human = np.array([1, 1, 0, NAN, NAN, NAN, 1, 0, NAN, NAN])
    found = rectified_mean(human, judge, judge)
    assert (found.value, found.n, found.answers, found.strata) == (pytest.approx(0.6), 5, 10, 2)
    assert found.slope == 0.0
    assert found.interval.low < 0.6 < found.interval.high


def test_without_strata_it_is_ppi_plus_plus() -> None:
    """Mean of the human marks plus lambda times (mean of other judge marks - mean of these): equation 2."""
    rng = np.random.default_rng(4)
    truth = np.clip(rng.normal(0.6, 0.2, 500), 0.0, 1.0)
    judge = np.clip(truth + rng.normal(0.05, 0.1, 500), 0.0, 1.0)
    places = rng.choice(500, 80, replace=False)
    human = marked(truth, places)
    found = rectified_mean(human, judge)
    rest = np.isnan(human)
    y, f = human[~rest], judge[~rest]
    slope = np.cov(y, f)[0, 1] / np.var(f, ddof=1)
    power = slope / (1.0 + 80 / 420)
    assert found.slope == pytest.approx(slope)
    assert found.value == pytest.approx(y.mean() + power * (judge[rest].mean() - f.mean()))
    variance = power**2 * judge[rest].var() / 420 + np.var(y - power * f) / 80
    width = 2 * 1.96 * np.sqrt(variance)
    assert found.interval.high - found.interval.low == pytest.approx(width, rel=0.06)


def test_a_useless_judge_changes_little() -> None:
    """Constant marks of the judge leave the mean of the human marks."""
    human = np.array([1.0, 0.0, 1.0, NAN, NAN, NAN])
    found = rectified_mean(human, np.full(6, 0.5), np.full(6, 0.5))
    assert found.value == pytest.approx(2 / 3)


def test_one_human_mark_is_refused() -> None:
    """There is no spread to learn from."""
    with pytest.raises(ValueError, match="1 human marks: give at least two"):
        rectified_mean([1.0, NAN], [1.0, 0.0])


def test_small_strata_are_merged_with_the_nearest() -> None:
    """The stratum at 0.5 has one human mark and lies nearer to 0.6 than to 0."""
    codes = np.array([0.0, 0.0, 0.5, 0.6, 0.6])
    assert merge_strata(codes, np.ones(5, dtype=bool)).tolist() == [0, 0, 1, 1, 1]
    assert merge_strata(codes, np.zeros(5, dtype=bool)).tolist() == [0] * 5


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 12), st.sampled_from([2, 4, 1000]))
def test_no_figure_is_nan_and_the_interval_holds_the_mean(seed: int, n: int, steps: int) -> None:
    """Whatever the marks are: constant, two-valued, or measurements."""
    rng = np.random.default_rng(seed)
    truth = np.round(rng.random(20) ** rng.integers(1, 4) * steps) / steps
    judge = np.round(np.clip(truth + rng.normal(0, 0.3, 20), 0, 1) * steps) / steps
    found = rectified_mean(marked(truth, rng.choice(20, n, replace=False)), judge, judge)
    ends = found.interval
    assert 0.0 <= ends.low <= ends.high <= 1.0
    assert ends.low <= np.clip(found.value, 0.0, 1.0) <= ends.high
    assert found.influence.sum() == pytest.approx(0.0, abs=1e-9)


def binary(
    p: float, hit: float, correct: float, size: int, n: int, denser: float = 1.0
) -> Callable[[Rng], Array]:
    """Return a world of yes-or-no marks; people mark rejected answers `denser` times as often."""

    def world(rng: Rng) -> Array:
        human = (rng.random(size) < p).astype(float)
        judge = judged(rng, human, hit, correct)
        weight = np.where(judge == 1.0, 1.0, denser)
        places = rng.choice(size, n, replace=False, p=weight / weight.sum())
        return np.stack([marked(human, places), judge])

    return world


def graded(
    chances: list[float], noise: float, size: int, n: int, denser: float = 0.0
) -> Callable[[Rng], Array]:
    """Return a world of marks 0-3 with a lenient judge; low judge marks are more often marked by people."""

    def world(rng: Rng) -> Array:
        human = rng.choice(4, size, p=chances) / 3.0
        judge = np.clip(np.rint(3.0 * human + rng.normal(0.3, noise, size)), 0, 3) / 3.0
        weight = 1.0 + denser * (1.0 - judge)
        places = rng.choice(size, n, replace=False, p=weight / weight.sum())
        return np.stack([marked(human, places), judge])

    return world


FLAT, STEEP = [0.1, 0.15, 0.25, 0.5], [0.02, 0.05, 0.13, 0.8]
WORLDS = {
    "plain": (binary(0.7, 0.9, 0.85, 400, 50), 0.7),
    "rare failures": (binary(0.93, 0.95, 0.7, 1000, 60), 0.93),
    "useless judge": (binary(0.6, 0.5, 0.5, 400, 50), 0.6),
    "shifted mix": (binary(0.8, 0.9, 0.8, 1000, 60, 6.0), 0.8),
    "stars": (graded(FLAT, 0.6, 500, 60), 2.15 / 3),
    "many stars": (graded(STEEP, 0.5, 500, 60), 2.71 / 3),
    "stars, shifted mix": (graded(FLAT, 0.6, 1000, 80, 5.0), 2.15 / 3),
    # not looked at while the method was made
    "few marks": (binary(0.45, 0.8, 0.9, 800, 30), 0.45),
    "strongly shifted": (binary(0.9, 0.9, 0.6, 1500, 100, 10.0), 0.9),
    "stars, strongly shifted": (graded(STEEP, 0.6, 1500, 100, 12.0), 2.71 / 3),
    "good judge": (binary(0.65, 0.95, 0.93, 600, 120), 0.65),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_cover_the_true_mean(name: str) -> None:
    """93-97 % of the 95 % intervals hold the true mean, also where the human marks have another mix."""
    world, truth = WORLDS[name]
    rng = np.random.default_rng(17)
    hits, trials = 0, 2000
    for _ in range(trials):
        human, judge = world(rng)
        ends = rectified_mean(human, judge, judge).interval
        hits += ends.low <= truth <= ends.high
    assert 0.93 <= hits / trials <= 0.97


def test_human_marks_alone_are_biased_by_a_shifted_mix() -> None:
    """The shifted worlds are a real test: there, means of human marks alone hardly ever cover."""
    world, truth = WORLDS["shifted mix"]
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(50):
        human, judge = world(rng)
        ends = rectified_mean(human, np.zeros(len(judge))).interval
        hits += ends.low <= truth <= ends.high
    assert hits < 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "shared"), [(0.7, 0.7, True), (0.8, 0.6, False), (0.9, 0.85, True)]
)
def test_differences_cover_and_rarely_err(first: float, second: float, shared: bool) -> None:
    """93-97 % coverage of the difference of two models on the same items; at most 7 % false alarms."""
    rng = np.random.default_rng(23)
    hits = alarms = 0
    trials, size, n = 1500, 400, 60
    for _ in range(trials):
        level = rng.random(size)
        means = []
        both = rng.choice(size, n, replace=False)
        for p in (first, second):
            human = (0.5 * level + 0.5 * rng.random(size) < _threshold(p)).astype(float)
            judge = judged(rng, human, 0.9, 0.85)
            places = both if shared else rng.choice(size, n, replace=False)
            means.append(rectified_mean(marked(human, places), judge, judge))
        found = rectified_difference(means[0], means[1], (np.arange(size), np.arange(size)))
        hits += found.interval.low <= first - second <= found.interval.high
        alarms += found.p <= 0.05
    assert 0.93 <= hits / trials <= 0.97
    if first == second:
        assert alarms / trials <= 0.07


def _threshold(p: float) -> float:
    """Return the quantile of the mean of two uniform numbers."""
    return float(np.sqrt(p / 2.0)) if p <= 0.5 else 1.0 - float(np.sqrt((1.0 - p) / 2.0))


def test_the_same_model_differs_from_itself_by_nothing() -> None:
    """The difference is 0, and its interval is narrower than that of the mean, because errors are shared."""
    human = np.array([1.0, 0.0, 1.0, 1.0, NAN, NAN, NAN, NAN])
    judge = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    mean = rectified_mean(human, judge, judge)
    found = rectified_difference(mean, mean, (np.arange(8), np.arange(8)))
    assert (found.value, found.p) == (0.0, 1.0)
    assert found.interval.high - found.interval.low < mean.interval.high - mean.interval.low


def test_rogan_gladen_by_hand() -> None:
    """Sensitivity 0.9, specificity 0.8, 62 % yes: (0.62 + 0.8 - 1)/(0.9 + 0.8 - 1) = 0.6."""
    human = np.repeat([1.0, 0.0], 50)
    judge = np.concatenate([np.repeat([1.0, 0.0], [45, 5]), np.repeat([1.0, 0.0], [10, 40])])
    known = calibrate_judge(human, judge)
    assert known is not None
    assert (known.at_highest, known.at_lowest, known.binary) == (pytest.approx(0.9), pytest.approx(0.2), True)
    found = rogan_gladen(np.repeat([1.0, 0.0], [62, 38]), known)
    assert found is not None
    assert found.value == pytest.approx(0.6)


def test_lang_and_reiczigel_by_hand() -> None:
    """Their adjusted counts, 100 + z^2 answers and 52 calibration answers twice, and their shift."""
    human = np.repeat([1.0, 0.0], 50)
    judge = np.concatenate([np.repeat([1.0, 0.0], [45, 5]), np.repeat([1.0, 0.0], [10, 40])])
    known = calibrate_judge(human, judge)
    assert known is not None
    found = rogan_gladen(np.repeat([1.0, 0.0], [62, 38]), known)
    assert found is not None
    z2 = 1.959963985**2
    share, hit, correct = (62 + z2 / 2) / (100 + z2), 46 / 52, 41 / 52
    middle = (share + correct - 1) / (hit + correct - 1)
    v_hit, v_correct = hit * (1 - hit) / 52, correct * (1 - correct) / 52
    shift = 2 * z2 * (middle * v_hit - (1 - middle) * v_correct)
    spread = share * (1 - share) / (100 + z2) + middle**2 * v_hit + (1 - middle) ** 2 * v_correct
    margin = np.sqrt(z2 * spread) / (hit + correct - 1)
    assert found.interval.low == pytest.approx(middle + shift - margin)
    assert found.interval.high == pytest.approx(middle + shift + margin)


def test_a_judge_that_cannot_tell_good_from_bad_has_no_estimate() -> None:
    """With a slope of 0, of noise, or with constant human marks there is nothing to invert."""
    human = np.tile([1.0, 0.0], 20)
    known = calibrate_judge(human, np.tile([1.0, 1.0, 0.0, 0.0], 10))
    assert known is not None
    assert rogan_gladen(human, known) is None
    assert calibrate_judge(np.ones(10), np.ones(10)) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "hit", "correct", "n", "mix"),
    [(0.7, 0.9, 0.85, 100, 0.7), (0.9, 0.9, 0.8, 100, 0.5), (0.3, 0.85, 0.95, 80, 0.6)],
)
def test_rogan_gladen_covers_under_another_mix_of_good_answers(
    p: float, hit: float, correct: float, n: int, mix: float
) -> None:
    """93-97 % coverage although people marked answers of another quality: the judge's errors are the same."""
    rng = np.random.default_rng(29)
    hits, trials = 0, 2000
    for _ in range(trials):
        human = (rng.random(n) < mix).astype(float)
        known = calibrate_judge(human, judged(rng, human, hit, correct))
        assert known is not None
        found = rogan_gladen(judged(rng, (rng.random(600) < p).astype(float), hit, correct), known)
        assert found is not None
        hits += found.interval.low <= p <= found.interval.high
    assert 0.93 <= hits / trials <= 0.97


@pytest.mark.slow
def test_graded_rogan_gladen_covers() -> None:
    """93-97 % for a judge whose mean mark is a line of the human mark, and another mix."""
    rng = np.random.default_rng(31)
    hits, trials = 0, 2000
    for _ in range(trials):
        human = rng.integers(0, 4, 80) / 3.0
        known = calibrate_judge(human, 0.1 + 0.7 * human + rng.normal(0, 0.15, 80))
        assert known is not None
        target = rng.choice(4, 500, p=FLAT) / 3.0
        found = rogan_gladen(0.1 + 0.7 * target + rng.normal(0, 0.15, 500), known)
        assert found is not None
        hits += found.interval.low <= 2.15 / 3 <= found.interval.high
    assert 0.93 <= hits / trials <= 0.97


def test_errors_that_differ_between_models_are_seen() -> None:
    """A judge that tells good from bad for one model only, and one that favours a model, have small p."""
    rng = np.random.default_rng(2)
    human, groups = np.tile([1.0, 0.0], 100), np.repeat([0, 1], 100)
    good = judged(rng, human, 0.95, 0.95)
    blind = np.where(groups == 0, good, rng.integers(0, 2, 200).astype(float))
    favoured = np.where(groups == 0, good, judged(rng, human, 1.0, 0.5))
    for judge, least, most in ((good, 0.05, 1.0), (blind, 0.0, 1e-6), (favoured, 0.0, 1e-3)):
        p = same_errors(human, judge, groups)
        assert p is not None
        assert least <= p <= most
    assert same_errors(human, good, np.zeros(200)) is None


def test_a_sample_chosen_by_the_judge_s_mark_is_seen() -> None:
    """Only rejected answers marked: p is tiny; every second answer: it is not; all or none: there is no p."""
    judge, groups = np.tile([1.0, 1.0, 0.0, 0.0], 25), np.zeros(100)
    assert (random_sample(judge, judge == 0.0, groups) or 1.0) < 1e-6
    assert (random_sample(judge, np.arange(100) % 2 == 0, groups) or 0.0) > 0.9
    assert random_sample(judge, np.ones(100, dtype=bool), groups) is None
    assert random_sample(np.ones(100), np.arange(100) < 50, groups) is None
