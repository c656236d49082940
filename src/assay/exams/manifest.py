"""The row-level manifest of a session: every answer, mark, re-mark and exclusion, without keys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.sealed import Sealer, mark_about
from assay.exams.tally import tallied
from assay.files.atomic import write_whole
from assay.questions.prompting import messages
from assay.questions.taxonomy import disciplines
from assay.ranking.exam.standing import ZERO_BY_RULE
from assay.store.exam.answers import (
    AnsweredQuestion,
    Sitting,
    answered_questions,
    questions_as_drawn,
    read_sitting,
)
from assay.store.exam.exclusions import exclusions_of
from assay.store.exam.marks import ExamMark, marks_of, replaced_marks

OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """One row. `row` is `answer`, `mark`, `replaced mark` or `exclusion`; what does not apply is None.

    An answer's `stars` are 0 where a rule gives them, which `why` names; a mark's are the judge's, None with
    the reason in `why`. `at` is when the row came to be, UTC seconds; `rationale` is None unless asked for.
    """

    row: str
    position: int
    question: str
    version: int
    discipline: str
    status: str | None = None
    stars: int | None = None
    why: str | None = None
    judge: str | None = None
    run: int | None = None
    prompt: str | None = None
    reason: str | None = None
    by: str | None = None
    served_at: float | None = None
    at: float | None = None
    replaced_at: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    rationale: str | None = None

    def written(self) -> dict[str, Any]:
        """Return the row as plain values by column."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS: Final = tuple(ManifestRow.__dataclass_fields__)


def manifest(engine: Engine, session: str, *, sealer: Sealer | None = None) -> list[ManifestRow]:
    """Return the manifest of a session, position after position; rationales only with the bank's key.

    Raises NotFound for an unknown session, Denied for another key.
    """
    read_sitting(engine, session)
    rows = []
    marks: dict[int, list[ManifestRow]] = {}
    answers = answered_questions(engine, session)
    at = {one.position: one for one in answers}
    for mark in marks_of(engine, session):
        rationale = None if sealer is None else _opened(sealer, session, mark)
        row = _row("mark", at[mark.position], stars=mark.stars, why=mark.why, judge=mark.judge, run=mark.run,
                   prompt=mark.prompt, at=mark.marked_at, rationale=rationale)  # fmt: skip
        marks.setdefault(mark.position, []).append(row)
    for old in replaced_marks(engine, session):
        about = mark_about(session, old.position, old.judge)
        rationale = None if sealer is None else sealer.open(old.rationale, about)
        row = _row("replaced mark", at[old.position], stars=old.stars, why=old.why, judge=old.judge,
                   run=old.run, reason=old.reason, by=old.by, at=old.marked_at, replaced_at=old.replaced_at,
                   rationale=rationale)  # fmt: skip
        marks.setdefault(old.position, []).append(row)
    for one in exclusions_of(engine, session):
        row = _row("exclusion", at[one.position], reason=one.reason, by=one.by, at=one.at)
        marks.setdefault(one.position, []).append(row)
    for each in tallied(answers, {}):
        ruled = each.standing in ZERO_BY_RULE
        rows.append(_answer(each.answer, each.standing.value if ruled else None))
        rows.extend(marks.get(each.answer.position, ()))
    return rows


def _answer(one: AnsweredQuestion, rule: str | None) -> ManifestRow:
    return _row("answer", one, status=None if one.status is None else one.status.value,
                stars=None if rule is None else 0, why=rule, served_at=one.served_at, at=one.received_at,
                prompt_tokens=one.prompt_tokens, completion_tokens=one.completion_tokens,
                seconds=one.seconds)  # fmt: skip


def _row(kind: str, one: AnsweredQuestion, **more: Any) -> ManifestRow:
    return ManifestRow(kind, one.position, one.uuid, one.version, one.discipline, **more)


def _opened(sealer: Sealer, session: str, mark: ExamMark) -> str:
    return sealer.open(mark.rationale, mark_about(session, mark.position, mark.judge))


def figure_8(engine: Engine, session: str, judge: str, sealer: Sealer) -> Iterator[dict[str, Any]]:
    """Yield each answered question with its mark in the fields of seed 003, figure 8.

    `category` and `sub_category` are disciplines, `dialog` is what the candidate was told, `hint` is false,
    since none is ever given, `response` stands for the figure's gpt4res and `judgement` for its gpt4judge:
    the raw reply `judge`, `stars` and `reason`, with `by` naming the judge.
    """
    sitting = read_sitting(engine, session)
    marks = {mark.position: mark for mark in marks_of(engine, session, [judge])}
    answers = [one for one in answered_questions(engine, session) if one.text is not None]
    names = {one.code: one.english for one in disciplines()}
    drawn = questions_as_drawn(engine, {(one.question, one.version) for one in answers})
    for one in answers:
        question = drawn[one.question].question
        yield {
            "category": names.get(question.discipline, question.discipline),
            "sub_category": question.secondary,
            "question_uuid": question.uuid,
            "dialog": [
                {"role": turn.role, "content": turn.content} for turn in messages(question, sitting.prompting)
            ],
            "hint": False,
            "response": one.text,
            "judgement": _judgement(sitting, marks.get(one.position), sealer),
        }


def _judgement(sitting: Sitting, mark: ExamMark | None, sealer: Sealer) -> dict[str, Any] | None:
    if mark is None:
        return None
    about = mark_about(sitting.session, mark.position, mark.judge)
    return {
        "judge": sealer.open(mark.reply, about),
        "stars": mark.stars,
        "reason": sealer.open(mark.rationale, about),
        "by": mark.judge,
    }


def as_csv(rows: list[ManifestRow]) -> str:
    """Return a manifest as CSV with a header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.written().items()} for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@"} else value


def write_lines(path: Path, lines: Iterator[Mapping[str, Any]] | list[dict[str, Any]]) -> None:
    """Write values as JSON lines into a new file that only its owner may read."""
    write_new(path, b"".join(orjson.dumps(line) + b"\n" for line in lines))


def write_new(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may read. Raises InvalidInput where one stands already."""
    if path.exists():
        raise InvalidInput(f"{str(path)!r} exists: name a new file")
    write_whole(path, content, mode=OWNER_ONLY)
