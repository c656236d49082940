"""The time of the graphical model's whole fit, and the error of its oracle. Prints JSON.

All data are simulated from the seeds below: prompts, models and answers come from the model itself, with the
multiplicative link. The first fit includes importing numpyro and compiling; the second does not. One core is
used: the linear algebra is set to one thread.
"""

from __future__ import annotations

import argparse
import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import platform
import resource
from time import perf_counter, process_time
from typing import Any

import numpy as np

from assay.frontier.graphical import PgmFit, fit_pgm
from assay.frontier.graphical.counts import counted
from assay.frontier.graphical.likelihood import difficulties, evidence
from assay.frontier.graphical.optimiser import PgmSettings
from assay.frontier.tensor import Tensor, from_counts

PROMPTS, MODELS, GENERATIONS, TOPICS = 500, 20, 10, 4
PRODUCTS = 20


def simulated(seed: int) -> tuple[Tensor, np.ndarray]:
    """Return (tensor, true success rates) from the model."""
    rng = np.random.default_rng(seed)
    aptitude, topic = rng.random((TOPICS, MODELS)), rng.integers(TOPICS, size=PROMPTS)
    rates = (1.0 - rng.random(PROMPTS))[:, None] * aptitude[topic]
    names = tuple(f"prompt {n}" for n in range(PROMPTS)), tuple(f"model {m}" for m in range(MODELS))
    given = np.full(rates.shape, GENERATIONS)
    return from_counts(*names, rng.binomial(GENERATIONS, rates), given), rates


def one_product(tensor: Tensor) -> float:
    """Return the CPU seconds of one product of a step's largest size, the denominator of the ratios."""
    cells = evidence(counted(tensor.quality), GENERATIONS).cells.astype(np.float32)
    settings = PgmSettings()
    points = len(difficulties(settings.nodes, settings.difficulty)[0]) * max(settings.grid)
    table = np.ones((cells.shape[1], points), dtype=np.float32)
    begun = process_time()
    for _ in range(PRODUCTS):
        cells @ table
    return (process_time() - begun) / PRODUCTS


def timed(tensor: Tensor, rates: np.ndarray, seed: int) -> tuple[dict[str, Any], PgmFit]:
    """Return the time of a whole fit and its error."""
    wall, used = perf_counter(), process_time()
    fit = fit_pgm(tensor, seed=seed)
    wall, used = perf_counter() - wall, process_time() - used
    truth = float(rates.max(axis=1).mean())
    naive = float(tensor.mean_quality().max(axis=1).mean())
    return {
        "seconds": wall,
        "cpu_seconds": used,
        "topics": fit.topics,
        "converged": fit.converged,
        "elbos": [one.elbo for one in fit.seeds],
        "steps": [one.steps for one in fit.seeds],
        "true_oracle": truth,
        "error_points": 100.0 * (fit.oracle - truth),
        "error_points_equation_18": 100.0 * (fit.point_oracle - truth),
        "error_points_naive": 100.0 * (naive - truth),
        "held_out": [
            {"topics": row.topics, "spread": row.spread, "score": row.score, "behind": row.behind}
            for row in fit.held_out
        ],
    }, fit


def main() -> None:
    """Measure and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--once", action="store_true", help="leave out the second, warm fit")
    given = options.parse_args()
    tensor, rates = simulated(given.seed)
    product = one_product(tensor)
    first, _ = timed(tensor, rates, given.seed)
    found: dict[str, Any] = {
        "machine": {"python": platform.python_version(), "cores": os.cpu_count()},
        "load_average": os.getloadavg()[0],
        "shape": [PROMPTS, MODELS, GENERATIONS],
        "first": first,
        "asked_seconds": 60.0,
        "product_cpu_seconds": product,
        "first_cpu_over_product": first["cpu_seconds"] / product,
    }
    if not given.once:
        found["warm"], _ = timed(tensor, rates, given.seed)
        found["warm_cpu_over_product"] = found["warm"]["cpu_seconds"] / product
    found["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
