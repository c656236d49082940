"""Long-form tables: one row an answer, with prompt, model, generation, quality, cost and latency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from assay.core.ask import CallStatus
from assay.core.errors import InvalidInput, Problem
from assay.files.long_form_checks import Offender, duplicate, offences
from assay.files.tables import Table, name, open_table, querying

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
)
ALIASES = {"correct": "quality", "score": "quality"}
NEEDED = ("prompt", "model", "quality")
SHOWN = 20
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
    1970; each is None where the table is silent.
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


@dataclass(frozen=True, slots=True)
class LongForm:
    """A checked table. `columns` maps Assay's names to the table's; the `ignored` ones are not read."""

    table: Table
    columns: Mapping[str, str]
    ignored: tuple[str, ...]
    rows: int

    def batches(self, size: int = 10_000) -> Iterator[list[LongFormRow]]:
        """Yield the rows in their order; memory holds one batch at a time."""
        query = f"WITH given AS ({_given(self.table, self.columns)}), typed AS ({TYPED}) {READ}"
        with querying(self.table.path) as connection:
            cursor = connection.execute(query)
            while found := cursor.fetchmany(size):
                yield [_row(values) for values in found]


def open_long_form(path: Path, *, needs: Sequence[str] = ()) -> LongForm:
    """Check a whole table and return it ready to be read.

    `needs` names columns that must be there beside prompt, model and quality, with a value in every row.
    Raises InvalidInput with the first problems by row and how many rows have one, and with duplicate rows
    (equal prompt, model, generation and time).
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
                problems += [Problem(text, str(path)) for text in offences(offender)]
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


# Numbers and times that cannot be read become NULL beside a text that is not: BAD finds those rows.
TYPED = """
SELECT *,
  prompt_text AS prompt,
  model_text AS model,
  use_case_text AS use_case,
  provider_text AS provider,
  CASE WHEN numbered THEN TRY_CAST(TRY_CAST(generation_text AS DOUBLE) AS BIGINT) ELSE 0 END AS generation,
  CASE lower(quality_text) WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0
    ELSE TRY_CAST(quality_text AS DOUBLE) END AS quality,
  TRY_CAST(cost_text AS DOUBLE) AS cost,
  TRY_CAST(latency_text AS DOUBLE) AS latency,
  COALESCE(TRY_CAST(at_text AS DOUBLE), CASE WHEN isfinite(TRY_CAST(at_text AS TIMESTAMPTZ))
    THEN epoch(TRY_CAST(at_text AS TIMESTAMPTZ)) END) AS "at",
  COALESCE(lower(status_text), 'ok') AS status
FROM given
"""
BAD = """
prompt IS NULL OR model IS NULL
OR generation IS NULL OR generation < 0 OR (numbered AND generation != TRY_CAST(generation_text AS DOUBLE))
OR status NOT IN ('ok', 'invalid', 'error', 'ungraded')
OR (status = 'ok' AND (quality IS NULL OR isnan(quality) OR quality < 0 OR quality > 1))
OR (status IN ('invalid', 'error') AND quality_text IS NOT NULL AND quality IS DISTINCT FROM 0)
OR (status = 'ungraded' AND quality_text IS NOT NULL)
OR (cost_text IS NOT NULL AND (cost IS NULL OR NOT isfinite(cost) OR cost < 0))
OR (latency_text IS NOT NULL AND (latency IS NULL OR NOT isfinite(latency) OR latency < 0))
OR (at_text IS NOT NULL AND ("at" IS NULL OR "at" NOT BETWEEN 1e8 AND 1e11))
"""
READ = """
SELECT row, prompt, model, generation,
  CASE WHEN status = 'invalid' THEN 0.0 WHEN status = 'ok' THEN quality END,
  status, cost, latency, "at", use_case, provider
FROM typed
"""
REPEATED = f"""
SELECT any_value(prompt), any_value(model), any_value(generation), any_value(at_text), count(*),
  min(row), max(row)
FROM typed WHERE prompt IS NOT NULL AND model IS NOT NULL AND generation IS NOT NULL
GROUP BY hash(prompt, model, generation, "at") HAVING count(*) > 1 ORDER BY min(row) LIMIT {SHOWN}
"""


def _row(values: tuple[Any, ...]) -> LongFormRow:
    row, prompt, model, generation, quality, status, *rest = values
    return LongFormRow(row, prompt, model, generation, quality, STATUSES[status], *rest)
