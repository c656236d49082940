"""The questions of a draw as they are put to candidates: read without their keys, as they were when drawn."""

from __future__ import annotations

from typing import Any

import orjson

from assay.core.question import Language, Question, QuestionKind
from assay.store.exam.serving import Raw


def questions_from(raw: Raw, draw: int, position: int, count: int) -> dict[int, Question]:
    """Return the questions at some positions of a draw, without their keys, as they were when drawn."""
    query = (
        "SELECT d.position, d.question, d.version, q.version, q.uuid, q.kind, q.discipline, q.secondary, "
        "q.language, q.stem, q.options, p.text FROM draw_questions d JOIN questions q ON q.id = d.question "
        "LEFT JOIN passages p ON p.id = q.passage WHERE d.draw = ? AND d.position BETWEEN ? AND ?"
    )
    found = {}
    for place, number, version, newest, uuid, *content in raw.rows(
        query, (draw, position, position + count - 1)
    ):
        told = content if newest == version else _older(raw, number, version)
        found[place] = _question(uuid, *told)
    return found


def _older(raw: Raw, number: int, version: int) -> list[Any]:
    """Return what a question was in an earlier version."""
    query = "SELECT content FROM question_versions WHERE question = ? AND version = ?"
    content = orjson.loads(raw.row(query, (number, version))[0])
    passage = raw.row("SELECT text FROM passages WHERE id = ?", (content["passage"],))
    names = ("kind", "discipline", "secondary", "language", "stem", "options")
    return [*(content[name] for name in names), None if passage is None else passage[0]]


def _question(
    uuid: str,
    kind: str,
    discipline: str,
    secondary: str | None,
    language: Language,
    stem: str,
    options: str,
    passage: str | None,
) -> Question:
    return Question(
        uuid=uuid,
        kind=QuestionKind(kind),
        stem=stem,
        discipline=discipline,
        options=tuple(orjson.loads(options)),
        passage=passage,
        secondary=secondary,
        language=language,
    )
