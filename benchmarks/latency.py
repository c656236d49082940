"""Samples per second with an upstream delay of 200 ms, compared with the ideal and a plain loop. Prints JSON.

Needs the mock upstream at `--base-url` (see docs/benchmarks.md). The ideal is the number of requests in
flight divided by the upstream's delay. The plain loop runs before each run of the engine, with the same
flags.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from pathlib import Path

from plain_loop import loop
from throughput import engine


def main() -> None:
    """Alternate the plain loop and the engine, and print both with the ideal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/200/v1")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds the upstream takes")
    parser.add_argument("--samples", type=int, default=20_000)
    parser.add_argument("--in-flight", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ideal = options.in_flight / options.delay
    plain, ours = [], []
    for _ in range(options.rounds):
        seconds = asyncio.run(loop(options.base_url, options.samples, options.in_flight))
        plain.append(options.samples / seconds)
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "assay.db"
            seconds = asyncio.run(engine(options.base_url, options.samples, options.in_flight, database))
        ours.append(options.samples / seconds)
    ratios = [mine / floor for mine, floor in zip(ours, plain, strict=True)]
    print(
        json.dumps(
            {
                "samples": options.samples,
                "in_flight": options.in_flight,
                "ideal_per_second": round(ideal),
                "plain_per_second": [round(each) for each in plain],
                "assay_per_second": [round(each) for each in ours],
                "of_the_ideal": [round(each / ideal, 3) for each in ours],
                "of_the_plain_loop": [
                    round(mine / floor, 3) for mine, floor in zip(ours, plain, strict=True)
                ],
                "median_of_the_ideal": round(statistics.median(ours) / ideal, 3),
                "median_of_the_plain_loop": round(statistics.median(ratios), 3),
            }
        )
    )


if __name__ == "__main__":
    main()
