"""What is wrong with a table of outcomes, in words that say what to write."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import Problem
from assay.files.long_form import SHOWN
from assay.files.long_form_checks import Offender, offences
from assay.files.outcome_table_columns import Matched
from assay.files.outcome_table_wish import TableWish
from assay.files.shape import cut

_BLANK = "a number from 0 to 1, or a status (invalid, error, ungraded)"
IntArray = npt.NDArray[np.int64]


def bad_rows(
    rows: Sequence[Mapping[str, Any]], matched: Matched, wish: TableWish, place: str
) -> list[Problem]:
    """Return the problems of these rows."""
    problems = []
    for values in rows:
        row = Offender(values, matched.columns, ())
        if matched.counts:
            told = list(_counts_offences(row))
        else:
            told = [_in_range(line, row, wish) for line in offences(row) if not _is_meant(line, row, wish)]
        problems += [Problem(line, place) for line in told]
    return problems


def _is_meant(line: str, row: Offender, wish: TableWish) -> bool:
    """Whether a line tells a blank quality that --null wrong gives a meaning."""
    return wish.null == "wrong" and row.text("quality") is None and line == row.say("quality", _BLANK)


def _in_range(line: str, row: Offender, wish: TableWish) -> str:
    """Say the range that was asked for; without one, that there can be one."""
    quality = repr(row.columns.get("quality", "quality"))
    if f": {quality} is " not in line or "a number from 0 to 1" not in line:
        return line
    if wish.quality_range is not None:
        low, high = wish.quality_range
        return row.say("quality", f"a number from {low:g} to {high:g}, as --quality-range says")
    value = row.values["quality"]
    if value is None or not math.isfinite(value):
        return line
    return f"{line}; --quality-range LOW HIGH makes other ranges 0 to 1"


def _counts_offences(row: Offender) -> Iterator[str]:
    for column in ("prompt", "model"):
        if row.text(column) is None:
            yield row.say(column, f"the {column}'s name or text")
    correct, given = row.values["n_correct"], row.values["n_gen"]
    whole = True
    for column, value in (("n_correct", correct), ("n_gen", given)):
        if value is None or not math.isfinite(value) or value < 0 or value != math.floor(value):
            whole = False
            yield row.say(column, "a whole number from 0")
    if whole and correct > given:
        theirs = repr(row.columns.get("n_gen", "n_gen"))
        yield row.say("n_correct", f"at most {theirs}, which is {cut(row.text('n_gen'))}")
    for column, unit in (("cost", "the mean cost of an answer"), ("latency", "seconds")):
        value = row.values[column]
        if row.text(column) is not None and (value is None or not math.isfinite(value) or value < 0):
            yield row.say(column, f"{unit} as a number from 0, or leave it blank")


def blanks(count: int, rows: int, first: Sequence[int], matched: Matched) -> str:
    """Say that rows have no quality, and what they may mean."""
    theirs = repr(matched.columns.get("quality", "quality"))
    numbers = ", ".join(map(str, first)) + (", ..." if count > len(first) else "")
    return (
        f"{count} of {rows} rows have a blank {theirs} (rows {numbers}): --null missing leaves them out as "
        f"never graded, --null wrong counts them as 0"
    )


def units(found: Sequence[str], matched: Matched, place: str) -> list[Problem]:
    """Return a problem where costs are in several units."""
    if len({each.lower() for each in found}) < 2:
        return []
    told = ", ".join(repr(each) for each in found)
    theirs = repr(matched.columns["unit"])
    return [Problem(f"{theirs} has several units of cost: {told}: write all costs in one", place)]


def repeated(
    row: IntArray,
    prompt: IntArray,
    model: IntArray,
    generation: IntArray,
    arranged: IntArray,
    prompts: Sequence[str],
    models: Sequence[str],
    matched: Matched,
) -> list[str]:
    """Return lines about rows of one prompt, model and generation, the first twenty groups."""
    keys = [each[arranged] for each in (prompt, model, generation)]
    same = np.logical_and.reduce([each[1:] == each[:-1] for each in keys])
    if not same.any():
        return []
    starts = np.flatnonzero(np.r_[True, ~same])
    lengths = np.diff(np.r_[starts, len(arranged)])
    groups = [
        np.sort(row[arranged[start : start + length]])
        for start, length in zip(starts[lengths > 1], lengths[lengths > 1], strict=True)
    ]
    found = sorted(groups, key=lambda each: int(each[0]))
    where = {int(number): place for place, number in enumerate(row)}
    lines = []
    for group in found[:SHOWN]:
        at = where[int(group[0])]
        numbers = ", ".join(map(str, group[:5])) + (", ..." if len(group) > 5 else "")
        key = f"prompt {cut(prompts[prompt[at]])}, model {models[model[at]]!r}"
        if matched.counts:
            advice = "keep one, add their counts, or choose by --where"
        else:
            key += f", generation {generation[at]}"
            advice = "keep one, number them apart, or say --column generation= to number them in order"
        lines.append(f"rows {numbers} have {key}: {advice}")
    if len(found) > SHOWN:
        lines.append(f"{len(found) - SHOWN} more answers stand in several rows")
    return lines
