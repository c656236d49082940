"""Tests of the default method: does it see through the luck of few generations?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from assay.core.errors import InvalidInput
from assay.frontier.oracles.oracle import oracle as valued
from assay.frontier.posterior import Posterior
from assay.frontier.shrink.fit import fit_shrink
from assay.frontier.tensor import Tensor, from_counts


def names(kind: str, number: int) -> tuple[str, ...]:
    """Names of prompts or models."""
    return tuple(f"{kind}{one}" for one in range(number))


def world(seed: int, prompts: int, models: int, spread: float = 1.0) -> np.ndarray:
    """Success rates: a prompt's ease, a model's strength, and what neither explains."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(0.0, 1.5, (prompts, 1))
    return np.asarray(expit(ease + rng.normal(0.0, 0.7, models) + rng.normal(0.0, spread, (prompts, models))))


def observed(rates: np.ndarray, generations: int, seed: int) -> Tensor:
    """Fresh generations of such rates."""
    right = np.random.default_rng(seed).binomial(generations, rates)
    return from_counts(
        names("p", rates.shape[0]), names("m", rates.shape[1]), right, np.full(rates.shape, generations)
    )


def oracle(posterior: Posterior) -> np.ndarray:
    """The oracle in each draw."""
    chosen = np.where(posterior.may_choose, posterior.quality, -np.inf)
    return np.asarray(chosen.max(axis=2).mean(axis=1))


@pytest.mark.parametrize("generations", [5, 10])
def test_it_comes_nearer_to_a_known_truth_than_the_naive_oracle(generations: int) -> None:
    """Over several worlds its mean error is a fraction of what luck adds."""
    ours, naive = [], []
    for seed in range(4):
        rates = world(seed, 200, 8)
        truth = rates.max(axis=1).mean()
        tensor = observed(rates, generations, seed + 100)
        ours.append(oracle(fit_shrink(tensor, draws=30, seed=seed)).mean() - truth)
        naive.append(tensor.mean_quality().max(axis=1).mean() - truth)
    assert np.abs(ours).mean() < 0.4 * np.abs(naive).mean()
    assert np.abs(ours).mean() < 0.015


@pytest.mark.slow
def test_its_interval_covers_a_known_truth_about_as_often_as_it_says() -> None:
    """Of 20 worlds the 90 % interval of the draws covers at least 15, and its spread is not wide by far."""
    covered, widths, errors = 0, [], []
    for seed in range(20):
        rates = world(seed, 100, 5)
        drawn = oracle(fit_shrink(observed(rates, 8, seed), draws=80, seed=seed))
        low, high = np.quantile(drawn, [0.05, 0.95])
        truth = rates.max(axis=1).mean()
        covered += int(low <= truth <= high)
        widths.append(drawn.std())
        errors.append(drawn.mean() - truth)
    assert covered >= 15
    assert np.mean(widths) < 1.5 * np.sqrt(np.mean(np.square(errors)))


def test_models_alike_on_every_prompt_leave_no_gain() -> None:
    """Where all models share one rate, the naive oracle is far above it; this one hardly."""
    rates = np.repeat(np.full((300, 1), 0.5), 10, axis=1)
    tensor = observed(rates, 10, 1)
    assert tensor.mean_quality().max(axis=1).mean() > 0.7
    assert abs(oracle(fit_shrink(tensor, draws=60)).mean() - 0.5) < 0.06


def test_a_certain_tensor_stays_certain() -> None:
    """Cells that are always right or always wrong, by prompt, keep the oracle at their share."""
    rates = np.zeros((100, 4))
    rates[:70, 0] = 1.0
    rates[70:90, 1] = 1.0
    assert abs(oracle(fit_shrink(observed(rates, 10, 0), draws=60)).mean() - 0.9) < 0.01


def test_the_same_seed_gives_the_same_draws() -> None:
    """A report can be made again."""
    tensor = observed(world(1, 40, 4), 5, 1)
    first, again = (fit_shrink(tensor, draws=20, seed=3).quality for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, fit_shrink(tensor, draws=20, seed=4).quality)


