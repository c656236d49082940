"""The time of a stratified draw of 1,000 unseen questions from a bank of 1,000,000.

    python benchmarks/bank_draw.py [--questions 1000000] [--draws 40]

The bank is built in a temporary SQLite file: questions of the ten subjects and of three others, a third of
them variants, and an organisation that has seen 50,000 families. Three things are timed: the draw alone; the
draw with the rows that opening a session writes (the order of the questions and the families seen); and, for
comparison, one pass that counts the bank's accepted questions by discipline, which any scanning draw needs.
Prints one JSON document; all questions are synthetic.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, Engine, insert, text

from assay.questions.draw import REPORTED, ten_subjects
from assay.store.bank.changes import next_revision
from assay.store.bank.draw import DrawnItem, Eligibility, draw
from assay.store.bank.questions import QuestionRow, keep_questions, keep_source
from assay.store.bank.units import renew_units
from assay.store.engine import open_database
from assay.store.schema_exam import draw_questions, draws, exposures, organisations

OTHERS = ("philosophy", "agronomy", "arts")
CHUNK = 5000
MET = 50_000


def main() -> None:
    """Build the bank, time the draws and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--draws", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(str(Path(folder) / "bank.db"))
        began = time.perf_counter()
        fill(engine, given.questions)
        print(f"made in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        print(json.dumps(measure(engine, given.draws), indent=2))


def measure(engine: Engine, times: int) -> dict[str, object]:
    """Time `times` draws with different seeds, and as many passes over the whole bank."""
    alone, opened, scans = [], [], []
    with engine.connect() as connection:
        size = connection.execute(text("SELECT COUNT(*) FROM questions")).scalar()
        families = connection.execute(text("SELECT COUNT(*) FROM units")).scalar()
    for seed in range(times):
        rng = np.random.default_rng(seed)
        with engine.connect() as connection:
            began = time.perf_counter()
            drawn = draw(connection, ten_subjects(1000), rng, Eligibility(1))
            alone.append(time.perf_counter() - began)
        assert len({each.family for each in drawn}) == 1000
        with engine.begin() as connection:
            began = time.perf_counter()
            keep(connection, draw(connection, ten_subjects(1000), rng, Eligibility(1)))
            opened.append(time.perf_counter() - began)
    for _ in range(3):
        with engine.connect() as connection:
            began = time.perf_counter()
            connection.execute(
                text(
                    "SELECT discipline, COUNT(*) FROM questions WHERE state = 'accepted' GROUP BY discipline"
                )
            ).all()
            scans.append(time.perf_counter() - began)
    return {
        "questions": size,
        "families": families,
        "met_by_the_organisation": MET,
        "synthetic": True,
        "draws": times,
        "draw_ms": figures(alone),
        "draw_and_open_ms": figures(opened),
        "scan_ms": figures(scans),
        "scan_over_draw": round(statistics.median(scans) / statistics.median(alone), 1),
    }


def figures(seconds: list[float]) -> dict[str, float]:
    """Return minimum, median and maximum in milliseconds."""
    values = {"min": min(seconds), "median": statistics.median(seconds), "max": max(seconds)}
    return {name: round(1000 * value, 2) for name, value in values.items()}


def keep(connection: Connection, drawn: list[DrawnItem]) -> None:
    """Write the rows that opening a session writes for a draw."""
    made = connection.execute(
        insert(draws)
        .values(organisation=1, revision=1, n=1000, allocation="{}", made_at=0.0)
        .returning(draws.c.id)
    ).scalar_one()
    connection.execute(
        insert(draw_questions),
        [{"draw": made, "position": place, **each._asdict()} for place, each in enumerate(drawn)],
    )
    met = [{"organisation": 1, "family": each.family, "draw": made} for each in drawn]
    connection.execute(insert(exposures), met)


def fill(engine: Engine, count: int) -> None:
    """Fill a bank with accepted synthetic questions, some of them already seen by an organisation."""
    with engine.begin() as connection:
        source = keep_source(
            connection,
            name="synthetic",
            sha256="0" * 64,
            kind="other",
            profile="none",
            synthetic=True,
            account={},
            now=0.0,
        )
        ids: list[int] = []
        for rows in chunks(source, count * 2 // 3, []):
            ids += [each for each in keep_questions(connection, rows) if each is not None]
        for rows in chunks(source, count - len(ids), ids):
            keep_questions(connection, rows)
        next_revision(connection, "accept", "synthetic", 0.0)
        connection.execute(text("UPDATE questions SET state = 'accepted', since = 1"))
        renew_units(connection, ids)
        connection.execute(insert(organisations).values(id=1, name="them", operator=0, created_at=0.0))
        connection.execute(insert(draws).values(id=1, revision=1, n=1, allocation="{}", made_at=0.0))
        met = np.random.default_rng(0).choice(ids, min(MET, len(ids) // 4), replace=False)
        rows_met = [{"organisation": 1, "family": int(family), "draw": 1} for family in met]
        connection.execute(insert(exposures), rows_met)


def chunks(source: int, count: int, parents: list[int]) -> Iterator[list[QuestionRow]]:
    """Yield synthetic questions, as variants of `parents` if there are any."""
    names = (*REPORTED, *OTHERS)
    for start in range(0, count, CHUNK):
        yield [
            made(source, number, names, parents[number * 7919 % len(parents)] if parents else None)
            for number in range(start, min(count, start + CHUNK))
        ]


def made(source: int, number: int, names: tuple[str, ...], parent: int | None) -> QuestionRow:
    """Return one synthetic question; a variant has its parent's discipline."""
    stem = (
        f"Synthetic question {number} {'' if parent is None else f'of {parent}'}, said in some forty words."
    )
    digest = hashlib.blake2b(stem.encode(), digest_size=16).digest()
    place = number if parent is None else parent - 1
    return QuestionRow(
        str(uuid.UUID(bytes=digest)), "short-answer", names[place % len(names)], None, "en", stem, (), None,
        b"k" * 60, digest, source, f"row {number}", None if parent is None else "synthetic", parent,
    )  # fmt: skip


if __name__ == "__main__":
    main()
