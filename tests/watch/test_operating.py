"""Operating characteristics of the rules."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.watch.null import SimulatedScores, SuiteShape, stated
from assay.watch.operating import (
    Rules,
    begins,
    delays,
    detection,
    falling,
    quantile,
    quiet,
    rate,
    seed_cooked,
    share,
    simulate,
)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def shaped(*gradings: Grading) -> SuiteShape:
    """One case a use case, one base sample and three full ones."""
    count = len(gradings)
    return SuiteShape(gradings, (1,) * count, (3,) * count, tuple(range(count)))


def test_the_delay_counts_the_first_fallen_day_as_one() -> None:
    """No alarm is an infinite delay."""
    alarms = np.array([[True, False], [False, True], [False, False]])
    assert delays(alarms).tolist() == [1.0, 2.0, np.inf]


def test_an_episode_is_counted_where_it_begins() -> None:
    """Two spells of COOKED are two alarms."""
    holds = np.array([[False, True, True, False, True]])
    assert begins(holds).tolist() == [[False, True, False, False, True]]


def test_detections_tell_the_share_seen_by_each_day() -> None:
    """Delays 1, 2, 2 and never, over three days."""
    found = detection("seed", 0.1, np.array([1.0, 2.0, 2.0, np.inf]), 3)
    assert found.seen == (0.25, 0.75, 0.75)
    assert found.within.value == 0.75
    assert found.median.value == 2.0


def test_the_seed_sees_a_collapse_of_two_use_cases_on_its_day() -> None:
    """Two deterministic use cases at half their level on day 20: COOKED that day."""
    scores = np.full((1, 3, 25), 0.8)
    scores[0, :2, 20:] = 0.4
    cooked = seed_cooked(shaped(*[Grading.DETERMINISTIC] * 3), SimulatedScores(scores, scores), Thresholds())
    assert np.nonzero(cooked[0])[0][0] == 20


def test_the_seed_is_judged_on_full_evidence() -> None:
    """Base samples that collapse while all samples hold raise nothing."""
    full = np.full((1, 3, 25), 0.8)
    base = full.copy()
    base[0, :2, 20:] = 0.4
    cooked = seed_cooked(shaped(*[Grading.DETERMINISTIC] * 3), SimulatedScores(base, full), Thresholds())
    assert not cooked.any()


def test_a_day_whose_base_samples_look_well_is_not_rerun() -> None:
    """Two use cases collapse in samples that nobody takes, while the third is looked at again on day 10."""
    base = np.full((1, 3, 25), 0.8)
    full = base.copy()
    full[0, :2, 20:] = 0.4
    base[0, 2, 10] = 0.4
    cooked = seed_cooked(shaped(*[Grading.DETERMINISTIC] * 3), SimulatedScores(base, full), Thresholds())
    assert not cooked.any()


def test_rerun_days_enter_later_baselines_with_all_their_samples() -> None:
    """Base samples low from day 10 on, all samples from day 20 on: COOKED on day 20."""
    full = np.full((1, 2, 30), 0.8)
    full[:, :, 20:] = 0.4
    base = np.full((1, 2, 30), 0.8)
    base[:, :, 10:] = 0.4
    cooked = seed_cooked(shaped(*[Grading.DETERMINISTIC] * 2), SimulatedScores(base, full), Thresholds())
    assert np.nonzero(cooked[0])[0][0] == 20


def test_a_heavy_fall_is_seen_by_every_rule() -> None:
    """A fall by a third after 60 days, within two weeks."""
    for found in falling(stated(rng(), 20), Rules(), rng(), drop=0.33, horizon=14, replicates=20):
        assert found.within.value == 1.0, found.rule


@pytest.mark.slow
def test_nothing_wrong_leaves_the_rules_quiet() -> None:
    """Few alarms in 40 simulated half-years; denominators are stated."""
    for found in quiet(stated(rng(), 40), Rules(), rng(), days=182, replicates=40):
        assert found.model_years == pytest.approx(40 * 182 / 365)
        assert found.alarms <= 8, found.rule


def test_a_report_is_plain_json_and_repeats_with_its_seed() -> None:
    """The same generator gives the same document; None, not NaN, where nothing was reached."""
    profile = stated(rng(), 5)
    reports = [
        simulate(profile, Rules(), rng(3), drops=(0.01, 0.2), days=40, history=40, horizon=10, replicates=10)
        for _ in range(2)
    ]
    documents = [json.dumps(asdict(report), allow_nan=False) for report in reports]
    assert documents[0] == documents[1]
    assert json.loads(documents[0])["simulated"] is True


def test_a_share_has_the_clopper_pearson_interval() -> None:
    """5 of 100: 1.64 % to 11.28 %, as in any table."""
    figure = share(5, 100)
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.05, 0.01643, 0.11284), abs=1e-5)


def test_shares_of_none_and_all_touch_the_ends() -> None:
    """0 of n starts at 0, n of n ends at 1."""
    assert share(0, 20).low == 0.0
    assert share(20, 20).high == 1.0


def test_a_rate_of_scattered_events_has_the_exact_poisson_interval() -> None:
    """5 events in 100 years: 1.623 to 11.668 a hundred years."""
    figure = rate(np.array([1] * 5 + [0] * 95), 1.0)
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.05, 0.01623, 0.11668), abs=1e-4)


def test_clustered_events_widen_the_interval_of_a_rate() -> None:
    """Five alarms of one model tell less than five alarms of five models."""
    assert rate(np.array([5] + [0] * 99), 1.0).high > rate(np.array([1] * 5 + [0] * 95), 1.0).high * 1.5


def test_no_event_leaves_the_rule_of_three() -> None:
    """Nothing in 100 years: at most 3.69 in a hundred at 97.5 %."""
    assert rate(np.zeros(100), 1.0).high == pytest.approx(0.03689, abs=1e-4)


def test_a_median_has_the_order_statistics_interval() -> None:
    """Of 100 values the median's 95 % interval runs from the 40th to the 61st."""
    figure = quantile(np.arange(1, 101), 0.5)
    assert (figure.value, figure.low, figure.high) == (50.0, 40.0, 61.0)


def test_a_median_beyond_the_horizon_is_none() -> None:
    """More than half not seen: no median is made up."""
    figure = quantile([1.0, 2.0] * 10 + [np.inf] * 30, 0.5)
    assert figure.value is None
    assert figure.high is None
