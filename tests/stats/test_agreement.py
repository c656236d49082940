"""Kappa by hand, its properties, and the labels it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.stats.agreement import (
    Label,
    Scale,
    Weights,
    cohen_kappa,
    compare_judges,
    krippendorff_alpha,
    name_of,
)
from assay.stats.resample import BootstrapDraws

YES, NO = "yes", "no"
FIRST: list[Label] = [YES] * 20 + [YES] * 5 + [NO] * 10 + [NO] * 15
SECOND: list[Label] = [YES] * 20 + [NO] * 5 + [YES] * 10 + [NO] * 15
NAN = np.nan
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval")
TEXTBOOK = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]


def test_kappa_by_hand() -> None:
    """20 and 15 agreements of 50: p_o 0.7, p_e 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa 0.4."""
    found = cohen_kappa(FIRST, SECOND)
    assert (found.n, found.agreement, found.expected) == (50, pytest.approx(0.7), pytest.approx(0.5))
    assert found.value == pytest.approx(0.4)


@pytest.mark.parametrize(("weights", "expected"), [("linear", 3 / 7), ("quadratic", 7 / 11)])
def test_weighted_by_hand(weights: Weights, expected: float) -> None:
    """Marks (1,1) (2,3) (3,3) (3,2), disagreement 0, 1/2 or 1, squared 0, 1/4 or 1.

    Linear: observed (1/2 + 1/2)/4 = 1/4, expected 7/16. Squared: observed 1/8, expected 11/32.
    """
    assert cohen_kappa([1, 2, 3, 3], [1, 3, 3, 2], weights=weights).value == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_renaming_categories_changes_nothing(pairs: list[tuple[int, int]]) -> None:
    """Plain kappa knows names only."""
    letters = "vwxyz"
    plain = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], categories=range(1, 6))
    named = cohen_kappa(
        [letters[a - 1] for a, _ in pairs], [letters[b - 1] for _, b in pairs], categories=letters
    )
    assert plain.value == (None if named.value is None else pytest.approx(named.value))


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_symmetric_and_at_most_1(pairs: list[tuple[int, int]]) -> None:
    """Swapping the raters changes nothing."""
    one = cohen_kappa(
        [a for a, _ in pairs], [b for _, b in pairs], categories=range(1, 6), weights="quadratic"
    )
    other = cohen_kappa(
        [b for _, b in pairs], [a for a, _ in pairs], categories=range(1, 6), weights="quadratic"
    )
    assert one.value == (None if other.value is None else pytest.approx(other.value))
    assert one.value is None or one.value <= 1.0 + 1e-12


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 1], [0, 1, 1]), (["A", "B"], ["a", "b"]), ([True, False], [1, 0]), ([1, 2], [3, 4])],
    ids=["1-2 against 0-1", "case", "bool against int", "disjoint"],
)
def test_two_codings_are_refused(first: list[Label], second: list[Label]) -> None:
    """Where each rater uses labels that the other never does, there is an error that shows both."""
    with pytest.raises(InvalidInput, match="two codings") as refused:
        cohen_kappa(first, second)
    assert repr(name_of(first[0])) in str(refused.value)


def test_declared_categories_allow_raters_who_used_different_ones() -> None:
    """Both know a, b and c: one used a and b, the other b and c."""
    assert cohen_kappa(["a", "b"], ["b", "c"], categories="abc").n == 2


def test_undeclared_categories_are_refused() -> None:
    """A 0 among declared 1 and 2 is named."""
    with pytest.raises(InvalidInput, match=r"labels \{'0'\} are not among"):
        cohen_kappa([1, 2], [1, 0], categories=[1, 2])


def test_a_rater_who_never_uses_a_category_is_fine() -> None:
    """One who always says yes has kappa 0."""
    assert cohen_kappa([YES, NO, YES], [YES, YES, YES]).value == pytest.approx(0.0)


def test_numbers_are_named_alike() -> None:
    """4, 4.0 and '4' are one category."""
    assert cohen_kappa([4, 5], [4.0, "5"]).value == 1.0


def test_missing_labels_are_dropped_by_item() -> None:
    """None and NaN of either rater take the item out."""
    assert cohen_kappa([1, None, 2, 1], [1, 2, float("nan"), 1]).n == 2


@pytest.mark.parametrize(("first", "n"), [([], 0), ([YES, YES], 2)], ids=["no items", "no variation"])
def test_no_variation_has_no_kappa(first: list[Label], n: int) -> None:
    """None, and not 0 or 1."""
    found = cohen_kappa(first, first)
    assert (found.value, found.n) == (None, n)


def test_weights_need_an_order() -> None:
    """Words have none until it is declared."""
    with pytest.raises(InvalidInput, match="weights need an order"):
        cohen_kappa(["low", "high"], ["low", "high"], weights="linear")


def test_lists_must_be_equally_long() -> None:
    """A label without a partner is refused."""
    with pytest.raises(InvalidInput, match="1 labels against 2"):
        cohen_kappa([1], [1, 2])


@pytest.mark.slow
def test_kappa_the_interval_covers() -> None:
    """The 95 % interval of 100 items covers a known kappa of 0.6 in 92 to 98 % of 400 samples."""
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(400):
        truth = rng.random(100) < 0.5
        other = np.where(rng.random(100) < 0.8, truth, ~truth)
        interval = cohen_kappa(truth.tolist(), other.tolist(), draws=BootstrapDraws(rng, 400)).interval
        hits += interval is not None and interval.low <= 0.6 <= interval.high
    assert 0.92 <= hits / 400 <= 0.98


@pytest.mark.parametrize(("scale", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_textbook_example(scale: Scale, expected: float) -> None:
    """Four observers, twelve units, missing marks: Krippendorff's published alphas."""
    assert krippendorff_alpha(TEXTBOOK, scale).value == pytest.approx(expected, abs=5e-4)


