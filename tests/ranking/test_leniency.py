"""Judge means with leniency taken out."""

import numpy as np
import pytest
from boards import measured, random_measured
from hypothesis import given
from hypothesis import strategies as st

from assay.ranking.cells import cells
from assay.ranking.leniency import adjust
from assay.ranking.measured import Status


def test_by_hand() -> None:
    """j0 marks one above j1: effects 0.5 and -0.5; b, marked by j0 alone, comes down by 0.5."""
    found = adjust(cells([measured([[[5, 4], [3, 2]], [[4, np.nan], [4, np.nan]]])]))
    assert [each.effect for each in found.judges] == pytest.approx([0.5, -0.5])
    assert found.means.tolist() == pytest.approx([3.5, 3.5])


@given(st.integers(0, 10_000), st.sampled_from([-0.7, 0.4, 1.0]))
def test_a_constant_on_one_judge_keeps_the_order(seed: int, constant: float) -> None:
    """Without invalid answers, all adjusted means move by the same constant over the number of judges."""
    rng = np.random.default_rng(seed)
    marks = rng.integers(2, 5, (4, 10, 3)).astype(float)
    marks[rng.random(marks.shape) < 0.2] = np.nan
    marks[0, :2] = 3.0
    moved = marks.copy()
    moved[:, :, 1] += constant
    before, after = adjust(cells([measured(marks)])), adjust(cells([measured(moved)]))
    assert (after.means - before.means).tolist() == pytest.approx([constant / 3] * 4, nan_ok=True)


def test_known_leniency_is_found() -> None:
    """Simulated judges at +0.6, 0 and -0.6 with a third of the marks missing: within 0.1."""
    rng = np.random.default_rng(8)
    quality = rng.uniform(2.2, 3.8, (20, 80, 1))
    marks = quality + np.array([0.6, 0.0, -0.6]) + rng.normal(0, 0.15, (20, 80, 3))
    marks[rng.random(marks.shape) < 1 / 3] = np.nan
    found = adjust(cells([measured(np.clip(marks, 1, 5))]))
    assert [each.effect for each in found.judges] == pytest.approx([0.6, 0.0, -0.6], abs=0.1)


def test_invalid_answers_stay_at_1() -> None:
    """They say nothing about leniency and are not adjusted."""
    status = np.array([[Status.OK, Status.INVALID]])
    found = adjust(cells([measured([[[5, 3], [1, 1]]], status=status)]))
    assert found.judges[0].effect == pytest.approx(1.0)
    assert found.means[0] == pytest.approx(2.5)


def test_an_unconnected_judge_has_no_effect() -> None:
    """Judges that share no answer with the others have none, and their marks are not used."""
    marks = np.full((2, 4, 3), np.nan)
    marks[0, :, :2] = [[5, 4]] * 4
    marks[1, :, 2] = 5
    found = adjust(cells([measured(marks)]))
    assert found.judges[2].effect is None
    assert np.isnan(found.means[1])


def test_counts_only_what_judges_gave() -> None:
    """The number of marks leaves out errors, invalid answers and own models."""
    given_marks = cells([random_measured(np.random.default_rng(3))]).given
    found = adjust(cells([random_measured(np.random.default_rng(3))]))
    assert [each.marks for each in found.judges] == (~np.isnan(given_marks)).sum(axis=(0, 1)).tolist()
