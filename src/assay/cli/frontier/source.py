"""The SOURCE argument and the options for reading it, which all commands of `assay frontier` share."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.options import TABLE
from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.files.outcome_table_columns import parse_columns
from assay.results.figure import dollars
from assay.studies.frontier.source import named_runs, read_tensor
from assay.studies.frontier.tensor_source import TensorSource

QUIET_SECONDS = 2.0
"""Progress is printed only after so many seconds."""
SIMULATED = "Simulated: at least one run of this source did not measure real models."


class Null(StrEnum):
    """The meaning of a blank quality."""

    WRONG = "wrong"
    MISSING = "missing"


class ZeroCost(StrEnum):
    """The meaning of a cost of 0."""

    UNKNOWN = "unknown"
    FREE = "free"


SOURCE = typer.Argument(..., metavar="SOURCE...", help="Table file, or runs such as run:3 run:4.")
SHARED: dict[str, tuple[Any, Any]] = {
    "source": (list[str], SOURCE),
    **TABLE,
    "arm": (
        list[str],
        typer.Option(
            [], "--arm", metavar="COLUMN", help="Column that is part of a model's name; repeatable."
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
            help="Smallest share of the prompts that a model must have answers to.",
        ),
    ),
}


def with_source(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the SOURCE argument and its options; the command gets the parameter `read`."""
    return with_options(command, "read", SHARED, read_source)


def read_source(ctx: typer.Context, options: dict[str, Any]) -> TensorSource:
    """Read the source that the shared options name; runs need an existing database."""
    source = ",".join(options["source"])
    engine = None if named_runs(source) is None else open_session(ctx, existing=True).engine
    null, zero_cost = options["null"], options["zero_cost"]
    return read_tensor(
        source,
        columns=parse_columns(options["column"]),
        arms=options["arm"],
        where=options["where"],
        null=None if null is None else null.value,
        zero_cost=None if zero_cost is None else zero_cost.value,
        quality_range=options["quality_range"],
        least_coverage=options["least_coverage"],
        engine=engine,
    )


def print_source(read: TensorSource) -> None:
    """Print on stderr the size of the source, how its rows were used, and all notes."""
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
    """Return a function that prints a step on stderr once two seconds have passed."""
    begun = time.monotonic()

    def print_step(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return print_step


def costs_in(unit: str | None) -> Callable[[float], str]:
    """Return a function that writes a cost in a source's unit."""
    return dollars if unit == "USD" else (lambda value: f"{value:.4g} {unit}")
