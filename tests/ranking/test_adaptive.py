"""The adaptive rule: decisions by hand, epochs, and false separations at most 5 % with equal models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from assay.core.errors import InvalidInput
from assay.ranking.adaptive import AdaptiveEvidence, AdaptiveRule, epochs_needed, open_models
from assay.ranking.adaptive_replay import replay_run
from assay.results.adaptive_run import Separation
from assay.stats.betting import SHARES
from assay.stats.p_values import holm

FIRST, ALL = AdaptiveRule(), AdaptiveRule(Separation.ALL)
World = Callable[[np.random.Generator, int], np.ndarray]


def after(*models: list[float]) -> AdaptiveEvidence:
    """Return the evidence after one batch of scores."""
    return AdaptiveEvidence.none(len(models)).add(np.array(models))


def test_the_evidence_of_a_pair_by_hand() -> None:
    """Ten prompts that only the first model solves: the mean over the shares of (1 + c)^10."""
    evidence = after([1.0] * 10, [0.0] * 10)
    by_hand = float(np.mean((1 + SHARES) ** 10))
    assert np.exp(evidence.pairs[0, 1]) == pytest.approx(by_hand)
    assert np.exp(evidence.against[1]) == pytest.approx(by_hand)
    # p is 1 / 194.06 for one of two ordered pairs, so Holm's p is 0.0103.
    assert by_hand == pytest.approx(194.06, abs=0.01)
    assert evidence.separated(0.0104).tolist() == [[False, True], [False, False]]
    assert not evidence.separated(0.0102).any()


def test_the_evidence_against_a_model_is_the_mean_over_the_others() -> None:
    """A model behind one of two others gets half of that pair's evidence, and what the other pair has."""
    evidence = after([1.0] * 8, [0.0] * 8, [0.0] * 8)
    pair = float(np.mean((1 + SHARES) ** 8))
    assert np.exp(evidence.against[1]) == pytest.approx((pair + 1.0) / 2.0)


def test_evidence_is_kept_after_a_reversal() -> None:
    """The largest evidence at any look counts, so a decision is never taken back."""
    evidence = after([1.0] * 10, [0.0] * 10)
    later = evidence.add(np.array([[0.0] * 10, [1.0] * 10]))
    assert later.pairs[0, 1] == evidence.pairs[0, 1]
    assert later.gains[0, 0, 1] < evidence.gains[0, 0, 1]


@given(arrays(np.float64, (3, 12), elements=st.floats(0.0, 1.0)))
def test_the_order_within_a_batch_does_not_matter(scores: np.ndarray) -> None:
    """AdaptiveEvidence is a product over prompts."""
    there, back = AdaptiveEvidence.none(3).add(scores), AdaptiveEvidence.none(3).add(scores[:, ::-1])
    assert there.pairs == pytest.approx(back.pairs)


