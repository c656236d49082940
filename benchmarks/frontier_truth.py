"""Errors of every debiasing method, with a known truth simulated around recorded counts. Prints JSON.

Semi-synthetic: each cell's success rate is drawn from Beta(c + w, n - c + w) around its recorded c right of n
(w = 0 takes the recorded rate itself), the true oracle is the mean over prompts of the greatest rate, and
fresh generations are drawn from the rates. `--weights` are the w: the recorded counts do not show which one
is right, and the methods differ most there. Errors are in points (per cent of prompts).
`covers` is the share of repeats in which the method's 90 % interval for these prompts covers the truth;
`floor` is the mean absolute error that the method's own posterior spread implies, which no method could avoid
if its model were right. The bracket has no value: its figure is the share of repeats with the truth inside.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt

from assay.frontier.biased.exact import biased_curve
from assay.frontier.methods.bracket import cross_fitted
from assay.frontier.methods.extrapolation import POWER, SMOOTH
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.tensor import from_counts

Counts = npt.NDArray[np.int64]
Rows = dict[str, list[tuple[float, bool | None, float | None]]]
LIVECODEBENCH = (
    "SELECT question_id, model, n_correct, n_gen FROM '{}/lcb_codegen_counts.parquet' "
    "WHERE release = 'v1_400' AND canonical AND n_gen = 10"
)
TERMINAL = (
    "SELECT task_id, submission, count(*) FILTER (WHERE is_resolved), count(*) "
    "FROM '{}/terminalbench_core011_trials.parquet' GROUP BY ALL"
)


def recorded(query: str, folder: Path) -> tuple[Counts, Counts]:
    """Return the counts of right answers and of answers, prompts by models."""
    rows = duckdb.sql(query.format(folder)).fetchall()
    prompts, models = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    right = np.zeros((len(prompts), len(models)), dtype=np.int64)
    given = np.zeros_like(right)
    for prompt, model, one, all_ in rows:
        place = prompts.index(prompt), models.index(model)
        right[place], given[place] = one, all_
    return right, given


def sources(folder: Path) -> dict[str, tuple[Counts, Counts]]:
    """Return the recorded counts: all of LiveCodeBench's models, ten over their range, and the best five."""
    right, given = recorded(LIVECODEBENCH, folder)
    order = np.argsort(-right.sum(axis=0))
    terminal = recorded(TERMINAL, folder)
    return {
        "livecodebench, 43 models": (right, given),
        "livecodebench, 10 models": (right[:, order[::4][:10]], given[:, order[::4][:10]]),
        "livecodebench, best 5": (right[:, order[:5]], given[:, order[:5]]),
        "terminal-bench, 7 systems": terminal,
    }


def repeat(rates: npt.NDArray[np.float64], generations: int, seed: int, found: Rows) -> None:
    """Draw fresh generations once and add each method's error, whether it covers, and its floor."""
    truth = float(rates.max(axis=1).mean())
    right = np.random.default_rng(seed).binomial(generations, rates)
    given = np.full_like(right, generations)
    names = [tuple(str(one) for one in range(number)) for number in right.shape]
    tensor = from_counts(names[0], names[1], right, given)
    curve = biased_curve(right, given)
    found["naive"].append((float(curve[-1]) - truth, None, None))
    found["power"].append((POWER.fit(curve).limit - truth, None, None))
    found["smooth"].append((SMOOTH.fit(curve).limit - truth, None, None))
    draws = fit_mixture(tensor, seed=seed).quality.max(axis=2).mean(axis=1)
    low, high = np.quantile(draws, [0.05, 0.95])
    floor = float(draws.std()) * math.sqrt(2.0 / math.pi)
    found["mixture"].append((float(draws.mean()) - truth, bool(low <= truth <= high), floor))
    lower = float(np.nanmean(cross_fitted(tensor).lower))
    found["bracket"].append((math.nan, bool(lower <= truth <= float(curve[-1])), None))


def summed(found: Rows) -> dict[str, dict[str, float | None]]:
    """Return the summary of each method in points."""
    told: dict[str, dict[str, float | None]] = {}
    for method, rows in found.items():
        errors = np.array([100.0 * row[0] for row in rows])
        covers = [row[1] for row in rows if row[1] is not None]
        floors = [row[2] for row in rows if row[2] is not None]
        valued = not np.isnan(errors).any()
        told[method] = {
            "mean_absolute_error": round(float(np.abs(errors).mean()), 3) if valued else None,
            "bias": round(float(errors.mean()), 3) if valued else None,
            "covers": round(float(np.mean(covers)), 3) if covers else None,
            "floor": round(100.0 * float(np.mean(floors)), 3) if floors else None,
        }
    return told


def main() -> None:
    """Draw truths and generations around every source and print the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--generations", type=int, nargs="+", default=[10, 5])
    parser.add_argument("--weights", type=float, nargs="+", default=[0.0, 0.1, 0.5])
    parser.add_argument("--only", default="", help="sources whose name holds this")
    given = parser.parse_args()
    settings, pooled = [], {size: defaultdict(list) for size in given.generations}
    for name, (right, asked) in sources(given.data).items():
        if given.only not in name:
            continue
        for weight in given.weights:
            for size in given.generations:
                found: Rows = defaultdict(list)
                for seed in range(given.repeats):
                    rng = np.random.default_rng([seed, 1])
                    rates = (
                        right / asked if weight == 0.0 else rng.beta(right + weight, asked - right + weight)
                    )
                    repeat(rates, size, seed, found)
                for method, rows in found.items():
                    pooled[size][method] += rows
                told = {"source": name, "prompts": len(right), "weight": weight, "generations": size}
                settings.append({**told, "methods": summed(found)})
    print(
        json.dumps(
            {
                "benchmark": "frontier_truth",
                "simulated": "success rates and generations are drawn around recorded counts",
                "repeats": given.repeats,
                "pooled": {str(size): summed(rows) for size, rows in pooled.items()},
                "settings": settings,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
