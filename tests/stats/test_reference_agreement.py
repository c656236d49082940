"""Agreement with a reference on common draws: equal to single kappas, and differences between judges."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.agreement import cohen_kappa
from assay.stats.reference_agreement import correlation, kappa_figures, paired_difference
from assay.stats.resample import draw_counts

CATEGORIES = (1.0, 2.0, 3.0, 5.0)


def some_marks(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return the marks of a reference and of a judge that agrees with two of three, some missing."""
    rng = np.random.default_rng(seed)
    reference = rng.choice(CATEGORIES, n)
    judge = np.where(rng.random(n) < 2 / 3, reference, rng.choice(CATEGORIES, n))
    judge[rng.random(n) < 0.1] = np.nan
    return reference, judge


def test_each_kappa_is_that_of_cohen_kappa() -> None:
    """Plain, linear and quadratic, with uneven steps and missing marks."""
    reference, judge = some_marks(1)
    draws = draw_counts(np.random.default_rng(0), 60, 10)
    found = kappa_figures(reference, judge, CATEGORIES, np.arange(60), draws, ordered=True)
    for name, weights in (("kappa", None), ("linear", "linear"), ("quadratic", "quadratic")):
        single = cohen_kappa(reference.tolist(), judge.tolist(), weights=weights)
        assert (found[name].value, found[name].n) == (pytest.approx(single.value), single.n)


def test_a_replicate_is_the_kappa_of_the_drawn_items() -> None:
    """The answers of a drawn item are repeated together."""
    reference, judge = some_marks(2)
    items = np.arange(60) // 3
    draws = draw_counts(np.random.default_rng(3), 20, 5)
    found = kappa_figures(reference, judge, CATEGORIES, items, draws, ordered=True)["quadratic"]
    for counts, replicate in zip(draws, found.replicates, strict=True):
        places = np.repeat(np.arange(60), counts[items].astype(int))
        drawn = cohen_kappa(reference[places].tolist(), judge[places].tolist(), weights="quadratic")
        assert replicate == pytest.approx(drawn.value)


def test_the_correlation_is_numpy_s_and_weights_count_as_repetitions() -> None:
    """Weight 2 is the same as the answer twice; a constant judge has no correlation."""
    rng = np.random.default_rng(5)
    reference, judge, weights = rng.random(30), rng.random(30), rng.integers(1, 4, 30).astype(float)
    draws = draw_counts(rng, 30, 4)
    found = correlation(reference, judge, weights, np.arange(30), draws)
    repeated = np.repeat(np.arange(30), weights.astype(int))
    assert found.value == pytest.approx(np.corrcoef(reference[repeated], judge[repeated])[0, 1])
    drawn = np.repeat(np.arange(30), (weights * draws[0]).astype(int))
    assert found.replicates[0] == pytest.approx(np.corrcoef(reference[drawn], judge[drawn])[0, 1])
    assert correlation(reference, np.ones(30), weights, np.arange(30), draws).value is None


@pytest.mark.slow
def test_equal_judges_rarely_differ() -> None:
    """Judges with the same errors: at most 7.5 % of p are 0.05 or less, and 92-97 % of intervals hold 0."""
    rng = np.random.default_rng(8)
    alarms = hits = 0
    trials = 400
    for _ in range(trials):
        reference = (rng.random(150) < 0.7).astype(float)
        draws = draw_counts(rng, 150, 400)
        figures = []
        for _judge in range(2):
            judge = np.where(rng.random(150) < 0.85, reference, 1.0 - reference)
            figures.append(
                kappa_figures(reference, judge, (0.0, 1.0), np.arange(150), draws, ordered=True)["kappa"]
            )
        found = paired_difference(figures[0], figures[1])
        assert found.p is not None and found.interval is not None
        alarms += found.p <= 0.05
        hits += found.interval.low <= 0.0 <= found.interval.high
    assert alarms / trials <= 0.075
    assert 0.92 <= hits / trials <= 0.97
