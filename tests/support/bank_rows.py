"""Banks made for tests: questions without documents, keys that say that they are sealed by nobody."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping

from sqlalchemy import Connection, Engine

from assay.core.question import QuestionState
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import QuestionRow, keep_questions, keep_source
from assay.store.engine import writing

NOW = 1_795_176_000.0
SPACE = uuid.UUID("6f1c2a5e-0d64-4c0e-9d3a-2f6f0f6c9a11")


def add_source(connection: Connection, *, name: str = "made for a test", synthetic: bool = True) -> int:
    """Store a source of questions."""
    return keep_source(
        connection,
        name=name,
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        kind="other",
        profile="none",
        synthetic=synthetic,
        account={},
        now=NOW,
    )


def row(
    source: int,
    stem: str,
    *,
    discipline: str = "law",
    parent: int | None = None,
    options: tuple[str, ...] = (),
    kind: str = "short-answer",
    passage: str | None = None,
) -> QuestionRow:
    """Return a question with a sealed key that nothing opens."""
    return QuestionRow(
        str(uuid.uuid5(SPACE, stem)),
        kind,
        discipline,
        None,
        "en",
        stem,
        options,
        passage,
        b"sealed",
        hashlib.blake2b(stem.encode(), digest_size=16).digest(),
        source,
        "line 1",
        None if parent is None else "test",
        parent,
    )


def fill(engine: Engine, families: Mapping[str, int], *, variants: int = 0) -> dict[str, list[int]]:
    """Fill a bank with accepted families by discipline and return the originals' ids.

    Every second family has `variants` variants besides its original.
    """
    found: dict[str, list[int]] = {}
    with writing(engine) as connection:
        source = add_source(connection)
        everything: list[int] = []
        for discipline, count in families.items():
            rows = [row(source, f"{discipline} {number}", discipline=discipline) for number in range(count)]
            ids = [each for each in keep_questions(connection, rows) if each is not None]
            made = [
                row(source, f"{discipline} {number} variant {variant}", discipline=discipline, parent=parent)
                for number, parent in enumerate(ids)
                for variant in range(variants if number % 2 == 0 else 0)
            ]
            more = [each for each in keep_questions(connection, made) if each is not None]
            found[discipline] = ids
            everything += [*ids, *more]
        revision = next_revision(connection, "accept", "for a test", NOW)
        set_state(connection, everything, QuestionState.ACCEPTED, revision=revision)
    return found
