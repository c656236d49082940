"""Kill a run at random times, resume it each time, and count lost samples and repeated calls.

Every kill is a SIGKILL to a process that executes the run. The mock upstream counts the calls that it served,
which would have been paid for. Nothing else may use the mock (see docs/benchmarks.md). Prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from sqlalchemy import Engine, func, select

from assay.calls.record import MOST
from assay.core.model import Model, Provider
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run
from assay.store.engine import open_database
from assay.store.runs import new_run, read_run
from assay.store.schema import calls, samples
from assay.store.suites import keep_suite
from throughput import CASES, suite

MODEL = Model("mock", "sim")


def begin(store: Engine, epochs: int) -> int:
    """Store a new run and return its number."""
    plan = plan_run(suite(), [MODEL], epochs=epochs)
    keep_suite(store, plan.suite, clock=time.time)
    return new_run(
        store,
        kind="run",
        suite=plan.suite.digest,
        subjects=[MODEL],
        plan=plan.described(),
        day=None,
        simulated=True,
        clock=time.time,
    ).id


def execute(database: str, run: int, epochs: int, base_url: str, in_flight: int) -> None:
    """Execute the missing samples of the run. This is the process that is killed."""
    store = open_database(database)
    plan = plan_run(suite(), [MODEL], epochs=epochs)
    setting = RunContext(store, {"mock": Provider("mock", base_url, concurrency=in_flight)}, {})
    asyncio.run(conduct(setting, read_run(store, run), plan))


def served(base_url: str) -> int:
    """Return the number of calls that the mock has served, after those in flight have ended."""
    time.sleep(0.5)
    root = base_url.split("/", 3)
    with urllib.request.urlopen("/".join([*root[:3], "count"])) as reply:
        return int(reply.read())


def recorded(store: Engine) -> int:
    """Return the number of calls in the ledger."""
    with store.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(calls)).scalar_one())


def killed_run(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Kill and resume one run; return the counts."""
    database = str(folder / "assay.db")
    store = open_database(database)
    epochs = options.samples // CASES
    run = begin(store, epochs)
    told = [database, str(run), str(epochs), options.base_url, str(options.in_flight)]
    rng = random.Random(options.seed)
    at_first = before = served(options.base_url)
    known, lost, idle = 0, [], 0
    for _ in range(options.kills):
        child = subprocess.Popen([sys.executable, __file__, "--execute", *told])
        time.sleep(rng.uniform(0.0, options.longest))
        if child.poll() is not None:
            raise SystemExit("the run ended before all kills: give more --samples")
        child.kill()
        child.wait()
        now, rows = served(options.base_url), recorded(store)
        idle += now == before
        lost.append((now - before) - (rows - known))
        before, known = now, rows
    subprocess.run([sys.executable, __file__, "--execute", *told], check=True)
    with store.connect() as connection:
        positions = (
            connection.execute(select(samples.c.position).where(samples.c.status == "ok")).scalars().all()
        )
    paid = served(options.base_url) - at_first
    return {
        "samples": options.samples,
        "in_flight": options.in_flight,
        "kills": options.kills,
        "kills_before_the_first_call": idle,
        "samples_present": len(positions),
        "every_sample_exactly_once": sorted(positions) == list(range(options.samples)),
        "upstream_calls": paid,
        "calls_beyond_samples": paid - options.samples,
        "lost_by_each_kill": lost,
        "bound_for_each_kill": options.in_flight + MOST,
        "within_bound": all(0 <= each <= options.in_flight + MOST for each in lost),
    }


def main() -> None:
    """Run the benchmark, or the process that is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/200/v1")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--in-flight", type=int, default=100)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds from start to kill, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--execute", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.execute:
        database, run, epochs, base_url, in_flight = options.execute
        execute(database, int(run), int(epochs), base_url, int(in_flight))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(killed_run(options, Path(folder))))


if __name__ == "__main__":
    main()
