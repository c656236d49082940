"""The time of a frontier's whole report without pgm, compared with the naive oracle. Prints JSON.

The data are simulated: success rates and log-normal costs are drawn for `--shape` prompts, models and
generations in `--categories` categories. `report` computes all results, `document_and_tables` writes them in
memory; neither includes starting Python and importing. `naive` is the plug-in frontier with its bootstrap,
the least that has to be computed, and the denominator. Seconds are the median of `--rounds`; a report uses
two threads. On a busy machine `seconds` grow, and `cpu_seconds` a little.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from assay.frontier.capability import frontier
from assay.frontier.tensor import Tensor
from assay.report.frontier.headline import published
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.tables import paper_tables
from assay.results.frontier import Rows
from assay.results.published import document as document_of
from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.tensor_source import TensorSource

BUDGET = 5.0
"""Seconds that the issue allows at 1,000 prompts, 21 models, 10 generations."""


def simulated(shape: list[int], categories: int) -> TensorSource:
    """Return simulated outcomes: prompts differ in difficulty, models in aptitude and price."""
    prompts, models, generations = shape
    rng = np.random.default_rng(0)
    ease, aptitude = rng.beta(1.0, 1.0, (prompts, 1)), rng.uniform(0.2, 0.8, (1, models))
    rates = np.clip(0.5 * ease + 0.5 * aptitude + rng.normal(0.0, 0.15, (prompts, models)), 0.01, 0.99)
    quality = (rng.random((prompts, models, generations)) < rates[:, :, None]).astype(np.float64)
    price = np.exp(rng.normal(-6.0, 1.0, models) + 2.0 * aptitude[0])
    cost = price[None, :, None] * np.exp(rng.normal(0.0, 0.5, quality.shape))
    names = tuple(f"topic-{place % categories}" for place in range(prompts)) if categories > 1 else None
    tensor = Tensor(
        tuple(f"p{place}" for place in range(prompts)),
        tuple(f"m{place}" for place in range(models)),
        quality,
        cost=cost,
        categories=names,
    )
    rows = Rows(quality.size, quality.size, 0, 0, 0, 0, 0, quality.size)
    return TensorSource(tensor, "simulated", (), (), rows, "0" * 64)


def written(report: FrontierReport) -> None:
    """Write the document and the tables."""
    document_of(published(report))
    for _ in (*paper_tables(report), *more_tables(report)):
        pass


def timed(deed: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the seconds, processor seconds and result of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = deed()
    return time.perf_counter() - wall, time.process_time() - cpu, found


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", type=int, nargs=3, default=[1000, 21, 10], metavar="N")
    parser.add_argument("--categories", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    read = simulated(given.shape, given.categories)
    whole, document, plain = [], [], []
    for _ in range(given.rounds):
        plain.append(timed(lambda: frontier(read.tensor, "naive"))[:2])
        wall, cpu, report = timed(lambda: frontier_report(read))
        whole.append((wall, cpu))
        document.append(timed(lambda report=report: written(report))[:2])
    report_wall, report_cpu = (statistics.median(each) for each in zip(*whole, strict=True))
    naive_wall, naive_cpu = (statistics.median(each) for each in zip(*plain, strict=True))
    written_wall, written_cpu = (statistics.median(each) for each in zip(*document, strict=True))
    print(
        json.dumps(
            {
                "shape": given.shape,
                "categories": given.categories,
                "rounds": given.rounds,
                "budget_seconds": BUDGET,
                "seconds": {
                    "report": round(report_wall, 3),
                    "document_and_tables": round(written_wall, 3),
                    "together": round(report_wall + written_wall, 3),
                    "naive": round(naive_wall, 3),
                },
                "cpu_seconds": {
                    "report": round(report_cpu, 3),
                    "document_and_tables": round(written_cpu, 3),
                    "together": round(report_cpu + written_cpu, 3),
                    "naive": round(naive_cpu, 3),
                },
                "report_over_naive": round(report_cpu / naive_cpu, 2),
                "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
