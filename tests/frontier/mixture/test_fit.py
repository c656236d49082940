"""The mixture model: accuracy against known truths, and behaviour with little data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from assay.core.errors import InvalidInput
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.oracle import oracle as valued
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor, from_counts


def names(kind: str, number: int) -> tuple[str, ...]:
    """Return names of prompts or models."""
    return tuple(f"{kind}{index}" for index in range(number))


def world(seed: int, prompts: int, models: int, spread: float = 1.0) -> np.ndarray:
    """Return success rates from a prompt's ease, a model's strength and an effect of the cell."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(0.0, 1.5, (prompts, 1))
    return np.asarray(expit(ease + rng.normal(0.0, 0.7, models) + rng.normal(0.0, spread, (prompts, models))))


def observed(rates: np.ndarray, generations: int, seed: int) -> Tensor:
    """Return simulated generations with these rates."""
    right = np.random.default_rng(seed).binomial(generations, rates)
    return from_counts(
        names("p", rates.shape[0]), names("m", rates.shape[1]), right, np.full(rates.shape, generations)
    )


def oracle(posterior: Posterior) -> np.ndarray:
    """Return the oracle in each draw."""
    chosen = np.where(posterior.may_choose, posterior.quality, -np.inf)
    return np.asarray(chosen.max(axis=2).mean(axis=1))


def test_it_comes_nearer_to_a_known_truth_than_the_naive_oracle() -> None:
    """Over two worlds its mean error is less than half of the naive bias."""
    ours, naive = [], []
    for seed in range(2):
        rates = world(seed, 150, 8)
        truth = rates.max(axis=1).mean()
        tensor = observed(rates, 10, seed + 100)
        ours.append(oracle(fit_mixture(tensor, draws=30, seed=seed)).mean() - truth)
        naive.append(tensor.mean_quality().max(axis=1).mean() - truth)
    assert np.abs(ours).mean() < 0.5 * np.abs(naive).mean()


@pytest.mark.slow
def test_the_interval_covers_a_known_truth_about_as_often_as_its_level() -> None:
    """Of 20 worlds the 90 % interval of the draws covers at least 16."""
    covered = 0
    for seed in range(20):
        rates = world(seed, 100, 5)
        drawn = oracle(fit_mixture(observed(rates, 8, seed), draws=80, seed=seed))
        low, high = np.quantile(drawn, [0.05, 0.95])
        covered += int(low <= rates.max(axis=1).mean() <= high)
    assert covered >= 16


def test_twenty_equal_fair_coins_are_found_to_be_equal() -> None:
    """500 prompts, 20 coins, 50 generations: the interval contains the truth, 50.0."""
    right = np.random.default_rng(0).binomial(50, 0.5, (500, 20))
    tensor = from_counts(names("p", 500), names("m", 20), right, np.full(right.shape, 50))
    drawn = oracle(fit_mixture(tensor, draws=60))
    low, high = np.quantile(drawn, [0.05, 0.95])
    assert low <= 0.5 <= high
    assert abs(drawn.mean() - 0.5) < 0.01


def test_specialists_are_not_shrunk() -> None:
    """Each prompt has one able model, any of them: the able cells have their own line."""
    rng = np.random.default_rng(0)
    rates = rng.beta(1.0, 20.0, (200, 8))
    rates[np.arange(200), rng.integers(8, size=200)] = rng.beta(8.0, 2.0, 200)
    value = oracle(fit_mixture(observed(rates, 5, 1), draws=30)).mean()
    assert abs(value - rates.max(axis=1).mean()) < 0.025


def test_a_cap_by_prompt_is_detected() -> None:
    """No model exceeds its prompt's cap: without a cap in the model the value is 6 points too high."""
    rng = np.random.default_rng(0)
    rates = rng.random((300, 1)) * rng.random((300, 12))
    value = oracle(fit_mixture(observed(rates, 10, 1), draws=30)).mean()
    assert abs(value - rates.max(axis=1).mean()) < 0.025


def test_models_equal_on_every_prompt_show_no_gain() -> None:
    """If all models have the same rates, the naive oracle is far above them, this one is not."""
    rates = np.repeat(np.random.default_rng(5).random((200, 1)), 8, axis=1)
    tensor = observed(rates, 10, 1)
    assert tensor.mean_quality().max(axis=1).mean() > rates.mean() + 0.1
    assert abs(oracle(fit_mixture(tensor, draws=60)).mean() - rates.mean()) < 0.03


def test_cells_without_luck_keep_their_oracle() -> None:
    """If every cell is always right or always wrong, the oracle is the share of solved prompts."""
    rates = np.zeros((100, 4))
    rates[:70, 0] = 1.0
    rates[70:90, 1] = 1.0
    assert abs(oracle(fit_mixture(observed(rates, 10, 0), draws=60)).mean() - 0.9) < 0.01


def test_the_same_seed_gives_the_same_draws() -> None:
    """A report can be reproduced."""
    tensor = observed(world(1, 40, 4), 5, 1)
    first, again = (fit_mixture(tensor, draws=20, seed=3).quality for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, fit_mixture(tensor, draws=20, seed=4).quality)


def test_cells_without_answers_may_not_be_chosen() -> None:
    """A missing cell has draws from its prompt and its model, but no oracle chooses it."""
    rates = world(2, 120, 5)
    given = np.full(rates.shape, 8)
    given[:60, 2] = 0
    right = np.random.default_rng(0).binomial(given, rates)
    tensor = from_counts(names("p", 120), names("m", 5), right, given)
    posterior = fit_mixture(tensor, draws=40)
    assert not posterior.may_choose[:60, 2].any()
    mean = posterior.quality.mean(axis=0)[:60, 2]
    assert np.corrcoef(mean, rates[:60, 2])[0, 1] > 0.4


