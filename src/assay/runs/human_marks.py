"""Marks of people on the answers of a run: the sheet that they fill in, and storing the filled sheet."""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.core.case import Case, GraderSpec
from assay.core.errors import Conflict, Denied, InvalidInput, Problem
from assay.core.judging import JudgedGrader, is_judged
from assay.core.people import HUMAN, human_judge, plain_judge
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.files.annotation_sheet import SheetAnswer, SheetRow, read_sheet, write_sheet
from assay.files.shape import cut
from assay.grading import registry
from assay.results.human_marks import MarksExport, MarksImport
from assay.runs.imports.import_table import import_lock
from assay.store.boards import board_samples
from assay.store.ledger import subject_calls
from assay.store.marks import read_marks
from assay.store.rows import Batch, MarkRow
from assay.store.runs import StoredRun, keep_models, read_run
from assay.store.suites import read_suite
from assay.store.writer import LedgerWriter

KINDS = ("run", "import", "watch")
CODE_LETTERS = 12
BATCH, SHOWN = 500, 20
MODE = "human"


@dataclass(frozen=True, slots=True)
class MarkableAnswer:
    """One visible answer of a run with a grader whose marks people can give, and its code on the sheet."""

    code: str
    position: int
    ordinal: int
    metric: str
    case: Case
    model: str
    epoch: int

    @property
    def spec(self) -> GraderSpec:
        """The grader with its parameters."""
        return self.case.graders[self.ordinal]

    @property
    def scale(self) -> tuple[int, int]:
        """The lowest and the highest mark."""
        low, high = _judged(self.spec).scale
        return int(low), int(high)


def export_marks(
    engine: Engine, number: int, path: Path, *, seed: int = 0, most: int | None = None, reveal: bool = False
) -> MarksExport:
    """Write the answers of a run to a sheet (.xlsx, .csv) with a blank column for the marks of people.

    Answers are in random order and without their models. `most` draws this many answers at random. Raises
    Denied for a private or sealed suite without `reveal`, InvalidInput for a run whose answers no judge would
    mark, and for a number of answers below 1.
    """
    if most is not None and most < 1:
        raise InvalidInput(f"invalid number of answers {most!r}: give 1 or more")
    run, suite = _run_with_suite(engine, number)
    if (suite.visibility == "private" or suite.sealed) and not reveal:
        kind = "sealed" if suite.sealed else "private"
        raise Denied(
            f"suite {suite.name!r} is {kind}: give --reveal to write its prompts and answers to a file, and "
            "keep the file secret"
        )
    answers = markable_answers(engine, run, suite)
    if not answers:
        raise InvalidInput(
            f"run {number} has no answers that people can mark: give a run of a suite that judges mark"
        )
    order = random.Random(seed)
    order.shuffle(answers)
    chosen = answers[: most or len(answers)]
    texts = _texts(engine, run, chosen)
    rows = [_sheet_answer(answer, texts[answer.position]) for answer in chosen if answer.position in texts]
    if not rows:
        raise InvalidInput(f"run {number} has no texts of answers: they were not recorded")
    cut_cells = write_sheet(path, rows)
    return MarksExport(path, number, suite.name, suite.version, len(rows), len(answers), seed, cut_cells)


def _run_with_suite(engine: Engine, number: int) -> tuple[StoredRun, Suite]:
    run = read_run(engine, number)
    if run.kind not in KINDS:
        raise InvalidInput(f"run {number} is of kind {run.kind!r}: give a run that measured models")
    return run, read_suite(engine, run.suite)


def markable_answers(engine: Engine, run: StoredRun, suite: Suite) -> list[MarkableAnswer]:
    """Return the visible answers of a run for each panel grader and metric, in order of position."""
    names = {row: model.name.removeprefix("imported/") for row, model in run.models}
    answers = []
    for sample in sorted(board_samples(engine, [run.id]), key=lambda sample: sample.position):
        if sample.status != "ok":
            continue
        case = suite.cases[sample.case_ordinal]
        for ordinal, spec in enumerate(case.graders):
            grader = registry.grader(spec.name)
            if not is_judged(grader) or grader.bench != "panel":
                continue
            for metric in grader.metrics(spec):
                code = _code(run, sample.position, ordinal, metric)
                answers.append(
                    MarkableAnswer(
                        code, sample.position, ordinal, metric, case, names[sample.model], sample.epoch
                    )
                )
    return answers


