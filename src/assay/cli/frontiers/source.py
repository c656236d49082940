"""What all commands of `assay frontier` share: the SOURCE argument, how it is read, what is told of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, get_type_hints

import typer

from assay.cli.output import counted, notes
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.studies.frontier.read import Read

READ = "read"


class Null(StrEnum):
    """What a blank quality means."""

    WRONG = "wrong"
    MISSING = "missing"


class ZeroCost(StrEnum):
    """What a cost of 0 means."""

    UNKNOWN = "unknown"
    FREE = "free"


SOURCE = inspect.Parameter(
    "source",
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    annotation=str,
    default=typer.Argument(..., metavar="SOURCE", help="A table's file, or runs: run:3 or run:3,run:4."),
)
SHARED: dict[str, tuple[Any, Any]] = {
    "column": (
        list[str],
        typer.Option(
            [], "--column", metavar="OURS=THEIRS", help="Which column is which: quality=is_resolved."
        ),
    ),
    "arm": (
        list[str],
        typer.Option([], "--arm", metavar="COLUMN", help="Columns that together name a model; several."),
    ),
    "where": (
        list[str],
        typer.Option(
            [], "--where", metavar="COLUMN=VALUE", help="Keep these rows only (!= those not); several."
        ),
    ),
    "null": (
        Null | None,
        typer.Option(None, "--null", metavar="MEANING", help="A blank quality is wrong, or missing."),
    ),
    "zero_cost": (
        ZeroCost | None,
        typer.Option(None, "--zero-cost", metavar="MEANING", help="A cost of 0 is unknown, or free."),
    ),
    "quality_range": (
        tuple[float, float] | None,
        typer.Option(None, "--quality-range", metavar="LOW HIGH", help="Qualities that become 0 and 1."),
    ),
    "least_coverage": (
        float,
        typer.Option(
            0.5,
            "--least-coverage",
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Leave out models on fewer prompts.",
        ),
    ),
}


def with_source(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command SOURCE and the options of reading; it gets the tensor as its parameter `read`.

    The command's first parameter is `ctx: typer.Context`, and one is `read: Read`, which no option fills.
    """
    stated = inspect.signature(command)
    if next(iter(stated.parameters)) != "ctx" or READ not in stated.parameters:
        raise TypeError(f"{command.__name__} must take ctx first, and read")

    @wraps(command)
    def reading(ctx: typer.Context, **given: Any) -> None:
        shared = {name: given.pop(name) for name in ("source", *SHARED)}
        command(ctx, **given, read=read_source(ctx, shared))

    own = [each for name, each in stated.parameters.items() if name not in ("ctx", READ)]
    hints = _hints(command)
    parameters = [
        inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context),
        SOURCE,
        *(each.replace(annotation=hints[each.name]) for each in own),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=option)
            for name, (kind, option) in SHARED.items()
        ),
    ]
    reading.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    reading.__annotations__ = {each.name: each.annotation for each in parameters}
    del reading.__wrapped__
    return reading


def _hints(command: Callable[..., None]) -> dict[str, Any]:
    """Return the types of a command's own parameters; that of `read` need not be importable here."""
    assert isinstance(command, FunctionType)
    holder = FunctionType(command.__code__, command.__globals__)
    holder.__annotations__ = {
        name: hint for name, hint in command.__annotations__.items() if name not in (READ, "return")
    }
    return get_type_hints(holder)


def read_source(ctx: typer.Context, given: dict[str, Any]) -> Read:
    """Read what the shared options name; a run needs a database that is there."""
    from assay.files.outcome_table_wish import parse_columns
    from assay.studies.frontier.source import named_runs, read_tensor

    engine = None if named_runs(given["source"]) is None else open_session(ctx, existing=True).engine
    null, zero_cost = given["null"], given["zero_cost"]
    return read_tensor(
        given["source"],
        columns=parse_columns(given["column"]),
        arms=given["arm"],
        where=given["where"],
        null=None if null is None else null.value,
        zero_cost=None if zero_cost is None else zero_cost.value,
        quality_range=given["quality_range"],
        least_coverage=given["least_coverage"],
        engine=engine,
    )


def source_document(read: Read) -> dict[str, Any]:
    """Return what was read as a part of a JSON document."""
    tensor, rows = read.tensor, read.rows
    return {
        "source": read.source,
        "digest": read.digest,
        "prompts": len(tensor.prompts),
        "models": len(tensor.models),
        "generations": tensor.generations,
        "unit": tensor.unit if tensor.cost is not None else None,
        "rows": {
            "read": rows.read,
            "used": rows.used,
            "errors": rows.errors,
            "ungraded": rows.ungraded,
            "left_out": rows.left_out,
            "invalid": rows.invalid,
            "skipped": rows.skipped,
            "answers": rows.answers,
        },
        "left_out": [
            {"kind": each.kind, "name": each.name, "reason": each.reason, "rows": each.rows}
            for each in read.left_out
        ],
        "notes": list(read.notes),
    }


def tell_source(read: Read) -> None:
    """Say on stderr what was read, with denominators, and every note."""
    tensor, rows, out = read.tensor, read.rows, notes()
    size = (
        f"{counted(len(tensor.prompts), 'prompt')}, {counted(len(tensor.models), 'model')}, "
        f"at most {counted(tensor.generations, 'generation')} a cell"
    )
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
