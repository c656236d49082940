"""Exporting the bank's questions, with keys only where asked for and with the sealing key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine

from assay.core.exam import Prompting
from assay.core.question import QuestionState
from assay.core.sealed import Sealer, key_about, read_key
from assay.files.question_file import write_questions
from assay.questions.prompting import messages
from assay.questions.taxonomy import disciplines as all_disciplines
from assay.store.bank.questions import StoredQuestion, walk_questions

EACH: Final = 1000
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

    With a `sealer` the keys are opened and written too, into a new file that only its owner may read;
    without one there is no field for them. Retired questions are left out unless asked for. Raises
    InvalidInput for another suffix, Conflict for a file with keys that exists, Denied for another key.
    """
    columns = [*(PLAIN if layout is Layout.PLAIN else FIGURE_8), *(KEYS if sealer is not None else ())]
    walked = walk_questions(
        engine, states=states, disciplines=disciplines, retired=None if retired else False
    )
    return write_questions(path, columns, _rows(walked, layout, sealer, progress), private=sealer is not None)


def _rows(
    walked: Iterator[StoredQuestion],
    layout: Layout,
    sealer: Sealer | None,
    progress: Callable[[int], None] | None,
) -> Iterator[dict[str, Any]]:
    named = {one.code: one.english for one in all_disciplines()}
    below = {part.code: part.english for one in all_disciplines() for part in one.secondary}
    for count, stored in enumerate(walked, 1):
        row = plain(stored) if layout is Layout.PLAIN else _figure_8(stored, named, below)
        if sealer is not None:
            question = stored.question
            key = read_key(sealer.open(stored.sealed, key_about(question.uuid, stored.version)))
            row |= {"answers": list(key.answers), "explanation": key.explanation}
        yield row
        if progress is not None and count % EACH == 0:
            progress(count)


def plain(stored: StoredQuestion) -> dict[str, Any]:
    """Return a question of the bank without its key."""
    question = stored.question
    return {
        "uuid": question.uuid,
        "version": stored.version,
        "state": stored.state.value,
        "kind": question.kind.value,
        "discipline": question.discipline,
        "secondary": question.secondary,
        "language": question.language,
        "passage": question.passage,
        "stem": question.stem,
        "options": list(question.options),
        "parent": question.parent,
        "made_by": stored.made_by,
        "retired": stored.retired is not None,
    }


def _figure_8(stored: StoredQuestion, named: dict[str, str], below: dict[str, str]) -> dict[str, Any]:
    question = stored.question
    secondary = question.secondary or ""
    return {
        "category": named.get(question.discipline, question.discipline),
        "sub_category": below.get(secondary, secondary),
        "question_uuid": question.uuid,
        "dialog": [
            {"role": turn.role, "content": turn.content} for turn in messages(question, Prompting.ZERO_SHOT)
        ],
        "hint": False,
    }
