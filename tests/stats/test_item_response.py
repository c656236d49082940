"""The Rasch model with random items: recovered parameters, scores on the whole bank, and item fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit, logit

from assay.stats.item_response import fit_rasch, item_fit, item_rest_correlation

NAN = np.nan


def answers(
    rng: np.random.Generator, abilities: np.ndarray, difficulties: np.ndarray, share: float = 1.0
) -> np.ndarray:
    """Return right and wrong answers of models to items, each given with the chance `share`."""
    chance = expit(abilities[:, None] - difficulties[None, :])
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


@settings(max_examples=25, deadline=None)
@given(arrays(np.float64, (3, 7), elements=st.sampled_from([0.0, 0.5, 1.0])))
def test_every_figure_is_finite(scores: np.ndarray) -> None:
    """Models that get everything right or wrong have bounded abilities."""
    fitted = fit_rasch(scores)
    value, error = fitted.bank_scores()
    fit = item_fit(fitted, scores)
    assert np.isfinite(np.concatenate([fitted.abilities, fitted.difficulties, value, error])).all()
    assert np.isfinite(np.concatenate([fit.infit, fit.outfit])).all()


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
