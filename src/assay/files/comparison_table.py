"""Reading tables of paired comparisons: one row for each verdict on the answers of two models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.mark_table import NUMBER
from assay.files.outcome_table_columns import Condition
from assay.files.row_checks import SHOWN
from assay.files.rows import RowPlace, RowReader, TableRow, open_rows
from assay.files.shape import cut, near

COLUMNS = (
    "item",
    "a",
    "b",
    "winner",
    "preference",
    "judge",
    "order",
    "generation",
    "length_a",
    "length_b",
)
ALIASES = {
    "prompt": "item",
    "case": "item",
    "question_id": "item",
    "instruction_id": "item",
    "model_a": "a",
    "model_b": "b",
    "generator_1": "a",
    "generator_2": "b",
    "verdict": "winner",
    "rater": "judge",
    "annotator": "judge",
    "epoch": "generation",
}
TIES = ("tie", "draw", "both_bad", "tie (bothbad)")
SIDES = {"a": 1.0, "model_a": 1.0, "b": 0.0, "model_b": 0.0}
PREFERENCES = (1.0, 2.0)
"""The preferences that say a won and b won, unless others are given: those of AlpacaEval."""


@dataclass(frozen=True, slots=True)
class ComparisonTableOptions:
    """The options for reading a table of comparisons.

    `columns` maps Assay's names to the table's ("" for none). Rows must meet the conditions in `where`; of
    several on one column one is enough. Only verdicts of `judges` count (default: all). `preferences` are the
    numbers that say that a won and that b won; `tie` is another number that means a tie.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    judges: Sequence[str] = ()
    preferences: tuple[float, float] = PREFERENCES
    tie: float | None = None

    def __post_init__(self) -> None:
        for ours in self.columns:
            if ours not in COLUMNS:
                raise InvalidInput(f"unknown column {ours!r}: {near(ours, COLUMNS)}")
        if self.preferences[0] == self.preferences[1]:
            raise InvalidInput(
                f"invalid preference range {self.preferences[0]:g} {self.preferences[1]:g}: give the number "
                "that says that a won, then the one for b"
            )


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """One verdict. `points` are those of a: 1 for a win, 0.5 for a tie, 0, or a share of a win.

    `shown` is 1 if a was shown first, -1 if b, NaN if that is unknown; lengths are NaN if unknown. Without an
    item the comparison has one of its own.
    """

    item: str
    a: str
    b: str
    points: float
    judge: str
    shown: float
    lengths: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """The verdicts of a table, and how many rows are not among them.

    `unjudged` rows have no verdict, `skipped` ones did not meet the conditions, and `repeated` ones say what
    an earlier row says already. `columns` are those that were read, by Assay's names.
    """

    path: Path
    verdicts: tuple[TableVerdict, ...]
    columns: Mapping[str, str]
    rows: int
    unjudged: int
    skipped: int
    repeated: int