def test_cells_without_answers_may_not_be_chosen() -> None:
    """A missing cell borrows from its prompt and its model, but no oracle picks it."""
    rates = world(2, 120, 5)
    given = np.full(rates.shape, 8)
    given[:60, 2] = 0
    right = np.random.default_rng(0).binomial(given, rates)
    tensor = from_counts(names("p", 120), names("m", 5), right, given)
    posterior = fit_shrink(tensor, draws=40)
    assert not posterior.may_choose[:60, 2].any()
    mean = posterior.quality.mean(axis=0)[:60, 2]
    assert np.corrcoef(mean, rates[:60, 2])[0, 1] > 0.4


def test_one_generation_a_cell_is_refused_with_what_to_do() -> None:
    """From one answer its luck cannot be told."""
    with pytest.raises(InvalidInput, match="no cell has two generations"):
        fit_shrink(observed(world(0, 10, 3), 1, 0))


def test_unequal_numbers_of_generations_are_borrowed_across() -> None:
    """Models with one generation take part beside models with ten."""
    rates = world(3, 150, 6)
    given = np.where(np.arange(6) % 2 == 0, 10, 1)[None, :].repeat(150, axis=0)
    right = np.random.default_rng(1).binomial(given, rates)
    tensor = from_counts(names("p", 150), names("m", 6), right, given)
    naive = tensor.mean_quality().max(axis=1).mean()
    truth = rates.max(axis=1).mean()
    assert abs(oracle(fit_shrink(tensor, draws=60)).mean() - truth) < 0.5 * abs(naive - truth)


def test_real_valued_quality_is_shrunk_too() -> None:
    """Marks with normal noise: nearer to the truth than the naive oracle, and said to be normal."""
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 1, (150, 1)) + rng.normal(0, 0.5, 6) + rng.normal(0, 0.5, (150, 6))
    marks = truth[:, :, None] + rng.normal(0, 1.0, (150, 6, 4))
    tensor = Tensor(names("p", 150), names("m", 6), marks)
    posterior = fit_shrink(tensor, draws=80)
    naive = abs(tensor.mean_quality().max(axis=1).mean() - truth.max(axis=1).mean())
    assert abs(oracle(posterior).mean() - truth.max(axis=1).mean()) < 0.3 * naive
    assert any("normal" in note for note in posterior.notes)


def costly(
    seed: int, generations: int = 5, apart: float = 1.0, noise: float = 0.5
) -> tuple[Tensor, np.ndarray]:
    """A tensor with log-normal costs and the cells' true expected costs."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(-5, 1, (120, 1)) + rng.normal(0, apart, 5) + rng.normal(0, 0.4, (120, 5))
    cost = np.exp(centre[:, :, None] + rng.normal(0, noise, (120, 5, generations)))
    tensor = observed(world(seed, 120, 5), generations, seed)
    return Tensor(tensor.prompts, tensor.models, tensor.quality, cost=cost), np.exp(centre + noise**2 / 2.0)


def test_the_cheapest_choice_is_not_made_to_look_cheaper_than_it_is() -> None:
    """The least of observed means lies below the least expected cost; the draws' least lies near it."""
    ours, naive = [], []
    for seed in range(6):
        tensor, expected = costly(seed, 3, apart=0.2, noise=0.9)
        posterior = fit_shrink(tensor, draws=40)
        paid = tensor.mean_cost()
        assert posterior.cost is not None and paid is not None
        truth = expected.min(axis=1).mean()
        ours.append(posterior.cost.min(axis=2).mean() / truth - 1.0)
        naive.append(paid.min(axis=1).mean() / truth - 1.0)
    assert np.mean(naive) < -0.1
    assert abs(np.mean(ours)) < 0.5 * abs(np.mean(naive))


def test_every_models_total_cost_is_kept() -> None:
    """Shrinking moves cost between prompts, not a model's bill."""
    tensor, _ = costly(6)
    posterior = fit_shrink(tensor, draws=100)
    assert posterior.cost is not None
    paid = tensor.mean_cost()
    assert paid is not None
    assert np.allclose(posterior.cost.mean(axis=0).mean(axis=0), paid.mean(axis=0), rtol=1e-9)


def test_a_free_model_stays_free_and_zeros_are_told() -> None:
    """Costs of 0 have no logarithm: a cell's share of them is kept."""
    tensor, _ = costly(7)
    assert tensor.cost is not None
    cost = tensor.cost.copy()
    cost[:, 0] = 0.0
    posterior = fit_shrink(Tensor(tensor.prompts, tensor.models, tensor.quality, cost=cost), draws=30)
    assert posterior.cost is not None
    assert (posterior.cost[:, :, 0] == 0.0).all()
    assert any("600 of 3,000 costs are 0" in note for note in posterior.notes)