def test_krippendorff_by_hand() -> None:
    """Two raters, (1,1) (1,2): observed 2/4, expected 2 * 3 * 1/(4 * 3) = 1/2, alpha 0."""
    found = krippendorff_alpha([[1, 1], [1, 2]])
    assert (found.observed, found.expected, found.value) == (0.5, 0.5, 0.0)


def _table(rng: np.random.Generator) -> np.ndarray:
    shape = rng.integers(2, 6), rng.integers(2, 30)
    table = rng.integers(1, rng.integers(2, 7) + 1, shape).astype(float)
    table[rng.random(shape) < rng.choice([0.0, 0.1, 0.4, 0.7])] = NAN
    return table


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
def test_alpha_equals_the_krippendorff_package(scale: Scale) -> None:
    """On 1,000 random tables with ties and missing marks, to 1e-9, wherever alpha is defined."""
    package = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(12)
    defined = 0
    for _ in range(1000):
        table = _table(rng)
        found = krippendorff_alpha(table, scale).value
        if found is not None:
            defined += 1
            assert found == pytest.approx(package.alpha(table, level_of_measurement=scale), abs=1e-9)
    assert defined > 900


@pytest.mark.slow
def test_nominal_alpha_follows_from_fleiss_kappa() -> None:
    """On complete tables of n marks alpha is 1 - (1 - kappa)(n - 1)/n, kappa by statsmodels."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    rng = np.random.default_rng(13)
    for _ in range(200):
        table = rng.integers(1, 5, (rng.integers(2, 6), rng.integers(5, 30)))
        kappa = inter_rater.fleiss_kappa(inter_rater.aggregate_raters(table.T)[0])
        expected = 1.0 - (1.0 - kappa) * (table.size - 1) / table.size
        assert krippendorff_alpha(table).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_equals_statsmodels(weights: Weights | None) -> None:
    """On 500 random pairs of raters with missing labels, to 1e-9, wherever kappa is defined."""
    reference = pytest.importorskip("statsmodels.stats.inter_rater").cohens_kappa
    rng = np.random.default_rng(14)
    defined = 0
    for _ in range(500):
        marks = rng.integers(1, 6, (2, rng.integers(5, 40))).astype(float)
        marks[rng.random(marks.shape) < 0.2] = NAN
        found = cohen_kappa(*marks.tolist(), categories=range(1, 6), weights=weights).value
        both = marks[:, ~np.isnan(marks).any(axis=0)].astype(int) - 1
        table = np.zeros((5, 5))
        np.add.at(table, (both[0], both[1]), 1)
        if found is not None:
            defined += 1
            assert found == pytest.approx(reference(table, wt=weights, return_results=False), abs=1e-9)
    assert defined > 480


@pytest.mark.parametrize("scale", SCALES)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_raters_and_items_changes_nothing(scale: Scale, seed: int) -> None:
    """A shuffled table has the same alpha."""
    rng = np.random.default_rng(seed)
    table = _table(rng)
    shuffled = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    one, other = krippendorff_alpha(table, scale).value, krippendorff_alpha(shuffled, scale).value
    assert one == (None if other is None else pytest.approx(other))


@pytest.mark.parametrize("table", [[[1, 1], [1, 1]], [[1, NAN], [NAN, 2]]], ids=["no variation", "no pair"])
@pytest.mark.parametrize("scale", SCALES)
def test_undefined(table: list[list[float]], scale: Scale) -> None:
    """None, and not 1: marks that never vary, or never meet, show no agreement."""
    assert krippendorff_alpha(table, scale, BootstrapDraws(np.random.default_rng(1), 20)).value is None


def test_an_item_with_one_mark_takes_no_part() -> None:
    """Its value does not count as expected disagreement either."""
    assert krippendorff_alpha([[1, 2, 5], [1, 2, NAN]]).marks == 4


@pytest.mark.slow
def test_krippendorff_the_interval_covers() -> None:
    """Nominal alpha of 100 items with a known value of 0.36 is covered in 91 to 98 % of 300 samples."""
    rng = np.random.default_rng(10)
    hits = 0
    for _ in range(300):
        truth = rng.random(100) < 0.5
        table = np.where(rng.random((3, 100)) < 0.8, truth, ~truth).astype(float)
        interval = krippendorff_alpha(table, draws=BootstrapDraws(rng, 300)).interval
        hits += interval is not None and interval.low <= 0.36 <= interval.high
    assert 0.91 <= hits / 300 <= 0.98


def test_agreement_by_hand() -> None:
    """Of three shared items two agree, and all are within one mark."""
    found = compare_judges([5, 4, 2, NAN], [5, 5, 2, 1], categories=range(1, 6))
    assert found.n == 3
    assert (found.agreement, found.within_one) == (pytest.approx(2 / 3), 1.0)


def test_judges_without_a_common_item() -> None:
    """No share and no kappa."""
    found = compare_judges([5, NAN], [NAN, 4], categories=range(1, 6))
    assert (found.n, found.agreement, found.within_one, found.kappa.value) == (0, None, None, None)


def test_the_scale_weights_distances() -> None:
    """On a declared scale of 1-5 a difference of one mark is a quarter of the range."""
    assert compare_judges([1, 2], [2, 1], categories=[1, 2, 3, 4, 5]).linear.agreement == 0.75


def test_intervals_come_with_draws() -> None:
    """Kappa has a bootstrap interval if draws are given."""
    rng = np.random.default_rng(1)
    marks = rng.integers(1, 6, (2, 50))
    assert compare_judges(*marks, categories=range(1, 6)).kappa.interval is None
    drawn = compare_judges(*marks, categories=range(1, 6), draws=BootstrapDraws(rng, 50))
    assert drawn.kappa.interval is not None
