"""Simulated days of a suite."""

import numpy as np
import pytest

from assay.core.case import Case, Grading
from assay.core.errors import InvalidInput
from assay.core.suite import Suite, UseCase
from assay.watch.null import Profile, SuiteShape, fallen, stated

NAN = np.nan
TWO = SuiteShape((Grading.DETERMINISTIC, Grading.JUDGE), base=(1, 3), full=(3, 5), use_cases=(0, 0, 1))


def profile(mean: list[float], deviation: list[float], binary: list[bool], **more: float) -> Profile:
    return Profile(TWO, np.array([mean]), np.array([deviation]), np.array([binary]), **more)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_case_of_passes_and_failures_is_measured_by_its_share() -> None:
    """7 passes of 10, with 0.05 of a pass and of a failure added: 7.05 / 10.1."""
    scores = np.array([[[1.0] * 7 + [0.0] * 3, [1.0] * 10, [0.5] * 10]])
    measured = Profile.measure(TWO, scores)
    assert measured.binary.tolist() == [[True, True, False]]
    assert measured.mean[0, 0] == pytest.approx(7.05 / 10.1)
    assert measured.mean[0, 1] == pytest.approx(10.05 / 10.1)


def test_a_graded_case_is_measured_by_its_mean_and_the_spread_of_one_sample() -> None:
    """Days of 3 samples at 0.4 and 0.6: sample deviation of the days times the root of 3."""
    scores = np.array([[[1.0, 1.0], [0.0, 1.0], [0.4, 0.6]]])
    measured = Profile.measure(TWO, scores)
    assert measured.mean[0, 2] == pytest.approx(0.5)
    assert measured.deviation[0, 2] == pytest.approx(np.sqrt(0.02) * np.sqrt(3))


def test_a_case_never_scored_stays_unscored() -> None:
    """Judged cases without a judge are NaN in every simulated day, and so is their use case."""
    scores = np.array([[[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [NAN, NAN, NAN]]])
    drawn = Profile.measure(TWO, scores).draw(np.ones(5), 4, rng())
    assert np.isnan(drawn.base[:, 2]).all()
    base, _ = drawn.by_use_case(TWO.use_cases)
    assert np.isnan(base[:, 1]).all()
    assert not np.isnan(base[:, 0]).any()


def test_a_model_without_two_scored_days_is_refused() -> None:
    """The message says which model and what to do."""
    scores = np.array([[[1.0, 0.0]] * 3, [[NAN, 1.0]] * 3])
    with pytest.raises(InvalidInput, match=r"model 1 of 2 .* measure for more days"):
        Profile.measure(TWO, scores)


def test_drawn_days_have_the_profiles_mean_and_spread() -> None:
    """A pass share of 0.7; a graded mean of 0.5 with 0.12 a sample, so 0.12 / sqrt(3) a day."""
    drawn = profile([0.7, 1.0, 0.5], [0, 0, 0.12], [True, True, False]).draw(np.ones(200), 200, rng())
    assert drawn.base[:, 0].mean() == pytest.approx(0.7, abs=0.01)
    assert set(np.unique(drawn.base[:, 0])) == {0.0, 1.0}
    assert (drawn.base[:, 1] == 1.0).all()
    assert drawn.base[:, 2].mean() == pytest.approx(0.5, abs=0.002)
    assert drawn.base[:, 2].std() == pytest.approx(0.12 / np.sqrt(3), rel=0.02)
    assert drawn.full[:, 2].std() == pytest.approx(0.12 / np.sqrt(5), rel=0.02)


def test_full_samples_top_up_the_base_samples() -> None:
    """A case that failed its base sample passes at most 2 of 3."""
    drawn = profile([0.7, 1.0, 0.5], [0, 0, 0.12], [True, True, False]).draw(np.ones(50), 50, rng())
    assert drawn.full[:, 0][drawn.base[:, 0] == 0.0].max() == pytest.approx(2 / 3)


def test_a_fall_multiplies_the_expected_quality() -> None:
    """A fall of a fifth from day 100 on, for passes and for marks."""
    made = profile([0.9, 1.0, 0.5], [0, 0, 0.05], [True, True, False])
    drawn = made.draw(fallen(200, 100, 0.2), 400, rng())
    ratio = drawn.base[:, :, 100:].mean(axis=(0, 2)) / drawn.base[:, :, :100].mean(axis=(0, 2))
    np.testing.assert_allclose(ratio, 0.8, atol=0.01)


def test_what_cases_share_persists() -> None:
    """With persistence 0.9 the mean of a day is like that of the day before."""
    made = profile([0.5, 0.5, 0.5], [0, 0, 0.01], [True, True, False], shared=0.1, persistence=0.9)
    marks = made.draw(np.ones(300), 100, rng()).base[:, 2]
    assert marks.std() == pytest.approx(0.05, rel=0.1)
    assert np.corrcoef(marks[:, :-1].ravel(), marks[:, 1:].ravel())[0, 1] == pytest.approx(0.9, abs=0.05)


def test_use_cases_are_the_means_of_their_cases() -> None:
    """0-1 for cases becomes 0-100 for use cases."""
    drawn = profile([1.0, 0.0, 0.5], [0, 0, 0.0], [True, True, False]).draw(np.ones(1), 1, rng())
    base, full = drawn.by_use_case(TWO.use_cases)
    assert base.tolist() == [[[50.0], [50.0]]]
    assert full.tolist() == [[[50.0], [50.0]]]


def test_the_stated_null_flips_a_tenth_of_the_deterministic_cases() -> None:
    """Over many models, 10 % of 25 cases neither always pass nor always fail."""
    made = stated(rng(), 2000)
    flipping = (made.mean[:, :25] > 0) & (made.mean[:, :25] < 1)
    assert flipping.mean() == pytest.approx(0.1, abs=0.01)
    assert made.deviation[0, 30] == 0.12
    assert made.shape.base == (1,) * 5 + (3,) * 5


def test_a_suite_gives_its_shape() -> None:
    """Gradings, samples and the use case of every case, in the manifest's order."""
    cases = tuple(Case(f"c{index}", "a", (), ()) for index in range(3))
    first = UseCase("a", "A", Grading.DETERMINISTIC, 1, 3, cases[:2])
    second = UseCase("b", "B", Grading.JUDGE, 3, 5, cases[2:])
    assert SuiteShape.of(Suite("s", "1", "S", "public", (first, second), "digest")) == TWO
