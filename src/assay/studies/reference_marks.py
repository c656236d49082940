"""Judges' and people's marks of the same answers, from a table or from runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.people import HUMAN, is_human
from assay.core.wording import counted
from assay.files.data_frame import NamedFile, TableSource, table_file
from assay.files.mark_table import TableMark, read_mark_table
from assay.files.rows import open_rows
from assay.ranking.reference_marks import (
    FloatArray,
    ReferencedAnswer,
    ReferenceMarks,
    ReferenceSource,
    describe_source,
)
from assay.store.ledger import paid_calls
from assay.studies.judges import in_one_order
from assay.studies.marks import FileMarks, MarkMatrix, read_file
from assay.studies.run_marks import RunMarks, read_run_marks

BOARD, EXAM, RUN = "board:", "exam:", "run:"


@dataclass(frozen=True, slots=True)
class ReferenceOptions:
    """How a source of marks is read.

    `reference` is the rater that judges are compared with; in exams it is the experts, and in runs `human`
    is all people together. None means `human` if people marked, and no reference otherwise. `judges` keeps
    only these judges. `metric` is what the judges of a run marked. `renamed` has a table's names of columns
    by ours, and `categories` are its marks, the worst first.
    """

    reference: str | None = HUMAN
    judges: Sequence[str] = ()
    metric: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    categories: Sequence[str] = ()


def read_reference_marks(source: TableSource, options: ReferenceOptions | None = None) -> ReferenceSource:
    """Read judges' marks and the reference's from a table.

    Raises NotFound without the file, InvalidInput if the reference or all judges gave no marks.
    """
    if isinstance(source, str) and in_workspace(source):
        raise InvalidInput(f"{source!r} is in the database: open a workspace that has it")
    with table_file(source) as file:
        return _table(file, options or ReferenceOptions())


def in_workspace(source: str) -> bool:
    """Return whether a source is in the workspace's database and not a file."""
    if source.startswith((BOARD, EXAM, RUN)):
        return True
    return source.isascii() and source.isdigit() and not Path(source).is_file()


def _table(file: NamedFile, options: ReferenceOptions) -> ReferenceSource:
    if not file.path.is_file():
        raise NotFound(
            f"no file {file.name!r}: give a table of marks, a run number, board:SUITE or exam:SERIES"
        )
    read = read_file(file.path, _raters(file.path, options), options.categories, options.renamed)
    matrix = in_one_order(read.marks) if read.marks.pairwise else read.marks
    notes = []
    if read.problems:
        first = file.renamed(str(read.problems[0]))
        notes.append(f"{counted(len(read.problems), 'row')} refused; the first: {first}")
    rounds, weights, costs = _extras(read)
    answers = tuple(
        ReferencedAnswer(answer.item, answer.model, answer.generation, rounds.get(answer[:3]))
        for answer in matrix.answers
    )
    weight = np.array([weights.get(answer[:3], 1.0) for answer in matrix.answers])
    marks = _referenced(matrix, answers, weight, costs, options.reference)
    return ReferenceSource(marks, describe_source(file.name, marks, notes, simulated=False))


def _raters(path: Path, options: ReferenceOptions) -> Sequence[str]:
    """Return the raters of a table to read; none for all. In wide form they are columns."""
    if not options.judges:
        return ()
    if options.reference is not None:
        return (*options.judges, options.reference)
    columns = open_rows(path).columns
    wide = not {"judge", "rater", "annotator"} & {column.strip().lower() for column in columns}
    if wide:
        return (*options.judges, *(column for column in columns if column == HUMAN))
    everyone = read_mark_table(path, (), options.renamed).marks
    return (*options.judges, *([HUMAN] if any(mark.judge == HUMAN for mark in everyone) else []))


def _extras(
    read: FileMarks,
) -> tuple[dict[tuple[object, ...], str], dict[tuple[object, ...], float], dict[str, float | None]]:
    """Return the round and weight of each answer, and each judge's mean cost. Raises for contradictions."""
    rounds: dict[tuple[object, ...], str] = {}
    weights: dict[tuple[object, ...], float] = {}
    costs: dict[str, list[float]] = defaultdict(list)
    for mark in read.table.marks:
        answer = (mark.item, mark.model, mark.generation)
        if mark.round is not None and rounds.setdefault(answer, mark.round) != mark.round:
            raise InvalidInput(_explain_two(mark, "round", rounds[answer], mark.round))
        if mark.weight is not None and weights.setdefault(answer, mark.weight) != mark.weight:
            raise InvalidInput(_explain_two(mark, "weight", weights[answer], mark.weight))
        if mark.cost is not None:
            costs[mark.judge].append(mark.cost)
    return rounds, weights, {judge: float(np.mean(of_judge)) for judge, of_judge in costs.items()}


def _explain_two(mark: TableMark, what: str, first: object, second: object) -> str:
    return (
        f"item {mark.item!r} has the {what}s {first!r} and {second!r} ({mark.place}): an answer has one "
        f"{what}, so give the items of another round other names"
    )


