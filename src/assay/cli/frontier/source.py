"""What all commands of `assay frontier` share: the SOURCE argument, how it is read, what is printed."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.files.outcome_table_columns import parse_columns
from assay.results.figure import dollars
from assay.studies.frontier.read import Read
from assay.studies.frontier.source import named_runs, read_tensor

QUIET_SECONDS = 2.0
"""Progress is told from here on: what is over sooner needs none."""
SIMULATED = "Simulated: at least one run of this source did not measure real models."


class Null(StrEnum):
    """What a blank quality means."""

    WRONG = "wrong"
    MISSING = "missing"


class ZeroCost(StrEnum):
    """What a cost of 0 means."""

    UNKNOWN = "unknown"
    FREE = "free"


SOURCE = typer.Argument(..., metavar="SOURCE...", help="Table file, or runs such as run:3 run:4.")
SHARED: dict[str, tuple[Any, Any]] = {
    "source": (list[str], SOURCE),
    "column": (
        list[str],
        typer.Option(
            [],
            "--column",
            metavar="NAME=COLUMN",
            help="Column mapping, such as quality=is_resolved; repeatable.",
        ),
    ),
    "arm": (
        list[str],
        typer.Option(
            [], "--arm", metavar="COLUMN", help="Column that is part of a model's name; repeatable."
        ),
    ),
    "where": (
        list[str],
        typer.Option(
            [],
            "--where",
            metavar="COLUMN=VALUE",
            help="Condition on rows, as COLUMN=VALUE or COLUMN!=VALUE; repeatable.",
        ),
    ),
    "null": (
        Null | None,
        typer.Option(None, "--null", metavar="MEANING", help="Meaning of a blank quality: wrong or missing."),
    ),
    "zero_cost": (
        ZeroCost | None,
        typer.Option(None, "--zero-cost", metavar="MEANING", help="Meaning of a cost of 0: unknown or free."),
    ),
    "quality_range": (
        tuple[float, float] | None,
        typer.Option(
            None, "--quality-range", metavar="LOW HIGH", help="Qualities that are mapped to 0 and 1."
        ),
    ),
    "least_coverage": (
        float,
        typer.Option(
            0.5,
            "--least-coverage",
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Smallest number of prompts of a model to include it.",
        ),
    ),
}


def with_source(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument SOURCE and the options for reading it; it gets `read`, what was read."""
    return with_options(command, "read", SHARED, read_source)


def read_source(ctx: typer.Context, given: dict[str, Any]) -> Read:
    """Read what the shared options name; a run needs a database that is there."""
    source = ",".join(given["source"])
    engine = None if named_runs(source) is None else open_session(ctx, existing=True).engine
    null, zero_cost = given["null"], given["zero_cost"]
    return read_tensor(
        source,
        columns=parse_columns(given["column"]),
        arms=given["arm"],
        where=given["where"],
        null=None if null is None else null.value,
        zero_cost=None if zero_cost is None else zero_cost.value,
        quality_range=given["quality_range"],
        least_coverage=given["least_coverage"],
        engine=engine,
    )


def tell_source(read: Read) -> None:
    """Say on stderr what was read, with denominators, and every note."""
    tensor, rows, out = read.tensor, read.rows, notes()
    size = (
        f"{counted(len(tensor.prompts), 'prompt')}, {counted(len(tensor.models), 'model')}, "
        f"at most {counted(tensor.generations, 'generation')} a cell"
    )
    if read.simulated:
        out.print(SIMULATED)
    out.print(f"{read.source}: {size}")
    parts = [f"{rows.used:,} used" + (f" ({rows.invalid:,} invalid)" if rows.invalid else "")]
    parts += [
        f"{count:,} {name}"
        for count, name in ((rows.errors, "errors"), (rows.ungraded, "ungraded"), (rows.left_out, "left out"))
        if count
    ]
    skipped = f"; {rows.skipped:,} others did not meet the conditions" if rows.skipped else ""
    answers = f"; {rows.answers:,} answers" if rows.answers != rows.used else ""
    out.print(f"  {rows.read:,} rows read: {', '.join(parts)}{answers}{skipped}")
    for note in read.notes:
        out.print(f"  {note}")


def progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, from two seconds after now on."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return tell


def costs_in(unit: str | None) -> Callable[[float], str]:
    """Return what writes a cost in a source's unit."""
    return dollars if unit == "USD" else (lambda value: f"{value:.4g} {unit}")