def holds_comparisons(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Return whether a table has the columns a, b and a winner or preference, after this mapping."""
    matched = _match(open_rows(path), columns or {}, strict=False)
    return {"a", "b"} <= matched.keys() and bool({"winner", "preference"} & matched.keys())


def read_comparison_table(path: Path, options: ComparisonTableOptions | None = None) -> ComparisonTable:
    """Read a table of comparisons.

    Raises NotFound without a file, and InvalidInput for missing columns, with the problems of the first bad
    rows and the number of further ones, and for verdicts that contradict each other: two rows of one item,
    pair, judge, order and generation with different winners.
    """
    options = options or ComparisonTableOptions()
    rows = open_rows(path)
    columns = _match(rows, options.columns, strict=True)
    _check_columns(rows, columns, options)
    reader = _VerdictReader(rows, columns, options)
    verdicts = tuple(reader.verdicts())
    if rows.problems:
        more = len(rows.problems) - SHOWN
        problems = rows.problems[:SHOWN]
        if more > 0:
            problems.append(Problem(f"{more:,} more rows of {rows.count:,} have problems", str(path)))
        raise InvalidInput(problems)
    unknown = [judge for judge in options.judges if judge not in reader.judges]
    if unknown:
        names = ", ".join(map(repr, reader.judges)) or "none are named"
        text = f"no verdicts of judge {unknown[0]!r}: choose one of the table's judges ({names})"
        raise InvalidInput(Problem(text, str(path)))
    if not verdicts:
        text = f"none of the {rows.count:,} rows has a verdict that counts: check --where and --column"
        raise InvalidInput(Problem(text, str(path)))
    return ComparisonTable(
        path, verdicts, columns, rows.count, reader.unjudged, reader.skipped, reader.repeated
    )


def _match(rows: RowReader, wanted: Mapping[str, str], *, strict: bool) -> dict[str, str]:
    """Return the table's columns by Assay's names: as wanted, by exact name, or by alias, in this order."""
    exact = {column.strip().lower(): column for column in rows.columns}
    columns = {ours: theirs for ours, theirs in wanted.items() if theirs in rows.columns}
    taken = set(columns.values())
    for ours in COLUMNS:
        if ours not in wanted and ours in exact and exact[ours] not in taken:
            columns[ours] = exact[ours]
    for column in rows.columns:
        ours = ALIASES.get(column.strip().lower(), "")
        if not ours or ours in wanted or ours in exact or column in taken:
            continue
        if ours in columns and strict:
            text = (
                f"the columns {columns[ours]!r} and {column!r} both mean {ours!r}: choose one by --column "
                f"{ours}={column}"
            )
            raise InvalidInput(Problem(text, str(rows.path)))
        columns.setdefault(ours, column)
    return columns


def _check_columns(rows: RowReader, columns: Mapping[str, str], options: ComparisonTableOptions) -> None:
    names = ", ".join(map(repr, rows.columns)) or "no columns"
    named = (*filter(None, options.columns.values()), *(condition.column for condition in options.where))
    texts = [
        f"unknown column {column!r}: the table has {names}" for column in named if column not in rows.columns
    ]
    texts += [
        f"missing column {ours!r}: choose it by --column {ours}=COLUMN (the table has {names})"
        for ours in ("a", "b")
        if ours not in columns
    ]
    verdicts = [columns[ours] for ours in ("winner", "preference") if ours in columns]
    if not verdicts:
        texts.append(
            "missing column 'winner' or 'preference': choose it by --column winner=COLUMN or --column "
            f"preference=COLUMN (the table has {names})"
        )
    if len(verdicts) == 2:
        texts.append(
            f"the table has both {verdicts[0]!r} and {verdicts[1]!r}: leave one out by --column preference= "
            "or --column winner="
        )
    if options.judges and "judge" not in columns:
        texts.append(
            f"--judge needs a column 'judge': choose it by --column judge=COLUMN (the table has {names})"
        )
    if texts:
        raise InvalidInput([Problem(text, str(rows.path)) for text in texts])


class _VerdictReader:
    """A reader that turns rows into verdicts, reports bad rows and counts those that are left out."""

    def __init__(self, rows: RowReader, columns: Mapping[str, str], options: ComparisonTableOptions) -> None:
        self.rows = rows
        self.columns = columns
        self.options = options
        self.judges: dict[str, None] = {}
        self.unjudged = self.skipped = self.repeated = 0
        self._meets = _condition(options.where)
        self._seen: dict[tuple[object, ...], tuple[float, RowPlace]] = {}

    def verdicts(self) -> Iterator[TableVerdict]:
        """Yield the verdicts of all good rows."""
        for row in self.rows:
            if not self._meets(row.cells):
                self.skipped += 1
                continue
            judge = self._text(row, "judge") or ""
            if judge:
                self.judges.setdefault(judge)
            if self.options.judges and judge not in self.options.judges:
                self.skipped += 1
            elif self._verdict(row) is None:
                self.unjudged += 1
            else:
                yield from self._row_verdict(row, judge)

    def _row_verdict(self, row: TableRow, judge: str) -> Iterator[TableVerdict]:
        problems = list(self._problems(row))
        points = None if problems else self._points(row)
        if points is None:
            self.rows.refuse(row.place, "; ".join(problems or [self._explain_verdict(row)]))
            return
        a, b = self._text(row, "a"), self._text(row, "b")
        assert a is not None
        assert b is not None
        item, order = self._text(row, "item"), self._order(row)
        if item is not None:
            key = (item, *sorted((a, b)), judge, order if a < b else -order, self._text(row, "generation"))
            share = points if a < b else 1.0 - points
            earlier, place = self._seen.setdefault(key, (share, row.place))
            if place is not row.place:
                if earlier == share:
                    self.repeated += 1
                else:
                    self.rows.refuse(row.place, self._explain_contradiction(item, (a, b), judge, place))
                return
        lengths = (self._number(row, "length_a"), self._number(row, "length_b"))
        yield TableVerdict(item or str(row.place), a, b, points, judge, order or nan, lengths)

    def _text(self, row: TableRow, ours: str) -> str | None:
        column = self.columns.get(ours)
        return None if column is None else row.cells.get(column)

    def _number(self, row: TableRow, ours: str) -> float:
        text = self._text(row, ours)
        return nan if text is None else float(text)

    def _verdict(self, row: TableRow) -> str | None:
        return self._text(row, "winner" if "winner" in self.columns else "preference")

    def _order(self, row: TableRow) -> int:
        """Return 1 if a was shown first, -1 if b was, 0 if it is unknown."""
        return {"AB": 1, "BA": -1}.get((self._text(row, "order") or "").upper(), 0)

    def _problems(self, row: TableRow) -> Iterator[str]:
        for ours in ("item", "a", "b"):
            if ours in self.columns and self._text(row, ours) is None:
                what = "item" if ours == "item" else "model"
                yield f"{self.columns[ours]!r} is blank: write the {what}'s name"
        a, b = self._text(row, "a"), self._text(row, "b")
        if a is not None and a == b:
            yield f"both sides are {cut(a)}: compare two different models"
        order = self._text(row, "order")
        if order is not None and order.upper() not in ("AB", "BA"):
            yield f"{self.columns['order']!r} is {cut(order)}: write AB if a was shown first, else BA"
        for ours in ("length_a", "length_b"):
            text = self._text(row, ours)
            if text is not None and (NUMBER.fullmatch(text) is None or not 0 <= float(text) < 1e300):
                yield f"{self.columns[ours]!r} is {cut(text)}: write a number from 0, or leave it blank"

    def _points(self, row: TableRow) -> float | None:
        """Return the points of a; None if the verdict cannot be read."""
        text = self._verdict(row)
        assert text is not None
        if "winner" not in self.columns:
            return self._preferred(text)
        if text in (self._text(row, "a"), self._text(row, "b")):
            return float(text == self._text(row, "a"))
        word = text.casefold()
        if word in TIES:
            return 0.5
        if word in ("first", "second"):
            first = float(self._order(row) != -1)
            return first if word == "first" else 1.0 - first
        return SIDES.get(word)

    def _preferred(self, text: str) -> float | None:
        if NUMBER.fullmatch(text) is None or not isfinite(float(text)):
            return None
        value, (low, high) = float(text), self.options.preferences
        if value == self.options.tie:
            return 0.5
        share = (value - low) / (high - low)
        return 1.0 - share if 0.0 <= share <= 1.0 else None

    def _explain_verdict(self, row: TableRow) -> str:
        text = cut(self._verdict(row) or "")
        if "winner" in self.columns:
            a, b = self._text(row, "a"), self._text(row, "b")
            return f"{self.columns['winner']!r} is {text}: write {a!r}, {b!r}, a, b, first, second or tie"
        low, high = self.options.preferences
        return (
            f"{self.columns['preference']!r} is {text}: write a number from {low:g} (a won) to {high:g} (b "
            "won), or give other ends by --preference-range, or a number that means a tie by --tie-value"
        )

    def _explain_contradiction(self, item: str, pair: tuple[str, str], judge: str, place: RowPlace) -> str:
        who = f" by judge {judge!r}" if judge else ""
        return (
            f"{pair[0]!r} and {pair[1]!r} on item {cut(item)}{who} have another verdict at {place}: keep "
            "one, or tell the two apart by a column 'judge', 'order' or 'generation'"
        )


def _condition(where: Sequence[Condition]) -> Callable[[Mapping[str, str | None]], bool]:
    """Return a test of a row's cells; of several wanted values of a column one is enough."""
    wanted: dict[str, list[str]] = {}
    for condition in where:
        if condition.equal:
            wanted.setdefault(condition.column, []).append(condition.value)
    unwanted = [condition for condition in where if not condition.equal]

    def meets(cells: Mapping[str, str | None]) -> bool:
        return all(
            any(_equals(cells.get(column), value) for value in values) for column, values in wanted.items()
        ) and not any(_equals(cells.get(condition.column), condition.value) for condition in unwanted)

    return meets


def _equals(cell: str | None, value: str) -> bool:
    if cell is None or not value:
        return cell is None and not value
    if NUMBER.fullmatch(cell) and NUMBER.fullmatch(value):
        return float(cell) == float(value)
    return cell == value or (value.lower() in ("true", "false") and cell.lower() == value.lower())
