"""`assay bank retire`: remove questions from all further exams."""

from __future__ import annotations

import time

import typer

from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.store.bank.changes import next_revision
from assay.store.bank.changes import retire as retire_questions
from assay.store.bank.questions import question_by_uuid
from assay.store.engine import writing


def retire(
    ctx: typer.Context,
    uuid: list[str] = typer.Argument(metavar="UUID...", help="Question uuids."),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="Reason, which is recorded."),
    alone: bool = typer.Option(
        False, "--alone", help="Leave siblings (the original and its variants) in use."
    ),
) -> None:
    """Retire questions permanently, with their siblings.

    A model that has seen one form of a question knows its other forms too. Open sessions keep the questions
    that they drew.
    """
    if not reason.strip():
        raise InvalidInput("--reason '' gives no reason: write why the questions are retired")
    engine = open_session(ctx, existing=True).engine
    ids = [question_by_uuid(engine, name.strip().lower()).id for name in dict.fromkeys(uuid)]
    with writing(engine) as connection:
        revision = next_revision(connection, "retire", reason.strip(), time.time())
        count = retire_questions(connection, ids, reason.strip(), revision=revision, siblings=not alone)
    typer.echo(f"retired {counted(count, 'question')} in revision {revision}")
    if not count:
        notes().print("all of these questions were already retired")
