"""Showing and exporting questions of the bank; keys only on request and with the sealing key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine

from assay.core.exam import Prompting
from assay.core.question import Question, QuestionState
from assay.core.sealed import Sealer, open_key
from assay.files.record_file import write_questions
from assay.questions.prompting import messages
from assay.questions.taxonomy import disciplines as all_disciplines
from assay.results.bank import BankQuestion, QuestionHistory, ShownKey
from assay.results.published import document
from assay.store.bank.questions import StoredQuestion, question_by_uuid, walk_questions
from assay.store.bank.reviews import reviews_of
from assay.store.bank.variants import edits_of, source_name, variants_of
from assay.store.engine import reading

EACH: Final = 1000
"""The number of questions after which progress is reported."""
PLAIN: Final = (
    *("uuid", "version", "state", "kind", "discipline", "secondary", "language"),
    *("passage", "stem", "options", "parent", "made_by", "retired"),
)
FIGURE_8: Final = ("category", "sub_category", "question_uuid", "dialog", "hint")
KEYS: Final = ("answers", "explanation")


class Layout(StrEnum):
    """The fields of an export: the bank's own, or those of seed 003, figure 8."""

    PLAIN = "plain"
    FIGURE_8 = "figure8"


def show_question(engine: Engine, uuid: str, *, sealer: Sealer | None = None) -> QuestionHistory:
    """Return a question with its history, and with its key if there is a sealer.

    Raises NotFound for an unknown uuid, Denied for another sealing key.
    """
    stored = question_by_uuid(engine, uuid)
    shown_key = None
    if sealer is not None:
        key = open_key(sealer, stored.sealed, uuid, stored.version)
        shown_key = ShownKey(key.answers, key.explanation)
    with reading(engine) as connection:
        return QuestionHistory(
            _bank_question(stored),
            source_name(connection, stored.source),
            stored.place,
            stored.since,
            stored.retired,
            stored.retired_why,
            tuple(reviews_of(engine, stored.id)),
            tuple(edits_of(connection, stored.id)),
            tuple(variants_of(connection, [stored.id])),
            shown_key,
        )


def _bank_question(stored: StoredQuestion) -> BankQuestion:
    retired = stored.retired is not None
    return BankQuestion(stored.question, stored.version, stored.state, stored.made_by, retired)


def export(
    engine: Engine,
    path: Path,
    *,
    layout: Layout = Layout.PLAIN,
    sealer: Sealer | None = None,
    states: Collection[QuestionState] | None = None,
    disciplines: Collection[str] | None = None,
    retired: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write questions to a .jsonl or .csv file and return how many.

    With a `sealer` the keys are written too, into a new file that only its owner may read; without one there
    is no field for them. Retired questions are left out unless `retired`. Raises InvalidInput for another
    suffix, Conflict if a file to hold keys exists, Denied for another sealing key.
    """
    columns = [*(PLAIN if layout is Layout.PLAIN else FIGURE_8), *(KEYS if sealer is not None else ())]
    questions = walk_questions(
        engine, states=states, disciplines=disciplines, retired=None if retired else False
    )
    return write_questions(
        path, columns, _rows(questions, layout, sealer, progress), private=sealer is not None
    )


def _rows(
    questions: Iterator[StoredQuestion],
    layout: Layout,
    sealer: Sealer | None,
    progress: Callable[[int], None] | None,
) -> Iterator[dict[str, Any]]:
    primary = {discipline.code: discipline.english for discipline in all_disciplines()}
    secondary = {part.code: part.english for whole in all_disciplines() for part in whole.secondary}
    for count, stored in enumerate(questions, 1):
        if layout is Layout.PLAIN:
            row = document(_bank_question(stored))
        else:
            row = _figure_8(stored.question, primary, secondary)
        if sealer is not None:
            key = open_key(sealer, stored.sealed, stored.question.uuid, stored.version)
            row |= {"answers": list(key.answers), "explanation": key.explanation}
        yield row
        if progress is not None and count % EACH == 0:
            progress(count)


def _figure_8(question: Question, primary: dict[str, str], secondary: dict[str, str]) -> dict[str, Any]:
    code = question.secondary or ""
    return {
        "category": primary.get(question.discipline, question.discipline),
        "sub_category": secondary.get(code, code),
        "question_uuid": question.uuid,
        "dialog": [
            {"role": turn.role, "content": turn.content} for turn in messages(question, Prompting.ZERO_SHOT)
        ],
        "hint": False,
    }
