"""`assay study overlap`: word sequences that questions share with a folder of texts."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.questions.overlap import CHARACTERS, WORDS
from assay.report.overlap import overlap_page
from assay.results.overlap import Overlap, overlap_table
from assay.studies.overlap import find_overlap
from assay.studies.question_texts import BANK, read_question_texts

SHOWN: Final = 40
"""Most questions that the terminal lists; --csv and --json have all."""
SOURCE = typer.Argument(..., metavar="SOURCE", help="Questions: bank, suite:NAME, or a table file.")


@prints("one row per question with an overlap")
def overlap(
    ctx: typer.Context,
    output: OutputFormat,
    source: str = SOURCE,
    against: Path = typer.Option(
        ...,
        "--against",
        metavar="FOLDER",
        help="Folder (or file) of texts: .txt, .md, .jsonl, .csv, also packed.",
    ),
    words: int = typer.Option(
        WORDS, "--words", min=8, max=13, metavar="N", help="Length of an n-gram in words."
    ),
    characters: int = typer.Option(
        CHARACTERS,
        "--characters",
        min=8,
        max=40,
        metavar="N",
        help="Length of an n-gram in Chinese characters.",
    ),
    show: bool = typer.Option(
        False, "--show", help="Show the shared text, not only the question's identifier."
    ),
    out: Path | None = OUT,
) -> None:
    """Show which questions share word sequences with texts.

    The texts are the files of a folder, and each match is listed with its file and line. Only the
    same words count: paraphrases and translations are not seen. Nothing is sent anywhere.
    """
    session = open_session(ctx, existing=source == BANK)
    questions = read_question_texts(source, session.engine if source == BANK else None, session.suite)
    result = find_overlap(source, questions, against, words=words, characters=characters, show=show)
    table = overlap_table(show=show)
    text = partial(_print_overlaps, result, show=show)
    print_listed(table, result.overlaps, output, result=result, text=text)
    _print_notes(result)
    write_study(out, result, table.records(result.overlaps), overlap_page(result, show=show))


def _print_overlaps(result: Overlap, *, show: bool) -> None:
    typer.echo(
        f"{len(result.overlaps):,} of {counted(result.questions, 'question')} share a run of {result.words} "
        f"words ({result.characters} Chinese characters); {result.mostly:,} share 70 % of theirs or more"
    )
    if result.overlaps:
        print_rows(overlap_table(show=show), result.overlaps[:SHOWN])
    if len(result.overlaps) > SHOWN:
        typer.echo(f"and {len(result.overlaps) - SHOWN:,} more; --csv lists all")


def _print_notes(result: Overlap) -> None:
    out = notes()
    out.print(f"{result.against}: {counted(result.files, 'file')}, {result.size:,} characters")
    if result.untested:
        out.print(f"  {counted(result.untested, 'question')} too short to be tested")
    if result.phrases:
        out.print(f"  {counted(result.phrases, 'examination phrase')} left out")
    for note in result.notes:
        out.print(f"  {note}")
    out.print("  Paraphrases and translations are not seen: see assay study duplicates --embeddings")
