"""`assay bank show`: one question with its history, and with its key only if asked for."""

from __future__ import annotations

import typer

from assay.bank.export import show_question
from assay.cli.output import console, notes, print_result
from assay.cli.session import open_session
from assay.files.sealing import bank_sealer
from assay.results.bank import QuestionHistory
from assay.results.figure import utc


def show(
    ctx: typer.Context,
    uuid: str = typer.Argument(metavar="UUID", help="Question uuid."),
    with_key: bool = typer.Option(False, "--with-key", help="Also show the answer and its explanation."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a question with its reviews, edits and variants.

    --with-key needs the bank's key.
    """
    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment) if with_key else None
    history = show_question(work.engine, uuid.strip().lower(), sealer=sealer)
    if as_json:
        print_result(history)
    else:
        _print(history)


def _print(history: QuestionHistory) -> None:
    stored, out = history.question, console()
    question = stored.question
    retired = f", retired in revision {history.retired_in}: {history.retired_why}" if stored.retired else ""
    out.print(f"{question.uuid}  version {stored.version}, {stored.state}{retired}")
    secondary = "" if question.secondary is None else f" / {question.secondary}"
    out.print(
        f"{question.kind}, {question.discipline}{secondary}, {question.language}; "
        f"{history.source}: {history.place}"
    )
    if question.parent is not None:
        out.print(f"made from {question.parent} by {stored.made_by}")
    if question.passage is not None:
        out.print(f"\n{question.passage}")
    out.print(f"\n{question.stem}")
    for place, option in enumerate(question.options):
        out.print(f"{chr(ord('A') + place)}. {option}")
    if history.key is not None:
        out.print(f"\nKey: {'; '.join(history.key.answers)}\n{history.key.explanation}".rstrip())
    for review in history.reviews:
        decision = f"{review.reviewer} {review.decision}s version {review.version}: {review.reason}"
        notes().print(f"{utc(review.at)} {decision}")
    for edit in history.edits:
        notes().print(f"{utc(edit.at)} {edit.edited_by} replaced version {edit.version}: {edit.reason}")
    if history.variants:
        listed = ", ".join(variant.uuid for variant in history.variants[:5])
        more = "" if len(history.variants) <= 5 else f" and {len(history.variants) - 5:,} more"
        notes().print(f"variants: {listed}{more}")
