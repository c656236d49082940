"""The biased oracle's bias in closed form, if all models are equally good on a prompt (equations 6-10).

Under this assumption (6) one sees how the bias grows with models and falls with generations. It does not
estimate a real tensor's bias: models that differ on a prompt compete less, and the bias is smaller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
REACH, NODES = 12.0, 800
"""Normal maxima are integrated from -12 to 12 by 800 Gauss-Legendre nodes (error 1e-12 for 10^6 models)."""
BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class BiasForms:
    """The bias of equation 5 by each form.

    The Gaussian forms are None if no cell has two generations, the Bernoulli form if quality is not 0/1.
    """

    gaussian: float | None
    gaussian_exact: float | None
    bernoulli: float | None


def gaussian_bias(spread: npt.ArrayLike, models: npt.ArrayLike, generations: npt.ArrayLike) -> float:
    """Return equation 8's bias, the mean over prompts of sigma sqrt(2 log L / G), as printed.

    It is an upper bound: the expected maximum of L standard normals (`gaussian_bias_exact`) is below
    sqrt(2 log L), 0.56 instead of 1.18 at L = 2 and 1.89 instead of 2.47 at L = 21. Each argument is one
    number or has one for each prompt (N,); `spread` is sigma_n, the standard deviation of one generation.
    """
    sigma, number = np.asarray(spread, dtype=np.float64), np.asarray(generations, dtype=np.float64)
    return float(np.mean(sigma * np.sqrt(2.0 * np.log(np.asarray(models, dtype=np.float64)) / number)))


def gaussian_bias_exact(spread: npt.ArrayLike, models: npt.ArrayLike, generations: npt.ArrayLike) -> float:
    """Return equation 8 without approximation: the mean of sigma E[max of L standard normals]/sqrt(G)."""
    sigma, number = np.asarray(spread, dtype=np.float64), np.asarray(generations, dtype=np.float64)
    kinds, place = np.unique(np.asarray(models), return_inverse=True)
    greatest = np.array([greatest_normal(int(kind)) for kind in kinds])[place]
    return float(np.mean(sigma * greatest / np.sqrt(number)))


def greatest_normal(models: int) -> float:
    """Return the expected maximum of L independent standard normals, by quadrature.

    It is the integral of 1 - F over the positive numbers minus that of F over the negative, with F = Phi^L.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    place, weight = (nodes + 1.0) * REACH / 2.0, weights * REACH / 2.0
    above = -np.expm1(models * scipy.special.log_ndtr(place))
    below = np.exp(models * scipy.special.log_ndtr(-place))
    return float(weight @ (above - below))


def bernoulli_oracle(rates: npt.ArrayLike, models: npt.ArrayLike, generations: npt.ArrayLike) -> FloatArray:
    """Return E[max_l Y_l / G] for each prompt's common success rate (N,): equation 10 without its mean.

    It is 1/G times the sum over g = 0..G-1 of 1 - F(g; p)^L, where F is the Binomial(G, p) distribution
    function. The paper prints equation 10 over g in [G] = 1..G, which drops the term of g = 0 and adds one
    that is 0: this is too low by (1 - (1 - p)^(G L))/G. `models` and `generations` are one number or one for
    each prompt.
    """
    rate = np.atleast_1d(np.asarray(rates, dtype=np.float64))
    count = np.broadcast_to(np.asarray(models, dtype=np.float64), rate.shape)
    number = np.broadcast_to(np.asarray(generations, dtype=np.int64), rate.shape)
    expected = np.empty(len(rate))
    step = max(1, BLOCK // max(1, int(number.max(initial=1))))
    for start in range(0, len(rate), step):
        rows = slice(start, start + step)
        turn, most = np.arange(int(number[rows].max())), number[rows, None]
        inside = turn < most
        below = scipy.special.bdtr(np.where(inside, turn, 0).astype(np.float64), most, rate[rows, None])
        expected[rows] = np.where(inside, 1.0 - below ** count[rows, None], 0.0).sum(axis=1) / number[rows]
    return expected


def bernoulli_bias(rates: npt.ArrayLike, models: npt.ArrayLike, generations: npt.ArrayLike) -> float:
    """Return the mean over prompts of `bernoulli_oracle` minus the rate, which is the true oracle here."""
    rate = np.atleast_1d(np.asarray(rates, dtype=np.float64))
    return float(np.mean(bernoulli_oracle(rate, models, generations) - rate))


def bias_forms(quality: FloatArray) -> BiasForms:
    """Return the forms with the parameters of a tensor's quality (N, L, G), NaN if missing.

    sigma_n^2 is the mean over the prompt's models of the variance within the cell (ddof 1), p_n is the
    prompt's share right, L is the number of models observed on it, and G is the harmonic mean of their
    generations, rounded down for the binomial. Prompts without any generation are left out; the Gaussian
    forms also leave out prompts without a cell of two generations.
    """
    number = (~np.isnan(quality)).sum(axis=2)
    observed = number.sum(axis=1) > 0
    quality, number = quality[observed], number[observed]
    if not len(quality):
        return BiasForms(None, None, None)
    models = (number > 0).sum(axis=1)
    typical = models / np.where(number > 0, 1.0 / np.maximum(number, 1), 0.0).sum(axis=1)
    values = np.nan_to_num(quality)
    bernoulli = None
    if np.all((values == 0.0) | (values == 1.0)):
        rates = values.sum(axis=(1, 2)) / number.sum(axis=1)
        bernoulli = bernoulli_bias(rates, models, np.floor(typical + 1e-9).astype(np.int64))
    spread = spread_by_prompt(quality)
    known = ~np.isnan(spread)
    if not known.any():
        return BiasForms(None, None, bernoulli)
    parameters = (spread[known], models[known], typical[known])
    return BiasForms(gaussian_bias(*parameters), gaussian_bias_exact(*parameters), bernoulli)


def spread_by_prompt(quality: FloatArray) -> FloatArray:
    """Return sigma_n (N,): the root of the mean variance (ddof 1) within a prompt's cells of two or more."""
    observed = ~np.isnan(quality)
    number = observed.sum(axis=2)
    values = np.where(observed, quality, 0.0)
    centre = values.sum(axis=2) / np.maximum(number, 1)
    squares = np.where(observed, (values - centre[:, :, None]) ** 2, 0.0).sum(axis=2)
    two = number > 1
    variance = np.where(two, squares / np.maximum(number - 1, 1), 0.0)
    cells = two.sum(axis=1)
    return np.sqrt(np.where(cells > 0, variance.sum(axis=1) / np.maximum(cells, 1), np.nan))
