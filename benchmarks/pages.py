"""Server times and sizes of the pages over a large database, and the time of a static site. Prints JSON.

Each kind of page is asked for several times with other models, days, cases and samples, after one request
that fills the memory. Times are those of a client on the same machine, in milliseconds; `healthz`, which
reads nothing, is measured in the same run as the yardstick.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from assay.report.site.export import write_site
from assay.runs.site.source import SiteSource
from assay.runs.work import open_work
from assay.store.engine import open_database, reading
from assay.store.schema import cases, run_models, runs, samples
from exam_setup import free_port

SLOWEST = 600.0
"""Seconds after which a server that does not answer ends the benchmark."""


@contextmanager
def served(database: Path, port: int) -> Iterator[None]:
    """Run `assay serve` over a database."""
    environment = {**os.environ, "ASSAY_DATABASE": str(database)}
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("assay")), "serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def ask(port: int, path: str) -> tuple[float, bytes]:
    """Return the milliseconds of a request and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SLOWEST)
    began = time.perf_counter()
    connection.request("GET", path)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    if reply.status != 200:
        raise SystemExit(f"{path} has status {reply.status}")
    return 1000.0 * (time.perf_counter() - began), body


def pages(database: Path, rng: random.Random, count: int) -> dict[str, list[str]]:
    """Return addresses of every kind of page, with parameters drawn from the database."""
    engine = open_database(str(database))
    with reading(engine) as connection:
        listed = connection.execute(
            select(runs.c.id, runs.c.day).where(runs.c.kind == "watch").order_by(runs.c.id)
        ).all()
        asked = select(run_models.c.model).where(run_models.c.run == listed[-1].id)
        models = list(connection.execute(asked).scalars())
        ids = list(connection.execute(select(cases.c.case_id)).scalars())
        per_run = connection.execute(
            select(samples.c.position)
            .where(samples.c.run == listed[-1].id)
            .order_by(samples.c.position.desc())
            .limit(1)
        ).scalar_one()
    engine.dispose()

    def draws(make: Any) -> list[str]:
        return [make() for _ in range(count)]

    def sample() -> str:
        return f"{rng.choice(listed).id}.{rng.randrange(per_run + 1)}"

    return {
        "healthz": ["/healthz"] * count,
        "today": ["/"] * count,
        "model": draws(lambda: f"/watch/daily/{rng.choice(models)}"),
        "day": draws(lambda: f"/watch/daily/{rng.choice(models)}/{rng.choice(listed).day}"),
        "case": draws(lambda: f"/cases/daily/{rng.choice(ids)}"),
        "sample": draws(lambda: f"/samples/{sample()}"),
        "compare": draws(lambda: f"/compare/{sample()}/{sample()}"),
        "samples": ["/samples"] * count,
        "samples of a model": draws(lambda: f"/samples?model=simulated/m{rng.randrange(len(models)):02}"),
        "samples with errors": draws(
            lambda: f"/samples?status=error&model=simulated/m{rng.randrange(len(models)):02}"
        ),
        "samples with a rare text": draws(lambda: f"/samples?text=zyx{rng.randrange(9999)}"),
        "runs": ["/runs"] * count,
        "run": draws(lambda: f"/runs/{rng.choice(listed).id}"),
        "boards": ["/boards"] * count,
        "feed": ["/feed.atom"] * count,
        "metrics": ["/metrics"] * count,
    }


def measure(port: int, paths: Sequence[str]) -> dict[str, Any]:
    """Return the quantiles of the times, and the largest size of a body."""
    ask(port, paths[0])
    replies = [ask(port, path) for path in paths]
    times = [milliseconds for milliseconds, _ in replies]
    return {
        "n": len(times),
        "p50_ms": round(float(np.quantile(times, 0.5)), 1),
        "p95_ms": round(float(np.quantile(times, 0.95)), 1),
        "most_ms": round(max(times), 1),
        "largest_gzipped_kb": round(max(len(gzip.compress(body)) for _, body in replies) / 1000, 1),
    }


def site(database: Path) -> dict[str, Any]:
    """Return the seconds of a static site, and of a second export into the same folder."""
    work = open_work(Path(), environment={**os.environ, "ASSAY_DATABASE": str(database)})
    with tempfile.TemporaryDirectory() as folder:
        result = []
        for _ in range(2):
            began = time.perf_counter()
            exported = write_site(SiteSource(work), Path(folder) / "site")
            result.append({"seconds": round(time.perf_counter() - began, 1), "written": exported.written})
    return {"files": exported.files, "first": result[0], "second": result[1]}


def main() -> None:
    """Measure the databases that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--live", type=Path, help="database of 400 days (benchmarks/pages_database.py)")
    parser.add_argument("--static", type=Path, help="database of 30 days, for the static site")
    parser.add_argument("--count", type=int, default=60, help="requests of each kind")
    options = parser.parse_args()
    document: dict[str, Any] = {}
    if options.live:
        port = free_port()
        with served(options.live, port):
            for _ in range(int(SLOWEST)):
                try:
                    ask(port, "/healthz")
                    break
                except OSError:
                    time.sleep(1.0)
            began = time.perf_counter()
            ask(port, "/")
            document["seconds_until_the_first_page"] = round(time.perf_counter() - began, 1)
            listed = pages(options.live, random.Random(1), options.count)
            document["pages"] = {kind: measure(port, paths) for kind, paths in listed.items()}
        yardstick = document["pages"]["healthz"]["p50_ms"]
        for figures in document["pages"].values():
            figures["p95_over_healthz"] = round(figures["p95_ms"] / yardstick, 1)
    if options.static:
        document["static_site"] = site(options.static)
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
