"""Long-form tables: one row an answer, with prompt, model, generation, quality, cost and latency."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.core.ask import CallStatus
from assay.core.errors import InvalidInput, Problem
from assay.core.money import LARGEST_COST
from assay.files.long_form_checks import Offender, duplicate, offences
from assay.files.long_form_sql import BAD, BY_RUN, PROMPTS, READ, REPEATED, REROUTED, RUNS, TYPED
from assay.files.tables import Table, name, open_table, querying
from assay.files.tables import text as literal

COLUMNS = (
    "prompt",
    "model",
    "generation",
    "quality",
    "cost",
    "latency",
    "at",
    "use_case",
    "status",
    "provider",
    "run",
)
ALIASES = {"correct": "quality", "score": "quality"}
NEEDED = ("prompt", "model", "quality")
SHOWN = 20
SORTING = "256MB"
STATUSES = {
    "ok": CallStatus.OK,
    "ungraded": CallStatus.OK,
    "invalid": CallStatus.INVALID,
    "error": CallStatus.ERROR,
}


@dataclass(frozen=True, slots=True)
class LongFormRow:
    """One answer. `quality` is 0-1, 0 for an `invalid` answer, None for an `error` and where it is ungraded.

    `row` counts from 1 below the header. `cost` is US dollars, `latency` seconds, `at` UTC seconds since
    1970, `run` the label of the run it was made in; each is None where the table is silent.
    """

    row: int
    prompt: str
    model: str
    generation: int
    quality: float | None
    status: CallStatus
    cost: float | None = None
    latency: float | None = None
    at: float | None = None
    use_case: str | None = None
    provider: str | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True)
class PromptRows:
    """One prompt of a table, its use cases (None where blank), and the most answers to it in one run.

    Those are counted by model.
    """

    prompt: str
    use_cases: tuple[str | None, ...]
    most: int


@dataclass(frozen=True, slots=True)
class RunRows:
    """One run of a table: its UTC day, counted from 1970-01-01, its label, and the models in it."""

    day: int
    run: str | None
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LongForm:
    """A checked table. `columns` maps Assay's names to the table's; the `ignored` ones are not read."""

    table: Table
    columns: Mapping[str, str]
    ignored: tuple[str, ...]
    rows: int

    def batches(self, size: int = 10_000, *, by_run: bool = False) -> Generator[list[LongFormRow]]:
        """Yield the rows in their order, or day by day and run by run; memory holds one batch at a time.

        Sorting holds at most `SORTING` beside, and puts the rest into a temporary folder.
        """
        with querying(self.table.path) as connection, TemporaryDirectory(prefix="assay-sort-") as folder:
            if by_run:
                for setting in (
                    f"memory_limit = '{SORTING}'",
                    "threads = 2",
                    f"temp_directory = {literal(folder)}",
                ):
                    connection.execute(f"SET {setting}")
            cursor = connection.execute(f"{self._typed} {READ} {BY_RUN if by_run else ''}")
            while found := cursor.fetchmany(size):
                yield [_row(values) for values in found]

    def prompts(self) -> list[PromptRows]:
        """Return the prompts, in the order of the alphabet."""
        with querying(self.table.path) as connection:
            found = connection.execute(f"{self._typed} {PROMPTS}").fetchall()
        return [
            PromptRows(prompt, tuple(each or None for each in use_cases), most)
            for prompt, use_cases, most in found
        ]

    def runs(self) -> list[RunRows]:
        """Return the runs, in order of their days. Every row must have a time."""
        with querying(self.table.path) as connection:
            found = connection.execute(f"{self._typed} {RUNS}").fetchall()
        return [RunRows(day, run, tuple(models)) for day, run, models in found]

    def rerouted(self) -> tuple[str, ...]:
        """Return the models that more than one provider served."""
        with querying(self.table.path) as connection:
            found = connection.execute(f"{self._typed} {REROUTED}").fetchall()
        return tuple(model for (model,) in found)

    @property
    def _typed(self) -> str:
        return f"WITH given AS ({_given(self.table, self.columns)}), typed AS ({TYPED})"


def open_long_form(path: Path, *, needs: Sequence[str] = ()) -> LongForm:
    """Check a whole table and return it ready to be read.

    `needs` names columns that must be there beside prompt, model and quality, with a value in every row.
    Raises InvalidInput with the first problems by row and how many rows have one, and with duplicate rows
    (equal prompt, model, generation, time and run).
    """
    table = open_table(path)
    required = tuple(dict.fromkeys((*NEEDED, *needs)))
    columns = _matched(table, required)
    given = f"WITH given AS ({_given(table, columns)}), typed AS ({TYPED})"
    bad = " OR ".join([BAD, *(f"{name(column)} IS NULL" for column in needs if column not in NEEDED)])
    with querying(path) as connection:
        counted = connection.execute(
            f"{given} SELECT count(*), count(*) FILTER ({bad}) FROM typed"
        ).fetchone()
        rows, wrong = counted or (0, 0)
        if rows == 0:
            raise InvalidInput(Problem("has no rows: give at least one below the header", str(path)))
        problems: list[Problem] = []
        if wrong:
            found = connection.execute(f"{given} SELECT * FROM typed WHERE {bad} ORDER BY row LIMIT {SHOWN}")
            names = [column[0] for column in found.description or ()]
            for values in found.fetchall():
                offender = Offender(dict(zip(names, values, strict=True)), columns, tuple(needs))
                problems += [Problem(text, str(path)) for text in offences(offender, most_cost=LARGEST_COST)]
            if wrong > SHOWN:
                problems.append(Problem(f"{wrong - SHOWN} more rows of {rows} have problems", str(path)))
        repeated = connection.execute(f"{given} {REPEATED}").fetchall()
        problems += [Problem(duplicate(values, "generation" in columns), str(path)) for values in repeated]
    if problems:
        raise InvalidInput(problems)
    ignored = tuple(column for column in table.columns if column not in columns.values())
    return LongForm(table, columns, ignored, rows)


def _matched(table: Table, required: Sequence[str]) -> dict[str, str]:
    """Return which column of the table is which of ours; raise with every one that is missing or double."""
    found: dict[str, str] = {}
    problems = []
    for column in table.columns:
        plain = column.strip().lower()
        ours = ALIASES.get(plain, plain)
        if ours not in COLUMNS:
            continue
        if ours in found:
            text = f"has both {found[ours]!r} and {column!r}, which mean {ours!r}: keep one of them"
            problems.append(Problem(text, str(table.path)))
        found.setdefault(ours, column)
    others = [column for column in table.columns if column not in found.values()]
    for column in required:
        if column not in found:
            close = get_close_matches(column, others, n=1)
            hint = f"rename {close[0]!r} if that is it" if close else "add it"
            names = ", ".join(repr(one) for one in table.columns)
            also = " (or 'correct', 'score')" if column == "quality" else ""
            text = f"has no column {column!r}{also}: it has {names}; {hint}"
            problems.append(Problem(text, str(table.path)))
    if problems:
        raise InvalidInput(problems)
    return found


def _given(table: Table, columns: Mapping[str, str]) -> str:
    """Return SQL for the rows as they stand: each column of ours as text, NULL where missing or blank."""
    parts = [
        f"nullif(trim(CAST({name(columns[column])} AS VARCHAR)), '') AS {column}_text"
        if column in columns
        else f"NULL::VARCHAR AS {column}_text"
        for column in COLUMNS
    ]
    numbered = "generation" in columns
    head = f"row_number() OVER () AS row, {numbered} AS numbered"
    return f"SELECT {head}, {', '.join(parts)} FROM {table.source}"


def _row(values: tuple[Any, ...]) -> LongFormRow:
    row, prompt, model, generation, quality, status, *rest = values
    return LongFormRow(row, prompt, model, generation, quality, STATUSES[status], *rest)
