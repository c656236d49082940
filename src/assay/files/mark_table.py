"""Tables of judges' marks: one row a mark, one row an item with a column a judge, or pairwise verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import Place, Row, Rows, open_rows
from assay.files.shape import cut

Order = Literal["AB", "BA"]
COLUMNS = ("item", "judge", "mark", "model", "generation", "length", "answer", "order", "verdict", "a", "b")
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

    An answer is an item, the model that gave it (None where the table does not say) and its generation.
    `mark` is the text of a number or a label, or, with an `order`, the side that won: `A`, `B` or `tie`,
    whichever stood first. None: the judge gave nothing that could be read. `length` is in the table's own
    unit, or words of the answer.
    """

    place: Place
    item: str
    judge: str
    mark: str | None
    model: str | None
    generation: int
    length: float | None
    order: Order | None


@dataclass(frozen=True, slots=True)
class MarkTable:
    """A table of marks that was read. Each of `rows` rows is good, or has its problem.

    `pairwise` tells that marks are verdicts between two sides. The `ignored` columns were not read.
    """

    path: Path
    marks: tuple[TableMark, ...]
    pairwise: bool
    ignored: tuple[str, ...]
    rows: int
    problems: tuple[Problem, ...]


def read_mark_table(path: Path, judges: Sequence[str] = ()) -> MarkTable:
    """Read a table of marks, told from the wrong rows; InvalidInput where a column is missing.

    In long form (a column `judge`) `judges` keeps these judges' rows; without that column they name the
    columns that hold one judge's marks each. Judges that are not there are refused.
    """
    rows = open_rows(path)
    found = _matched(rows)
    pairwise = "order" in found
    wide = _wide(rows, found, judges) if "judge" not in found else ()
    _needed(rows, found, pairwise=pairwise, wide=bool(wide))
    reader = _Reader(rows, found, pairwise, wide)
    kept = [mark for mark in reader.marks() if wide or not judges or mark.judge in judges]
    unknown = [judge for judge in judges if not wide and judge not in reader.judges]
    if unknown:
        there = ", ".join(repr(judge) for judge in reader.judges)
        raise InvalidInput(Problem(f"has no marks of judge {unknown[0]!r}: it has {there}", str(path)))
    read = {*found.values(), *wide}
    ignored = tuple(column for column in rows.columns if column not in read)
    return MarkTable(path, tuple(kept), pairwise, ignored, rows.count, tuple(rows.problems))


def _matched(rows: Rows) -> dict[str, str]:
    """Return which column of the table is which of ours; an exact name goes before an alias."""
    exact = {column.strip().lower(): column for column in rows.columns}
    found = {ours: exact[ours] for ours in COLUMNS if ours in exact}
    for column in rows.columns:
        ours = ALIASES.get(column.strip().lower())
        if ours is None or ours in exact:
            continue
        if ours in found:
            text = f"has both {found[ours]!r} and {column!r}, which mean {ours!r}: keep one of them"
            raise InvalidInput(Problem(text, str(rows.path)))
        found[ours] = column
    if "order" not in found and "mark" not in found and "verdict" in found:
        found["mark"] = found.pop("verdict")
    return found


