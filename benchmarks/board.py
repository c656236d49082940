"""The time of a board, and the coverage of its rank ranges and intervals. Prints JSON.

All marks are simulated from the seeds below. One core is used: the linear algebra is set to one thread.
"""

from __future__ import annotations

import argparse
import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import platform
import resource
from time import perf_counter, process_time
from typing import Any

import numpy as np
from scipy import stats

from assay.ranking.board.judged import REPLICATES, board
from assay.ranking.board.measured import MeasuredEpoch, PromptKind, Status
from assay.stats.p_values import holm

MODELS, PROMPTS, JUDGES, METRICS = 200, 80, 4, 3
CATEGORIES, SUBCATEGORIES = 8, 60


def measured(marks: np.ndarray, geval: np.ndarray, rng: np.random.Generator) -> MeasuredEpoch:
    """Return a board's input with these marks and G-Eval scores, in which every prompt is answered."""
    models, prompts, judges = marks.shape
    cells = (models, prompts)
    return MeasuredEpoch(
        models=tuple(f"model-{place:03}" for place in range(models)),
        prompts=tuple(
            PromptKind(f"{n:05}", f"category {n % CATEGORIES}", f"sub {n % SUBCATEGORIES}", "ehm"[n % 3])
            for n in range(prompts)
        ),
        judges=tuple(f"judge-{place}" for place in range(judges)),
        metrics=tuple(f"metric-{place}" for place in range(geval.shape[2])),
        marks=marks,
        geval=geval,
        status=np.full(cells, Status.OK),
        truncated=np.zeros(cells, dtype=bool),
        tokens=rng.integers(50, 2000, cells).astype(float),
        latency=rng.exponential(10.0, cells),
        cost=rng.exponential(0.01, cells),
        flags=rng.poisson(0.1, cells),
        own=np.zeros((models, judges), dtype=bool),
    )


def alike(
    rng: np.random.Generator, models: int, prompts: int = PROMPTS, shift: np.ndarray | float = 0.0
) -> MeasuredEpoch:
    """Return models that differ by `shift` marks. Most marks are 4 and 5; some prompts are hard for all."""
    quality = 4.4 + np.broadcast_to(shift, models)[:, None] + rng.normal(0.0, 0.5, (1, prompts))
    quality = quality + rng.normal(0.0, 0.7, (models, prompts))
    marks = np.clip(np.rint(quality[..., None] + rng.normal(0.0, 0.3, (models, prompts, JUDGES))), 1, 5)
    noise = rng.normal(0.0, 0.05, (models, prompts, METRICS))
    return measured(marks, np.clip((quality[..., None] - 1.0) / 4.0 + noise, 0.0, 1.0), rng)


def skewed(rng: np.random.Generator, models: int, prompts: int = PROMPTS) -> MeasuredEpoch:
    """Return models with mean mark 4.5: half the marks 4, an eighth 1, or a quarter 3, and otherwise 5."""
    shape = np.arange(models) % 3
    low, chance = np.array([4.0, 1.0, 3.0])[shape], np.array([0.5, 0.125, 0.25])[shape]
    marks = np.where(rng.random((models, prompts)) < chance[:, None], low[:, None], 5.0)[..., None]
    return measured(marks, (marks - 1.0) / 4.0, rng)


def full(rng: np.random.Generator) -> MeasuredEpoch:
    """Return the board to time, with different models, errors, empty answers, missing marks, own judges."""
    given = alike(rng, MODELS, shift=rng.normal(0.0, 0.4, MODELS))
    given.status[rng.random(given.status.shape) < 0.03] = Status.ERROR
    given.status[rng.random(given.status.shape) < 0.02] = Status.INVALID
    given.marks[rng.random(given.marks.shape) < 0.0005] = np.nan
    given.geval[rng.random(given.geval.shape) < 0.01] = np.nan
    given.own[:JUDGES] = np.eye(JUDGES, dtype=bool)
    return given


