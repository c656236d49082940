"""Samples per second that are asked, graded and committed, compared with a plain loop. Prints JSON.

Needs the mock upstream at `--base-url` (see docs/benchmarks.md). Every run uses a fresh SQLite database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec, Grading
from assay.core.model import Model, Provider
from assay.core.suite import Suite, UseCase
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run
from assay.store.engine import open_database
from assay.store.runs import new_run
from assay.store.suites import keep_suite
from plain_loop import loop

CASES = 500


def suite() -> Suite:
    """Return a suite of short arithmetic questions that are graded by the number after `ANSWER:`."""
    cases = tuple(
        Case(
            id=f"case-{number}",
            use_case="arithmetic",
            messages=(Message("user", f"What is 6 x 7? ({number})"),),
            graders=(GraderSpec("number", {"expect": 42, "marker": "ANSWER:"}),),
            max_tokens=64,
        )
        for number in range(CASES)
    )
    use_case = UseCase("arithmetic", "Arithmetic", Grading.DETERMINISTIC, 1, 1, cases)
    sent = {"temperature": 0}
    return Suite("throughput", "1", "Throughput", "public", (use_case,), "0" * 64, parameters=sent)


async def engine(base_url: str, samples: int, in_flight: int, database: Path) -> float:
    """Return the seconds of a whole run, from the first call to the last commit."""
    store = open_database(str(database))
    provider = Provider("mock", base_url, concurrency=in_flight)
    model = Model("mock", "sim")
    plan = plan_run(suite(), [model], epochs=samples // CASES)
    keep_suite(store, plan.suite, clock=time.time)
    run = new_run(
        store,
        kind="run",
        suite=plan.suite.digest,
        subjects=[model],
        plan=plan.described(),
        day=None,
        simulated=True,
        clock=time.time,
    )
    setting = RunContext(store, {"mock": provider}, {})
    start = time.perf_counter()
    outcome = await conduct(setting, run, plan)
    seconds = time.perf_counter() - start
    assert outcome.counts.ok == samples, outcome
    assert outcome.counts.ungraded == 0, outcome
    return seconds


def main() -> None:
    """Alternate the plain loop and the engine, and print both with their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/0/v1")
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--in-flight", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    plain, ours = [], []
    for _ in range(options.rounds):
        plain.append(asyncio.run(loop(options.base_url, options.samples, options.in_flight)))
        with tempfile.TemporaryDirectory() as folder:
            seconds = asyncio.run(
                engine(options.base_url, options.samples, options.in_flight, Path(folder) / "assay.db")
            )
            ours.append(seconds)
    ratios = [floor / mine for floor, mine in zip(plain, ours, strict=True)]
    print(
        json.dumps(
            {
                "samples": options.samples,
                "in_flight": options.in_flight,
                "plain_per_second": [round(options.samples / seconds) for seconds in plain],
                "assay_per_second": [round(options.samples / seconds) for seconds in ours],
                "ratio": [round(ratio, 3) for ratio in ratios],
                "median_ratio": round(statistics.median(ratios), 3),
            }
        )
    )


if __name__ == "__main__":
    main()
