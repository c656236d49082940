"""What an attack achieved."""

from __future__ import annotations

import numpy as np
import pytest

from assay.causal.lint.attacked import Outcome, attacked
from assay.stats.p_values import at_least

CREDIT = np.array([1.0, 1.0, 0.0, 0.0, np.nan])
SPOKE = np.array([True, True, True, False, False])


def test_what_was_never_tested_is_left_out() -> None:
    """Accuracy is over all tested questions; where the attack spoke it is told apart, with its own p."""
    found = attacked(Outcome("x", "X.", CREDIT, SPOKE, trained=False), np.full(5, 0.25), list("aabbc"))
    assert (found.n, found.right, found.accuracy, found.chance) == (4, 2, 0.5, 0.25)
    assert (found.spoke, found.spoke_right) == (3, 2)
    assert found.p == pytest.approx(at_least(2, [0.25] * 3))
    assert found.interval == found.simple


def test_a_trained_attack_is_judged_by_the_higher_bound() -> None:
    """Where picks hang together by concept, the bound that knows it is judged."""
    credit = np.repeat([1.0, 0.0, 0.0, 0.0], 10)
    found = attacked(
        Outcome("x", "X.", credit, credit >= 0, trained=True), np.full(40, 0.25), np.repeat(list("abcd"), 10)
    )
    assert found.interval == found.clustered
    assert found.clustered.high > found.simple.high


def test_an_attack_that_never_spoke_is_no_better_than_chance() -> None:
    """It has no picks to be judged by, so p is 1."""
    silent = Outcome("x", "X.", np.array([1.0, 0.0]), np.array([False, False]), trained=False)
    found = attacked(silent, np.full(2, 0.25), ["a", "b"])
    assert (found.spoke, found.p) == (0, 1.0)
