"""The texts of questions, from the bank, a suite or a table, for studies that compare texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import orjson
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.suite import Suite
from assay.files.rows import TableRow, open_rows
from assay.questions.overlap import QuestionText
from assay.store.bank.duplicates import walk_wordings

BANK: Final = "bank"
SUITE: Final = "suite:"
IDS: Final = ("id", "uuid", "question_id", "item", "case")
TEXTS: Final = ("stem", "question", "text", "prompt")
MOST_PROBLEMS: Final = 20


def read_question_texts(
    source: str, engine: Engine | None, suite: Callable[[str], Suite]
) -> Iterator[QuestionText]:
    """Yield the questions of a source: `bank`, `suite:NAME`, or a table in a file.

    A table has the text in `stem`, `question`, `text` or `prompt`, and may have `id` (default: the row) and
    `options`, a JSON list of texts. Passages are not among the parts: they often quote public texts. Raises
    NotFound for an unknown source, and InvalidInput for one without questions or with bad rows.
    """
    if source == BANK:
        if engine is None:
            raise ValueError("the bank needs an engine")
        texts: Iterator[QuestionText] = (
            QuestionText(row.uuid, (row.stem, *row.options), str(row.family), row.passage, row.material)
            for row in walk_wordings(engine)
        )
    elif source.startswith(SUITE):
        cases = suite(source.removeprefix(SUITE)).cases
        texts = (
            QuestionText(case.id, tuple(turn.content for turn in case.messages if turn.role == "user"))
            for case in cases
        )
    elif Path(source).is_file():
        texts = _table(Path(source))
    else:
        raise NotFound(f"no file {source!r}: give a table, bank or suite:NAME")
    empty = True
    for text in texts:
        empty = False
        yield text
    if empty:
        raise InvalidInput(f"{source!r} has no questions: give another source")


def _table(path: Path) -> Iterator[QuestionText]:
    reader = open_rows(path)
    names = {column.strip().lower(): column for column in reader.columns}
    text = next((names[name] for name in TEXTS if name in names), None)
    if text is None:
        raise InvalidInput(Problem(f"no column of texts: call it {' or '.join(TEXTS)}", str(path)))
    key = next((names[name] for name in IDS if name in names), None)
    seen: set[str] = set()
    for row in reader:
        parsed = _row(row, text, key, names.get("options"))
        if isinstance(parsed, str):
            reader.refuse(row.place, parsed)
        elif parsed.id in seen:
            reader.refuse(row.place, f"second question {parsed.id!r}: give each its own {key}")
        else:
            seen.add(parsed.id)
            yield parsed
        if len(reader.problems) >= MOST_PROBLEMS:
            break
    if reader.problems:
        raise InvalidInput(reader.problems)


def _row(row: TableRow, text: str, key: str | None, options: str | None) -> QuestionText | str:
    """Return the question of a row, or the reason why there is none."""
    stem = row.cells.get(text)
    if not stem:
        return f"no {text}: fill it in"
    name = str(row.place) if key is None else row.cells.get(key)
    if not name:
        return f"no {key}: fill it in"
    listed = None if options is None else row.cells.get(options)
    if not listed:
        return QuestionText(name, (stem,))
    try:
        parts = orjson.loads(listed)
    except orjson.JSONDecodeError:
        parts = None
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return f"invalid options {listed[:40]!r}: write a JSON list of texts"
    return QuestionText(name, (stem, *parts))