def test_a_model_without_any_cost_has_none() -> None:
    """What was never recorded is not made up from other models' bills."""
    tensor, _ = costly(9)
    assert tensor.cost is not None
    cost = tensor.cost.copy()
    cost[:, 1] = np.nan
    posterior = fit_shrink(Tensor(tensor.prompts, tensor.models, tensor.quality, cost=cost), draws=20)
    assert posterior.cost is not None
    assert np.isnan(posterior.cost[:, :, 1]).all()
    assert not np.isnan(posterior.cost[:, :, 0]).any()


def test_costs_known_by_cell_are_held_certain() -> None:
    """Where only a mean cost was recorded, every draw is that mean."""
    rates = world(8, 60, 3)
    given = np.full(rates.shape, 5)
    right = np.random.default_rng(0).binomial(given, rates)
    paid = np.random.default_rng(1).random(rates.shape)
    posterior = fit_shrink(from_counts(names("p", 60), names("m", 3), right, given, cost=paid), draws=20)
    assert posterior.cost is not None
    assert np.allclose(posterior.cost, paid)


def test_a_tensor_too_great_for_so_many_draws_gets_fewer_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded."""
    monkeypatch.setattr("assay.frontier.shrink.fit.MOST_NUMBERS", 50 * 40 * 4)
    posterior = fit_shrink(observed(world(1, 40, 4), 5, 1), draws=200)
    assert len(posterior.quality) == 50
    assert "50 draws in place of 200" in posterior.notes[0]


def test_many_equal_and_certain_models_are_not_taken_for_lucky_ones() -> None:
    """One model on 30 days, two answers a day, always right or never: the days add nothing."""
    rates = np.repeat(np.where(np.arange(150) < 140, 1.0, 0.0)[:, None], 30, axis=1)
    assert oracle(fit_shrink(observed(rates, 2, 0), draws=40)).mean() - 140 / 150 < 0.012


def test_marks_of_0_to_1_are_not_expected_beyond_1() -> None:
    """Nearly all are 0 or 1: unbounded draws put the oracle 2 points above the truth, bounded ones do not."""
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rates = 1.0 / (1.0 + np.exp(-(rng.normal(0, 2, (100, 1)) + rng.normal(0, 1, (100, 6)))))
        marks = (rng.random((100, 6, 5)) < rates[:, :, None]).astype(np.float64)
        half = rng.random(marks.shape) < 0.03
        truth = 0.97 * rates + 0.015
        names = tuple(f"p{n}" for n in range(100)), tuple(f"m{m}" for m in range(6))
        found = fit_shrink(Tensor(*names, np.where(half, 0.5, marks)), draws=50, seed=seed)
        assert found.quality.min() >= 0.0
        assert found.quality.max() <= 1.0
        errors.append(found.quality.max(axis=2).mean() - truth.max(axis=1).mean())
    assert abs(np.mean(errors)) < 0.01


def test_the_oracles_cost_is_not_that_of_the_cheapest_about_as_good() -> None:
    """Models from 1 to 32 in price and of rates that differ: the best one's cost, to an eighth."""
    off = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rates = expit(2.0 + rng.normal(0, 1, (80, 1)) + rng.normal(0, 1, (80, 6)))
        price = np.tile(2.0 ** np.arange(6), (80, 1))
        names = tuple(f"p{n}" for n in range(80)), tuple(f"m{m}" for m in range(6))
        tensor = from_counts(*names, rng.binomial(10, rates), np.full(rates.shape, 10), cost=price)
        found = valued(tensor, "shrink", posterior=fit_shrink(tensor, draws=60, seed=seed), resamples=0)
        assert found.cost is not None and found.cost.value is not None
        off.append(found.cost.value / price[np.arange(80), rates.argmax(axis=1)].mean() - 1.0)
    assert abs(np.mean(off)) < 0.12


def test_few_generations_are_told() -> None:
    """With 2 generations a cell the interval is too short, and a note says so; with 5 it does not."""
    rates = world(0, 40, 4)
    assert any(
        "fewer than 5 generations" in note for note in fit_shrink(observed(rates, 2, 0), draws=5).notes
    )
    assert not any("fewer than" in note for note in fit_shrink(observed(rates, 5, 0), draws=5).notes)