def _judged(spec: GraderSpec) -> JudgedGrader:
    grader = registry.grader(spec.name)
    assert is_judged(grader)
    return grader


def _code(run: StoredRun, position: int, ordinal: int, metric: str) -> str:
    """Return the code of an answer, from which nobody can tell its model."""
    text = f"{run.suite} {run.created_at!r} {run.id} {position} {ordinal} {metric}"
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:CODE_LETTERS]


def _texts(engine: Engine, run: StoredRun, answers: Sequence[MarkableAnswer]) -> dict[int, str]:
    positions = sorted({answer.position for answer in answers})
    texts: dict[int, str] = {}
    for start in range(0, len(positions), BATCH):
        for position, call in subject_calls(engine, run.id, positions[start : start + BATCH]).items():
            if call.answer:
                texts[position] = call.answer
    return texts


def _sheet_answer(answer: MarkableAnswer, text: str) -> SheetAnswer:
    low, high = answer.scale
    parameters, messages = answer.spec.parameters, answer.case.messages
    prompt = "\n\n".join(
        message.content if len(messages) == 1 else f"{message.role.upper()}\n{message.content}"
        for message in messages
    )
    criteria = "\n\n".join(
        f"{title}\n{parameters[name]}"
        for title, name in (
            ("IDEAL ANSWER", "ideal"),
            ("CORRECT ANSWER", "reference"),
            ("CRITERIA", "criteria"),
        )
        if parameters.get(name)
    )
    return SheetAnswer(
        answer.code,
        answer.case.id,
        prompt,
        text,
        criteria,
        f"whole marks from {low} (worst) to {high} (best)",
        str(parameters.get("rubric") or ""),
    )


@dataclass(frozen=True, slots=True)
class _GivenMark:
    """A mark of a row of the sheet, with the answer that it belongs to."""

    place: str
    answer: MarkableAnswer
    value: float
    comment: str

    @property
    def key(self) -> tuple[int, int, str]:
        """The identity of the mark in its run, apart from the judge."""
        return self.answer.position, self.answer.ordinal, self.answer.metric


def import_marks(
    engine: Engine,
    path: Path,
    number: int,
    *,
    judge: str = HUMAN,
    replace: bool = False,
    clock: Callable[[], float],
) -> MarksImport:
    """Store the marks of a filled sheet as those of a human judge of a run, beside the judges' marks.

    A row names its answer by the code of the exported sheet, or by item, model and generation. Rows without a
    mark are skipped, and marks that were imported before change nothing. Raises InvalidInput, which names
    every bad row, for unknown answers, marks that are not on the scale and contradictory rows; Conflict if
    the same judge gave an answer another mark before, unless `replace` is true. Nothing is then stored.
    """
    person = human_judge(judge)
    run, suite = _run_with_suite(engine, number)
    rows, problems = read_sheet(path)
    given, blank = _given(path, rows, problems, markable_answers(engine, run, suite), number)
    if problems:
        more = len(problems) - SHOWN
        last = [Problem(f"{more} more rows have problems", str(path))] if more > 0 else []
        raise InvalidInput([*problems[:SHOWN], *last])
    if not given:
        raise InvalidInput(f"{str(path)!r} has no marks: fill in its column 'mark'")
    with import_lock(engine):
        stored = {
            (mark.row.position, mark.row.ordinal, mark.row.metric): mark.row
            for mark in read_marks(engine, [number])
            if mark.judge == person.name
        }
        changed = [mark for mark in given if mark.key in stored and stored[mark.key].value != mark.value]
        if changed and not replace:
            raise _contradiction(changed, stored, person.name)
        new = [mark for mark in given if mark.key not in stored]
        ((row, _),) = keep_models(engine, [person])
        _store(engine, [_mark_row(number, row, mark, clock()) for mark in (*new, *changed)])
    return MarksImport(
        path, number, plain_judge(person.name), len(rows), len(new), len(changed),
        len(given) - len(new) - len(changed), blank
    )  # fmt: skip


