"""Judges' marks on answers in arrays, gathered from a table in a file."""

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
"""The provider of models that a table names."""


class MarkedAnswer(NamedTuple):
    """What was marked: an item (a prompt), the model that answered it, and which of its answers.

    `model` is None where nobody tells; `order` is that of the two sides in a pairwise verdict.
    """

    item: str
    model: str | None
    generation: int
    order: str | None


class RawMark(NamedTuple):
    """One mark as it was given; None for one that could not be read. `length` is of the answer."""

    judge: str
    answer: MarkedAnswer
    label: str | None
    length: float | None


@dataclass(frozen=True, slots=True)
class MarkMatrix:
    """Marks of shape (judges, answers), NaN for none, as their `scale` counts them.

    `lengths` (answers,) is NaN where unknown. `unread` counts by judge the answers it gave nothing readable
    on. `models` holds judges and answering models by name, for their families. `pairwise` tells that
    categories are sides.
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
    given: Iterable[RawMark], scale: MarkScale, *, models: Mapping[str, Model], pairwise: bool = False
) -> MarkMatrix:
    """Put marks into arrays; judges and answers in the order in which they come first."""
    judges: dict[str, int] = {}
    answers: dict[MarkedAnswer, int] = {}
    cells: list[tuple[int, int, float]] = []
    lengths: dict[int, float] = {}
    unread: Counter[str] = Counter()
    for judge, answer, label, length in given:
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
    size = np.full(len(answers), np.nan)
    size[list(lengths)] = list(lengths.values())
    return MarkMatrix(tuple(judges), tuple(answers), table, scale, size, unread, models, pairwise)


@dataclass(frozen=True, slots=True)
class FileMarks:
    """Marks from a table, with all that was wrong with its rows. `rows` = good ones + refused ones."""

    table: MarkTable
    marks: MarkMatrix
    problems: tuple[Problem, ...]


def read_file(path: Path, judges: Sequence[str] = (), categories: Sequence[str] = ()) -> FileMarks:
    """Read a table of marks; InvalidInput with the first problems where no row is good.

    `judges` keeps these judges (in wide form: names their columns). `categories` declares the marks there
    can be, in order; others are then wrong.
    """
    table = read_mark_table(path, judges)
    counts = Counter(mark.mark for mark in table.marks if mark.mark is not None)
    scale = _sides() if table.pairwise else find_scale(counts, categories)
    given, wrong = [], []
    for mark in table.marks:
        if mark.mark is not None and scale.value(mark.mark) is None:
            wrong.append(problem_at(path, mark.place, _foreign(mark.mark, scale)))
            continue
        answer = MarkedAnswer(mark.item, mark.model, mark.generation, mark.order)
        given.append(RawMark(mark.judge, answer, mark.mark, mark.length))
    problems = sorted((*table.problems, *wrong), key=lambda problem: problem.line or 0)
    if not given:
        told_first = problems[:SHOWN] or [Problem("has no rows: give at least one", str(path))]
        raise InvalidInput(told_first)
    names = {name for each in given for name in (each.judge, each.answer.model) if name is not None}
    models = {name: Model(OWNER, name) for name in sorted(names)}
    return FileMarks(table, gather(given, scale, models=models, pairwise=table.pairwise), tuple(problems))


def _sides() -> MarkScale:
    return MarkScale("names", {"A": 0.0, "B": 1.0, "tie": 2.0}, ordered=False, declared=True)


def _foreign(label: str, scale: MarkScale) -> str:
    if scale.declared:
        return (
            f"mark {cut(plain(label, scale.kind))} is not among the categories {', '.join(scale.categories)}"
        )
    return f"mark {cut(label)} is no number, and the other marks are: write one, or leave it blank"
