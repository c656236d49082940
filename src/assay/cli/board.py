"""`assay board`: the models that a suite was run on, ranked only as far as the data supports."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.runs.board import StoredBoard
    from assay.runs.boards.keyed import StoredKeyedBoard

app = new_app()


class By(StrEnum):
    """How prompts are grouped: the first three on a judged board, the others on a keyed one."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"
    DIFFICULTY = "difficulty"
    CONCEPT = "concept"
    VARIANT = "variant"


OF_JUDGED = (By.CATEGORY, By.SUBCATEGORY, By.DIFFICULTY)
OF_KEYED = (By.CONCEPT, By.VARIANT)


@app.command()
def board(
    ctx: typer.Context,
    suite: str = typer.Argument("generalist", metavar="[SUITE]", help="The suite's name."),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Its version; else the one stored last."
    ),
    run: list[int] = typer.Option(
        [], "--run", metavar="RUN", help="Only these runs; else each model's newest complete one."
    ),
    judge: list[str] = typer.Option(
        [],
        "--judge",
        metavar="PROVIDER/MODEL",
        help="Only these judges' marks; else most models' panel.",
    ),
    geval_judge: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="Whose G-Eval counts; else most models' judge."
    ),
    by: By | None = typer.Option(
        None, "--by", metavar="GROUP", help="By category, subcategory, difficulty; or concept, variant."
    ),
    pairs: bool = typer.Option(False, "--pairs", help="List the pairs of models that differ significantly."),
    beside: str | None = typer.Option(
        None, metavar="SUITE", help="The suite of the other kind to show beside; none for none."
    ),
    html: Path | None = typer.Option(None, metavar="FILE", help="Write a page with charts as well."),
    as_csv: bool = typer.Option(False, "--csv", help="Print one row a model as CSV."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Rank models, with intervals and ranges of ranks.

    Only complete runs with the same judges are ranked; the others are listed with what to type.

    Where judges mark a suite, by their marks and G-Eval; where every question has one right letter, by
    how often it is chosen.
    """
    from assay.runs.board import StoredBoard

    if as_csv and as_json:
        raise InvalidInput("--csv and --json are two documents: choose one")
    if pairs and (by is not None or as_csv or as_json):
        raise InvalidInput(
            "--pairs is a table of its own: leave --by, --csv and --json out "
            "(the JSON document has all pairs)"
        )
    work = open_session(ctx, existing=True)
    found = work.board(suite, suite_version, runs=run or None, judges=judge, geval=geval_judge, beside=beside)
    if isinstance(found, StoredBoard):
        _judged(found, by, html, pairs=pairs, as_csv=as_csv, as_json=as_json)
    else:
        _keyed(found, by, html, pairs=pairs, as_csv=as_csv, as_json=as_json)


def _judged(
    found: StoredBoard, by: By | None, html: Path | None, *, pairs: bool, as_csv: bool, as_json: bool
) -> None:
    from assay.cli.shown_board import print_board, print_groups
    from assay.cli.shown_pairs import print_pairs
    from assay.report.board_document import board_document, board_rows

    _check_by(by, OF_JUDGED, "judges mark this suite")
    if as_json:
        print_json(board_document(found))
    elif as_csv:
        _print_csv(board_rows(found))
    elif pairs:
        print_pairs(found)
    elif by is not None:
        print_groups(found, by.value)
    else:
        print_board(found)
    if html is not None:
        from assay.report.board_page import write_board

        notes().print(f"page: {write_board(found, html)}")


def _keyed(
    found: StoredKeyedBoard, by: By | None, html: Path | None, *, pairs: bool, as_csv: bool, as_json: bool
) -> None:
    from assay.cli.shown_keyed_board import print_keyed_board, print_parts
    from assay.cli.shown_pairs import print_pairs
    from assay.report.keyed_document import keyed_document, keyed_rows

    _check_by(by, OF_KEYED, "this suite's questions have one right letter")
    if as_json:
        print_json(keyed_document(found))
    elif as_csv:
        _print_csv(keyed_rows(found))
    elif pairs:
        print_pairs(found)
    elif by is not None:
        print_parts(found, by.value)
    else:
        print_keyed_board(found)
    if html is not None:
        from assay.report.keyed_page import write_keyed_board

        notes().print(f"page: {write_keyed_board(found, html)}")


def _check_by(by: By | None, known: tuple[By, ...], why: str) -> None:
    if by is not None and by not in known:
        raise InvalidInput(f"--by {by.value} is not for this board, for {why}: use {' or '.join(known)}")


def _print_csv(given: Iterable[dict[str, Any]]) -> None:
    rows = list(given)
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
