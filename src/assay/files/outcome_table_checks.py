"""What is wrong with a table of outcomes, in words that say what to write."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from assay.files.long_form import SHOWN
from assay.files.long_form_checks import Offender, offences
from assay.files.outcome_table_columns import Matched, expression
from assay.files.outcome_table_wish import TableWish
from assay.files.shape import cut
from assay.files.tables import Table

IntArray = npt.NDArray[np.int64]
NOT_READ = {"at": None, "at_text": None}


def bad_rows(rows: Sequence[Mapping[str, Any]], matched: Matched, wish: TableWish) -> list[str]:
    """Return lines about the problems of these rows."""
    told: list[str] = []
    for values in rows:
        if matched.counts:
            lines = list(_counts_offences(Offender(values, matched.columns, ())))
        else:
            row = Offender({**values, **NOT_READ, "generation": _whole(values)}, matched.columns, ())
            lines = [_in_range(line, row, wish) for line in offences(row) if not _is_meant(line, row)]
        told += lines or [f"row {values['row']} cannot be read: check its values"]
    return told


def _whole(values: Mapping[str, Any]) -> int | None:
    """Return a row's generation as `offences` compares it with its text: cut to a whole number."""
    generation = values["generation"]
    return None if generation is None or not math.isfinite(generation) else math.floor(generation)


def _is_meant(line: str, row: Offender) -> bool:
    """Whether a line tells of a blank quality: `blanks` tells of all, or --null gave them a meaning."""
    return row.text("quality") is None and line.startswith(row.say("quality", ""))


def _in_range(line: str, row: Offender, wish: TableWish) -> str:
    """Say the range that was asked for; without one, that there can be one."""
    if not line.startswith(row.say("quality", "a number from 0 to 1")):
        return line
    if wish.quality_range is not None:
        low, high = wish.quality_range
        return row.say("quality", f"a number from {low:g} to {high:g}, as the quality's range says")
    value = row.values["quality"]
    if value is None or not math.isfinite(value):
        return line
    return f"{line}; --quality-range LOW HIGH makes another range 0 to 1"


def _counts_offences(row: Offender) -> Iterator[str]:
    for column in ("prompt", "model"):
        if row.text(column) is None:
            yield row.say(column, f"the {column}'s name or text")
    whole = True
    for column in ("n_correct", "n_gen"):
        value = row.values[column]
        if value is None or not math.isfinite(value) or value < 0 or value != math.floor(value):
            whole = False
            yield row.say(column, "a whole number from 0")
    if whole and row.values["n_correct"] > row.values["n_gen"]:
        theirs = repr(row.columns.get("n_gen", "n_gen"))
        yield row.say("n_correct", f"at most {theirs}, which is {cut(row.text('n_gen'))}")
    for column, unit in (("cost", "the mean cost of an answer"), ("latency", "seconds")):
        value = row.values[column]
        if row.text(column) is not None and (value is None or not math.isfinite(value) or value < 0):
            yield row.say(column, f"{unit} as a number from 0, or leave it blank")


def no_rows(connection: duckdb.DuckDBPyConnection, table: Table, wish: TableWish) -> str:
    """Say that there are no rows; where conditions took them all, what stands in their columns."""
    counted = connection.execute(f"SELECT count(*) FROM {table.source}").fetchone()
    if not wish.where or counted == (0,):
        return "has no rows: give at least one below the header"
    told = []
    for column in dict.fromkeys(each.column for each in wish.where):
        read = expression(table, column)
        query = f"SELECT DISTINCT {read} FROM {table.source} WHERE {read} IS NOT NULL ORDER BY 1 LIMIT 6"
        values = [cut(value) for (value,) in connection.execute(query).fetchall()]
        told.append(f"{column!r} holds {', '.join(values[:5])}{', ...' if len(values) > 5 else ''}")
    return f"no row meets all the conditions: {'; '.join(told)}"


def blanks(count: int, rows: int, first: Sequence[int], matched: Matched) -> str:
    """Say that rows have no quality, and what they may mean."""
    theirs = repr(matched.columns.get("quality", "quality"))
    numbers = ", ".join(map(str, first)) + (", ..." if count > len(first) else "")
    return (
        f"{count} of {rows} rows have a blank {theirs} (rows {numbers}): --null missing leaves them out as "
        f"never graded, --null wrong counts them as 0"
    )


def units(found: Sequence[str], matched: Matched) -> list[str]:
    """Return a line where costs are in several units."""
    if len({each.lower() for each in found}) < 2:
        return []
    told = ", ".join(repr(each) for each in found)
    return [
        f"{matched.columns['unit']!r} has several units of cost, {told}: write all in one, or use --where"
    ]


def repeated(
    row: IntArray,
    prompt: IntArray,
    model: IntArray,
    generation: IntArray | None,
    names: tuple[Sequence[str], Sequence[str]],
) -> list[str]:
    """Return lines about rows of one prompt, model and generation (counts: of one cell), at most twenty."""
    numbers = np.zeros(len(row), dtype=np.int64) if generation is None else generation
    order = np.lexsort((row, numbers, model, prompt))
    keys = [each[order] for each in (prompt, model, numbers)]
    same = np.logical_and.reduce([each[1:] == each[:-1] for each in keys])
    if not same.any():
        return []
    starts = np.flatnonzero(np.r_[True, ~same])
    ends = np.r_[starts[1:], len(order)]
    groups = [order[start:end] for start, end in zip(starts, ends, strict=True) if end - start > 1]
    groups.sort(key=lambda group: int(row[group[0]]))
    prompts, models = names
    lines = []
    for group in groups[:SHOWN]:
        at = group[0]
        told = ", ".join(str(row[each]) for each in group[:5]) + (", ..." if len(group) > 5 else "")
        key = f"prompt {cut(prompts[prompt[at]])}, model {models[model[at]]!r}"
        if generation is None:
            advice = "keep one, add their counts, or choose by --where"
        else:
            key += f", generation {generation[at]}"
            advice = "keep one, or number them all in order by --column generation="
        lines.append(f"rows {told} have {key}: {advice}")
    if len(groups) > SHOWN:
        lines.append(f"{len(groups) - SHOWN} more answers stand in several rows")
    return lines
