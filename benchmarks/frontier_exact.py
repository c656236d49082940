"""The exact biased-oracle curve of counts, compared with np.maximum and with resampling. Prints JSON.

Each runs in a fresh process on one thread, on the same counts. The data are simulated: success rates are
drawn for `--shape` prompts, models, generations. `plain_pass` is equation 5 at g = G only, one np.maximum for
each model. `resampling` is the calculation that the closed form replaces: one hypergeometric draw of every
cell at every g, timed once and multiplied by 1,000. Seconds are the median of `--rounds`. Peaks are those of
the whole process: before the first round it holds the two int64 input arrays (`counts_mb`), and
`peak_before_mb` is its peak until then.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.exact import biased_curve

Counts = npt.NDArray[np.int64]
Deed = Callable[[Counts, Counts], object]
RESAMPLES = 1_000


def recorded(shape: list[int]) -> tuple[Counts, Counts]:
    """Return simulated counts, made in blocks. Half of each cell's rate is shared by the prompt's models."""
    prompts, models, generations = shape
    rng = np.random.default_rng(0)
    right = np.empty((prompts, models), dtype=np.int64)
    for start in range(0, prompts, 10_000):
        rows = right[start : start + 10_000]
        shared = rng.beta(0.5, 2.0, (len(rows), 1))
        rows[:] = rng.binomial(generations, 0.5 * shared + 0.5 * rng.beta(0.3, 1.5, rows.shape))
    return right, np.full(right.shape, generations, dtype=np.int64)


def plain_pass(right: Counts, number: Counts) -> float:
    """Return equation 5 at all generations, with one np.maximum for each model."""
    most = right[:, 0] / number[:, 0]
    for model in range(1, right.shape[1]):
        np.maximum(most, right[:, model] / number[:, model], out=most)
    return float(most.mean())


def resampling(right: Counts, number: Counts) -> float:
    """Return the seconds of one resample at every g = 1..G."""
    rng = np.random.default_rng(1)
    began = time.perf_counter()
    for size in range(1, int(number.max()) + 1):
        (rng.hypergeometric(right, number - right, size).max(axis=1) / size).mean()
    return time.perf_counter() - began


def peak_mb() -> float:
    """Return this process's peak resident memory in MB (10^6 bytes)."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def timed(deed: Deed, counts: tuple[Counts, Counts], rounds: int) -> list[float]:
    """Return the seconds of each round."""
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        deed(*counts)
        seconds.append(time.perf_counter() - began)
    return seconds


def busy(deed: Deed, counts: tuple[Counts, Counts]) -> float:
    """Return the processor seconds of one round, which other processes on the machine hardly affect."""
    began = time.process_time()
    deed(*counts)
    return time.process_time() - began


def child(kind: str, shape: list[int], rounds: int) -> dict[str, object]:
    """Measure one kind in this process."""
    counts = recorded(shape)
    before = peak_mb()
    told: dict[str, object] = {"peak_before_mb": round(before, 1)}
    if kind == "resampling":
        told["seconds"] = resampling(*counts)
        return told
    deed: Deed = biased_curve if kind == "exact" else plain_pass
    seconds = timed(deed, counts, rounds)
    told |= {"seconds": statistics.median(seconds), "worst_seconds": max(seconds)}
    told["cpu_seconds"] = busy(deed, counts)
    if kind == "exact":
        curve = biased_curve(*counts)
        told |= {"first": curve[0], "last": curve[-1], "plain_last": plain_pass(*counts)}
    return told | {"peak_mb": round(peak_mb(), 1)}


def measured(kind: str, options: argparse.Namespace) -> dict[str, float]:
    """Return the measurements of a fresh process."""
    told = ["--child", kind, "--rounds", str(options.rounds), "--shape", *map(str, options.shape)]
    done = subprocess.run(
        [sys.executable, __file__, *told],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure the three and print them with their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", type=int, nargs=3, default=[100_000, 50, 10])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", choices=("exact", "plain_pass", "resampling"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(child(options.child, options.shape, options.rounds)))
        return
    exact, plain, drawn = (measured(kind, options) for kind in ("exact", "plain_pass", "resampling"))
    print(
        json.dumps(
            {
                "shape": options.shape,
                "rounds": options.rounds,
                "data": "simulated counts, seed 0",
                "counts_mb": 2 * 8 * options.shape[0] * options.shape[1] / 1e6,
                "exact": exact,
                "plain_pass": plain,
                "resampling": {
                    "one_resample_seconds": drawn["seconds"],
                    "scaled_to": RESAMPLES,
                    "seconds": drawn["seconds"] * RESAMPLES,
                },
                "exact_over_plain_pass": round(exact["seconds"] / plain["seconds"], 2),
                "resampling_over_exact": round(drawn["seconds"] * RESAMPLES / exact["seconds"]),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
