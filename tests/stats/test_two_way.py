"""Additive rater effects: by hand, against the dense least squares, and under shifts."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.stats.two_way import rater_effects

NAN = np.nan


def test_a_full_table_gives_column_means() -> None:
    """Without empty cells an effect is the rater's mean less the grand mean."""
    table = np.array([[5.0, 3.0, 1.0], [4.0, 4.0, 1.0]])
    assert rater_effects(table).tolist() == pytest.approx((table.mean(axis=0) - table.mean()).tolist())


def test_a_chain_of_shared_items_connects() -> None:
    """A is 1 above B, B is 2 above C, A and C share nothing: 4/3, 1/3, -5/3."""
    table = [[5, 4, NAN], [4, 3, NAN], [NAN, 4, 2], [NAN, 5, 3]]
    assert rater_effects(table).tolist() == pytest.approx([4 / 3, 1 / 3, -5 / 3])


def test_the_smaller_island_has_no_effect() -> None:
    """C and D share one item, A and B two: C and D are NaN."""
    table = [[5, 4, NAN, NAN], [4, 3, NAN, NAN], [NAN, NAN, 5, 1]]
    found = rater_effects(table)
    assert found[:2].tolist() == pytest.approx([0.5, -0.5])
    assert np.isnan(found[2:]).all()


def test_no_shared_item_no_effect() -> None:
    """Items with one mark tell nothing."""
    assert np.isnan(rater_effects([[5.0, NAN], [NAN, 4.0]])).all()


@given(st.integers(0, 10_000))
def test_equals_dense_least_squares(seed: int) -> None:
    """The reduced normal equations give what fitting every item's effect gives."""
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 6, (8, 3)).astype(float)
    table[rng.random(table.shape) < 0.3] = NAN
    found = rater_effects(table)
    assume(not np.isnan(found).any())
    rows, columns = np.nonzero(~np.isnan(table))
    design = np.zeros((len(rows), 11))
    design[np.arange(len(rows)), rows] = 1.0
    design[np.arange(len(rows)), 8 + columns] = 1.0
    fitted = np.linalg.lstsq(design, table[rows, columns], rcond=None)[0][8:]
    assert found.tolist() == pytest.approx((fitted - fitted.mean()).tolist(), abs=1e-9)


def test_equal_raters_without_gaps_have_effects_of_nothing() -> None:
    """With many items, none missing, the effects sum to 0 and are each rater's mean less the grand mean."""
    marks = np.random.default_rng(0).integers(1, 6, size=(2400, 5)).astype(float)
    effects = rater_effects(marks)
    assert effects.sum() == pytest.approx(0.0, abs=1e-12)
    assert effects.tolist() == pytest.approx((marks.mean(axis=0) - marks.mean()).tolist(), abs=1e-9)
