"""A process that executes a stored run to its end, for tests that kill, interrupt or starve it.

Its one argument is a JSON object: `database`, `address`, `run`, and optionally `concurrency`, `attempts`,
`timeout`, `file_limit` (bytes), `patience` with the database (seconds), `deed`. `deed` is `conduct`, or
`grade` to grade the run's answers again by the judges of its plan,
or `calibrate` to calibrate its first judge (with `freeze`). It prints the outcome as
JSON; an AssayError goes to stderr with its status.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import signal
import sys
from datetime import date

from assay.calls import record
from assay.core.errors import AssayError
from assay.core.model import Provider
from assay.runs.calibrating.calibrate import calibrate
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.runs.regrading.regrade import regrade
from assay.sandbox.choose import open_sandbox
from assay.store.engine import open_database
from assay.store.runs import read_run
from assay.store.suites import read_suite

DAY = date(2026, 11, 20)


def main() -> None:
    """Execute the run that the argument names."""
    told = json.loads(sys.argv[1])
    if "file_limit" in told:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (told["file_limit"], resource.RLIM_INFINITY))
    if "patience" in told:
        record.PATIENCE = told["patience"]
    engine = open_database(told["database"])
    run = read_run(engine, told["run"])
    suite = read_suite(engine, run.suite)
    provider = Provider(
        "test",
        told["address"],
        concurrency=told.get("concurrency", 16),
        attempts=told.get("attempts", 3),
        timeout=told.get("timeout", 10.0),
    )
    setting = RunContext(
        engine,
        {"test": provider},
        {},
        rng=random.Random(0),
        sandbox=lambda: open_sandbox(()),
    )
    plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
    if told.get("deed") == "calibrate":
        freeze = told.get("freeze", False)
        found = asyncio.run(calibrate(setting, suite, run.judges[0], DAY, panel=plan.panel, freeze=freeze))
        print(json.dumps({"run": found.run, "reference": found.reference, "missing": found.missing}))
        return
    deed = regrade if told.get("deed") == "grade" else conduct
    outcome = asyncio.run(deed(setting, run, plan))
    print(json.dumps({"status": outcome.status, "reason": outcome.reason, "ok": outcome.counts.ok}))


if __name__ == "__main__":
    try:
        main()
    except AssayError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
