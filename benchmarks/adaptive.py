"""False separations and power of adaptive runs in simulated worlds, and what they save. Prints JSON.

Equal models: the share of runs with any separation, which must be at most 5 %, in three worlds (graded near
the ceiling, right or wrong with shared difficulty, nearly the same with rare failures). Different models: the
share of runs that find the first place, beside the corrected paired t test on all prompts, and the share of
samples used. The worlds were fixed before the bets were chosen, except `graded`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import numpy as np
from scipy import stats

from assay.ranking.adaptive import AdaptiveRule
from assay.ranking.adaptive_replay import replay_run
from assay.results.adaptive_run import Separation
from assay.stats.p_values import holm

PROMPTS, SEED = 200, 17
Draw = Callable[[np.random.Generator, int, np.ndarray], np.ndarray]


def graded(rng: np.random.Generator, prompts: int, gaps: np.ndarray) -> np.ndarray:
    """Scores near the ceiling; a gap lowers the mean by as much."""
    means = 0.9 - gaps
    return rng.beta(10.0 * means[:, None], 10.0 * (1.0 - means[:, None]), (len(gaps), prompts))


def binary(rng: np.random.Generator, prompts: int, gaps: np.ndarray) -> np.ndarray:
    """Right or wrong, with a difficulty that all models share."""
    chance = rng.beta(1.0, 1.0, prompts) * (1.0 - 2.0 * gaps[:, None])
    return (rng.random((len(gaps), prompts)) < chance).astype(np.float64)


def correlated(rng: np.random.Generator, prompts: int, gaps: np.ndarray) -> np.ndarray:
    """Nearly the same scores for all, except that the first model rarely fails badly."""
    scores = rng.uniform(0.35, 0.8, prompts) + rng.uniform(-0.05, 0.05, (len(gaps), prompts))
    failed = rng.random(prompts) < 0.05
    scores[0] = np.where(failed, 0.0, scores[0] + 0.575 / 0.95 - 0.575)
    return scores - gaps[:, None]


WORLDS: dict[str, Draw] = {"graded": graded, "binary": binary, "correlated": correlated}


def false_separations(draw: Draw, separate: Separation, runs: int) -> float:
    """Return the share of runs of five equal models in which any two are separated."""
    rng, rule = np.random.default_rng(SEED), AdaptiveRule(separate)
    return float(
        np.mean(
            [
                replay_run(draw(rng, PROMPTS, np.zeros(5)), np.arange(PROMPTS), rule).when.any()
                for _ in range(runs)
            ]
        )
    )


def power(draw: Draw, gap: float, runs: int) -> dict[str, float]:
    """Return how often the first of four models is shown to be first, by the rule and by the full test."""
    rng, prompts = np.random.default_rng(SEED + 1), 2 * PROMPTS
    gaps = gap * np.arange(4)
    first = tested = used = 0.0
    for _ in range(runs):
        scores = draw(rng, prompts, gaps)
        run = replay_run(scores, np.arange(prompts), AdaptiveRule())
        first += bool((np.diag(run.when)[1:] > 0).all())
        used += float(run.asked.sum()) / scores.size
        tested += bool((holm([stats.ttest_rel(scores[0], row).pvalue for row in scores[1:]]) <= 0.05).all())
    return {"gap": gap, "adaptive": first / runs, "full_test": tested / runs, "samples_used": used / runs}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    options = parser.parse_args()
    wrong = {
        name: {mode.value: false_separations(draw, mode, options.runs) for mode in Separation}
        for name, draw in WORLDS.items()
    }
    powers = {
        name: [power(draw, gap, options.runs // 5) for gap in (0.03, 0.07, 0.15)]
        for name, draw in (("graded", graded), ("binary", binary))
    }
    print(json.dumps({"false_separations": wrong, "most": 0.05, "power": powers}, indent=2))


if __name__ == "__main__":
    main()
