"""Long-form tables: one row for each answer, with prompt, model, generation, quality, cost and latency.

The queries select from `typed`, and `TYPED` from `given`: the columns of the file under Assay's names.
"""

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
from assay.core.times import DAY_SECONDS
from assay.files.row_checks import MARKS, SHOWN, RowCheck, any_fault, check_answers, explain_bad_rows
from assay.files.shape import cut
from assay.files.tables import FileTable, name, open_table, querying
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
SORTING = "256MB"
STATUSES = {
    "ok": CallStatus.OK,
    "ungraded": CallStatus.OK,
    "invalid": CallStatus.INVALID,
    "error": CallStatus.ERROR,
}
# Numbers and times that cannot be read are NULL, and their texts are not.
TYPED = """
SELECT *, quality_raw AS quality, status = 'ok' AND quality_blank AS blank,
  cost_raw AS cost, latency_raw AS latency,
  CASE WHEN numbered THEN TRY_CAST(generation_raw AS BIGINT) ELSE 0 END AS generation
FROM (SELECT *,
  prompt_text AS prompt,
  model_text AS model,
  use_case_text AS use_case,
  provider_text AS provider,
  run_text AS run,
  TRY_CAST(generation_text AS DOUBLE) AS generation_raw,
  CASE lower(quality_text) WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0
    ELSE TRY_CAST(quality_text AS DOUBLE) END AS quality_raw,
  quality_text IS NULL AS quality_blank,
  TRY_CAST(cost_text AS DOUBLE) AS cost_raw,
  cost_text IS NULL AS cost_blank,
  TRY_CAST(latency_text AS DOUBLE) AS latency_raw,
  latency_text IS NULL AS latency_blank,
  COALESCE(TRY_CAST(at_text AS DOUBLE), CASE WHEN isfinite(TRY_CAST(at_text AS TIMESTAMPTZ))
    THEN epoch(TRY_CAST(at_text AS TIMESTAMPTZ)) END) AS "at",
  COALESCE(lower(status_text), 'ok') AS status
FROM given)
"""
CHECKS = (
    RowCheck("quality", "blank", "a number from 0 to 1, or a status (invalid, error, ungraded)"),
    *check_answers(f"a number from 0 to 1 ({MARKS})", LARGEST_COST),
    RowCheck(
        "at",
        'at_text IS NOT NULL AND ("at" IS NULL OR "at" NOT BETWEEN 1e8 AND 1e11)',
        "a time such as 2026-03-31T06:00:00Z, or seconds (not milliseconds) since 1970",
    ),
)
READ = """
SELECT row, prompt, model, generation,
  CASE WHEN status = 'invalid' THEN 0.0 WHEN status = 'ok' THEN quality END,
  status, cost, latency, "at", use_case, provider, run
FROM typed
"""
DAY = f'CAST(floor("at" / {DAY_SECONDS}) AS BIGINT)'
BY_RUN = f'ORDER BY {DAY}, run NULLS FIRST, generation, "at", row'
PROMPTS = f"""
SELECT prompt, list(DISTINCT coalesce(use_case, '')), max(answers)
FROM (SELECT prompt, use_case, count(*) AS answers FROM typed GROUP BY prompt, use_case, model, {DAY}, run)
GROUP BY prompt ORDER BY prompt
"""
RUNS = f"""
SELECT {DAY} AS day, run, list(DISTINCT model ORDER BY model) FROM typed
GROUP BY ALL ORDER BY day, run NULLS FIRST
"""
REROUTED = """
SELECT model FROM typed GROUP BY model HAVING count(DISTINCT provider) > 1 ORDER BY model
"""
REPEATED = """
SELECT any_value(prompt), any_value(model), any_value(generation), any_value(at_text), count(*),
  min(row), max(row)
FROM typed WHERE prompt IS NOT NULL AND model IS NOT NULL AND generation IS NOT NULL
GROUP BY hash(prompt, model, generation, "at", run) HAVING count(*) > 1 ORDER BY min(row) LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class LongFormRow:
    """One answer. `quality` is 0-1, 0 for an `invalid` answer, None for an `error` or ungraded answer.

    `row` counts from 1 below the header. `cost` is in US dollars, `latency` in seconds, `at` in UTC seconds
    since 1970, and `run` is the label of the answer's run; each is None if the table has no value.
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
    """One prompt of a table, its use cases (None if blank), and the most answers of a model in one run."""

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
    """A checked table. `columns` maps Assay's names to the table's; `ignored` columns are not read."""

    table: FileTable
    columns: Mapping[str, str]
    ignored: tuple[str, ...]
    rows: int

    def batches(self, size: int = 10_000, *, by_run: bool = False) -> Generator[list[LongFormRow]]:
        """Yield the rows in batches, in the order of the file, or day by day and run by run.

        Sorting holds at most `SORTING` in memory and the rest in a temporary folder.
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
            while batch := cursor.fetchmany(size):
                yield [_row(values) for values in batch]

    def prompts(self) -> list[PromptRows]:
        """Return the prompts in alphabetical order."""
        return [
            PromptRows(prompt, tuple(use_case or None for use_case in use_cases), most)
            for prompt, use_cases, most in self._query(PROMPTS)
        ]

    def runs(self) -> list[RunRows]:
        """Return the runs in the order of their days. Every row must have a time."""
        return [RunRows(day, run, tuple(models)) for day, run, models in self._query(RUNS)]

    def rerouted(self) -> tuple[str, ...]:
        """Return the models that more than one provider served."""
        return tuple(model for (model,) in self._query(REROUTED))

    def _query(self, query: str) -> list[Any]:
        with querying(self.table.path) as connection:
            return connection.execute(f"{self._typed} {query}").fetchall()

    @property
    def _typed(self) -> str:
        return _relations(self.table, self.columns)


def open_long_form(path: Path, *, needs: Sequence[str] = ()) -> LongForm:
    """Check a whole table and return it.

    `needs` are columns that must have a value in every row, besides prompt, model and quality. Raises
    InvalidInput with the problems of the first bad rows, the number of further bad rows, and duplicate rows
    (equal prompt, model, generation, time and run).
    """
    table = open_table(path)
    columns = _match(table, tuple(dict.fromkeys((*NEEDED, *needs))))
    missing = [column for column in needs if column not in (*NEEDED, "generation")]
    needed = [
        RowCheck(column, f"{column}_text IS NULL", "a value: this import needs one in every row")
        for column in missing
    ]
    checks = (*CHECKS, *needed)
    relations = _relations(table, columns)
    with querying(path) as connection:
        counts = connection.execute(
            f"{relations} SELECT count(*), count(*) FILTER ({any_fault(checks)}) FROM typed"
        ).fetchone()
        rows, bad = counts or (0, 0)
        if rows == 0:
            raise InvalidInput(Problem("the table has no rows: add one below the header", str(path)))
        problems: list[Problem] = []
        if bad:
            problems += explain_bad_rows(connection, path, checks, columns, relations=relations)
        if bad > SHOWN:
            problems.append(Problem(f"{bad - SHOWN} more rows of {rows} have problems", str(path)))
        repeated = connection.execute(f"{relations} {REPEATED}").fetchall()
        problems += [Problem(_explain_duplicate(row, "generation" in columns), str(path)) for row in repeated]
    if problems:
        raise InvalidInput(problems)
    ignored = tuple(column for column in table.columns if column not in columns.values())
    return LongForm(table, columns, ignored, rows)


def _explain_duplicate(values: tuple[Any, ...], numbered: bool) -> str:
    prompt, model, generation, at, count, first, last = values
    time = "" if at is None else f", at {at}"
    key = f"prompt {cut(prompt)}, model {model!r}, generation {generation}{time}"
    advice = "number them by `generation`" if numbered else "add a column `generation` with their numbers"
    return f"rows {first} to {last}: {count} rows have {key}: keep one, or {advice}"


def _match(table: FileTable, required: Sequence[str]) -> dict[str, str]:
    """Return the table's columns by Assay's names. Raises InvalidInput with all missing or double ones."""
    columns: dict[str, str] = {}
    problems = []
    for column in table.columns:
        plain = column.strip().lower()
        ours = ALIASES.get(plain, plain)
        if ours not in COLUMNS:
            continue
        if ours in columns:
            text = f"the columns {columns[ours]!r} and {column!r} both mean {ours!r}: keep one of them"
            problems.append(Problem(text, str(table.path)))
        columns.setdefault(ours, column)
    others = [column for column in table.columns if column not in columns.values()]
    for column in required:
        if column not in columns:
            close = get_close_matches(column, others, n=1)
            rename = f", or rename {close[0]!r}" if close else ""
            names = ", ".join(map(repr, table.columns))
            also = " (or 'correct', 'score')" if column == "quality" else ""
            text = f"missing column {column!r}{also}: add it{rename} (the table has {names})"
            problems.append(Problem(text, str(table.path)))
    if problems:
        raise InvalidInput(problems)
    return columns


def _relations(table: FileTable, columns: Mapping[str, str]) -> str:
    """Return the WITH clause of `given`, each of Assay's columns as text (NULL if blank), and `typed`."""
    parts = [
        f"nullif(trim(CAST({name(columns[column])} AS VARCHAR)), '') AS {column}_text"
        if column in columns
        else f"NULL::VARCHAR AS {column}_text"
        for column in COLUMNS
    ]
    numbered = "generation" in columns
    head = f"row_number() OVER () AS row, {numbered} AS numbered"
    given = f"SELECT {head}, {', '.join(parts)} FROM {table.source}"
    return f"WITH given AS ({given}), typed AS ({TYPED})"


def _row(values: tuple[Any, ...]) -> LongFormRow:
    row, prompt, model, generation, quality, status, *rest = values
    return LongFormRow(row, prompt, model, generation, quality, STATUSES[status], *rest)
