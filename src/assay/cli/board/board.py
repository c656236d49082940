"""`assay board`: the models that a suite was run on, ranked as far as the data supports."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.board.judged import print_board, print_groups
from assay.cli.board.keyed import print_keyed_board, print_parts
from assay.cli.board.pairs import print_pairs, significant_pairs
from assay.cli.board.pairwise import rank_pairwise
from assay.cli.out import write_out
from assay.cli.output import OutputFormat, notes, print_csv, print_listed, print_output, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.report.board.results import board_records, board_result, group_records
from assay.results.rank_comparisons import Covariate
from assay.results.ranking import SIGNIFICANT
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard

app = new_app()


class BoardGrouping(StrEnum):
    """A grouping of prompts: the first three for judged boards, the others for keyed boards."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"
    DIFFICULTY = "difficulty"
    CONCEPT = "concept"
    VARIANT = "variant"
    RUNG = "rung"
    LEVEL = "level"


OF_JUDGED = (BoardGrouping.CATEGORY, BoardGrouping.SUBCATEGORY, BoardGrouping.DIFFICULTY)
OF_KEYED = (BoardGrouping.CONCEPT, BoardGrouping.VARIANT, BoardGrouping.RUNG, BoardGrouping.LEVEL)


@app.command()
@prints("one row per model, or per group or pair with --by or --pairs")
def board(
    ctx: typer.Context,
    output: OutputFormat,
    suite: str = typer.Argument("generalist", metavar="[SUITE]", help="Name of the suite."),
    suite_version: str | None = typer.Option(
        None, metavar="VERSION", help="Suite version (default: the one stored last)."
    ),
    run: list[int] = typer.Option(
        [],
        "--run",
        metavar="RUN",
        help="Run to rank; repeatable (default: each model's newest complete run).",
    ),
    judge: list[str] = typer.Option(
        [],
        "--judge",
        metavar="PROVIDER/MODEL",
        help="Judge whose marks count; repeatable (default: the panel that most models share).",
    ),
    geval_judge: str | None = typer.Option(
        None,
        metavar="PROVIDER/MODEL",
        help="Judge whose G-Eval counts (default: the one that most models share).",
    ),
    by: BoardGrouping | None = typer.Option(
        None,
        "--by",
        metavar="GROUP",
        help="Grouping of the results: category, subcategory or difficulty; or concept, variant, rung or "
        "level.",
    ),
    pairs: bool = typer.Option(False, "--pairs", help="List the pairs of models that differ significantly."),
    pairwise: bool = typer.Option(
        False, "--pairwise", help="Rank by judges' verdicts on pairs of answers (`assay judge pairs`)."
    ),
    covariate: list[Covariate] = typer.Option(
        [],
        "--covariate",
        help="With --pairwise: property to adjust for, position or length (or judge with one of these); "
        "repeatable.",
    ),
    beside: str | None = typer.Option(
        None, metavar="SUITE", help="Suite of the other kind to show beside this one; `none` for none."
    ),
    out: Path | None = typer.Option(
        None,
        "--out",
        metavar="FILE",
        help="File for the board: a page (.html), a table (.csv, .parquet) or a document (.json).",
    ),
) -> None:
    """Rank models, with intervals and ranges of ranks.

    Only complete runs with the same judges are ranked; the others are listed with the command that completes
    them. Judged suites are ranked by marks and G-Eval, multiple-choice suites by right answers. With
    --pairwise, models are ranked by how often judges preferred their answers; --run then names comparisons.
    """
    if pairs and by is not None:
        raise InvalidInput("--pairs and --by exclude each other: choose one")
    if covariate and not pairwise:
        raise InvalidInput("--covariate is for verdicts on pairs of answers: add --pairwise")
    work = open_session(ctx, existing=True)
    if pairwise:
        if pairs or by is not None or geval_judge is not None or beside is not None:
            raise InvalidInput("--pairwise excludes --pairs, --by, --geval-judge and --beside: choose one")
        rank_pairwise(
            work,
            suite,
            suite_version,
            runs=run,
            judges=judge,
            covariates=covariate,
            output=output,
            out=out,
        )
        return
    stored = work.board(
        suite, suite_version, runs=run or None, judges=judge, geval=geval_judge, beside=beside
    )
    check_grouping(by, stored)
    result = board_result(stored)
    if pairs:
        listed = significant_pairs(stored)
        print_listed(SIGNIFICANT, listed, output, result=result, text=lambda: print_pairs(stored))
    else:
        records = board_records(stored) if by is None else group_records(stored, by.value)
        text = partial(_print_text, stored, by)
        print_output(output, result=result, csv=lambda: print_csv(records), text=text)
    if out is not None:
        written = write_out(
            out,
            result=lambda: result,
            records=lambda: board_records(stored),
            page=lambda path: write_page(stored, path),
        )
        notes().print(f"wrote {written}")


def _print_text(stored: StoredBoard | StoredKeyedBoard, by: BoardGrouping | None) -> None:
    if isinstance(stored, StoredBoard):
        print_board(stored) if by is None else print_groups(stored, by.value)
    else:
        print_keyed_board(stored) if by is None else print_parts(stored, by.value)


def write_page(stored: StoredBoard | StoredKeyedBoard, path: Path) -> None:
    """Write the page of a board of either kind. The chart library is imported here: it takes a second."""
    from assay.report.board.judged import write_board
    from assay.report.board.keyed import write_keyed_board

    if isinstance(stored, StoredBoard):
        write_board(stored, path)
    else:
        write_keyed_board(stored, path)


def check_grouping(by: BoardGrouping | None, stored: StoredBoard | StoredKeyedBoard) -> None:
    """Raise InvalidInput for a grouping that only other boards have."""
    if by is None:
        return
    judged = isinstance(stored, StoredBoard)
    known = OF_JUDGED if judged else OF_KEYED
    if by not in known:
        kind = "judged" if judged else "multiple-choice"
        *others, last = (each.value for each in known)
        raise InvalidInput(f"--by {by.value} is not for {kind} suites: use {', '.join(others)} or {last}")
    if isinstance(stored, StoredKeyedBoard) and not stored.board.standings[0].parts(by.value):
        raise InvalidInput(
            f"no question of suite {stored.suite.name!r} {stored.suite.version} states its {by.value}: use "
            "--by concept or --by variant"
        )
