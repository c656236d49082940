"""The manifests of sessions and series: rows, without keys, from which all figures can be recomputed."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import Engine

from assay.core.csv_cells import CsvWriter
from assay.core.errors import InvalidInput
from assay.core.sealed import Sealer, mark_about
from assay.exam.series import series_named
from assay.exam.tally import tallied, tally
from assay.files.atomic import write_whole
from assay.questions.prompting import messages
from assay.questions.taxonomy import disciplines
from assay.results.exam_marking import ManifestRow, RowKind, SeriesRow
from assay.results.exam_sitting import ZERO_BY_RULE, SittingRow
from assay.results.published import fields
from assay.results.table import record
from assay.store.engine import reading
from assay.store.exam.answers import (
    AnsweredQuestion,
    answered_questions,
    exclusions_of,
    list_sittings,
    questions_as_drawn,
    read_sitting,
)
from assay.store.exam.marks import ExamMark, ReplacedMark, marks_of, replaced_marks
from assay.store.exam.series import entrants_of

OWNER_ONLY: Final = 0o600


def manifest(engine: Engine, session: str, *, sealer: Sealer | None = None) -> list[ManifestRow]:
    """Return the manifest of a session by position; rationales only with the bank's key.

    Raises NotFound for an unknown session, Denied for another key.
    """
    read_sitting(engine, session)

    def rationale(mark: ExamMark | ReplacedMark) -> str | None:
        if sealer is None:
            return None
        return sealer.open(mark.rationale, mark_about(session, mark.position, mark.judge))

    answers = answered_questions(engine, session)
    answer_at = {answer.position: answer for answer in answers}
    more: dict[int, list[ManifestRow]] = defaultdict(list)
    for mark in marks_of(engine, session):
        row = _row("mark", answer_at[mark.position], stars=mark.stars, why=mark.why, judge=mark.judge,
                   run=mark.run, prompt=mark.prompt, at=mark.marked_at,
                   rationale=rationale(mark))  # fmt: skip
        more[mark.position].append(row)
    for old in replaced_marks(engine, session):
        row = _row("replaced mark", answer_at[old.position], stars=old.stars, why=old.why, judge=old.judge,
                   run=old.run, reason=old.reason, by=old.by, at=old.marked_at, replaced_at=old.replaced_at,
                   rationale=rationale(old))  # fmt: skip
        more[old.position].append(row)
    for exclusion in exclusions_of(engine, session):
        row = _row("exclusion", answer_at[exclusion.position], reason=exclusion.reason, by=exclusion.by,
                   at=exclusion.at)  # fmt: skip
        more[exclusion.position].append(row)
    rows = []
    for question in tallied(answers, {}):
        rule = question.standing.value if question.standing in ZERO_BY_RULE else None
        rows.append(_answer_row(question.answer, rule))
        rows.extend(more[question.answer.position])
    return rows


def _answer_row(answer: AnsweredQuestion, rule: str | None) -> ManifestRow:
    return _row("answer", answer, status=answer.status, stars=None if rule is None else 0, why=rule,
                served_at=answer.served_at, at=answer.received_at, prompt_tokens=answer.prompt_tokens,
                completion_tokens=answer.completion_tokens, seconds=answer.seconds)  # fmt: skip


def _row(kind: RowKind, answer: AnsweredQuestion, **fields: Any) -> ManifestRow:
    return ManifestRow(kind, answer.position, answer.uuid, answer.version, answer.discipline, **fields)


def series_rows(engine: Engine, name: str, judge: str) -> list[SeriesRow]:
    """Return every question of every sitting of a series under a judge. Raises NotFound."""
    with reading(engine) as connection:
        series = series_named(connection, name)
        entrants = entrants_of(connection, series.id)
    registered = {(entrant.organisation, entrant.identity.model) for entrant in entrants}
    return [
        SeriesRow(
            sitting.organisation_name,
            sitting.model,
            sitting.session,
            sitting.draw,
            sitting.state.value,
            sitting.void,
            row.answer.position,
            row.answer.uuid,
            row.answer.version,
            row.answer.discipline,
            row.standing.value,
            row.stars,
        )
        for sitting in list_sittings(engine, series=series.id)
        if (sitting.organisation, sitting.model) in registered
        for row in tally(engine, sitting.session, judge)
    ]


def figure_8(engine: Engine, session: str, judge: str, sealer: Sealer) -> Iterator[dict[str, Any]]:
    """Yield each answered question with its mark in the fields of seed 003, figure 8.

    `category` and `sub_category` are disciplines, `dialog` holds the messages sent to the candidate, and
    `hint` is always false. `response` is the figure's gpt4res. `judgement`, the figure's gpt4judge, holds the
    raw reply `judge`, `stars`, `reason` and the judge's name `by`; it is null without a mark.
    Raises InvalidInput if the judge marked nothing.
    """
    sitting = read_sitting(engine, session)
    all_marks = marks_of(engine, session)
    marks = {mark.position: mark for mark in all_marks if mark.judge == judge}
    if not marks:
        others = ", ".join(sorted({mark.judge for mark in all_marks}))
        remedy = f"give --judge, one of {others}" if others else "mark it with `assay exam mark`"
        raise InvalidInput(f"no marks of {judge!r} in session {session!r}: {remedy}")
    answers = [answer for answer in answered_questions(engine, session) if answer.text is not None]
    names = {discipline.code: discipline.english for discipline in disciplines()}
    drawn = questions_as_drawn(engine, {(answer.question, answer.version) for answer in answers})
    for answer in answers:
        question = drawn[answer.question].question
        yield {
            "category": names.get(question.discipline, question.discipline),
            "sub_category": question.secondary,
            "question_uuid": question.uuid,
            "dialog": [
                {"role": turn.role, "content": turn.content} for turn in messages(question, sitting.prompting)
            ],
            "hint": False,
            "response": answer.text,
            "judgement": _judgement(sitting, marks.get(answer.position), sealer),
        }


def _judgement(sitting: SittingRow, mark: ExamMark | None, sealer: Sealer) -> dict[str, Any] | None:
    if mark is None:
        return None
    about = mark_about(sitting.session, mark.position, mark.judge)
    return {
        "judge": sealer.open(mark.reply, about),
        "stars": mark.stars,
        "reason": sealer.open(mark.rationale, about),
        "by": mark.judge,
    }


def as_csv(kind: type, rows: Sequence[ManifestRow] | Sequence[SeriesRow]) -> str:
    """Return the rows of a manifest as CSV with a header."""
    out = io.StringIO()
    CsvWriter(out).table([field.name for field in fields(kind)], map(record, rows))
    return out.getvalue()


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write values as JSON lines into a new file that only its owner may read."""
    write_new(path, b"".join(orjson.dumps(line) + b"\n" for line in lines))


def write_new(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may read. Raises InvalidInput if it exists."""
    if path.exists():
        raise InvalidInput(f"{str(path)!r} exists: give a new file")
    write_whole(path, content, mode=OWNER_ONLY)
