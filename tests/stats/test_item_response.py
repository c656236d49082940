"""Rasch and two-parameter models with random items: parameters, scores on the whole bank, and item fit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.integrate import dblquad
from scipy.special import expit, logit
from scipy.stats import norm

from assay.stats.item_response import (
    ItemResponseFit,
    fit_rasch,
    fit_two_parameter,
    item_fit,
    item_rest_correlation,
)

NAN = np.nan


def answers(
    rng: np.random.Generator,
    abilities: np.ndarray,
    difficulties: np.ndarray,
    share: float = 1.0,
    slopes: np.ndarray | float = 1.0,
) -> np.ndarray:
    """Return right and wrong answers of models to items, each given with the chance `share`."""
    chance = expit(slopes * (abilities[:, None] - difficulties[None, :]))
    given = (rng.random(chance.shape) < chance).astype(np.float64)
    given[rng.random(chance.shape) >= share] = NAN
    return given


def test_models_with_equal_answers_have_equal_abilities() -> None:
    """The likelihood depends on a model's answers only."""
    fitted = fit_rasch([[1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]])
    assert fitted.abilities[0] == pytest.approx(fitted.abilities[1])
    assert fitted.abilities[0] > fitted.abilities[2]
    assert np.argmax(fitted.difficulties) == 1
    assert np.argmin(fitted.difficulties) == 2


def test_one_model_without_spread_has_the_logit_of_its_mean() -> None:
    """Equal items: 3 of 4 right is an expected score of 3/4 on the bank, whatever the spread."""
    value, _ = fit_rasch([[1.0, 1.0, 1.0, 0.0]]).bank_scores()
    assert value[0] == pytest.approx(0.75, abs=0.01)


FITS = pytest.mark.parametrize("fit", [fit_rasch, fit_two_parameter])


@FITS
@settings(max_examples=25, deadline=None)
@given(scores=arrays(np.float64, (3, 7), elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_every_figure_is_finite(fit: Callable[..., ItemResponseFit], scores: np.ndarray) -> None:
    """Models that get everything right or wrong have bounded abilities; discriminations are positive."""
    fitted = fit(scores)
    value, error = fitted.bank_scores()
    squares = item_fit(fitted, scores)
    assert np.isfinite(np.concatenate([fitted.abilities, fitted.difficulties, value, error])).all()
    assert np.isfinite(np.concatenate([squares.infit, squares.outfit])).all()
    assert (fitted.discriminations > 0.0).all()


@settings(max_examples=15, deadline=None)
@given(
    scores=arrays(np.float64, (4, 9), elements=st.sampled_from([0.0, 0.25, 1.0, NAN])),
    seed=st.integers(0, 99),
)
def test_the_order_of_models_and_items_does_not_matter(scores: np.ndarray, seed: int) -> None:
    """Scores on the bank of the two-parameter model move with their models."""
    assume(bool((~np.isnan(scores)).any(axis=1).all()))
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(4), rng.permutation(9)
    value, error = fit_two_parameter(scores).bank_scores()
    other, its_error = fit_two_parameter(scores[rows][:, columns]).bank_scores()
    assert other == pytest.approx(value[rows], abs=1e-6)
    assert its_error == pytest.approx(error[rows], abs=1e-6)


def test_one_right_answer_has_the_posterior_of_the_integral() -> None:
    """Each of two items has one answer of a model of known ability: right and wrong mirror each other.

    The posterior mean of the right one's difficulty is an integral over difficulty and discrimination.
    """
    fitted = fit_two_parameter([[1.0, 0.0]])
    assert fitted.abilities[0] == pytest.approx(0.0, abs=1e-9)
    spread, slope_spread = fitted.spreads

    def weight(log_slope: float, difficulty: float) -> float:
        prior = norm.pdf(difficulty, 0.0, spread) * norm.pdf(log_slope, 0.0, slope_spread)
        return float(prior * expit(-np.exp(log_slope) * difficulty))

    reach = [(-6.0 * each, 6.0 * each) for each in (spread, slope_spread)]
    total, first, second = (
        dblquad(lambda log_slope, b, power=power: b**power * weight(log_slope, b), *reach[0], *reach[1])[0]
        for power in range(3)
    )
    mean = first / total
    assert total == pytest.approx(0.5, abs=1e-6)
    assert fitted.difficulties == pytest.approx([mean, -mean], abs=1e-4)
    assert fitted.difficulty_sd == pytest.approx([np.sqrt(second / total - mean**2)] * 2, abs=1e-4)
    assert fitted.discriminations[0] == pytest.approx(fitted.discriminations[1])


def test_discriminations_are_recovered() -> None:
    """60 models on items of three slopes: the steep items have the largest discriminations."""
    rng = np.random.default_rng(4)
    slopes = np.repeat([0.4, 1.0, 2.5], 20)
    given = answers(rng, rng.normal(0.0, 1.0, 60), rng.normal(0.0, 1.0, 60), slopes=slopes)
    fitted = fit_two_parameter(given)
    means = np.log(fitted.discriminations).reshape(3, 20).mean(axis=1)
    assert means == pytest.approx(np.log([0.4, 1.0, 2.5]), abs=0.35)
    assert np.corrcoef(np.log(slopes), np.log(fitted.discriminations))[0, 1] > 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "items", "spread", "share"),
    [(4, 200, 1.0, 0.6), (10, 120, 2.0, 0.5), (6, 150, 0.5, 0.7), (15, 100, 1.5, 1.0)],
)
def test_scores_on_the_whole_bank_cover_the_truth(
    models: int, items: int, spread: float, share: float
) -> None:
    """92-98 % of 95 % intervals hold the true score, although models answered different items.

    Nothing was tuned on the last two worlds.
    """
    rng = np.random.default_rng(5)
    abilities = np.linspace(-0.5, 1.5, models)
    true = expit(abilities[:, None] - rng.normal(0.0, spread, 100_000)).mean(axis=1)
    hits = 0
    repeats = 80
    for _ in range(repeats):
        given = answers(rng, abilities, rng.normal(0.0, spread, items), share)
        value, error = fit_rasch(given).bank_scores()
        reach = 1.96 * error / (value * (1.0 - value))
        hits += int((np.abs(logit(value) - logit(true)) <= reach).sum())
    assert 0.92 <= hits / (repeats * models) <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "items", "spread", "slope_spread", "share"),
    [(10, 120, 2.0, 0.5, 0.5), (15, 100, 1.5, 0.8, 0.7), (12, 150, 1.0, 0.0, 0.6)],
)
def test_two_parameter_scores_on_the_whole_bank_cover_the_truth(
    models: int, items: int, spread: float, slope_spread: float, share: float
) -> None:
    """92-98 % of 95 % intervals hold the true score; nothing was tuned on these worlds (the last: Rasch)."""
    rng = np.random.default_rng(5)
    abilities = np.linspace(-0.5, 1.5, models)
    bank = rng.normal(0.0, spread, 100_000), np.exp(rng.normal(0.0, slope_spread, 100_000))
    true = expit(bank[1] * (abilities[:, None] - bank[0])).mean(axis=1)
    hits = 0
    repeats = 40
    for _ in range(repeats):
        difficulties, slopes = rng.normal(0.0, spread, items), np.exp(rng.normal(0.0, slope_spread, items))
        given = answers(rng, abilities, difficulties, share, slopes)
        value, error = fit_two_parameter(given).bank_scores()
        reach = 1.96 * error / (value * (1.0 - value))
        hits += int((np.abs(logit(value) - logit(true)) <= reach).sum())
    assert 0.92 <= hits / (repeats * models) <= 0.98


