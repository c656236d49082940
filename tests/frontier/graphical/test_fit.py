"""The graphical model: known truth recovered, missing cells, determinism, bad input, the missing extra."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.graphical import PgmFit, PgmSettings, fit_pgm
from assay.frontier.tensor import Tensor, from_counts

SMALL = PgmSettings(grid=(1, 3), nodes=16)


def simulated(seed: int) -> tuple[Tensor, np.ndarray]:
    """Return (tensor, true rates) of 150 prompts, 8 models, 8 generations from the model with 3 topics.

    Every seventh cell was given nothing, every fifth only 3 generations.
    """
    rng = np.random.default_rng(seed)
    difficulty, aptitude = rng.random(150), rng.random((3, 8))
    rates = (1.0 - difficulty)[:, None] * aptitude[rng.integers(3, size=150)]
    given = np.full(rates.shape, 8)
    given.flat[::5] = 3
    given.flat[::7] = 0
    names = tuple(f"prompt {n}" for n in range(150)), tuple(f"model {m}" for m in range(8))
    return from_counts(*names, rng.binomial(given, rates), given), rates


def observed_oracle(rates: np.ndarray, tensor: Tensor) -> float:
    """Return the mean over prompts of the greatest rate among the models observed on each."""
    return float(np.where(tensor.observed, rates, 0.0).max(axis=1).mean())


@pytest.fixture(scope="module")
def fitted() -> tuple[PgmFit, Tensor, np.ndarray]:
    """Return one fit with a chosen number of topics, which the slow tests share."""
    tensor, rates = simulated(5)
    return fit_pgm(tensor, spread=False, seeds=2, draws=40, settings=SMALL), tensor, rates


@pytest.mark.slow
def test_known_oracle(fitted: tuple[PgmFit, Tensor, np.ndarray]) -> None:
    """On data from the model itself the oracle errs by under 1.5 points, naive by over 5."""
    fit, tensor, rates = fitted
    truth = observed_oracle(rates, tensor)
    naive = float(np.nanmax(tensor.mean_quality(), axis=1).mean())
    assert abs(fit.oracle - truth) < 0.015 < 0.05 < naive - truth


@pytest.mark.slow
def test_topics_chosen(fitted: tuple[PgmFit, Tensor, np.ndarray]) -> None:
    """Data from three topics: three are preferred to one on held-out generations."""
    fit, _, _ = fitted
    assert fit.topics == 3


@pytest.mark.slow
def test_missing_cells(fitted: tuple[PgmFit, Tensor, np.ndarray]) -> None:
    """Cells that were never observed have draws, and no oracle may choose them."""
    fit, tensor, _ = fitted
    assert np.isfinite(fit.posterior.quality).all()
    np.testing.assert_array_equal(fit.posterior.may_choose, tensor.observed)


@pytest.mark.slow
def test_point_oracle_below(fitted: tuple[PgmFit, Tensor, np.ndarray]) -> None:
    """Equation 18's maximum of means is at most the mean of the draws' maxima."""
    fit, _, _ = fitted
    assert fit.point_oracle < fit.oracle


def test_missing_extra() -> None:
    """Without numpyro the message names the extra to install, and importing the package needs no jax."""
    program = """
import sys
sys.modules["numpyro"] = None
import numpy as np
from assay.core.errors import InvalidInput
from assay.frontier.graphical import fit_pgm
from assay.frontier.tensor import from_counts
assert "jax" not in sys.modules
try:
    fit_pgm(from_counts(("a",), ("b",), [[1]], [[2]]))
except InvalidInput as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'assay[pgm]'" in done.stdout


def test_quality_beyond_one() -> None:
    """Quality outside 0-1 is refused with its value and its cell."""
    tensor = Tensor(("p",), ("a", "b"), np.array([[[0.5, 1.0], [7.0, 0.2]]]))
    with pytest.raises(InvalidInput, match=r"p, b: quality is 7\.0: rescale quality to 0-1"):
        fit_pgm(tensor)


@pytest.mark.slow
def test_cells_apart_and_one_seed() -> None:
    """Cells differ from the link; the same seed gives the same draws; costs by cell are taken as certain."""
    rng = np.random.default_rng(2)
    tensor, rates = simulated(6)
    apart = rng.beta(2.0 * rates + 1e-3, 2.0 * (1.0 - rates) + 1e-3)
    given = tensor.answers
    names = tensor.prompts, tensor.models
    costs = rng.exponential(size=given.shape)
    tensor = from_counts(*names, rng.binomial(given, apart), given, cost=costs)
    fits = [fit_pgm(tensor, topics=3, seeds=1, draws=20, seed=4, settings=SMALL) for _ in range(2)]
    assert fits[0].concentration is not None and fits[0].concentration < 6.0
    assert abs(fits[0].oracle - observed_oracle(apart, tensor)) < 0.03
    np.testing.assert_array_equal(fits[0].posterior.quality, fits[1].posterior.quality)
    assert fits[0].posterior.cost is not None
    seen = fits[0].posterior.cost[0][tensor.observed]
    np.testing.assert_allclose(seen, costs[tensor.observed])
    assert any("taken as certain" in note for note in fits[0].notes)
