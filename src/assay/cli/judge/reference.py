"""The argument SOURCE of `assay judge choose`, `correct` and `plan`, and the options for reading it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.people import HUMAN
from assay.exam.reference_marks import exam_reference
from assay.ranking.reference_marks import ReferenceSource
from assay.runs.board.source import find_runs, find_suite
from assay.studies.reference_marks import (
    BOARD,
    EXAM,
    RUN,
    ReferenceOptions,
    in_workspace,
    read_reference_marks,
    runs_reference,
)

NONE = "none"
"""The choice of no reference."""
OPTIONS: dict[str, tuple[Any, Any]] = {
    "source": (
        str,
        typer.Argument(
            ..., metavar="SOURCE", help="Table of marks, a run number or run:3, board:SUITE, or exam:SERIES."
        ),
    ),
    "reference": (
        str,
        typer.Option(
            HUMAN,
            "--reference",
            metavar="RATER",
            help="Rater whose marks are taken for the truth; for exams the experts.",
        ),
    ),
    "judge": (
        list[str],
        typer.Option(
            [],
            "--judge",
            metavar="JUDGE",
            help="Judge to include; repeatable (default: all). In a table without a judge column: a column.",
        ),
    ),
    "metric": (
        str | None,
        typer.Option(
            None,
            "--metric",
            metavar="METRIC",
            help="Metric of a run (default: the one that most judges marked).",
        ),
    ),
    "category": (
        list[str],
        typer.Option(
            [],
            "--category",
            metavar="MARK",
            help="Possible mark of a table; repeatable, the worst mark first.",
        ),
    ),
}
COLUMN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "round_column": (
        str | None,
        typer.Option(
            None,
            "--round",
            metavar="COLUMN",
            help="Column with the round of marking (default: round, if any).",
        ),
    ),
    "cost_column": (
        str | None,
        typer.Option(
            None,
            "--cost",
            metavar="COLUMN",
            help="Column with a mark's cost in US dollars (default: cost, if any).",
        ),
    ),
    "weight_column": (
        str | None,
        typer.Option(
            None,
            "--weight",
            metavar="COLUMN",
            help="Column with the answer's weight in correlations (default: weight, if any).",
        ),
    ),
}


def with_reference(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command SOURCE and its options; it gets the marks as its parameter `read`."""
    return with_options(command, "read", OPTIONS, _read)


def with_reference_columns(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command SOURCE with its options, and those that name columns of a table."""
    return with_options(command, "read", {**OPTIONS, **COLUMN_OPTIONS}, _read)


def with_optional_reference(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command SOURCE with all its options; by default the reference is `human` if people marked."""
    option = typer.Option(
        None,
        "--reference",
        metavar="RATER",
        help="Rater whose marks are taken for the truth, or none (default: human, if people marked).",
    )
    options = {**OPTIONS, "reference": (str | None, option), **COLUMN_OPTIONS}
    return with_options(command, "read", options, _read)


def _read(ctx: typer.Context, chosen: dict[str, Any]) -> ReferenceSource:
    named = {name: chosen.get(f"{name}_column") for name in ("round", "cost", "weight")}
    options = ReferenceOptions(
        reference=None if chosen["reference"] == NONE else chosen["reference"],
        judges=chosen["judge"],
        metric=chosen["metric"],
        renamed={name: column for name, column in named.items() if column is not None},
        categories=chosen["category"],
    )
    return read_reference(ctx, chosen["source"], options)


def read_reference(
    ctx: typer.Context, source: str, options: ReferenceOptions | None = None
) -> ReferenceSource:
    """Read judges' and people's marks from a table, a run, a board or an exam."""
    options = options or ReferenceOptions()
    if not in_workspace(source):
        return read_reference_marks(source, options)
    if options.renamed or options.categories:
        raise InvalidInput(f"{source!r} is read as it is: columns and --category are for tables")
    engine = open_session(ctx, existing=True).engine
    if source.startswith(EXAM):
        if options.reference not in (None, HUMAN) or options.metric is not None:
            raise InvalidInput("an exam's reference is its experts: leave out --reference and --metric")
        return exam_reference(engine, source.removeprefix(EXAM), options.judges)
    if source.startswith(BOARD):
        board = find_runs(engine, find_suite(engine, source.removeprefix(BOARD), None, None))
        left_out = [f"{model.model} is not ranked: {model.reasons[0].reason}" for model in board.not_ranked]
        names = set(board.names.values())
        return runs_reference(engine, board.runs, options, source=source, models=names, notes=left_out)
    number = source.removeprefix(RUN)
    if not (number.isascii() and number.isdigit()):
        raise InvalidInput(f"invalid run {source!r}: give a number, such as run:3")
    return runs_reference(engine, [int(number)], options, source=source)
