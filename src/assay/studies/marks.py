"""Judges' marks on answers, as arrays; also read from a table in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model
from assay.files.mark_table import MarkTable, read_mark_table
from assay.files.rows import problem_at
from assay.files.shape import cut
from assay.studies.scale import MarkScale, find_scale, plain

FloatArray = npt.NDArray[np.float64]
SHOWN = 20
OWNER = "file"
"""The provider in the names of a table's models."""


class MarkedAnswer(NamedTuple):
    """A marked answer: the item (a prompt), the model that answered it, and the number of its answer.

    `model` is None if it is unknown. `order` is the order of the two sides of a pairwise verdict.
    """

    item: str
    model: str | None
    generation: int
    order: str | None


class RawMark(NamedTuple):
    """One mark as the judge wrote it, None if it could not be read. `length` is the answer's length."""

    judge: str
    answer: MarkedAnswer
    label: str | None
    length: float | None


@dataclass(frozen=True, slots=True)
class MarkMatrix:
    """The marks, of shape (judges, answers), as numeric values of their `scale`; NaN without a mark.

    `lengths` (answers,) is NaN where unknown. `unread` has each judge's number of unreadable marks. `models`
    has the judges and the models that answered, by name. With `pairwise` the marks are the sides that won.
    """

    judges: tuple[str, ...]
    answers: tuple[MarkedAnswer, ...]
    table: FloatArray
    scale: MarkScale
    lengths: FloatArray
    unread: Mapping[str, int]
    models: Mapping[str, Model] = field(default_factory=dict)
    pairwise: bool = False


def gather(
    marks: Iterable[RawMark], scale: MarkScale, *, models: Mapping[str, Model], pairwise: bool = False
) -> MarkMatrix:
    """Put marks into arrays. Judges and answers are in the order of their first mark."""
    judges: dict[str, int] = {}
    answers: dict[MarkedAnswer, int] = {}
    cells: list[tuple[int, int, float]] = []
    lengths: dict[int, float] = {}
    unread: Counter[str] = Counter()
    for judge, answer, label, length in marks:
        row, column = judges.setdefault(judge, len(judges)), answers.setdefault(answer, len(answers))
        if length is not None:
            lengths.setdefault(column, length)
        value = None if label is None else scale.value(label)
        if value is None:
            unread[judge] += 1
        else:
            cells.append((row, column, value))
    table = np.full((len(judges), len(answers)), np.nan)
    for row, column, value in cells:
        table[row, column] = value
    sizes = np.full(len(answers), np.nan)
    sizes[list(lengths)] = list(lengths.values())
    return MarkMatrix(tuple(judges), tuple(answers), table, scale, sizes, unread, models, pairwise)


@dataclass(frozen=True, slots=True)
class FileMarks:
    """The marks of a table, and the problems of its bad rows."""

    table: MarkTable
    marks: MarkMatrix
    problems: tuple[Problem, ...]


def read_file(
    path: Path,
    judges: Sequence[str] = (),
    categories: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> FileMarks:
    """Read a table of marks. Raises InvalidInput with the first problems if no row is good.

    `judges` keeps only these judges; in wide form it names their columns. `categories` declares the possible
    marks, in order; a row with another mark is then bad. `renamed` has the table's names of columns by ours.
    """
    table = read_mark_table(path, judges, renamed)
    counts = Counter(mark.mark for mark in table.marks if mark.mark is not None)
    scale = _sides() if table.pairwise else find_scale(counts, categories)
    marks, unknown = [], []
    for row in table.marks:
        if row.mark is not None and scale.value(row.mark) is None:
            unknown.append(problem_at(path, row.place, _explain_unknown(row.mark, scale)))
            continue
        answer = MarkedAnswer(row.item, row.model, row.generation, row.order)
        marks.append(RawMark(row.judge, answer, row.mark, row.length))
    problems = sorted((*table.problems, *unknown), key=lambda problem: problem.line or 0)
    if not marks:
        raise InvalidInput(problems[:SHOWN] or [Problem("has no rows: give at least one", str(path))])
    names = {name for mark in marks for name in (mark.judge, mark.answer.model) if name is not None}
    models = {name: Model(OWNER, name) for name in sorted(names)}
    return FileMarks(table, gather(marks, scale, models=models, pairwise=table.pairwise), tuple(problems))


def _sides() -> MarkScale:
    return MarkScale("names", {"A": 0.0, "B": 1.0, "tie": 2.0}, ordered=False, declared=True)


def _explain_unknown(label: str, scale: MarkScale) -> str:
    if scale.declared:
        shown = cut(plain(label, scale.kind))
        return f"invalid mark {shown}: use one of the categories {', '.join(scale.categories)}"
    return f"invalid mark {cut(label)}: write a number, as in the other rows, or leave it blank"