def _wide(rows: Rows, found: dict[str, str], judges: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that hold a judge's marks each, and forget what else they were taken for."""
    if not judges:
        names = ", ".join(repr(column) for column in rows.columns)
        raise InvalidInput(
            Problem(
                f"has no column 'judge' (or {ALSO['judge']}): it has {names}; add it, or name the columns "
                "that hold one judge's marks each with --judge",
                str(rows.path),
            )
        )
    missing = [judge for judge in judges if judge not in rows.columns]
    if missing:
        raise InvalidInput(Problem(f"has neither a column 'judge' nor one {missing[0]!r}", str(rows.path)))
    for ours in [ours for ours, column in found.items() if column in judges]:
        del found[ours]
    return tuple(judges)


def _needed(rows: Rows, found: Mapping[str, str], *, pairwise: bool, wide: bool) -> None:
    needs = ["item"] if wide else ["item", "judge", "verdict" if pairwise else "mark"]
    problems = []
    for column in needs:
        if column not in found:
            also = f" (or {ALSO[column]})" if column in ALSO else ""
            names = ", ".join(repr(one) for one in rows.columns) or "none"
            problems.append(Problem(f"has no column {column!r}{also}: it has {names}", str(rows.path)))
    if problems:
        raise InvalidInput(problems)


class _Reader:
    """Turns rows into marks; says what is wrong with those that give none."""

    def __init__(self, rows: Rows, columns: Mapping[str, str], pairwise: bool, wide: Sequence[str]) -> None:
        self.rows = rows
        self.columns = columns
        self.pairwise = pairwise
        self.wide = wide
        self.judges: dict[str, None] = {}
        self._seen: dict[tuple[object, ...], Place] = {}

    def marks(self) -> Iterator[TableMark]:
        """Yield the marks of all good rows."""
        for row in self.rows:
            wrong = list(self._problems(row))
            if not wrong:
                made = list(self._made(row))
                wrong = list(self._repeated(row, made))
            if wrong:
                self.rows.refuse(row.place, "; ".join(wrong))
                continue
            for mark in made:
                self.judges.setdefault(mark.judge)
                yield mark

    def _text(self, row: Row, ours: str) -> str | None:
        column = self.columns.get(ours)
        return None if column is None else row.cells.get(column)

    def _problems(self, row: Row) -> Iterator[str]:
        for ours in ("item",) if self.wide else ("item", "judge"):
            if self._text(row, ours) is None:
                yield f"{self.columns[ours]!r} is blank: write the {ours}'s name"
        generation, length = self._text(row, "generation"), self._text(row, "length")
        if generation is not None and not (generation.isascii() and generation.isdigit()):
            yield self._say("generation", generation, "a whole number from 0")
        if length is not None and (NUMBER.fullmatch(length) is None or float(length) < 0):
            yield self._say("length", length, "a number from 0, or leave it blank")
        if self.pairwise:
            order, verdict = self._text(row, "order"), self._text(row, "verdict")
            if order is None or order.upper() not in ("AB", "BA"):
                yield self._say("order", order, "AB where A was shown first, else BA")
            elif verdict is not None and self._side(row, verdict) is None:
                yield self._say("verdict", verdict, f"first, second, tie, {' or '.join(self._named(row))}")

    def _say(self, ours: str, value: str | None, write: str) -> str:
        shown = "blank" if value is None else cut(value)
        return f"{self.columns[ours]!r} is {shown}: write {write}"

    def _named(self, row: Row) -> tuple[str, str]:
        return self._text(row, "a") or "A", self._text(row, "b") or "B"

    def _side(self, row: Row, verdict: str) -> str | None:
        """Return the side that won, None for a verdict that names none."""
        order, word = (self._text(row, "order") or "").upper(), verdict.casefold()
        first, second = SIDES[:2] if order == "AB" else (SIDES[1], SIDES[0])
        places = {"first": first, "second": second, "tie": "tie"}
        if word in places:
            return places[word]
        names = [name.casefold() for name in self._named(row)]
        if names[0] != names[1] and word in names:
            return SIDES[names.index(word)]
        return {"a": "A", "b": "B"}.get(word)

    def _made(self, row: Row) -> Iterator[TableMark]:
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
        shown: Order | None = None if order is None else "AB" if order.upper() == "AB" else "BA"
        for judge, mark in given:
            yield TableMark(row.place, item, judge, mark, self._text(row, "model"), generation, size, shown)

    def _repeated(self, row: Row, made: Sequence[TableMark]) -> Iterator[str]:
        """Yield a line for each mark that stands in an earlier row already; that one counts."""
        for mark in made:
            key = (mark.item, mark.model, mark.generation, mark.judge, mark.order)
            first = self._seen.setdefault(key, row.place)
            if first is not row.place:
                yield (
                    f"judge {mark.judge!r} has a mark on item {cut(mark.item)} at {first} already, and that "
                    "one counts: number repeated answers in a column 'generation'"
                )
