"""Which column of a table of outcomes is which, and how SQL reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from assay.core.errors import InvalidInput, Problem
from assay.files.outcome_table_wish import COUNTS, LONG, Condition, TableWish
from assay.files.tables import Table, name
from assay.files.tables import text as literal

ALIASES = {
    "correct": "quality",
    "score": "quality",
    "use_case": "category",
    "currency": "unit",
    "cost_unit": "unit",
}
# A column of this name may be anything: it is read only where it is asked for.
NEVER_BY_NAME = ("text",)
COST_MARK = "|total_cost"
BETWEEN_ARMS = " + "
NUMERIC = re.compile(r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?\b|FLOAT|DOUBLE|DECIMAL")
NUMBER = re.compile(r"[-+]?\d{1,15}(\.\d{1,15})?")


@dataclass(frozen=True, slots=True)
class Matched:
    """Our names with the table's columns, and the types of a Parquet table's.

    `wide` are the models of RouterBench's wide table, else empty.
    """

    columns: Mapping[str, str]
    counts: bool
    wide: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def milliseconds(self) -> bool:
        """Whether the column of the latency says by its name that it holds milliseconds."""
        return self.columns.get("latency", "").lower().endswith(("_ms", "_millis", "_milliseconds"))


def match(table: Table, wish: TableWish) -> Matched:
    """Return which column is which. Raises InvalidInput with every name that is missing or double."""
    named = {theirs for theirs in wish.columns.values() if theirs}
    problems = [
        _no_such(table, theirs) for theirs in (*named, *wish.arms) if expression(table, theirs) is None
    ]
    problems += [
        _no_such(table, each.column) for each in wish.where if expression(table, each.column) is None
    ]
    if problems:
        raise InvalidInput(problems)
    wide = tuple(each.removesuffix(COST_MARK) for each in table.columns if each.endswith(COST_MARK))
    wide = tuple(each for each in wide if each in table.columns)
    if wide and not wish.arms and not wish.columns.get("model"):
        return Matched(_wide_columns(table, wish), False, wide)
    found = _by_name(table, wish, named)
    counts = all(column in found for column in COUNTS)
    if counts and "quality" in found:
        if not wish.columns.get("quality"):
            text = f"has counts and {found['quality']!r}: say --column quality= or --column n_correct="
            raise InvalidInput(Problem(text, str(table.path)))
        counts = False
    if wish.arms:
        found["model"] = BETWEEN_ARMS.join(wish.arms)
    needed = (
        ("prompt", "model", *COUNTS) if counts or "n_correct" in found else ("prompt", "model", "quality")
    )
    missing = [_missing(table, column, found) for column in needed if column not in found]
    if missing:
        raise InvalidInput(missing)
    return Matched(found, counts, arms=wish.arms)


def _by_name(table: Table, wish: TableWish, named: Iterable[str]) -> dict[str, str]:
    found = {ours: theirs for ours, theirs in wish.columns.items() if theirs}
    taken, problems = {*named, *wish.arms}, []
    for column in table.columns:
        plain = column.strip().lower()
        ours = ALIASES.get(plain, plain)
        if column in taken or ours in wish.columns or ours in NEVER_BY_NAME or ours not in (*LONG, *COUNTS):
            continue
        if ours == "model" and wish.arms:
            continue
        if ours in found:
            text = (
                f"has both {found[ours]!r} and {column!r}, which mean {ours!r}: "
                f"choose by --column {ours}={column}"
            )
            problems.append(Problem(text, str(table.path)))
        found[ours] = column
    if problems:
        raise InvalidInput(problems)
    return found


def _wide_columns(table: Table, wish: TableWish) -> dict[str, str]:
    """RouterBench's own names: sample_id is the prompt's, prompt its wording, eval_name its category."""
    usual = {"prompt": "sample_id", "text": "prompt", "category": "eval_name"}
    found = {ours: wish.columns.get(ours, theirs) for ours, theirs in usual.items()}
    found = {ours: theirs for ours, theirs in found.items() if theirs in table.columns}
    if "prompt" not in found:
        raise InvalidInput(_missing(table, "sample_id", {}))
    return found


def expression(table: Table, column: str) -> str | None:
    """Return SQL for a column as text, blank as NULL; `name.key` reads a field of a nested one."""
    if column in table.columns:
        return plain(column)
    outer, dot, key = column.partition(".")
    if not dot or outer not in table.columns:
        return None
    path = '$."' + key.replace('"', '\\"') + '"'
    kind = "CAST" if table.source.startswith(("read_json", "read_csv")) else "to_json"
    read = f"CAST({name(outer)} AS JSON)" if kind == "CAST" else f"to_json({name(outer)})"
    return f"nullif(trim(json_extract_string({read}, {literal(path)})), '')"


def plain(column: str) -> str:
    """Return SQL for a column as text, blank as NULL."""
    return f"nullif(trim(CAST({name(column)} AS VARCHAR)), '')"


def native(table: Table, matched: Matched, column: str) -> str | None:
    """Return SQL for a column that holds numbers or booleans by its type, None for one of text."""
    kind = matched.types.get(column, "")
    return name(column) if NUMERIC.match(kind) else None


def arms(table: Table, columns: Iterable[str]) -> str:
    """Return SQL for an arm's name: its columns joined, a blank one as a dash, NULL where all are blank."""
    reads = [str(expression(table, column)) for column in columns]
    joined = f" || {literal(BETWEEN_ARMS)} || ".join(f"coalesce({read}, '-')" for read in reads)
    return f"CASE WHEN coalesce({', '.join(reads)}) IS NULL THEN NULL ELSE {joined} END"


def filtering(table: Table, where: Iterable[Condition]) -> str:
    """Return SQL for the conditions, TRUE without one; any of several on one column is enough."""
    by_column: dict[str, list[Condition]] = {}
    for each in where:
        by_column.setdefault(each.column, []).append(each)
    parts = []
    for column, conditions in by_column.items():
        same = [_equals(table, column, each.value) for each in conditions if each.equal]
        other = [f"NOT {_equals(table, column, each.value)}" for each in conditions if not each.equal]
        parts += [f"({' OR '.join(same)})"] * bool(same) + other
    return " AND ".join(parts) or "TRUE"


def _equals(table: Table, column: str, value: str) -> str:
    read = expression(table, column)
    if not value:
        return f"({read} IS NULL)"
    tests = [f"{read} = {literal(value)}"]
    if value.lower() in ("true", "false"):
        tests.append(f"lower({read}) = {literal(value.lower())}")
    if NUMBER.fullmatch(value):
        tests.append(f"TRY_CAST({read} AS DOUBLE) = {float(value)!r}::DOUBLE")
    return f"coalesce({' OR '.join(tests)}, FALSE)"


def _no_such(table: Table, column: str) -> Problem:
    names = ", ".join(repr(one) for one in table.columns)
    close = get_close_matches(column, table.columns, n=2, cutoff=0.5)
    hint = f"; did you mean {' or '.join(repr(one) for one in close)}?" if close else ""
    return Problem(f"has no column {column!r}: it has {names}{hint}", str(table.path))


def _missing(table: Table, ours: str, found: Mapping[str, str]) -> Problem:
    others = [column for column in table.columns if column not in found.values()]
    close = get_close_matches(ours, others, n=1)
    example = close[0] if close else "THEIRS"
    also = " (or 'correct', 'score', or 'n_correct' and 'n_gen')" if ours == "quality" else ""
    names = ", ".join(repr(one) for one in table.columns)
    return Problem(
        f"has no column {ours!r}{also}: it has {names}; name it by --column {ours}={example}", str(table.path)
    )
