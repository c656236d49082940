"""`assay board`: the models that a suite was run on, ranked only as far as the data supports."""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.cli.shown_board import print_board, print_groups
from assay.core.errors import InvalidInput

app = new_app()


class By(StrEnum):
    """How prompts are grouped."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"
    DIFFICULTY = "difficulty"


@app.command()
def board(
    ctx: typer.Context,
    suite: str = typer.Argument("generalist", metavar="[SUITE]", help="The suite's name."),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Its version; else the one stored last."
    ),
    run: list[int] = typer.Option(
        [], "--run", metavar="RUN", help="Only these runs; else each model's newest."
    ),
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Only these judges' marks; else all there are."
    ),
    by: By | None = typer.Option(
        None, "--by", metavar="category|subcategory|difficulty", help="Composites by group of prompts."
    ),
    html: Path | None = typer.Option(None, metavar="FILE", help="Write a page with charts as well."),
    as_csv: bool = typer.Option(False, "--csv", help="Print one row a model as CSV."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Rank models by judges and G-Eval, with intervals; who cannot be told apart shares a range of ranks."""
    from assay.report.board_document import board_document, board_rows

    if as_csv and as_json:
        raise InvalidInput("--csv and --json are two documents: choose one")
    work = open_session(ctx, existing=True)
    found = work.board(suite, suite_version, runs=run or None, judges=judge)
    if as_json:
        print_json(board_document(found))
    elif as_csv:
        rows = list(board_rows(found))
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    elif by is not None:
        print_groups(found, by.value)
    else:
        print_board(found)
    if html is not None:
        from assay.report.board_page import write_board

        notes().print(f"page: {write_board(found, html)}")
