"""The error of each method's cost of the oracle, in per cent of a known truth. Prints JSON.

Simulated: 400 prompts, and 8 models with 5 answers each, whose prices span a factor of 100 and rise with
skill. The answers of a cell have log-normal costs (`even`), as `mixture` assumes, or one in twenty costs 30
times as much as the others (`rare`). The truth is the mean over prompts of the expected cost of the model
with the greatest success rate (alpha = 1), and of the cheapest model (alpha = 0).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from assay.frontier.capability import frontier
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.oracle import oracle
from assay.frontier.tensor import Tensor

Array = npt.NDArray[np.float64]
PROMPTS, MODELS, GENERATIONS = 400, 8, 5
LONG, TIMES = 0.05, 30.0
SPREAD = 0.7


def simulated(kind: str, seed: int) -> tuple[Tensor, float, float]:
    """Return a tensor, and the true cost at alpha = 1 and at alpha = 0."""
    rng = np.random.default_rng(seed)
    cells, answers = (PROMPTS, MODELS), (PROMPTS, MODELS, GENERATIONS)
    ease, own = rng.normal(0.0, 2.0, (PROMPTS, 1)), rng.normal(0.0, 1.0, cells)
    rates = 1.0 / (1.0 + np.exp(-(ease + np.linspace(-1.5, 1.0, MODELS) + own)))
    price = np.geomspace(0.001, 0.1, MODELS) * np.exp(rng.normal(0.0, 1.0, (PROMPTS, 1)))
    price = price * np.exp(rng.normal(0.0, 0.5, cells))
    if kind == "even":
        times = np.exp(rng.normal(0.0, SPREAD, answers) - SPREAD**2 / 2.0)
    else:
        times = np.where(rng.random(answers) < LONG, TIMES, 1.0) / (1.0 + (TIMES - 1.0) * LONG)
    quality = (rng.random(answers) < rates[:, :, None]).astype(np.float64)
    names = (tuple(str(one) for one in range(number)) for number in cells)
    tensor = Tensor(*names, quality, cost=price[:, :, None] * times)
    best = rates.argmax(axis=1)
    return tensor, float(price[np.arange(PROMPTS), best].mean()), float(price.min(axis=1).mean())


def main() -> None:
    """Simulate and print the errors."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=10)
    repeats = options.parse_args().repeats
    found: dict[str, dict[str, list[float]]] = {}
    for kind in ("even", "rare"):
        rows: dict[str, list[float]] = defaultdict(list)
        for seed in range(repeats):
            tensor, dear, cheap = simulated(kind, seed)
            posterior = fit_mixture(tensor, seed=seed)
            for method in ("naive", "smooth", "mixture", "bracket"):
                kept = posterior if method == "mixture" else None
                cost = oracle(tensor, method, posterior=kept, resamples=0).cost
                rows[f"{method} at alpha 1"].append(((cost and cost.value) or np.nan) / dear - 1.0)
                if method in ("naive", "mixture"):
                    swept = frontier(tensor, method, posterior=kept, alphas=[0.0], resamples=0)
                    rows[f"{method} at alpha 0"].append((swept.points[0].cost.value or np.nan) / cheap - 1.0)
        found[kind] = dict(rows)
    print(
        json.dumps(
            {
                "benchmark": "frontier_costs",
                "repeats": repeats,
                "per_cent_of_the_truth": {
                    kind: {
                        name: {
                            "bias": round(100.0 * float(np.mean(each)), 1),
                            "mean_absolute_error": round(100.0 * float(np.mean(np.abs(each))), 1),
                        }
                        for name, each in rows.items()
                    }
                    for kind, rows in found.items()
                },
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
