"""Bundle consistency: k of 5, what scattered rights would give, and whether concepts are mastered."""

from __future__ import annotations

import numpy as np
import pytest
from keyed_answers import answers, simulated, with_status

from assay.ranking.keyed.bundles import Consistency, consistency
from assay.ranking.measured import Status


def of(right: object, variants: int = 5) -> Consistency:
    """Return the consistency of the only model."""
    return consistency(answers(right, variants), 0, np.random.default_rng(1), replicates=500)


def test_by_hand() -> None:
    """Bundles with both, one, one and none of 2 right; accuracies 1/2 and 1/2: expected 1, 2, 1."""
    found = of([[[True, True, False, False, True, False, True, False]]], variants=2)
    assert [(each.k, each.bundles) for each in found.spread] == [(0, 1), (1, 2), (2, 1)]
    assert [each.expected for each in found.spread] == pytest.approx([1.0, 2.0, 1.0])
    assert (found.bundles, found.mean, found.whole, found.whole_expected) == (4, 1.0, 0.25, 0.25)


def test_expected_follows_the_variants() -> None:
    """Accuracy 1 on one variant and 1/2 on the other: k is 1 or 2, never 0."""
    found = of([[[True, True, True, True, True, False, True, False]]], variants=2)
    assert [each.expected for each in found.spread] == pytest.approx([0.0, 2.0, 2.0])


def test_whole_concepts_have_the_largest_dispersion() -> None:
    """Ten bundles known whole, ten not at all: the variance of k is 5 times that of scattered rights."""
    found = of([[[True, False] * 50]])
    assert (found.whole, found.mean) == (0.5, 2.5)
    assert found.dispersion == pytest.approx(5.0, rel=0.1)
    assert found.p == pytest.approx(1 / 501)


def test_rights_dealt_evenly_have_a_small_one() -> None:
    """Every bundle has exactly 2 of 4 right: no variance at all."""
    right = np.concatenate([np.tile([True, False], 5), np.tile([False, True], 5)] * 2)
    found = of(right.reshape(1, 1, -1), variants=4)
    assert (found.dispersion, found.p) == (0.0, 1.0)


def test_all_right_says_nothing_about_dispersion() -> None:
    """Nothing varies, so there is nothing to compare."""
    found = of(np.ones((1, 1, 20)))
    assert (found.whole, found.whole_expected, found.dispersion, found.p) == (1.0, 1.0, None, None)


def test_a_bundle_with_an_error_is_left_out_and_an_invalid_answer_is_not_right() -> None:
    """Of 4 bundles one errored and one was never asked whole; an invalid answer makes 4 of 5."""
    status = np.full(20, int(Status.OK))
    status[0], status[5], status[10] = Status.ERROR, Status.ABSENT, Status.INVALID
    made = with_status(answers(np.ones((1, 1, 20))), status)
    found = consistency(made, 0, np.random.default_rng(1), replicates=50)
    assert (found.bundles, found.left_out) == (2, 2)
    assert [each.bundles for each in found.spread] == [0, 0, 0, 0, 1, 1]


def test_a_bundle_counts_once_an_epoch() -> None:
    """Two epochs of 4 bundles are 8; a bundle never asked in an epoch is no loss."""
    made = answers(np.ones((2, 1, 20)))
    status = made.status.copy()
    status[1, 0, [0, 4, 8, 12, 16]] = Status.ABSENT
    found = consistency(with_status(made, status), 0, np.random.default_rng(1), replicates=50)
    assert (found.bundles, found.left_out) == (7, 0)


def test_without_bundles() -> None:
    """One question a concept makes no bundle."""
    found = of(np.ones((1, 1, 4)), variants=1)
    assert (found.bundles, found.spread, found.mean) == (0, (), None)


def test_expected_and_observed_have_one_mean() -> None:
    """The Poisson-binomial keeps the number of rights, whatever they are."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        found = of(rng.random((1, 1, 100)) < rng.random())
        assert sum(each.expected for each in found.spread) == pytest.approx(20.0)
        assert sum(each.k * each.expected for each in found.spread) == pytest.approx(20.0 * (found.mean or 0))


@pytest.mark.parametrize("epochs", [1, 3])
def test_scattered_rights_are_rarely_called_mastery(epochs: int) -> None:
    """Independent questions, repeated answers or not: p is at most 0.05 on at most 8 % of 300 models."""
    rng = np.random.default_rng(5)
    made = simulated(rng, np.full(300, 0.6), epochs=epochs)
    found = [consistency(made, model, rng, replicates=200).p for model in range(300)]
    assert np.mean([p is not None and p <= 0.05 for p in found]) <= 0.08


def test_mastery_is_found() -> None:
    """Questions of a bundle correlated at 0.4: more than 9 of 10 models are told."""
    rng = np.random.default_rng(6)
    made = simulated(rng, np.full(60, 0.6), alike=0.4)
    found = [consistency(made, model, rng, replicates=200).p for model in range(60)]
    assert np.mean([p is not None and p <= 0.05 for p in found]) > 0.9


def test_bundles_left_out_bear_on_nothing() -> None:
    """With errors here and there, expected and observed bundles keep one number and one mean."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        made = answers(rng.random((2, 1, 100)) < 0.6)
        status = np.where(rng.random((2, 1, 100)) < 0.1, int(Status.ERROR), int(Status.OK))
        found = consistency(with_status(made, status), 0, rng, replicates=50)
        assert sum(each.expected for each in found.spread) == pytest.approx(found.bundles)
        total = sum(each.k * each.expected for each in found.spread)
        assert total == pytest.approx(found.bundles * (found.mean or 0.0))
