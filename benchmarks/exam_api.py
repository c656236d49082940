"""Question and answer cycles of the exam service on SQLite, compared with a bare FastAPI route. Prints JSON.

Each is served in turn by one uvicorn worker with the same flags, and called by the same client over the same
number of keep-alive connections. Every request of a cycle is authenticated, logged, and committed before the
reply; the bare route parses a body and returns a constant.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from assay.store.engine import open_database
from exam_client import Candidate, Line, answer_body
from exam_setup import bare_command, exam_command, fill, free_port, new_key, new_keyring, seats, served

BARE = b"POST /bare HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


async def bare_rate(port: int, connections: int, seconds: float) -> float:
    """Return the number of requests per second that the bare route answered."""
    until = time.perf_counter() + seconds

    async def one(number: int) -> int:
        line, count = Line(port), 0
        while time.perf_counter() < until:
            status, _ = await line.send(BARE, answer_body(count))
            assert status == 200, status
            count += 1
        line.close()
        return count

    begun = time.perf_counter()
    done = sum(await asyncio.gather(*[one(number) for number in range(connections)]))
    return done / (time.perf_counter() - begun)


async def exam_rate(port: int, candidates: list[Candidate], at: list[int], seconds: float) -> float:
    """Return the number of requests per second that the exam service answered in its cycles."""
    until = time.perf_counter() + seconds

    async def one(place: int) -> int:
        candidate, count = candidates[place], 0
        while time.perf_counter() < until:
            status, body = await candidate.ask()
            assert status == 200, (status, body)
            position = at[place] + 1
            status, body = await candidate.answer(position, answer_body(position))
            assert status == 200, (status, body)
            at[place] = position
            count += 2
        candidate.line.close()
        return count

    begun = time.perf_counter()
    done = sum(await asyncio.gather(*[one(place) for place in range(len(candidates))]))
    return done / (time.perf_counter() - begun)


def measured(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Measure both in turn."""
    environment, database = new_key(folder), str(folder / "assay.db")
    engine = open_database(database)
    fill(engine, options.n // 10)
    chairs = seats(engine, new_keyring(engine, environment), options.connections, options.n)
    engine.dispose()
    server, client = ({0}, {1}) if options.pin else (None, None)
    if client is not None:
        os.sched_setaffinity(0, client)
    bare, exam, at = [], [], [0] * options.connections
    for _ in range(options.rounds):
        port = free_port()
        with served(bare_command(port), environment, port, "/", server):
            uvloop.run(bare_rate(port, options.connections, options.warm))
            bare.append(uvloop.run(bare_rate(port, options.connections, options.seconds)))
        port = free_port()
        with served(exam_command(database, port), environment, port, "/api/v1/health", server):
            candidates = [Candidate(port, chair) for chair in chairs]
            uvloop.run(exam_rate(port, candidates, at, options.warm))
            exam.append(uvloop.run(exam_rate(port, candidates, at, options.seconds)))
    ratios = [mine / floor for mine, floor in zip(exam, bare, strict=True)]
    return {
        "connections": options.connections,
        "seconds": options.seconds,
        "pinned": options.pin,
        "bare_per_second": [round(each) for each in bare],
        "exam_requests_per_second": [round(each) for each in exam],
        "exam_cycles_per_second": [round(each / 2) for each in exam],
        "ratio": [round(each, 3) for each in ratios],
        "median_ratio": round(statistics.median(ratios), 3),
        "answers": sum(at),
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warm", type=float, default=1.0, help="seconds before each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--n", type=int, default=4000, help="questions in each session")
    parser.add_argument("--pin", action="store_true", help="server to core 0, client to core 1")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(options, Path(folder))))


if __name__ == "__main__":
    main()