def timed(repeats: int) -> dict[str, Any]:
    """Return the seconds of a whole board: input checks, scores, groups, bootstrap, tests and rank ranges."""
    taken, busy, found = [], [], None
    for _ in range(repeats):
        given = full(np.random.default_rng(30))
        start, cpu = perf_counter(), process_time()
        found = board(given, np.random.default_rng(31))
        taken.append(perf_counter() - start)
        busy.append(process_time() - cpu)
    assert found is not None
    return {
        "models": MODELS,
        "prompts": PROMPTS,
        "judges": JUDGES,
        "replicates": REPLICATES,
        "pairs": MODELS * (MODELS - 1) // 2,
        "groups_a_model": len(found.standings[0].groups),
        "best": round(min(taken), 3),
        "median": round(float(np.median(taken)), 3),
        "best_cpu": round(min(busy), 3),
        "runs": repeats,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def t_alone(given: MeasuredEpoch) -> bool:
    """Return whether Holm's correction of plain paired t tests finds any significant difference."""
    composite = 0.5 * (given.marks.mean(axis=2) - 1.0) / 4.0 + 0.5 * given.geval.mean(axis=2)
    one, other = np.triu_indices(len(composite), 1)
    p = stats.ttest_rel(composite[one], composite[other], axis=1).pvalue
    return bool(holm(np.nan_to_num(p, nan=1.0)).min() <= 0.05)


def false_separations(kind: str, models: int, prompts: int, boards: int) -> dict[str, Any]:
    """Return the share of boards of equal models with any significant difference."""
    rng = np.random.default_rng(32)
    ours = plain = 0
    for _ in range(boards):
        given = (alike if kind == "alike" else skewed)(rng, models, prompts)
        ranks = [each.ranks for each in board(given, rng, replicates=500).standings]
        ours += any(each is None or each.high - each.low < models - 1 for each in ranks)
        plain += t_alone(given)
    return {
        "marks": kind,
        "models": models,
        "prompts": prompts,
        "boards": boards,
        "told_apart": round(ours / boards, 3),
        "told_apart_by_t_alone": round(plain / boards, 3),
    }


def separations(difference: float, boards: int) -> dict[str, Any]:
    """Return the share of significant pairs across two groups of 12 models."""
    rng = np.random.default_rng(33)
    shift = np.repeat([0.0, -difference], 12)
    found = []
    for _ in range(boards):
        p = board(alike(rng, 24, shift=shift), rng, replicates=500).comparisons.p_holm
        found.append(float((p[:12, 12:] <= 0.05).mean()))
    return {"marks_apart": difference, "boards": boards, "told_apart": round(float(np.mean(found)), 3)}


def coverage(kind: str, prompts: int, boards: int) -> dict[str, Any]:
    """Return the share of 95 % intervals that cover the composite over very many prompts."""
    rng = np.random.default_rng(34)
    make = alike if kind == "alike" else skewed
    truth = {
        each.model: each.score.composite for each in board(make(rng, 6, 40_000), rng, replicates=2).standings
    }
    hits = []
    for _ in range(boards):
        for each in board(make(rng, 6, prompts), rng, replicates=500).standings:
            target = truth[each.model]
            assert each.interval is not None
            assert target is not None
            hits.append(each.interval.low <= target <= each.interval.high)
    return {
        "marks": kind,
        "prompts": prompts,
        "intervals": len(hits),
        "cover": round(float(np.mean(hits)), 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--boards", type=int, default=100, help="simulated boards for each rate")
    options = parser.parse_args()
    report = {"python": platform.python_version(), "numpy": np.__version__, "board": timed(options.repeats)}
    if options.boards:
        jobs = [("alike", 6, 80), ("alike", 24, 80), ("alike", 24, 20), ("skewed", 6, 80), ("skewed", 24, 80)]
        jobs.append(("skewed", 24, 20))
        report["equal_models"] = [false_separations(*job, options.boards) for job in jobs]
        report["different_models"] = [separations(apart, options.boards // 8) for apart in (0.2, 0.4, 0.6)]
        report["intervals"] = [
            coverage(kind, prompts, options.boards // 2)
            for kind in ("alike", "skewed")
            for prompts in (80, 20)
        ]
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
