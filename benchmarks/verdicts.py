"""The time to judge whole histories, and the coverage of the interval and the paired test.

Prints JSON. All scores are simulated from the seeds below. Run it on one core (`taskset -c 0`, or an idle
machine): the rules are single-threaded.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import date
from time import perf_counter, process_time

import numpy as np
from scipy import stats

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.stats.intervals import bounded_mean
from assay.stats.p_values import relabelling_test, sign_flip
from assay.watch.baseline import rolling
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel, of_scores
from assay.watch.judgement import judge
from assay.watch.verdict import BoundColumns, evaluate, roll_up
from assay.watch.wording import verdict_on

MODELS, USE_CASES, CASES, DAYS = 200, 10, 5, 365
GRADINGS = [Grading.DETERMINISTIC] * 5 + [Grading.HYBRID] * 3 + [Grading.JUDGE] * 2
THRESHOLDS = Thresholds()
REPEATS = 5
Interval = Callable[[np.ndarray, np.random.Generator], tuple[float, float]]


def best(work: Callable[[], object]) -> dict[str, float]:
    """Return the fastest and the median of several runs, and the least CPU time, in seconds."""
    taken, busy = [], []
    for _ in range(REPEATS):
        start, cpu = perf_counter(), process_time()
        work()
        taken.append(perf_counter() - start)
        busy.append(process_time() - cpu)
    return {
        "best": round(min(taken), 3),
        "median": round(float(np.median(taken)), 3),
        "best_cpu": round(min(busy), 3),
        "runs": REPEATS,
    }


def scores(rng: np.random.Generator) -> np.ndarray:
    """Return daily scores around 85 with 2 % of the days missing."""
    drawn = np.clip(rng.normal(85.0, 4.0, (MODELS, USE_CASES, DAYS)), 0.0, 100.0)
    drawn[rng.random(drawn.shape) < 0.02] = np.nan
    return drawn


def rule_alone(cube: np.ndarray) -> None:
    """Apply baseline, rule and roll-up to an array of scores."""
    judged = np.array([grading.judged for grading in GRADINGS])
    bounds = BoundColumns.of(THRESHOLDS, judged)
    fit = ~np.isnan(cube)
    baseline = rolling(cube, bounds.floor[:, 0], THRESHOLDS)
    evidence = evaluate(cube, baseline, bounds, THRESHOLDS, fit=fit, powered=np.ones(cube.shape, dtype=bool))
    gap = np.zeros((MODELS, DAYS), dtype=bool)
    roll_up(evidence.state, baseline.exists, gap, THRESHOLDS)


def by_case(rng: np.random.Generator) -> History:
    """Return scores of the same size as counts by case, in the store's form: 3.65 million rows."""
    size = (MODELS, USE_CASES * CASES, DAYS)
    model, case, day = (part.ravel().astype(np.int32) for part in np.indices(size))
    judged = np.repeat([grading.judged for grading in GRADINGS], CASES)
    ok = np.where(judged, 3, 1).astype(np.int32)[case]
    none = np.zeros(len(case), dtype=np.int32)
    return History(
        suite="simulated",
        version="1",
        subjects=tuple(WatchedModel(f"m{index}", f"p{index % 10}") for index in range(MODELS)),
        use_cases=tuple(
            UseCaseSeries(f"u{index}", grading, tuple(f"u{index}c{c}" for c in range(CASES)))
            for index, grading in enumerate(GRADINGS)
        ),
        first=date(2026, 1, 1),
        days=DAYS,
        runs=tuple(DayRun(index, index) for index in range(DAYS)),
        rows=SampleRows(day, model, case, ok, none, none, none, 100.0 * rng.binomial(ok, 0.9), none),
    )


def thinned(history: History, rng: np.random.Generator) -> History:
    """Return a history without 2 % of the case rows, so that days differ in their cases."""
    kept = rng.random(len(history.rows.case)) >= 0.02
    columns = {field.name: getattr(history.rows, field.name) for field in fields(SampleRows)}
    rows = SampleRows(**{name: None if column is None else column[kept] for name, column in columns.items()})
    return replace(history, rows=rows)