@given(arrays(np.float64, (4, 15), elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_no_pair_is_separated_both_ways_at_once(scores: np.ndarray) -> None:
    """Even at a high alpha one batch cannot show both, and one model is always left."""
    evidence = AdaptiveEvidence.none(4).add(scores)
    assert not (evidence.separated(0.3) & evidence.separated(0.3).T).any()
    assert not evidence.behind(0.9).all()


def test_a_model_that_was_not_asked_changes_nothing() -> None:
    """A batch without scores of a model leaves its evidence as it was."""
    evidence = after([1.0] * 5, [0.0] * 5, [0.5] * 5)
    nan = [np.nan] * 5
    later = evidence.add(np.array([[1.0] * 5, [0.0] * 5, nan]))
    assert later.gains[:, 2].tolist() == evidence.gains[:, 2].tolist()


def test_which_models_go_on() -> None:
    """For the first place the two leaders; for all pairs also a tied pair behind; none when settled."""
    good, bad = [1.0] * 20, [0.0] * 20
    evidence = after(good, good, bad, bad)
    assert open_models(evidence, FIRST).tolist() == [True, True, False, False]
    assert open_models(evidence, ALL).tolist() == [True] * 4
    for rule in (FIRST, ALL):
        assert not open_models(after(good, [0.5] * 20, bad), AdaptiveRule(rule.separate, 0.3)).any()


def test_equal_scores_separate_nobody() -> None:
    """Constant scores are no evidence."""
    evidence = after([1.0] * 500, [1.0] * 500)
    assert open_models(evidence, FIRST).all() and open_models(evidence, ALL).all()


def test_one_epoch_while_prompts_may_suffice() -> None:
    """A clear difference needs prompts only; a tie on noisy prompts uses all epochs, on steady ones not."""
    wins = np.stack([np.ones((10, 3)), np.zeros((10, 3))])
    clear = np.where(np.arange(3) == 0, wins * 0.3 + 0.2, np.nan)
    evidence = AdaptiveEvidence.none(2).add(clear[:, :, 0])
    assert epochs_needed(clear, evidence, FIRST, 90) == 1
    rng = np.random.default_rng(0)
    noisy = rng.integers(0, 2, (2, 10, 3)).astype(float)
    tied = AdaptiveEvidence.none(2)
    assert epochs_needed(noisy, tied, FIRST, 90) == 3
    steady = np.repeat(rng.random((2, 10, 1)), 3, axis=2)
    assert epochs_needed(steady, tied, FIRST, 90) == 1
    assert epochs_needed(noisy[:, :, :1], tied, FIRST, 90) == 1


def test_a_replay_stops_and_counts() -> None:
    """Two models that always differ: settled after one batch, and the loser is asked no more."""
    scores = np.stack([np.ones(50), np.zeros(50), np.full(50, 0.9)])
    run = replay_run(scores, np.arange(50), FIRST)
    assert (run.when[1, 1], run.asked[1]) == (10, 10)
    assert run.prompts == 50 and run.asked.tolist() == [50, 10, 50]
    assert run.when[0, 0] == run.when[2, 2] == 0


def test_bad_rules_are_refused() -> None:
    """One message each, with the value and what to give."""
    with pytest.raises(InvalidInput, match=r"alpha 1.5: give a number between 0 and 1"):
        AdaptiveRule(alpha=1.5)
    with pytest.raises(InvalidInput, match="batch of 0 prompts: give at least 1"):
        AdaptiveRule(batch=0)


def _graded(rng: np.random.Generator, prompts: int) -> np.ndarray:
    """Independent graded scores near the ceiling, as judges give."""
    return rng.beta(9.0, 1.0, (5, prompts))


def _binary(rng: np.random.Generator, prompts: int) -> np.ndarray:
    """Right or wrong, with a difficulty that all models share."""
    return (rng.random((5, prompts)) < rng.beta(0.5, 0.5, prompts)).astype(np.float64)


def _correlated(rng: np.random.Generator, prompts: int) -> np.ndarray:
    """Models that nearly always agree, except for one that rarely fails badly."""
    scores = rng.uniform(0.2, 0.8, prompts) + rng.uniform(-0.05, 0.05, (5, prompts))
    failed = rng.random(prompts) < 0.05
    scores[0] = np.where(failed, 0.0, scores[0] + 0.5 / 0.95 - 0.5)
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("world", [_graded, _binary, _correlated])
@pytest.mark.parametrize("rule", [FIRST, ALL], ids=["first", "all"])
def test_equal_models_are_separated_in_at_most_5_percent(world: World, rule: AdaptiveRule) -> None:
    """Five equal models, looked at after every tenth of 200 prompts, over 400 runs."""
    rng = np.random.default_rng(11)
    wrong = [replay_run(world(rng, 200), np.arange(200), rule).when.any() for _ in range(400)]
    assert np.mean(wrong) <= 0.05


@pytest.mark.slow
def test_power_against_the_test_of_the_full_run() -> None:
    """Binary scores 15 points apart, 400 prompts: nearly as often right as the corrected t test, on less."""
    rng, right, tested, used = np.random.default_rng(5), 0, 0, 0
    chance, runs = np.array([0.75, 0.6, 0.55, 0.5]), 100
    for _ in range(runs):
        scores = (rng.random((4, 400)) < chance[:, None]).astype(np.float64)
        run = replay_run(scores, np.arange(400), FIRST)
        right += bool((np.diag(run.when)[1:] > 0).all())
        used += int(run.asked.sum())
        p = [stats.ttest_rel(scores[0], other).pvalue for other in scores[1:]]
        tested += bool((holm(p) <= 0.05).all())
    assert (tested / runs, right / runs) >= (0.95, 0.85)
    assert used / (runs * 1600) <= 0.55
