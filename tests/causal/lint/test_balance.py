"""Keys over the letters, and in runs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from every_row import every_row
from scipy.stats import chi2

from assay.causal.lint.balance import balance, chance_of_run, longest_run

FOUR = np.full(100, 4)


def test_the_statistic_by_hand() -> None:
    """40, 20, 20, 20 of 100: 15^2/25 + 3 * 5^2/25 = 12, p near that of chi-square with 3 degrees."""
    keys = np.repeat([0, 1, 2, 3], [40, 20, 20, 20])
    found = balance(keys, FOUR, np.random.default_rng(0))
    assert (found.counts, found.expected, found.statistic) == ((40, 20, 20, 20), (25, 25, 25, 25), 12)
    assert found.p == pytest.approx(chi2.sf(12, 3), abs=0.004)


def test_questions_with_fewer_options_expect_other_counts() -> None:
    """Two questions of two options and four of four expect 2, 2, 1 and 1."""
    found = balance(np.array([0, 1, 0, 1, 2, 3]), np.array([2, 2, 4, 4, 4, 4]), np.random.default_rng(0))
    assert found.expected == (2, 2, 1, 1)
    assert (found.statistic, found.p) == (0, 1)


def test_even_keys_are_rarely_found_uneven() -> None:
    """Over 200 draws of even keys p is at most 5 % in about 5 %."""
    rng = np.random.default_rng(3)
    low = sum(balance(rng.integers(0, 4, 100), FOUR, rng).p <= 0.05 for _ in range(200))
    assert low <= 20


@every_row("sizes", [(2, 2, 2, 2, 2), (3, 2, 4, 3)])
@every_row("length", [1, 2, 3, 4])
def test_the_chance_of_a_run_is_exact(sizes: tuple[int, ...], length: int) -> None:
    """The chain gives what listing all keys gives."""
    all_keys = list(product(*(range(size) for size in sizes)))
    found = [longest_run(np.array(keys), np.array(sizes)).length for keys in all_keys]
    share = sum(run >= length for run in found) / len(found)
    assert chance_of_run(length, np.array(sizes)) == pytest.approx(share)


def test_the_longest_run_and_where_it_starts() -> None:
    """Of two runs of the same length the first is reported; no keys, no run."""
    found = longest_run(np.array([1, 1, 2, 2, 2, 0, 3, 3, 3]), np.full(9, 4))
    assert (found.length, found.start) == (3, 2)
    assert longest_run(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).p == 1