def t_interval(values: np.ndarray, _: np.random.Generator) -> tuple[float, float]:
    """Return Student's t interval over case means, cut to 0-1."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return max(0.0, float(values.mean() - half)), min(1.0, float(values.mean() + half))


def bootstrap(values: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """Return the percentile bootstrap interval over cases."""
    means = values[rng.integers(0, len(values), (500, len(values)))].mean(axis=1)
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def gaffke(values: np.ndarray, _: np.random.Generator) -> tuple[float, float]:
    """Return the interval that Assay uses."""
    found = bounded_mean(values.tolist())
    return found.low, found.high


def coverage(rounds: int = 2000) -> list[dict[str, object]]:
    """Return the coverage and the width of each interval over five cases."""
    worlds: dict[str, Callable[[np.random.Generator], tuple[np.ndarray, float, float]]] = {
        "0/1, every case passes 90 %, 1 sample": lambda rng: (
            (rng.random(5) < 0.9).astype(float),
            0.9,
            0.9,
        ),
        "0/1, cases pass Beta(4, 1), 1 sample": lambda rng: _nested(rng, 4.0, 1.0, 1),
        "0/1, cases pass Beta(4, 1), 3 samples": lambda rng: _nested(rng, 4.0, 1.0, 3),
        "0/1, cases pass Beta(0.5, 0.1), 1 sample": lambda rng: _nested(rng, 0.5, 0.1, 1),
        "marks 1-5, mostly 4 and 5, 3 samples": _marked,
    }
    methods: dict[str, Interval] = {"gaffke": gaffke, "t": t_interval, "bootstrap": bootstrap}
    found = []
    for name, world in worlds.items():
        rng = np.random.default_rng(20)
        population, fixed = dict.fromkeys(methods, 0), dict.fromkeys(methods, 0)
        width = dict.fromkeys(methods, 0.0)
        for _ in range(rounds):
            values, truth, of_these_cases = world(rng)
            for method, interval in methods.items():
                low, high = interval(values, rng)
                population[method] += low - 1e-9 <= truth <= high + 1e-9
                fixed[method] += low - 1e-9 <= of_these_cases <= high + 1e-9
                width[method] += high - low
        for method in methods:
            found.append(
                {
                    "cases": name,
                    "method": method,
                    "covers_population_mean": round(population[method] / rounds, 4),
                    "covers_mean_of_these_cases": round(fixed[method] / rounds, 4),
                    "mean_width_points": round(100 * width[method] / rounds, 1),
                    "rounds": rounds,
                    "seed": 20,
                }
            )
    return found


def _nested(rng: np.random.Generator, a: float, b: float, samples: int) -> tuple[np.ndarray, float, float]:
    rates = rng.beta(a, b, 5)
    return rng.binomial(samples, rates) / samples, a / (a + b), float(rates.mean())


def _marked(rng: np.random.Generator) -> tuple[np.ndarray, float, float]:
    support = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    likes = rng.dirichlet([0.2, 0.3, 0.5, 4.0, 5.0], 5)
    drawn = np.array([rng.choice(support, 3, p=chances).mean() for chances in likes])
    truth = float(support @ np.array([0.2, 0.3, 0.5, 4.0, 5.0]) / 10.0)
    return drawn, truth, float((likes @ support).mean())


def paired_tests(rounds: int = 1000) -> list[dict[str, object]]:
    """Return the share of days with p <= 0.05 in each test, for unchanged and for fallen cases."""
    found = []
    for cases, passes, drop in [
        (5, 0.95, 0.0),
        (5, 0.2, 0.0),
        (50, 0.95, 0.0),
        (50, 0.5, 0.0),
        (5, 0.95, 0.2),
        (50, 0.95, 0.05),
        (50, 0.95, 0.1),
    ]:
        rng = np.random.default_rng(21)
        below = {"relabelling": 0, "sign flip": 0}
        for _ in range(rounds):
            before = (rng.random((cases, 14)) < passes).astype(float)
            today = (rng.random(cases) < passes * (1.0 - drop)).astype(float)
            below["relabelling"] += relabelling_test(today.tolist(), list(before)) <= 0.05
            below["sign flip"] += sign_flip((today - before.mean(axis=1)).tolist()) <= 0.05
        for test, count in below.items():
            share = round(count / rounds, 4)
            found.append(
                {"test": test, "cases": cases, "passes": passes, "drop": drop, "p_at_most_0.05": share}
                | {"rounds": rounds, "seed": 21}
            )
    return found


def main() -> None:
    """Measure, and print one JSON document."""
    rng = np.random.default_rng(19)
    cube = scores(rng)
    daily, cases = of_scores(cube, GRADINGS), by_case(rng)
    incomplete = thinned(cases, rng)
    speed: dict[str, object] = {
        "models": MODELS,
        "use_cases": USE_CASES,
        "cases": USE_CASES * CASES,
        "days": DAYS,
        "verdicts": MODELS * USE_CASES * DAYS,
        "rule_on_scores_seconds": best(lambda: rule_alone(cube)),
        "judge_daily_rows_seconds": best(lambda: judge(daily, THRESHOLDS)),
        "judge_daily_rows": len(daily.rows.run),
        "judge_case_rows_seconds": best(lambda: judge(cases, THRESHOLDS)),
        "judge_case_rows": len(cases.rows.run),
        "judge_incomplete_case_rows_seconds": best(lambda: judge(incomplete, THRESHOLDS)),
    }
    judged = judge(cases, THRESHOLDS)
    speed["evidence_of_100_model_days_seconds"] = best(
        lambda: [verdict_on(judged, model, 300) for model in range(100)]
    )
    speed["peak_memory_megabytes"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    document = {"simulated": True, "speed": speed}
    if "--speed" not in sys.argv[1:]:
        document |= {"interval_coverage": coverage(), "paired_tests": paired_tests()}
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
