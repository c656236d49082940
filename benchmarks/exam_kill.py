"""Repeated kill -9 of the exam service under load: every acknowledged answer is kept once. Prints JSON.

200 candidates use two workers on PostgreSQL (with `--sqlite`: one worker on SQLite). At random
times the whole service gets SIGKILL and is restarted; candidates repeat requests without a reply.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import uvloop

from assay.store.engine import open_database
from exam_client import Seat
from exam_load import Told, compared, crowd, latency, postgresql
from exam_setup import begin, end, exam_command, fill, free_port, new_key, new_keyring, seats, wait_for


async def killed(
    options: argparse.Namespace,
    command: Sequence[str],
    environment: dict[str, str],
    port: int,
    chairs: Sequence[Seat],
) -> tuple[Told, list[int]]:
    """Let candidates take exams while the service is killed; return their replies and the times."""
    rng, told, answers = random.Random(options.seed), Told(), []

    async def start() -> object:
        server = begin(command, environment, None)
        await asyncio.to_thread(wait_for, port, "/api/v1/health")
        return server

    server = await start()
    sitting = asyncio.create_task(crowd(port, chairs, told, options.longest, options.think))
    for _ in range(options.kills):
        before = len(told.receipts)
        await asyncio.sleep(rng.uniform(options.least, options.most))
        await asyncio.to_thread(end, server)
        answers.append(len(told.receipts) - before)
        server = await start()
    await asyncio.sleep(options.most)
    sitting.cancel()
    await asyncio.gather(sitting, return_exceptions=True)
    await asyncio.to_thread(end, server)
    return told, answers


def measured(options: argparse.Namespace, folder: Path, database: str) -> dict[str, object]:
    """Kill the service repeatedly and count the answers."""
    environment = new_key(folder)
    engine = open_database(database)
    fill(engine, options.n // 10)
    chairs = seats(engine, new_keyring(engine, environment), options.candidates, options.n)
    engine.dispose()
    port = free_port()
    workers = 1 if options.sqlite else options.workers
    told, answers = uvloop.run(
        killed(options, exam_command(database, port, workers), environment, port, chairs)
    )
    engine = open_database(database)
    found = {
        "database": engine.dialect.name,
        "candidates": options.candidates,
        "workers": workers,
        "kills": options.kills,
        "answers_acknowledged_before_each_kill": answers,
        **compared(engine, told),
        **latency(told),
    }
    engine.dispose()
    return found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--least", type=float, default=1.0, help="seconds from start to kill, at least")
    parser.add_argument("--most", type=float, default=3.0)
    parser.add_argument("--think", type=float, default=0.2, help="mean seconds before each request")
    parser.add_argument("--longest", type=float, default=600.0)
    parser.add_argument("--n", type=int, default=1000, help="questions in each session")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sqlite", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = nullcontext(str(folder / "assay.db")) if options.sqlite else postgresql()
        with place as database:
            print(json.dumps(measured(options, folder, database)))


if __name__ == "__main__":
    main()
