"""Reading tables of judges' marks: one row for each mark, a column for each judge, or pairwise verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import RowPlace, RowReader, TableRow, open_rows
from assay.files.shape import cut

Order = Literal["AB", "BA"]
COLUMNS = (
    "item",
    "judge",
    "mark",
    "model",
    "generation",
    "length",
    "answer",
    "order",
    "verdict",
    "a",
    "b",
    "round",
    "cost",
    "weight",
)
ALIASES = {
    "prompt": "item",
    "case": "item",
    "rater": "judge",
    "annotator": "judge",
    "score": "mark",
    "quality": "mark",
    "correct": "mark",
    "label": "mark",
    "epoch": "generation",
    "model_a": "a",
    "model_b": "b",
}
ALSO = {"item": "'prompt', 'case'", "judge": "'rater', 'annotator'", "mark": "'score', 'label', 'quality'"}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
SIDES = ("A", "B", "tie")


@dataclass(frozen=True, slots=True)
class TableMark:
    """One judge's mark on an answer, with its place in the file.

    An answer is identified by an item, a model (None if the table has no models) and a generation. `mark` is
    the text of a number or a label; with an `order` it is the side that won, `A`, `B` or `tie`, whichever
    side was shown first; None if the mark is missing. `length` is in the table's own unit, or in words of the
    answer. `round` names the round of marking, `cost` is the mark's cost in US dollars, and `weight` is the
    answer's weight in correlations.
    """

    place: RowPlace
    item: str
    judge: str
    mark: str | None
    model: str | None
    generation: int
    length: float | None
    order: Order | None
    round: str | None = None
    cost: float | None = None
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class MarkTable:
    """The marks of a table. Each of its `rows` rows is good, or has a problem.

    `pairwise` is true if marks are verdicts between two sides. The `ignored` columns were not read.
    """

    path: Path
    marks: tuple[TableMark, ...]
    pairwise: bool
    ignored: tuple[str, ...]
    rows: int
    problems: tuple[Problem, ...]


def read_mark_table(
    path: Path, judges: Sequence[str] = (), renamed: Mapping[str, str] | None = None
) -> MarkTable:
    """Read a table of marks and the problems of its bad rows.

    In long form (with a column `judge`) only the rows of `judges` are kept; without that column `judges` are
    the columns with one judge's marks each. `renamed` has the table's names of some columns by ours, such as
    `{"round": "wave"}`. Raises InvalidInput for missing columns and unknown judges.
    """
    rows = open_rows(path)
    columns = _match(rows)
    for ours, column in (renamed or {}).items():
        if column not in rows.columns:
            raise InvalidInput(Problem(f"no column {column!r} for the {ours}: {_named(rows)}", str(path)))
        columns[ours] = column
    pairwise = "order" in columns
    wide = _wide(rows, columns, judges) if "judge" not in columns else ()
    _check_columns(rows, columns, pairwise=pairwise, wide=bool(wide))
    reader = _Reader(rows, columns, pairwise, wide)
    kept = [mark for mark in reader.marks() if wide or not judges or mark.judge in judges]
    unknown = [judge for judge in judges if not wide and judge not in reader.judges]
    if unknown:
        names = ", ".join(map(repr, reader.judges))
        text = f"no marks of judge {unknown[0]!r}: choose one of the table's judges ({names})"
        raise InvalidInput(Problem(text, str(path)))
    read = {*columns.values(), *wide}
    ignored = tuple(column for column in rows.columns if column not in read)
    return MarkTable(path, tuple(kept), pairwise, ignored, rows.count, tuple(rows.problems))


def _match(rows: RowReader) -> dict[str, str]:
    """Return the table's columns by Assay's names; an exact name takes precedence over an alias."""
    exact = {column.strip().lower(): column for column in rows.columns}
    columns = {ours: exact[ours] for ours in COLUMNS if ours in exact}
    for column in rows.columns:
        ours = ALIASES.get(column.strip().lower())
        if ours is None or ours in exact:
            continue
        if ours in columns:
            text = f"the columns {columns[ours]!r} and {column!r} both mean {ours!r}: keep one of them"
            raise InvalidInput(Problem(text, str(rows.path)))
        columns[ours] = column
    if "order" not in columns and "mark" not in columns and "verdict" in columns:
        columns["mark"] = columns.pop("verdict")
    return columns


def _wide(rows: RowReader, columns: dict[str, str], judges: Sequence[str]) -> tuple[str, ...]:
    """Return the columns with one judge's marks each, and remove their other meanings."""
    advice = f"add it, or give the columns with one judge's marks each by --judge ({_named(rows)})"
    if not judges:
        raise InvalidInput(Problem(f"missing column 'judge' (or {ALSO['judge']}): {advice}", str(rows.path)))
    missing = [judge for judge in judges if judge not in rows.columns]
    if missing:
        text = f"missing column 'judge', and no column {missing[0]!r}: {advice}"
        raise InvalidInput(Problem(text, str(rows.path)))
    for ours in [ours for ours, column in columns.items() if column in judges]:
        del columns[ours]
    return tuple(judges)


def _check_columns(rows: RowReader, columns: Mapping[str, str], *, pairwise: bool, wide: bool) -> None:
    needs = ["item"] if wide else ["item", "judge", "verdict" if pairwise else "mark"]
    problems = []
    for column in needs:
        if column not in columns:
            also = f" (or {ALSO[column]})" if column in ALSO else ""
            text = f"missing column {column!r}{also}: add it ({_named(rows)})"
            problems.append(Problem(text, str(rows.path)))
    if problems:
        raise InvalidInput(problems)


