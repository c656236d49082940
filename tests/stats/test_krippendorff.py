"""Krippendorff's alpha: the textbook's table, 1,000 random ones against evalica, and its edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.kappa import scott
from assay.stats.krippendorff import Scale, alpha

NAN = np.nan
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval")
TEXTBOOK = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]


@pytest.mark.parametrize(("scale", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_textbook_example(scale: Scale, expected: float) -> None:
    """Four observers, twelve units, missing marks: Krippendorff's published alphas."""
    assert alpha(TEXTBOOK, scale).value == pytest.approx(expected, abs=5e-4)


def test_by_hand() -> None:
    """Two raters, (1,1) (1,2): observed 2/4, expected 2 * 3 * 1/(4 * 3) = 1/2, alpha 0."""
    found = alpha([[1, 1], [1, 2]])
    assert (found.observed, found.expected, found.value) == (0.5, 0.5, 0.0)


def _table(rng: np.random.Generator) -> np.ndarray:
    shape = rng.integers(2, 6), rng.integers(2, 30)
    table = rng.integers(1, rng.integers(2, 7) + 1, shape).astype(float)
    table[rng.random(shape) < rng.choice([0.0, 0.1, 0.4, 0.7])] = NAN
    return table


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
def test_equals_evalica_on_1000_random_tables(scale: Scale) -> None:
    """To 1e-12, where alpha exists; it does not without two marks on an item, or without variation."""
    evalica = pytest.importorskip("evalica")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(12)
    defined = 0
    for _ in range(1000):
        table = _table(rng)
        found = alpha(table, scale)
        if found.items == 0:
            assert found.value is None
            continue
        other = evalica.alpha(pandas.DataFrame(table), scale)
        if found.value is None:
            assert other.expected == 0.0
            continue
        defined += 1
        assert found.value == pytest.approx(other.alpha, abs=1e-12)
    assert defined > 900


@pytest.mark.parametrize("scale", SCALES)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_raters_and_items_changes_nothing(scale: Scale, seed: int) -> None:
    """A shuffled table has the same alpha."""
    rng = np.random.default_rng(seed)
    table = _table(rng)
    shuffled = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    one, other = alpha(table, scale).value, alpha(shuffled, scale).value
    assert one == (None if other is None else pytest.approx(other))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_two_raters_correct_scotts_pi(pairs: list[tuple[bool, bool]]) -> None:
    """alpha = 1 - (1 - pi)(2n - 1)/(2n)."""
    pi = scott([a for a, _ in pairs], [b for _, b in pairs], categories=[True, False]).value
    found = alpha(np.array(pairs, dtype=float).T).value
    n = len(pairs)
    assert found == (None if pi is None else pytest.approx(1.0 - (1.0 - pi) * (2 * n - 1) / (2 * n)))


@pytest.mark.parametrize("table", [[[1, 1], [1, 1]], [[1, NAN], [NAN, 2]]], ids=["no variation", "no pair"])
@pytest.mark.parametrize("scale", SCALES)
def test_undefined(table: list[list[float]], scale: Scale) -> None:
    """None, and not 1: marks that never vary, or never meet, show no agreement."""
    assert alpha(table, scale, rng=np.random.default_rng(1), replicates=20).value is None


def test_an_item_with_one_mark_takes_no_part() -> None:
    """Its value does not count as expected disagreement either."""
    assert alpha([[1, 2, 5], [1, 2, NAN]]).marks == 4


@pytest.mark.slow
def test_the_interval_covers() -> None:
    """Nominal alpha of 100 items with a known value of 0.36 is covered in 91 to 98 % of 300 samples."""
    rng = np.random.default_rng(10)
    hits = 0
    for _ in range(300):
        truth = rng.random(100) < 0.5
        table = np.where(rng.random((3, 100)) < 0.8, truth, ~truth).astype(float)
        interval = alpha(table, rng=rng, replicates=300).interval
        hits += interval is not None and interval.low <= 0.36 <= interval.high
    assert 0.91 <= hits / 300 <= 0.98
