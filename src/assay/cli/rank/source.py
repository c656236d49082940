"""The argument SOURCE of `assay rank` and the options for reading it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer
from sqlalchemy import Engine

from assay.cli.app import with_options
from assay.cli.options import TABLE
from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.exam.scores import exam_scores
from assay.files.outcome_table_columns import parse_columns
from assay.ranking.score_table import ScoreSource
from assay.results.rank import RankSource
from assay.runs.board.scores import board_scores
from assay.studies.frontier.source import named_runs
from assay.studies.rank.source import SourceOptions, read_scores

BOARD, EXAM = "board:", "exam:"

SIMULATED = "Simulated: at least one model of this source is not real."
SOURCE = typer.Argument(
    ..., metavar="SOURCE...", help="Table file, runs such as run:3 run:4, board:SUITE, or exam:SERIES."
)
OUT = typer.Option(
    None,
    "--out",
    metavar="FILE",
    help="Write the result too: a page with a chart (.html), a table (.csv, .parquet) or a document (.json).",
)
OPTIONS: dict[str, tuple[Any, Any]] = {
    "source": (list[str], SOURCE),
    **TABLE,
    "value_range": (
        tuple[float, float] | None,
        typer.Option(None, "--range", metavar="LOW HIGH", help="Scores that become 0 and 100."),
    ),
    "judge": (
        list[str],
        typer.Option(
            [],
            "--judge",
            metavar="PROVIDER/MODEL",
            help="Judge whose marks count; repeatable (default: all; for exams the standard judge).",
        ),
    ),
}


def with_scores(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument SOURCE and its options; it gets the scores as its parameter `read`."""
    return with_options(command, "read", OPTIONS, _read)


def read_source(
    sources: Sequence[str], options: SourceOptions | None = None, engine: Engine | None = None
) -> ScoreSource:
    """Read the scores of a source: `board:SUITE`, `exam:SERIES`, runs, or a table.

    Raises NotFound for an unknown source, InvalidInput for one that cannot be read or has unusable options.
    """
    options = options or SourceOptions()
    text = ",".join(sources)
    if not in_database(sources):
        return read_scores(text, options)
    if engine is None:
        raise InvalidInput(f"{text!r} is in the database: open a workspace that has it")
    if options.columns or options.where or options.value_range is not None:
        raise InvalidInput(f"{text!r} is read as it is: --column, --where and --range are for tables")
    if text.startswith(BOARD):
        return board_scores(engine, text.removeprefix(BOARD), options.judges)
    if not text.startswith(EXAM):
        return read_scores(text, options, engine)
    if len(options.judges) > 1:
        raise InvalidInput("an exam is marked by one judge at a time: give --judge once")
    return exam_scores(engine, text.removeprefix(EXAM), *options.judges)


def in_database(sources: Sequence[str]) -> bool:
    """Return whether a source is in the workspace's database."""
    text = ",".join(sources)
    return text.startswith((BOARD, EXAM)) or named_runs(text) is not None


def engine_of(ctx: typer.Context, sources: list[str]) -> Engine | None:
    """Return the workspace's database if a source is in it, else None."""
    return open_session(ctx, existing=True).engine if in_database(sources) else None


def source_options(chosen: dict[str, Any]) -> SourceOptions:
    """Return how a source is read, from the choices of `OPTIONS`."""
    return SourceOptions(
        columns=parse_columns(chosen["column"]),
        where=chosen["where"],
        value_range=chosen["value_range"],
        judges=chosen["judge"],
    )


def _read(ctx: typer.Context, chosen: dict[str, Any]) -> ScoreSource:
    return read_source(chosen["source"], source_options(chosen), engine_of(ctx, chosen["source"]))


def print_source(about: RankSource) -> None:
    """Print on stderr what was read, and every note about it."""
    if about.simulated:
        notes().print(SIMULATED)
    notes().print(f"{about.source}: {counted(about.models, 'model')}, {counted(about.items, 'item')}")
    for note in about.notes:
        notes().print(f"  {note}")
