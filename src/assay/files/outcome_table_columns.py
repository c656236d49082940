"""The columns and rows of a table of outcomes: how they are chosen, and how SQL reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from assay.core.errors import InvalidInput, Problem
from assay.files.shape import near
from assay.files.tables import FileTable, name
from assay.files.tables import text as literal

ALIASES = {
    "correct": "quality",
    "score": "quality",
    "use_case": "category",
    "currency": "unit",
    "cost_unit": "unit",
}
# A column of this name may be anything, so it is read only on request.
NEVER_BY_NAME = ("text",)
COST_MARK = "|total_cost"
BETWEEN_ARMS = " + "
NUMERIC = re.compile(r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?\b|FLOAT|DOUBLE|DECIMAL")
NUMBER = re.compile(r"[-+]?\d{1,15}(\.\d{1,15})?")
LONG = ("prompt", "model", "generation", "quality", "cost", "latency", "status", "category", "unit", "text")
COUNTS = ("n_correct", "n_gen")
TARGETS = (*LONG, *COUNTS)

Null = Literal["wrong", "missing"]
ZeroCost = Literal["unknown", "free"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on rows: a column has this value, or with `equal` False another. "" means blank."""

    column: str
    value: str
    equal: bool = True


@dataclass(frozen=True, slots=True)
class OutcomeOptions:
    """The options for reading a table of outcomes.

    `columns` maps Assay's names to the table's ("" for none); the rest are matched by name. `arms` are
    columns that together name a model. Rows must meet the conditions in `where`; of several conditions on one
    column, one is enough. `null` is the meaning of a blank quality. `zero_cost` is the meaning of a cost of 0
    (None: free, with a note). `quality_range` are the numbers that become 0 and 1.
    """

    columns: Mapping[str, str]
    arms: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    null: Null | None = None
    zero_cost: ZeroCost | None = None
    quality_range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for ours in self.columns:
            if ours not in TARGETS:
                raise InvalidInput(f"unknown column {ours!r}: {near(ours, TARGETS)}")
        if self.arms and self.columns.get("model"):
            raise InvalidInput("both --column model=... and --arm name the models: give one of them")
        if self.null not in (None, "wrong", "missing"):
            raise InvalidInput(f"invalid meaning of blank qualities {self.null!r}: use wrong or missing")
        if self.zero_cost not in (None, "unknown", "free"):
            raise InvalidInput(f"invalid meaning of zero costs {self.zero_cost!r}: use unknown or free")
        if self.quality_range is not None and not self.quality_range[0] < self.quality_range[1]:
            low, high = self.quality_range
            raise InvalidInput(
                f"invalid quality range {low:g} {high:g}: give the lower end first, then the upper"
            )


def parse_columns(pairs: Iterable[str]) -> dict[str, str]:
    """Return the table's columns by Assay's names, from texts such as `quality=is_resolved`."""
    columns: dict[str, str] = {}
    for pair in pairs:
        ours, sign, theirs = pair.partition("=")
        if not sign:
            raise InvalidInput(f"invalid column {pair!r}: use NAME=COLUMN, such as quality=is_resolved")
        ours = ours.strip()
        if ours in columns:
            raise InvalidInput(f"two columns for {ours!r}, {columns[ours]!r} and {theirs!r}: give one")
        columns[ours] = theirs.strip()
    return columns


def parse_conditions(wanted: Mapping[str, object] | Iterable[str]) -> tuple[Condition, ...]:
    """Return conditions from texts (`release=v1_400`, `model!=human`) or a mapping of columns to values."""
    if isinstance(wanted, Mapping):
        return tuple(Condition(column, _cell_text(value)) for column, value in wanted.items())
    conditions = []
    for text in wanted:
        column, sign, value = text.partition("=")
        if not sign or not column.strip("! "):
            raise InvalidInput(f"invalid condition {text!r}: use COLUMN=VALUE or COLUMN!=VALUE")
        name, equal = column.removesuffix("!").strip(), not column.endswith("!")
        conditions.append(Condition(name, value.strip(), equal))
    return tuple(conditions)


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class MatchedColumns:
    """The table's columns by Assay's names, and the types of a Parquet table's columns.

    `wide` are the models of a table in RouterBench's wide form, else empty.
    """

    columns: Mapping[str, str]
    counts: bool
    wide: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def milliseconds(self) -> bool:
        """Whether the name of the latency's column says that it is in milliseconds."""
        return self.columns.get("latency", "").lower().endswith(("_ms", "_millis", "_milliseconds"))


def match(table: FileTable, options: OutcomeOptions) -> MatchedColumns:
    """Match the columns of a table. Raises InvalidInput with every name that is missing or double."""
    named = {theirs for theirs in options.columns.values() if theirs}
    wanted = (*named, *options.arms, *(condition.column for condition in options.where))
    problems = [_unknown(table, column) for column in wanted if expression(table, column) is None]
    if problems:
        raise InvalidInput(problems)
    wide = tuple(name.removesuffix(COST_MARK) for name in table.columns if name.endswith(COST_MARK))
    wide = tuple(name for name in wide if name in table.columns)
    if wide and not options.arms and not options.columns.get("model"):
        return MatchedColumns(_wide_columns(table, options), False, wide)
    columns = _match_names(table, options, named)
    counts = all(column in columns for column in COUNTS)
    if counts and "quality" in columns:
        if not options.columns.get("quality"):
            advice = "leave one out by --column quality= or --column n_correct="
            text = f"the table has both counts and {columns['quality']!r}: {advice}"
            raise InvalidInput(Problem(text, str(table.path)))
        counts = False
    if options.arms:
        columns["model"] = BETWEEN_ARMS.join(options.arms)
    outcome = COUNTS if counts or "n_correct" in columns else ("quality",)
    missing = [column for column in ("prompt", "model", *outcome) if column not in columns]
    if missing:
        raise InvalidInput([_missing(table, column, columns) for column in missing])
    return MatchedColumns(columns, counts, arms=options.arms)