@pytest.mark.slow
def test_models_with_steep_items_are_equated_better_by_two_parameters() -> None:
    """Two weak and two strong models sat only steep or only flat items, the other 36 models sat all.

    The Rasch model takes a steep item's large differences for large differences of ability.
    """
    rng = np.random.default_rng(7)
    abilities = np.concatenate([[-2.0, -2.0, 2.0, 2.0], np.linspace(-1.0, 1.0, 36)])
    bank = rng.normal(0.0, 1.0, 100_000), np.exp(rng.normal(0.0, 0.6, 100_000))
    true = expit(bank[1] * (abilities[:4, None] - bank[0])).mean(axis=1)
    errors: dict[str, list[np.ndarray]] = {"rasch": [], "2pl": []}
    for _ in range(12):
        slopes = np.exp(rng.normal(0.0, 0.6, 200))
        given = answers(rng, abilities, rng.normal(0.0, 1.0, 200), slopes=slopes)
        given[0:4:2, slopes < 1.0] = NAN
        given[1:4:2, slopes >= 1.0] = NAN
        errors["rasch"].append(fit_rasch(given).bank_scores()[0][:4] - true)
        errors["2pl"].append(fit_two_parameter(given).bank_scores()[0][:4] - true)
    rasch, two = (float(np.sqrt(np.mean(np.square(errors[name])))) for name in errors)
    assert two < 0.8 * rasch


def test_a_model_with_harder_items_is_raised() -> None:
    """Two equal models: one sat the easy half and one the hard half, linked by models that sat both.

    Items that are not assigned at random are corrected only in part: the items' own difficulties are drawn
    towards the mean where few models link the halves.
    """
    rng = np.random.default_rng(8)
    gaps = []
    for linking in (6, 40):
        difficulties = np.repeat([-1.0, 1.0], 150)
        given = answers(rng, np.full(2 + linking, 0.5), difficulties)
        given[0, 150:] = NAN
        given[1, :150] = NAN
        plain = np.nanmean(given, axis=1)
        value, _ = fit_rasch(given).bank_scores()
        gaps.append((value[0] - value[1]) / (plain[0] - plain[1]))
    assert gaps[0] < 0.5
    assert gaps[1] < 0.2


def test_noise_is_misfit() -> None:
    """An item answered at random fits worse than one that follows the abilities."""
    rng = np.random.default_rng(2)
    abilities = np.linspace(-3.0, 3.0, 60)
    given = answers(rng, abilities, np.zeros(30))
    given[:, 0] = (abilities < 0.0).astype(np.float64)
    fit = item_fit(fit_rasch(given), given)
    assert np.argmax(fit.infit) == np.argmax(fit.outfit) == 0
    assert fit.infit[0] > 2.0
    assert np.median(fit.infit[1:]) == pytest.approx(1.0, abs=0.2)


def test_item_rest_correlation_is_numpy_s() -> None:
    """The item against the mean of the other items; constant items have none."""
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]])
    rest = scores[:, 1:].mean(axis=1)
    found = item_rest_correlation(scores)
    assert found[0] == pytest.approx(np.corrcoef(scores[:, 0], rest)[0, 1])
    assert np.isnan(found[1])
