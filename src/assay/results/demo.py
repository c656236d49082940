"""The demonstration: the verdicts on simulated models beside the truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, Literal

from assay.core.verdict import ModelState
from assay.results.figure import Figure
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class DemoDay:
    """A model's state on one day."""

    day: Annotated[date, Figure("day", unit="UTC")]
    state: Annotated[ModelState, Figure("state")]


@dataclass(frozen=True, slots=True)
class DemoFinding:
    """The verdicts on one simulated model: each day's state, and the days on which its fall was first seen.

    `suspected_on` and `cooked_on` are the first days with that state on or after the fall, or the first days
    at all if the model does not fall.
    """

    model: Annotated[str, Figure("model")]
    about: Annotated[str, Figure("simulated to")]
    fell_on: Annotated[
        date | None,
        Figure("fell on", meaning="first day on which it was simulated to be worse; none if it never was"),
    ]
    suspected_on: Annotated[date | None, Figure("suspicious on")]
    cooked_on: Annotated[date | None, Figure("cooked on")]
    alarmed_on: Annotated[date | None, Figure("alarm on", meaning="the sequential test's first alarm")]
    states: tuple[DemoDay, ...]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The result of watching simulated models for some days."""

    simulated: Annotated[Literal[True], Figure("simulated")]
    days: Annotated[int, Figure("days")]
    models: tuple[DemoFinding, ...]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "demo": (Demonstration, "assay demo --json: the verdicts on simulated models beside the truth"),
}
