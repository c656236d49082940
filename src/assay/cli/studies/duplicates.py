"""`assay study duplicates`: questions that ask the same, by their words or by an embedding model."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import typer

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT
from assay.cli.session import open_session
from assay.cli.studies.overlap import SOURCE
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.questions.meaning import LEAST
from assay.report.similar_questions import alike_page
from assay.results.similar_questions import AlikeReport, alike_table
from assay.studies.embedding_model import load_embedding_model
from assay.studies.question_texts import BANK, read_question_texts
from assay.studies.similar_questions import by_meaning, by_words, without_texts

SHOWN: Final = 40


@prints("one row per pair of questions")
def duplicates(
    ctx: typer.Context,
    output: OutputFormat,
    source: str = SOURCE,
    against: str | None = typer.Option(
        None,
        "--against",
        metavar="SOURCE",
        help="Second source to compare with (default: the source itself).",
    ),
    embeddings: str | None = typer.Option(
        None,
        "--embeddings",
        metavar="FOLDER|MODULE:NAME",
        help="Embedding model: a folder for sentence-transformers, or a function of a package.",
    ),
    least: float | None = typer.Option(
        None,
        "--least",
        min=0.0,
        max=1.0,
        metavar="COSINE",
        help=f"Least similarity by meaning (default: {LEAST}).",
    ),
    show: bool = typer.Option(False, "--show", help="Show the texts, not only the questions' identifiers."),
    out: Path | None = OUT,
) -> None:
    """Show questions that ask the same.

    They are looked for within one source or between two. Without --embeddings only almost equal words
    count. The model runs on this machine; nothing is sent.
    """
    if least is not None and embeddings is None:
        raise InvalidInput("--least needs --embeddings: give both, or leave it out")
    session = open_session(ctx, existing=BANK in (source, against))
    engine = session.engine if BANK in (source, against) else None
    model = None if embeddings is None else load_embedding_model(embeddings)
    questions = list(read_question_texts(source, engine, session.suite))
    others = [] if against is None else list(read_question_texts(against, engine, session.suite))
    if embeddings is None or model is None:
        report = by_words(source, questions, against, others)
    else:
        chosen = LEAST if least is None else least
        report = by_meaning(source, questions, against, others, (embeddings, model), chosen)
    report = report if show else without_texts(report)
    table = alike_table(show=show)
    text = partial(_print_pairs, report, show=show)
    print_listed(table, report.pairs, output, result=report, text=text)
    notes().print(f"  {report.blind}")
    write_study(out, report, table.records(report.pairs), alike_page(report, show=show))


def _print_pairs(report: AlikeReport, *, show: bool) -> None:
    against = (
        "" if report.others is None else f" and {counted(report.others, 'question')} of {report.against}"
    )
    typer.echo(f"{counted(len(report.pairs), 'pair')} among {counted(report.questions, 'question')}{against}")
    if report.pairs:
        print_rows(alike_table(show=show), report.pairs[:SHOWN])
    if len(report.pairs) > SHOWN:
        typer.echo(f"and {len(report.pairs) - SHOWN:,} more; --csv lists all")
