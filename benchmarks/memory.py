"""Peak memory of a long run compared with a short one, each in a fresh process. Prints JSON.

Needs the mock upstream at `--base-url` (see docs/benchmarks.md), and Linux, whose /proc has the peak. With
`--verdicts`, the address of an upstream that answers judges (`benchmarks/verdicts-nginx.conf`), four judges
mark every answer, and all answers are different.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from panel import panel_run
from throughput import engine

JUDGES = 4
CASES = 50


def peak() -> float:
    """Return this process's peak resident memory in MB (10^6 bytes)."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def child(options: argparse.Namespace, samples: int) -> None:
    """Execute one run and print the peak."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "assay.db"
        if options.verdicts:
            subjects, judges = f"{options.verdicts}/subject/v1", f"{options.verdicts}/judge/v1"
            asyncio.run(panel_run(subjects, judges, samples, JUDGES, options.in_flight, database, CASES))
        else:
            asyncio.run(engine(options.base_url, samples, options.in_flight, database))
        print(peak())


def measured(options: argparse.Namespace, samples: int) -> float:
    """Return the peak of a fresh process that executes a run of this number of samples."""
    told = ["--base-url", options.base_url, "--in-flight", str(options.in_flight), "--child", str(samples)]
    if options.verdicts:
        told += ["--verdicts", options.verdicts]
    done = subprocess.run([sys.executable, __file__, *told], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    """Alternate short and long runs and print their peaks with the difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/0/v1")
    parser.add_argument("--verdicts", help="the address of an upstream for judged runs")
    parser.add_argument("--short", type=int, default=1_000)
    parser.add_argument("--long", type=int, default=100_000)
    parser.add_argument("--in-flight", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options, options.child)
        return
    short, long = [], []
    for _ in range(options.rounds):
        short.append(measured(options, options.short))
        long.append(measured(options, options.long))
    differences = [after - before for before, after in zip(short, long, strict=True)]
    print(
        json.dumps(
            {
                "samples": [options.short, options.long],
                "in_flight": options.in_flight,
                "short_peak_mb": [round(each, 1) for each in short],
                "long_peak_mb": [round(each, 1) for each in long],
                "difference_mb": [round(each, 1) for each in differences],
                "median_difference_mb": round(statistics.median(differences), 1),
            }
        )
    )


if __name__ == "__main__":
    main()
