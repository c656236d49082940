"""A process that executes a stored run on a Ray cluster, for tests that kill it.

Its one argument is a JSON object: `database`, `address` of the upstream, `run`, `concurrency`. RAY_ADDRESS
names the cluster. It prints the outcome as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from assay.core.model import Provider
from assay.results.runs import RunOutcome
from assay.runs.cluster.ray_cluster import ray_cluster
from assay.runs.cluster.ray_executor import RayExecutor
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.store.engine import open_database
from assay.store.runs import read_run
from assay.store.suites import read_suite


async def main() -> RunOutcome:
    """Execute the run that the argument names."""
    told = json.loads(sys.argv[1])
    engine = open_database(told["database"])
    run = read_run(engine, told["run"])
    plan = stored_plan(read_suite(engine, run.suite), [model for _, model in run.models], run.plan)
    provider = Provider("test", told["address"], concurrency=told["concurrency"], attempts=2)
    async with ray_cluster(os.environ) as cluster:
        setting = RunContext(engine, {"test": provider}, os.environ, executor=RayExecutor(cluster))
        return await conduct(setting, run, plan)


if __name__ == "__main__":
    ended = asyncio.run(main())
    print(json.dumps({"status": ended.status, "reason": ended.reason, "ok": ended.counts.ok}))