def _referenced(
    matrix: MarkMatrix,
    answers: tuple[ReferencedAnswer, ...],
    weights: FloatArray,
    costs: Mapping[str, float | None],
    reference: str | None,
) -> ReferenceMarks:
    name = HUMAN if reference is None else reference
    if name not in matrix.judges and reference is not None:
        raise InvalidInput(
            f"{reference!r} gave no marks: give the name of the people who did with --reference "
            f"({', '.join(map(repr, matrix.judges))})"
        )
    rows = [row for row in range(len(matrix.judges)) if matrix.judges[row] != name]
    given = matrix.table[matrix.judges.index(name)] if name in matrix.judges else None
    judges = tuple(matrix.judges[row] for row in rows)
    if not judges:
        raise InvalidInput(f"there are marks of {name!r} alone: add marks of at least one judge")
    return ReferenceMarks(
        judges=judges,
        answers=answers,
        marks=matrix.table[rows],
        reference=np.full(len(answers), np.nan) if given is None else given,
        categories=tuple(matrix.scale.codes.values()),
        names=matrix.scale.categories,
        ordered=matrix.scale.ordered,
        weights=weights,
        costs={judge: costs.get(judge) for judge in judges},
    )


def runs_reference(
    engine: Engine,
    numbers: Sequence[int],
    options: ReferenceOptions,
    *,
    source: str,
    models: Collection[str] | None = None,
    notes: Sequence[str] = (),
) -> ReferenceSource:
    """Read the marks of runs. The reference is a judge of the runs, or all people together as `human`.

    `models` keeps these models' answers. `source` and `notes` are published with the marks. Raises NotFound
    for an unknown run, InvalidInput if the reference or all judges gave no marks.
    """
    wanted = [*options.judges, options.reference or HUMAN] if options.judges else ()
    read = [read_run_marks(engine, number, wanted, options.metric) for number in numbers]
    metrics = {run.metric for run in read}
    if len(metrics) > 1:
        raise InvalidInput(f"the runs were marked for {', '.join(sorted(metrics))}: choose one with --metric")
    matrix = _joined([run.marks for run in read])
    if options.reference in (None, HUMAN):
        matrix = _people_together(matrix)
    keep = [models is None or answer.model in models for answer in matrix.answers]
    answers = tuple(ReferencedAnswer(*answer[:3]) for answer in matrix.answers)
    marks = _referenced(matrix, answers, np.ones(len(answers)), _run_costs(engine, read), options.reference)
    marks = marks.keep(np.array(keep, dtype=np.bool_))
    about = describe_source(
        source,
        marks,
        [*notes, f"marks for {metrics.pop()}"],
        simulated=any(run.run.simulated for run in read),
    )
    return ReferenceSource(marks, about)


def _joined(parts: Sequence[MarkMatrix]) -> MarkMatrix:
    """Return the marks of several runs together."""
    if len(parts) == 1:
        return parts[0]
    if len({part.scale.categories for part in parts}) > 1:
        raise InvalidInput("the runs' marks have different scales: give one run at a time")
    judges = tuple(dict.fromkeys(judge for part in parts for judge in part.judges))
    answers = tuple(answer for part in parts for answer in part.answers)
    table, start = np.full((len(judges), len(answers)), np.nan), 0
    for part in parts:
        rows = [judges.index(judge) for judge in part.judges]
        table[rows, start : start + len(part.answers)] = part.table
        start += len(part.answers)
    unread: Counter[str] = Counter()
    for part in parts:
        unread.update(part.unread)
    lengths = np.concatenate([part.lengths for part in parts])
    return MarkMatrix(judges, answers, table, parts[0].scale, lengths, unread, parts[0].models)


def _people_together(matrix: MarkMatrix) -> MarkMatrix:
    """Return the marks of all people as those of one rater, `human`; of several, the first by name counts."""
    people = sorted(row for row in range(len(matrix.judges)) if is_human(matrix.judges[row]))
    people.sort(key=lambda row: (matrix.judges[row] != HUMAN, matrix.judges[row]))
    if not people or [matrix.judges[row] for row in people] == [HUMAN]:
        return matrix
    first = matrix.table[people[0]]
    for row in people[1:]:
        first = np.where(np.isnan(first), matrix.table[row], first)
    others = [row for row in range(len(matrix.judges)) if row not in people]
    judges = (*(matrix.judges[row] for row in others), HUMAN)
    return replace(matrix, judges=judges, table=np.vstack([matrix.table[others], first]))


def _run_costs(engine: Engine, read: Sequence[RunMarks]) -> dict[str, float | None]:
    """Return each judge's mean cost per mark; None where the cost of a call is unknown."""
    names = {row: model.name.removeprefix("imported/") for run in read for row, model in run.run.judges}
    spent: dict[str, list[float | None]] = defaultdict(list)
    for call in paid_calls(engine, [run.run.id for run in read]):
        if call.purpose != "subject" and call.model in names:
            spent[names[call.model]].append(call.cost)
    given = Counter[str]()
    for run in read:
        given.update(
            dict(zip(run.marks.judges, (~np.isnan(run.marks.table)).sum(axis=1).tolist(), strict=True))
        )
    return {
        judge: None if None in costs or not given[judge] else sum(filter(None, costs)) / given[judge]
        for judge, costs in spent.items()
    }
