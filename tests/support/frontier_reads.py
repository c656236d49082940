"""Small recorded sources for tests of the frontier's report, made without a file."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.frontier.tensor import Tensor
from assay.results.frontier import Rows
from assay.studies.frontier.tensor_source import TensorSource


def made(
    prompts: int = 48,
    models: int = 4,
    generations: int = 5,
    *,
    costs: bool = True,
    categories: int = 2,
    continuous: bool = False,
    missing: float = 0.0,
    seed: int = 3,
) -> Tensor:
    """Return outcomes of models that are good at different prompts; dearer models are better."""
    rng = np.random.default_rng(seed)
    rates = np.clip(rng.beta(1, 1, (prompts, 1)) + rng.normal(0, 0.25, (prompts, models)), 0.02, 0.98)
    rates[:, 0] = np.clip(rates[:, 0] + 0.15, 0, 0.98)
    quality = (rng.random((prompts, models, generations)) < rates[:, :, None]).astype(np.float64)
    if continuous:
        quality = np.clip(rates[:, :, None] + rng.normal(0, 0.1, quality.shape), 0, 1)
    gone: npt.NDArray[np.bool_] = rng.random((prompts, models)) < missing
    gone[:, 0] = False
    quality[gone] = np.nan
    price = np.array([0.02, *np.geomspace(0.0005, 0.01, models - 1)]) if models > 1 else np.array([0.02])
    cost = price[None, :, None] * np.exp(rng.normal(0, 0.3, quality.shape))
    cost[gone] = np.nan
    names = [f"topic-{place % categories}" for place in range(prompts)] if categories else None
    return Tensor(
        tuple(f"p{place}" for place in range(prompts)),
        tuple(f"model-{place}" for place in range(models)),
        quality,
        cost=cost if costs else None,
        categories=None if names is None else tuple(names),
    )


def read_of(tensor: Tensor) -> TensorSource:
    """Return a tensor as it comes from reading a source."""
    answers = int(tensor.answers.sum())
    rows = Rows(answers, answers, 0, 0, 0, 0, 0, answers)
    return TensorSource(tensor, "outcomes.csv", (), (), rows, "0" * 64)
