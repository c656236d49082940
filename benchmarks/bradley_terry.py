"""Bradley-Terry on 1,000,000 comparisons of 100 models against evalica, and 1,000 bootstraps. Prints JSON.

Both start from arrays of model numbers in memory and end with one rating per model; the largest difference
between the two shows that they computed the same. Runs alternate, and the median counts. evalica is a tool
for this comparison only: `pip install evalica`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from assay.stats.paired_comparisons import PairCounts, fit_bradley_terry

MODELS, SEED = 100, 3
TIES = 0.1


def simulated(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return n comparisons: first, second and points, a tenth of them ties."""
    rng = np.random.default_rng(SEED)
    strengths = rng.normal(0.0, 1.0, MODELS)
    first = rng.integers(0, MODELS, n)
    second = (first + rng.integers(1, MODELS, n)) % MODELS
    points = (rng.random(n) < expit(strengths[first] - strengths[second])).astype(np.float64)
    points[rng.random(n) < TIES] = 0.5
    return first, second, points


def timed(deed: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a deed returns, and the seconds that it took."""
    started = time.perf_counter()
    done = deed()
    return done, time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=1_000_000)
    parser.add_argument("--bootstraps", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    import evalica

    first, second, points = simulated(options.comparisons)
    winners = np.array([evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X])[(2 * points).astype(int)]
    given = (first.tolist(), second.tolist(), winners.tolist())
    index = evalica.pd.Index(range(MODELS))
    ours, theirs = [], []
    for _ in range(options.rounds):
        strengths, seconds = timed(
            lambda: fit_bradley_terry(PairCounts.of(first, second, points, MODELS).halved)
        )
        ours.append(seconds)
        scores, seconds = timed(
            lambda: evalica.bradley_terry(*given, index=index, win_weight=1.0, tie_weight=0.5, tolerance=1e-6)
        )
        theirs.append(seconds)
    logs = np.log(scores.scores.loc[list(range(MODELS))].to_numpy())
    counts = PairCounts.of(first, second, points, MODELS)
    used = time.process_time()
    boots, seconds = timed(
        lambda: fit_bradley_terry(counts.resample(np.random.default_rng(SEED), options.bootstraps))
    )
    used = time.process_time() - used
    document = {
        "comparisons": options.comparisons,
        "models": MODELS,
        "evalica": evalica.__version__,
        "seconds": round(statistics.median(ours), 4),
        "evalica_seconds": round(statistics.median(theirs), 4),
        "times_as_fast": round(statistics.median(theirs) / statistics.median(ours), 2),
        "largest_difference": float(np.abs(strengths - (logs - logs.mean())).max()),
        "bootstraps": options.bootstraps,
        "bootstrap_seconds": round(seconds, 2),
        "bootstrap_processor_seconds": round(used, 2),
        "bootstrap_seconds_limit": 5.0,
        "bootstraps_without_a_finite_rating": int(np.isnan(boots).any(axis=1).sum()),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