def test_one_generation_in_every_cell_is_refused() -> None:
    """Luck cannot be estimated from one answer; the message says what to do."""
    with pytest.raises(InvalidInput, match="no cell has two generations"):
        fit_mixture(observed(world(0, 10, 3), 1, 0))


def test_models_with_one_generation_borrow_from_the_others() -> None:
    """Every other model has one generation: the error is less than half of the naive bias."""
    rates = world(3, 150, 6)
    given = np.where(np.arange(6) % 2 == 0, 10, 1)[None, :].repeat(150, axis=0)
    right = np.random.default_rng(1).binomial(given, rates)
    tensor = from_counts(names("p", 150), names("m", 6), right, given)
    naive = tensor.mean_quality().max(axis=1).mean()
    truth = rates.max(axis=1).mean()
    assert abs(oracle(fit_mixture(tensor, draws=60)).mean() - truth) < 0.5 * abs(naive - truth)


def test_real_valued_quality_is_shrunk_too() -> None:
    """Marks with normal noise: nearer to the truth than the naive oracle, with a note on the model."""
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 1, (150, 1)) + rng.normal(0, 0.5, 6) + rng.normal(0, 0.5, (150, 6))
    marks = truth[:, :, None] + rng.normal(0, 1.0, (150, 6, 4))
    tensor = Tensor(names("p", 150), names("m", 6), marks, scale=None)
    posterior = fit_mixture(tensor, draws=80)
    naive = abs(tensor.mean_quality().max(axis=1).mean() - truth.max(axis=1).mean())
    assert abs(oracle(posterior).mean() - truth.max(axis=1).mean()) < 0.3 * naive
    assert any("normal" in note for note in posterior.notes)


def test_a_large_tensor_gets_fewer_draws_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of the draws is limited."""
    monkeypatch.setattr("assay.frontier.mixture.fit.MOST_NUMBERS", 50 * 40 * 4)
    posterior = fit_mixture(observed(world(1, 40, 4), 5, 1), draws=200)
    assert len(posterior.quality) == 50
    assert "50 draws instead of 200" in posterior.notes[0]


def test_many_equal_models_without_luck_add_nothing() -> None:
    """12 copies of one model that is always right or never, five answers each: the oracle is the model."""
    rates = np.repeat(np.where(np.arange(100) < 90, 1.0, 0.0)[:, None], 12, axis=1)
    assert oracle(fit_mixture(observed(rates, 5, 0), draws=40)).mean() - 0.9 < 0.012


def test_draws_of_marks_between_0_and_1_stay_there() -> None:
    """Nearly all marks are 0 or 1: unbounded draws put the oracle 2 points too high, bounded ones do not."""
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rates = 1.0 / (1.0 + np.exp(-(rng.normal(0, 2, (100, 1)) + rng.normal(0, 1, (100, 6)))))
        marks = (rng.random((100, 6, 5)) < rates[:, :, None]).astype(np.float64)
        half = rng.random(marks.shape) < 0.03
        truth = 0.97 * rates + 0.015
        names = tuple(f"p{n}" for n in range(100)), tuple(f"m{m}" for m in range(6))
        posterior = fit_mixture(Tensor(*names, np.where(half, 0.5, marks)), draws=50, seed=seed)
        assert posterior.quality.min() >= 0.0
        assert posterior.quality.max() <= 1.0
        errors.append(posterior.quality.max(axis=2).mean() - truth.max(axis=1).mean())
    assert abs(np.mean(errors)) < 0.01


def test_the_oracles_cost_is_that_of_the_best_model() -> None:
    """Models with prices from 1 to 32 and different rates: the best model's cost, within a fifth."""
    rng = np.random.default_rng(0)
    rates = expit(2.0 + rng.normal(0, 1, (100, 1)) + rng.normal(0, 1, (100, 6)))
    price = np.tile(2.0 ** np.arange(6), (100, 1))
    right, given = rng.binomial(10, rates), np.full(rates.shape, 10)
    tensor = from_counts(names("p", 100), names("m", 6), right, given, cost=price)
    estimate = valued(tensor, "mixture", posterior=fit_mixture(tensor, draws=60), resamples=0)
    assert estimate.cost is not None and estimate.cost.value is not None
    true = price[np.arange(100), rates.argmax(axis=1)].mean()
    assert abs(estimate.cost.value / true - 1.0) < 0.2


def test_below_five_generations_the_bracket_is_the_result() -> None:
    """With 3 generations in a cell there are two ends and no value; with 6 there is a value."""
    rates = world(0, 60, 4)
    few = valued(observed(rates, 3, 0), resamples=20)
    assert few.quality.value is None
    assert few.lower is not None and few.upper is not None
    assert any("no value is claimed" in note for note in few.notes)
    assert valued(observed(rates, 6, 0), resamples=20).quality.value is not None


def test_the_order_of_the_models_does_not_matter() -> None:
    """The oracle differs only by the randomness of the draws."""
    tensor = observed(world(2, 100, 5), 10, 2)
    first = oracle(fit_mixture(tensor, draws=60)).mean()
    reversed_order = oracle(fit_mixture(tensor.take(models=[4, 3, 2, 1, 0]), draws=60)).mean()
    assert abs(first - reversed_order) < 0.012
