"""The sandbox: test runs per second on one core, cold start, and attacks with the time over their limit.

Prints JSON. `python benchmarks/sandbox.py [--kind wasm] [--runs 600]`. One process is bound to one core if
the system allows it, except for the attacks, whose threads may use every core.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from assay.core.ask import CodeAsk, CodeReply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.code_tests import CodeTests
from assay.sandbox.choose import KINDS, open_sandbox
from assay.sandbox.sandbox import Sandbox

ATTACKS = Path(__file__).parents[1] / "tests" / "sandbox" / "attacks.py"
ALLOWANCE = 0.5
ANSWER = """
Merging is a matter of sorting first:

```python
def merge(spans):
    \"\"\"Merge overlapping spans.\"\"\"
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
```
"""
TESTS = """
def test_empty():
    assert merge([]) == []

def test_apart():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]

def test_overlap():
    assert merge([(1, 4), (3, 6), (6, 7)]) == [(1, 7)]

def test_inside():
    assert merge([(1, 9), (2, 3)]) == [(1, 9)]

def test_many():
    assert merge([(n, n + 2) for n in range(50)]) == [(0, 51)]
"""
COLD = """
import time
start = time.perf_counter()
from assay.sandbox.choose import open_sandbox
from assay.core.ask import CodeAsk
reply = open_sandbox([{kind!r}]).run(CodeAsk("print(1)", seconds=60))
assert reply.stdout == "1\\n", reply
print(time.perf_counter() - start)
"""


def grade(sandbox: Sandbox, spec: GraderSpec) -> Grade:
    """Grade the sample answer as a run would."""
    grader, case = CodeTests(), Case("case", "code", (), (spec,))
    (ask,) = grader.asks(case, spec, ANSWER)
    assert isinstance(ask, CodeAsk)
    found = grader.read(case, spec, ANSWER, (sandbox.run(ask),))
    assert isinstance(found, Grade) and found.value == 1, found
    return found


def rates(sandbox: Sandbox, runs: int) -> dict[str, Any]:
    """Measure programs, single tests and whole answers of five tests, in turn on this core."""
    one = GraderSpec("code_tests", {"entry": "merge", "tests": TESTS.split("\n\n")[1]})
    five = GraderSpec("code_tests", {"entry": "merge", "tests": TESTS})
    jobs = {
        "empty_program": (1, lambda: sandbox.run(CodeAsk("x = 1"))),
        "answer_with_one_test": (1, lambda: grade(sandbox, one)),
        "answer_with_five_tests": (5, lambda: grade(sandbox, five)),
    }
    found = {}
    for name, (tests, job) in jobs.items():
        for _ in range(10):
            job()
        start, used = time.perf_counter(), processor_seconds()
        for _ in range(runs):
            job()
        took, used = time.perf_counter() - start, processor_seconds() - used
        found[name] = {
            "runs": runs,
            "seconds": round(took, 3),
            "ms_a_run": round(took / runs * 1000, 3),
            "cpu_ms_a_run": round(used / runs * 1000, 3),
            "runs_a_second": round(runs / took, 1),
            "tests_a_second": round(runs * tests / took, 1),
            "tests_a_cpu_second": round(runs * tests / used, 1),
        }
    return found


def processor_seconds() -> float:
    """Return the processor time of this process and of the children that have ended."""
    return sum(os.times()[:4])


def cold_start(kind: str) -> dict[str, float]:
    """Measure a new process until its first reply: without a cache, then with the compiled artifact."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "ASSAY_CACHE": cache}
        for name in ("compiling", "cached"):
            command = [sys.executable, "-c", COLD.format(kind=kind)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            found[f"{name}_seconds"] = round(float(done.stdout), 3)
    return found


def attacked(sandbox: Sandbox, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Run every attack and the canary after it. The time starts with the call and includes the limit."""
    rows = []
    for name, endings, program in given["ATTACKS"]:
        limit = given["limit"](endings)
        start = time.perf_counter()
        reply: CodeReply = sandbox.run(CodeAsk(program, seconds=limit, megabytes=128))
        took = time.perf_counter() - start
        after = sandbox.run(CodeAsk(given["CANARY"], seconds=30))
        over = took - limit
        rows.append(
            {
                "attack": name,
                "status": str(reply.status),
                "contained": "ESCAPED" not in reply.stdout and str(reply.status) in endings,
                "next_run_unchanged": after.stdout in given["CLEAN"],
                "limit": limit,
                "seconds": round(took, 3),
                "over_limit": round(over, 3),
                "in_time": over <= ALLOWANCE,
            }
        )
    return rows


def main() -> None:
    """Print the figures of one kind of sandbox."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="wasm")
    parser.add_argument("--runs", type=int, default=600)
    options = parser.parse_args()
    os.environ["SECRET"] = "SECRET"
    cold = cold_start(options.kind)
    sandbox = open_sandbox([options.kind])
    reason = sandbox.unfit(CodeAsk(""))
    if reason is not None:
        raise SystemExit(reason)
    rows = attacked(sandbox, runpy.run_path(str(ATTACKS)))
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if cores:
        # This affects threads made from here on; the thread that keeps the deadlines needs almost no time.
        os.sched_setaffinity(0, {min(cores)})
    found = rates(sandbox, options.runs)
    over = [row["over_limit"] for row in rows]
    print(
        json.dumps(
            {
                "kind": options.kind,
                "machine": {
                    "cpus": os.cpu_count(),
                    "bound_to_one_core": cores is not None,
                    "python": platform.python_version(),
                },
                "target_runs_a_second": 300,
                "rates": found,
                "cold_start": cold,
                "attacks": {
                    "count": len(rows),
                    "contained": sum(row["contained"] for row in rows),
                    "next_run_unchanged": sum(row["next_run_unchanged"] for row in rows),
                    "in_time": sum(row["in_time"] for row in rows),
                    "most_over_limit": max(over),
                    "median_seconds": round(statistics.median(row["seconds"] for row in rows), 4),
                    "table": rows,
                },
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