def _given(
    path: Path,
    rows: Sequence[SheetRow],
    problems: list[Problem],
    answers: Sequence[MarkableAnswer],
    number: int,
) -> tuple[list[_GivenMark], int]:
    """Return the marks and the number of rows without one; append the problems of bad rows."""
    columns = {name for row in rows for name in row.cells}
    if rows and ("mark" not in columns or not columns & {"code", "item"}):
        raise InvalidInput(
            Problem("missing columns: give 'mark', and 'code' or 'item', 'model', 'generation'", str(path))
        )
    by_code = {answer.code: answer for answer in answers}
    by_name: dict[tuple[str, str, int], list[MarkableAnswer]] = {}
    for answer in answers:
        by_name.setdefault((answer.case.id, answer.model, answer.epoch), []).append(answer)
    known: dict[tuple[int, int, str], _GivenMark] = {}
    blank = 0
    for row in rows:
        if row.cells.get("mark") is None:
            blank += 1
            continue
        try:
            mark = _read_row(row, by_code, by_name, number)
            first = known.setdefault(mark.key, mark)
            if first.value != mark.value:
                raise InvalidInput(
                    f"the mark {mark.value:g} contradicts the mark {first.value:g} of the same answer at "
                    f"{first.place}: keep one of them"
                )
        except InvalidInput as error:
            problems.append(Problem(f"{row.place}: {error}", str(path)))
    return list(known.values()), blank


def _read_row(
    row: SheetRow,
    by_code: dict[str, MarkableAnswer],
    by_name: dict[tuple[str, str, int], list[MarkableAnswer]],
    number: int,
) -> _GivenMark:
    code, item = row.cells.get("code"), row.cells.get("item")
    if code is not None:
        answer = by_code.get(code.upper())
        if answer is None:
            raise InvalidInput(
                f"unknown code {cut(code)}: use the sheet that was exported from run {number}, or give the "
                "run of this sheet with --run"
            )
    else:
        model, generation = row.cells.get("model") or "", row.cells.get("generation") or "0"
        epoch = int(generation) if generation.isascii() and generation.isdigit() else -1
        matches = by_name.get((item or "", model.removeprefix("imported/"), epoch), [])
        if len(matches) != 1:
            what = f"item {cut(item or '')}, model {cut(model)}, generation {cut(generation)}"
            problem = "is no answer of" if not matches else "has several graders in"
            raise InvalidInput(f"{what} {problem} run {number}: use the code of an exported sheet")
        answer = matches[0]
    return _GivenMark(row.place, answer, _mark_value(row, answer), row.cells.get("comment") or "")


def _mark_value(row: SheetRow, answer: MarkableAnswer) -> float:
    text, (low, high) = row.cells["mark"] or "", answer.scale
    try:
        value = float(text) if text.isascii() else low - 1.0
    except ValueError:
        value = low - 1.0
    if not (low <= value <= high and value.is_integer()):
        raise InvalidInput(f"invalid mark {cut(text)}: write a whole number from {low} to {high}")
    return value


def _contradiction(
    changed: Sequence[_GivenMark], stored: dict[tuple[int, int, str], MarkRow], judge: str
) -> Conflict:
    shown = "; ".join(
        f"{mark.place} has {mark.value:g}, stored is {stored[mark.key].value:g}" for mark in changed[:5]
    )
    more = f"; and {len(changed) - 5} more" if len(changed) > 5 else ""
    return Conflict(
        f"{counted(len(changed), 'mark')} of {plain_judge(judge)} differ from those imported before: {shown}"
        f"{more}. Nothing was imported: give --replace to correct them, or --judge human:NAME for another "
        "person"
    )


def _mark_row(run: int, judge: int, mark: _GivenMark, at: float) -> MarkRow:
    return MarkRow(
        run=run,
        position=mark.answer.position,
        ordinal=mark.answer.ordinal,
        judge=judge,
        metric=mark.answer.metric,
        value=mark.value,
        reason=None,
        rationale=mark.comment,
        mode=MODE,
        key=None,
        reused=0,
        marked_at=at,
    )


def _store(engine: Engine, rows: Sequence[MarkRow]) -> None:
    """Write marks; those of a sealed suite are encrypted."""
    if not rows:
        return
    batch = Batch()
    batch.marks.extend(rows)
    writer = LedgerWriter(engine)
    try:
        writer.commit(batch)
    finally:
        writer.close()
