"""A small bank with sealed keys for tests: questions of every kind, put in as an import would."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Engine

from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, key_about
from assay.files.sealing import KeySealer
from assay.questions.digest import content_digest
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import QuestionRow, keep_questions, keep_source
from assay.store.engine import writing

SEALER = KeySealer(bytes(range(32)))
NOW = 1_795_176_000.0
STEM = "A complete binary tree has eight leaves on its sixth level. How many nodes has it at most? ( )"
CHOICE = Question(
    str(uuid.UUID(int=1)),
    QuestionKind.MULTIPLE_CHOICE,
    STEM,
    "engineering",
    ("39", "52", "111", "119"),
)
CHOICE_KEY = AnswerKey(("C",), "Level six is full but for its last nodes.")

Item = tuple[Question, AnswerKey]


def choice(number: int, *, discipline: str = "law", options: int = 4, key: str = "A") -> Item:
    """Return a choice that reads unlike any other."""
    made = Question(
        str(uuid.UUID(int=number + 1000)),
        QuestionKind.MULTIPLE_CHOICE,
        f"Which of the numbers is the {number}th that the clerk wrote into ledger {number * 7}?",
        discipline,
        tuple(f"{number * 10 + place}" for place in range(options)),
    )
    return made, AnswerKey(tuple(key), f"The clerk's ledger {number * 7} has it.")


def material(number: int, passage: str, *, discipline: str = "history") -> Item:
    """Return a material analysis about a passage."""
    made = Question(
        str(uuid.UUID(int=number + 500_000)),
        QuestionKind.MATERIAL_ANALYSIS,
        f"What moved the writer of extract {number}?",
        discipline,
        (),
        passage,
    )
    return made, AnswerKey(("He wished to be read.",))


def rows(items: Sequence[Item], source: int, *, parent: int | None = None) -> list[QuestionRow]:
    """Return questions as rows, their keys sealed."""
    return [
        QuestionRow(
            uuid=question.uuid,
            kind=question.kind.value,
            discipline=question.discipline,
            secondary=question.secondary,
            language=question.language,
            stem=question.stem,
            options=question.options,
            passage=question.passage,
            key=SEALER.seal(key.written(), key_about(question.uuid, 1)),
            digest=content_digest(question),
            source=source,
            place=f"line {number}",
            made_by=None,
            parent=parent,
        )
        for number, (question, key) in enumerate(items, 1)
    ]


def fill(
    engine: Engine,
    items: Sequence[Item],
    *,
    kind: str = "postgraduate-entrance-exam",
    synthetic: bool = False,
    state: QuestionState | None = None,
) -> list[int]:
    """Put questions into the bank, with a state where one is given, and return their rows."""
    with writing(engine) as connection:
        source = keep_source(
            connection,
            name=f"{kind}.jsonl",
            sha256=uuid.uuid4().hex * 2,
            kind=kind,
            profile="test",
            synthetic=synthetic,
            account={},
            now=NOW,
        )
        ids = [each for each in keep_questions(connection, rows(items, source)) if each is not None]
        if state is not None:
            set_state(connection, ids, state, revision=next_revision(connection, "test", "filled", NOW))
    return ids


def edited(question: Question, **changes: object) -> Question:
    """Return a question with changes."""
    return replace(question, **changes)  # type: ignore[arg-type]