def _match_names(table: FileTable, options: OutcomeOptions, named: Iterable[str]) -> dict[str, str]:
    columns = {ours: theirs for ours, theirs in options.columns.items() if theirs}
    taken, problems = {*named, *options.arms}, []
    for column in table.columns:
        plain = column.strip().lower()
        ours = ALIASES.get(plain, plain)
        if (
            column in taken
            or ours in options.columns
            or ours in NEVER_BY_NAME
            or ours not in (*LONG, *COUNTS)
        ):
            continue
        if ours == "model" and options.arms:
            continue
        if ours in columns:
            advice = f"choose one by --column {ours}={column}"
            text = f"the columns {columns[ours]!r} and {column!r} both mean {ours!r}: {advice}"
            problems.append(Problem(text, str(table.path)))
        columns[ours] = column
    if problems:
        raise InvalidInput(problems)
    return columns


def _wide_columns(table: FileTable, options: OutcomeOptions) -> dict[str, str]:
    """Match RouterBench's names: sample_id (prompt), prompt (its wording), eval_name (category)."""
    usual = {"prompt": "sample_id", "text": "prompt", "category": "eval_name"}
    columns = {ours: options.columns.get(ours, theirs) for ours, theirs in usual.items()}
    columns = {ours: theirs for ours, theirs in columns.items() if theirs in table.columns}
    if "prompt" not in columns:
        raise InvalidInput(_missing(table, "sample_id", {}))
    return columns


def expression(table: FileTable, column: str) -> str | None:
    """Return SQL for a column as text, blank as NULL; `name.key` is a field of a nested column."""
    if column in table.columns:
        return plain(column)
    outer, dot, key = column.partition(".")
    if not dot or outer not in table.columns:
        return None
    path = '$."' + key.replace('"', '\\"') + '"'
    nested = f"to_json({name(outer)})" if table.kind == "parquet" else f"CAST({name(outer)} AS JSON)"
    return f"nullif(trim(json_extract_string({nested}, {literal(path)})), '')"


def plain(column: str) -> str:
    """Return SQL for a column as text, blank as NULL."""
    return f"nullif(trim(CAST({name(column)} AS VARCHAR)), '')"


def native(table: FileTable, matched: MatchedColumns, column: str) -> str | None:
    """Return SQL for a column of numbers or booleans, None for a column of text."""
    kind = matched.types.get(column, "")
    return name(column) if NUMERIC.match(kind) else None


def arms(table: FileTable, columns: Iterable[str]) -> str:
    """Return SQL for an arm's name: its columns joined, blanks as dashes, NULL if all are blank."""
    reads = [str(expression(table, column)) for column in columns]
    joined = f" || {literal(BETWEEN_ARMS)} || ".join(f"coalesce({read}, '-')" for read in reads)
    return f"CASE WHEN coalesce({', '.join(reads)}) IS NULL THEN NULL ELSE {joined} END"


def filtering(table: FileTable, where: Iterable[Condition]) -> str:
    """Return SQL for the conditions; of several conditions on one column, one is enough."""
    by_column: dict[str, list[Condition]] = {}
    for condition in where:
        by_column.setdefault(condition.column, []).append(condition)
    parts = []
    for column, conditions in by_column.items():
        tests = [(_equals(table, column, condition.value), condition.equal) for condition in conditions]
        wanted = [test for test, equal in tests if equal]
        parts += [f"({' OR '.join(wanted)})"] * bool(wanted)
        parts += [f"NOT {test}" for test, equal in tests if not equal]
    return " AND ".join(parts) or "TRUE"


def _equals(table: FileTable, column: str, value: str) -> str:
    read = expression(table, column)
    if not value:
        return f"({read} IS NULL)"
    tests = [f"{read} = {literal(value)}"]
    if value.lower() in ("true", "false"):
        tests.append(f"lower({read}) = {literal(value.lower())}")
    if NUMBER.fullmatch(value):
        tests.append(f"TRY_CAST({read} AS DOUBLE) = {float(value)!r}::DOUBLE")
    return f"coalesce({' OR '.join(tests)}, FALSE)"


def _unknown(table: FileTable, column: str) -> Problem:
    close = get_close_matches(column, table.columns, n=2, cutoff=0.5)
    advice = f"did you mean {' or '.join(map(repr, close))}?" if close else "choose one of its columns"
    names = ", ".join(map(repr, table.columns))
    return Problem(f"unknown column {column!r}: {advice} (the table has {names})", str(table.path))


def _missing(table: FileTable, ours: str, columns: Mapping[str, str]) -> Problem:
    others = [column for column in table.columns if column not in columns.values()]
    close = get_close_matches(ours, others, n=1)
    example = close[0] if close else "COLUMN"
    also = " (or 'correct', 'score', or 'n_correct' and 'n_gen')" if ours == "quality" else ""
    names = ", ".join(map(repr, table.columns))
    text = f"missing column {ours!r}{also}: choose it by --column {ours}={example} (the table has {names})"
    return Problem(text, str(table.path))