def _named(rows: RowReader) -> str:
    return f"the table has {', '.join(map(repr, rows.columns)) or 'no columns'}"


class _Reader:
    """A reader that turns rows into marks and reports bad rows."""

    def __init__(
        self, rows: RowReader, columns: Mapping[str, str], pairwise: bool, wide: Sequence[str]
    ) -> None:
        self.rows = rows
        self.columns = columns
        self.pairwise = pairwise
        self.wide = wide
        self.judges: dict[str, None] = {}
        self._seen: dict[tuple[object, ...], RowPlace] = {}

    def marks(self) -> Iterator[TableMark]:
        """Yield the marks of all good rows."""
        for row in self.rows:
            problems, marks = list(self._problems(row)), list[TableMark]()
            if not problems:
                marks = list(self._row_marks(row))
                problems = list(self._repeated(row, marks))
            if problems:
                self.rows.refuse(row.place, "; ".join(problems))
                continue
            for mark in marks:
                self.judges.setdefault(mark.judge)
                yield mark

    def _text(self, row: TableRow, ours: str) -> str | None:
        column = self.columns.get(ours)
        return None if column is None else row.cells.get(column)

    def _problems(self, row: TableRow) -> Iterator[str]:
        for ours in ("item",) if self.wide else ("item", "judge"):
            if self._text(row, ours) is None:
                yield f"{self.columns[ours]!r} is blank: write the {ours}'s name"
        generation, length = self._text(row, "generation"), self._text(row, "length")
        if generation is not None and not (generation.isascii() and generation.isdigit()):
            yield self._explain("generation", generation, "a whole number from 0")
        if length is not None and (NUMBER.fullmatch(length) is None or float(length) < 0):
            yield self._explain("length", length, "a number from 0, or leave it blank")
        for ours in ("cost", "weight"):
            number = self._text(row, ours)
            if number is not None and (NUMBER.fullmatch(number) is None or float(number) < 0):
                yield self._explain(ours, number, "a number from 0, or leave it blank")
        if self.pairwise:
            order, verdict = self._text(row, "order"), self._text(row, "verdict")
            if order is None or order.upper() not in ("AB", "BA"):
                yield self._explain("order", order, "AB if A was shown first, else BA")
            elif verdict is not None and self._side(row, verdict) is None:
                yield self._explain(
                    "verdict", verdict, f"first, second, tie, {' or '.join(self._sides(row))}"
                )

    def _explain(self, ours: str, value: str | None, write: str) -> str:
        shown = "blank" if value is None else cut(value)
        return f"{self.columns[ours]!r} is {shown}: write {write}"

    def _sides(self, row: TableRow) -> tuple[str, str]:
        return self._text(row, "a") or "A", self._text(row, "b") or "B"

    def _side(self, row: TableRow, verdict: str) -> str | None:
        """Return the side that won, or None for an unknown verdict."""
        order, word = (self._text(row, "order") or "").upper(), verdict.casefold()
        first, second = SIDES[:2] if order == "AB" else (SIDES[1], SIDES[0])
        places = {"first": first, "second": second, "tie": "tie"}
        if word in places:
            return places[word]
        names = [name.casefold() for name in self._sides(row)]
        if names[0] != names[1] and word in names:
            return SIDES[names.index(word)]
        return {"a": "A", "b": "B"}.get(word)

    def _row_marks(self, row: TableRow) -> Iterator[TableMark]:
        item, order = self._text(row, "item"), self._text(row, "order") if self.pairwise else None
        assert item is not None
        length, answer = self._text(row, "length"), self._text(row, "answer")
        size = float(length) if length is not None else None if answer is None else float(len(answer.split()))
        generation = int(self._text(row, "generation") or 0)
        if self.wide:
            given = [(judge, row.cells.get(judge)) for judge in self.wide]
        elif self.pairwise:
            verdict = self._text(row, "verdict")
            given = [(self._text(row, "judge") or "", None if verdict is None else self._side(row, verdict))]
        else:
            given = [(self._text(row, "judge") or "", self._text(row, "mark"))]
        order_shown: Order | None = None if order is None else "AB" if order.upper() == "AB" else "BA"
        cost, weight = self._text(row, "cost"), self._text(row, "weight")
        for judge, mark in given:
            yield TableMark(
                place=row.place,
                item=item,
                judge=judge,
                mark=mark,
                model=self._text(row, "model"),
                generation=generation,
                length=size,
                order=order_shown,
                round=self._text(row, "round"),
                cost=None if cost is None else float(cost),
                weight=None if weight is None else float(weight),
            )

    def _repeated(self, row: TableRow, marks: Sequence[TableMark]) -> Iterator[str]:
        """Yield a problem for each mark that an earlier row has already; the earlier one counts."""
        for mark in marks:
            key = (mark.item, mark.model, mark.generation, mark.judge, mark.order)
            first = self._seen.setdefault(key, row.place)
            if first is not row.place:
                yield (
                    f"judge {mark.judge!r} already has a mark on item {cut(mark.item)} at {first}, which "
                    "counts: number repeated answers in a column 'generation'"
                )
