"""What is wrong with a row of a long-form table, in words that say what to write."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.files.shape import cut, near

STATUS_NAMES = ("ok", "invalid", "error", "ungraded")


@dataclass(frozen=True, slots=True)
class Offender:
    """A row with something wrong, the table's own names of columns, and the columns that are needed."""

    values: Mapping[str, Any]
    columns: Mapping[str, str]
    needs: tuple[str, ...]

    def text(self, column: str) -> str | None:
        """Return what stands in the table, None for a blank."""
        found: str | None = self.values[f"{column}_text"]
        return found

    def say(self, column: str, write: str) -> str:
        """Return a line about one column of this row."""
        place = f"row {self.values['row']}: {self.columns.get(column, column)!r}"
        text = self.text(column)
        return (
            f"{place} is blank: write {write}" if text is None else f"{place} is {cut(text)}: write {write}"
        )


def offences(row: Offender, *, most_cost: float = math.inf) -> Iterator[str]:
    """Yield every problem of one row. `most_cost` is the largest cost that can be right."""
    for column in ("prompt", "model"):
        if row.text(column) is None:
            yield row.say(column, f"the {column}'s name or text")
    generation, value = row.text("generation"), row.values["generation"]
    if row.values["numbered"] and (
        generation is None or value is None or value < 0 or float(generation) != value
    ):
        yield row.say("generation", "a whole number from 0")
    yield from _marks(row)
    for column, unit, most in (("cost", "US dollars", most_cost), ("latency", "seconds", math.inf)):
        number = row.values[column]
        bad = number is None or not math.isfinite(number) or not 0 <= number <= most
        if row.text(column) is not None and bad:
            limit = f" to {most:,.0f}" if math.isfinite(most) else ""
            yield row.say(column, f"{unit} as a number from 0{limit}, or leave it blank")
    at = row.values["at"]
    if row.text("at") is not None and (at is None or not 1e8 <= at <= 1e11):
        milliseconds = at is not None and 1e11 < at < 1e14
        hint = " (these look like milliseconds: divide by 1000)" if milliseconds else ""
        yield row.say("at", f"a time such as 2026-03-31T06:00:00Z, or seconds since 1970{hint}")
    for column in row.needs:
        if column not in ("prompt", "model", "quality", "generation") and row.text(column) is None:
            yield row.say(column, "a value: this import needs one in every row")


def _marks(row: Offender) -> Iterator[str]:
    status, text, quality = row.values["status"], row.text("quality"), row.values["quality"]
    if status not in STATUS_NAMES:
        yield row.say("status", f"ok, invalid, error or ungraded ({near(status, STATUS_NAMES)})")
    elif status == "ok":
        if text is None:
            yield row.say("quality", "a number from 0 to 1, or a status (invalid, error, ungraded)")
        elif quality is None or math.isnan(quality) or not 0 <= quality <= 1:
            yield row.say("quality", f"a number from 0 to 1{_rescaled(quality)}")
    elif text is not None and (status == "ungraded" or quality != 0):
        yield row.say("quality", f"nothing: the status is {status}")


def _rescaled(quality: float | None) -> str:
    if quality is not None and 1 < quality <= 5 and quality.is_integer():
        return " (marks from 1 to 5 become (mark - 1) / 4, per cent are divided by 100)"
    if quality is not None and 1 < quality <= 100:
        return f" (per cent are divided by 100: {quality / 100:g})"
    return ""


def duplicate(values: tuple[Any, ...], numbered: bool) -> str:
    """Return a line about rows that repeat each other."""
    prompt, model, generation, at, count, first, last = values
    when = "" if at is None else f", at {at}"
    key = f"prompt {cut(prompt)}, model {model!r}, generation {generation}{when}"
    advice = (
        "number them by `generation`" if numbered else "add a column `generation` that numbers the answers"
    )
    return f"rows {first} to {last}: {count} rows have {key}: keep one, or {advice}"
