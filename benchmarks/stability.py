"""How long `assay rank stability` takes on 50 models and 20,000 questions with 100 draws. Prints JSON.

The yardstick of the same run is one product of the drawn counts with the scores, which any method needs.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from assay.ranking.score_table import ScoreTable
from assay.ranking.stability import StabilityPlan, required_items, resample_rankings

SEED = 3


def used(deed: Callable[[], object]) -> float:
    """Return the processor seconds that a deed takes."""
    started = time.process_time()
    deed()
    return time.process_time() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--resamples", type=int, default=100)
    options = parser.parse_args()
    rng = np.random.default_rng(SEED)
    chances = np.linspace(0.3, 0.9, options.models)[:, None]
    scores = (rng.random((options.models, options.items)) < chances).astype(np.float64)
    names = tuple(f"model-{row:02d}" for row in range(options.models))
    items = tuple(map(str, range(options.items)))
    table = ScoreTable(names, items, scores, ("all",) * options.items)
    plan = StabilityPlan((options.items,), options.resamples, names[-1])
    counts = rng.multinomial(options.items, np.full(options.items, 1.0 / options.items), options.resamples)
    yardstick = used(lambda: counts.astype(np.float64) @ scores.T)
    seconds = used(lambda: (resample_rankings(table, plan, rng), required_items(table, rng)))
    document = {
        "models": options.models,
        "items": options.items,
        "resamples": options.resamples,
        "processor_seconds": round(seconds, 2),
        "limit": 10.0,
        "yardstick_seconds": round(yardstick, 4),
        "yardsticks": round(seconds / yardstick, 1),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
