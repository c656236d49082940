"""How a table of outcomes is to be read: which column is what, which rows, and what blanks and zeros mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from assay.core.errors import InvalidInput, Problem
from assay.files.shape import near

LONG = ("prompt", "model", "generation", "quality", "cost", "latency", "status", "category", "unit", "text")
COUNTS = ("n_correct", "n_gen")
TARGETS = (*LONG, *COUNTS)
Null = Literal["wrong", "missing"]
ZeroCost = Literal["unknown", "free"]


@dataclass(frozen=True, slots=True)
class Condition:
    """Keeps the rows where a column has a value, or has not (`equal` False). A blank value means blank."""

    column: str
    value: str
    equal: bool = True


@dataclass(frozen=True, slots=True)
class TableWish:
    """How to read a table of outcomes.

    `columns` gives the table's column for our names ("" reads none); the rest are matched by name. `arms` are
    columns that together name a model. Rows must meet the conditions in `where`: any of those on one column.
    `null` says what a blank quality means, `zero_cost` what a cost of 0 means (None: it is free, and that is
    told), `quality_range` which numbers become 0 and 1.
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
                raise InvalidInput(f"{ours!r} is none of our columns: {near(ours, TARGETS)}")
        if self.arms and self.columns.get("model"):
            raise InvalidInput("the models are named by --column model=... and by --arm: give one of them")
        if self.null not in (None, "wrong", "missing"):
            raise InvalidInput(f"null is {self.null!r}: write wrong or missing")
        if self.zero_cost not in (None, "unknown", "free"):
            raise InvalidInput(f"zero cost is {self.zero_cost!r}: write unknown or free")
        if self.quality_range is not None and not self.quality_range[0] < self.quality_range[1]:
            low, high = self.quality_range
            raise InvalidInput(f"quality range {low:g} {high:g}: give the lower end first, then the upper")


def parse_columns(pairs: Iterable[str]) -> dict[str, str]:
    """Return our names with the table's, from texts such as `quality=is_resolved`."""
    found: dict[str, str] = {}
    for pair in pairs:
        ours, sign, theirs = pair.partition("=")
        if not sign:
            raise InvalidInput(f"column {pair!r}: write OURS=THEIRS, such as quality=is_resolved")
        ours = ours.strip()
        if ours in found:
            raise InvalidInput(
                Problem(f"{ours!r} is both {found[ours]!r} and {theirs!r}: one column can be {ours!r}")
            )
        found[ours] = theirs.strip()
    return found


def parse_conditions(wanted: Mapping[str, object] | Iterable[str]) -> tuple[Condition, ...]:
    """Return conditions from texts (`release=v1_400`, `model!=human`) or a mapping of columns to values."""
    if isinstance(wanted, Mapping):
        return tuple(Condition(column, _written(value)) for column, value in wanted.items())
    found = []
    for text in wanted:
        column, sign, value = text.partition("=")
        if not sign or not column.strip("! "):
            raise InvalidInput(f"where {text!r}: write COLUMN=VALUE or COLUMN!=VALUE")
        found.append(Condition(column.removesuffix("!").strip(), value.strip(), not column.endswith("!")))
    return tuple(found)


def _written(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
