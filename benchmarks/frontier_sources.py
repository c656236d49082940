"""The time to read tables of outcomes into tensors, compared with DuckDB's bare read. Prints JSON.

All values are computed from a hash of the row's number: 1,000 prompts x 21 models x 10 generations in long
form with cost and latency, as CSV and Parquet, and 100,000 prompts x 50 models of counts of 10 with a mean
cost, as Parquet. The bare read fetches the same columns into NumPy arrays, names as texts, and checks
nothing. Each measurement is a separate process. `--repeats` are made in turn; the median and the best are
printed, with CPU seconds (all threads) and peak memory of the best.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LONG = """
SELECT 'prompt-' || lpad((i // 210)::VARCHAR, 4, '0') AS prompt,
  'model-' || lpad(((i // 10) % 21)::VARCHAR, 2, '0') AS model, i % 10 AS generation,
  (hash(i) % 2)::INTEGER AS quality, round(0.001 * (hash(i + 7) % 1000 + 1), 6) AS cost,
  0.1 * (hash(i + 9) % 100) AS latency
FROM range(210000) t(i)
"""
COUNTS = """
SELECT 'prompt-' || lpad((i // 50)::VARCHAR, 6, '0') AS prompt,
  'model-' || lpad((i % 50)::VARCHAR, 2, '0') AS model, (hash(i) % 11)::BIGINT AS n_correct, 10 AS n_gen,
  0.001 * (i % 50 + 1) AS cost
FROM range(5000000) t(i)
"""
FILES = {"long.csv": LONG, "long.parquet": LONG, "counts.parquet": COUNTS}
MEASURE = """
import json, resource, sys, time
path, how = sys.argv[1:]
if how == "bare":
    import duckdb
    duckdb.sql("SET enable_progress_bar = false")
    begun = time.perf_counter()
    found = duckdb.sql(f"SELECT * FROM '{path}'").fetchnumpy()
    shape = [len(found), len(found["prompt"])]
else:
    from assay.studies.frontier.source import read_tensor
    begun = time.perf_counter()
    shape = list(read_tensor(path).tensor.quality.shape)
seconds = time.perf_counter() - begun
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"seconds": seconds, "cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024,
                  "shape": shape}))
"""


def measured(path: Path, how: str) -> dict[str, Any]:
    """Measure one read in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), how], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def told(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the summary of the repeats of one measurement."""
    best = min(found, key=lambda each: float(each["seconds"]))
    return {
        "median_seconds": round(statistics.median(each["seconds"] for each in found), 3),
        "best_seconds": round(best["seconds"], 3),
        "cpu_seconds": round(best["cpu"], 3),
        "peak_mb": round(best["mb"]),
        "shape": best["shape"],
    }


def main() -> None:
    """Make the files, read them and print JSON."""
    import duckdb

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, query in FILES.items():
            path = Path(folder) / name
            duckdb.sql(f"COPY ({query}) TO '{path}'")
            pairs = [(measured(path, "bare"), measured(path, "assay")) for _ in range(repeats)]
            bare, read = told([pair[0] for pair in pairs]), told([pair[1] for pair in pairs])
            figures.append(
                {
                    "file": name,
                    "bytes": path.stat().st_size,
                    "rows": duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall()[0][0],
                    "read_tensor": read,
                    "bare_duckdb": bare,
                    "ratio": round(read["best_seconds"] / bare["best_seconds"], 2),
                }
            )
    cores = len(os.sched_getaffinity(0))
    load = [round(each, 2) for each in os.getloadavg()]
    print(json.dumps({"cores": cores, "load": load, "repeats": repeats, "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
