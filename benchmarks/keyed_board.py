"""Coverage of a keyed board's intervals and ranks, and its time. Prints JSON.

All answers are simulated from the seeds below: 20 bundles of 5 questions, which are correlated within a
bundle. One core is used.
"""

from __future__ import annotations

import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

from assay.ranking.board.keyed import consistency, keyed_board, resample_bundles
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.ranking.board.pairs import compare
from assay.stats.intervals import Interval, clopper_pearson, clustered_share
from assay.stats.resample import draw_counts, percentile

CONCEPTS, VARIANTS, REPEATS = 20, 5, 0.6
BOARDS, DRAWS = 1000, 500


def rights(rng: np.random.Generator, share: np.ndarray, alike: float, epochs: int) -> np.ndarray:
    """Return right answers (epochs, models, variants x concepts); `alike` correlates a bundle's questions."""
    rate = np.broadcast_to(share[:, None], (len(share), CONCEPTS))
    if alike:
        size = (1 - alike) / alike
        rate = rng.beta(rate * size, (1 - rate) * size)
    chance = np.tile(rate, (1, VARIANTS))
    if epochs > 1:
        size = (1 - REPEATS) / REPEATS
        chance = rng.beta(np.maximum(chance * size, 1e-9), np.maximum((1 - chance) * size, 1e-9))
    return rng.random((epochs, *chance.shape)) < chance


def answers(right: np.ndarray) -> Answers:
    """Return visible answers that are right where the array is true."""
    known = np.ones(right.shape)
    return Answers(
        tuple(f"model-{place:03}" for place in range(right.shape[1])),
        tuple(
            KeyedQuestion(f"{v}-{c}", f"c{c}", f"v{v}", 4)
            for v, c in product(range(VARIANTS), range(CONCEPTS))
        ),
        np.full(right.shape, int(Status.OK)),
        right,
        np.ones(right.shape, dtype=bool),
        np.zeros(right.shape, dtype=bool),
        100 * known,
        known,
        0.01 * known,
    )


def coverage(share: float, alike: float, epochs: int) -> dict[str, Any]:
    """Return the coverage of three intervals and their widths."""
    rng = np.random.default_rng(41)
    held, width = (
        dict.fromkeys(("ours", "bootstrap", "plain"), 0),
        dict.fromkeys(("ours", "bootstrap", "plain"), 0.0),
    )
    for _ in range(BOARDS):
        right = rights(rng, np.array([share]), alike, epochs)[:, 0].reshape(epochs, VARIANTS, CONCEPTS)
        hits = right.sum(axis=(0, 1))
        asked = np.full(CONCEPTS, epochs * VARIANTS)
        weights = draw_counts(rng, CONCEPTS, DRAWS)
        found: dict[str, Interval | None] = {
            "ours": clustered_share(hits, asked),
            "bootstrap": percentile((weights @ hits) / (weights @ asked)),
            "plain": clopper_pearson(int(hits.sum()), int(asked.sum())),
        }
        for name, interval in found.items():
            assert interval is not None
            held[name] += interval.low - 1e-12 <= share <= interval.high + 1e-12
            width[name] += interval.high - interval.low
    return {
        "share": share,
        "alike": alike,
        "epochs": epochs,
        **{name: [round(held[name] / BOARDS, 3), round(100 * width[name] / BOARDS, 1)] for name in held},
    }


def false_pairs(models: int, alike: float, epochs: int, boards: int = 400) -> float:
    """Return the share of boards of equal models with any significant difference."""
    rng = np.random.default_rng(42)
    told = 0
    for _ in range(boards):
        made = answers(rights(rng, np.full(models, 0.7), alike, epochs))
        draws = resample_bundles(made, rng, 1000)
        told += bool((compare(made.models, draws.exact, draws).p_holm <= 0.05).any())
    return told / boards


def found_pairs(gap: float, alike: float, boards: int = 40) -> float:
    """Return the share of significant pairs across two groups of 6 models at this distance."""
    rng = np.random.default_rng(43)
    told = 0.0
    for _ in range(boards):
        share = np.repeat([0.6 + gap / 2, 0.6 - gap / 2], 6)
        made = answers(rights(rng, share, alike, 1))
        draws = resample_bundles(made, rng, 1000)
        told += float((compare(made.models, draws.exact, draws).p_holm[:6, 6:] <= 0.05).mean())
    return told / boards


def mastery(alike: float, epochs: int, models: int = 400) -> float:
    """Return the share of models with p at most 0.05 for bundles."""
    rng = np.random.default_rng(44)
    made = answers(rights(rng, np.full(models, 0.6), alike, epochs))
    found = [consistency(made, model, rng, replicates=400).p for model in range(models)]
    return float(np.mean([p is not None and p <= 0.05 for p in found]))


def seconds(models: int) -> float:
    """Return the shortest of three times of a whole board."""
    made = answers(rights(np.random.default_rng(45), np.linspace(0.3, 0.9, models), 0.1, 1))
    taken = []
    for _ in range(3):
        start = perf_counter()
        keyed_board(made, np.random.default_rng(1))
        taken.append(perf_counter() - start)
    return min(taken)


def main() -> None:
    """Measure and print the figures."""
    shares = (0.25, 0.5, 0.75, 0.9, 0.97)
    document = {
        "boards": BOARDS,
        "coverage and width of 95 % intervals": [
            coverage(share, alike, epochs)
            for epochs, alike, share in product((1, 3), (0.0, 0.1, 0.3), shares)
        ],
        "boards with a false pair": [
            {"models": models, "alike": alike, "epochs": epochs, "share": false_pairs(models, alike, epochs)}
            for models, alike, epochs in ((6, 0.0, 1), (6, 0.3, 1), (24, 0.1, 1), (24, 0.3, 3))
        ],
        "pairs found": [
            {"gap": gap, "alike": 0.1, "share": round(found_pairs(gap, 0.1), 3)}
            for gap in (0.1, 0.2, 0.3, 0.4)
        ],
        "p of bundles at most 0.05": [
            {"alike": alike, "epochs": epochs, "share": mastery(alike, epochs)}
            for alike, epochs in ((0.0, 1), (0.0, 3), (0.1, 1), (0.2, 1), (0.4, 1))
        ],
        "seconds": {str(models): round(seconds(models), 2) for models in (24, 200)},
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
