"""`assay bank retire`: take questions out of all further exams."""

from __future__ import annotations

import typer

from assay.cli.output import counted, notes
from assay.cli.session import open_session
from assay.core.errors import InvalidInput


def retire(
    ctx: typer.Context,
    uuid: list[str] = typer.Argument(metavar="UUID...", help="The questions."),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="Why; it is kept."),
    alone: bool = typer.Option(
        False, "--alone", help="Not their siblings: originals and variants of one family go together else."
    ),
) -> None:
    """Retire questions for good, with their siblings.

    Who has seen one form of a question knows the others too. Open sessions go on with what they drew.
    """
    import time

    from assay.store.bank.changes import next_revision
    from assay.store.bank.changes import retire as retire_questions
    from assay.store.bank.questions import question_by_uuid
    from assay.store.engine import writing

    if not reason.strip():
        raise InvalidInput("--reason '' says nothing: say why they are retired")
    engine = open_session(ctx, existing=True).engine
    ids = [question_by_uuid(engine, one.strip().lower()).id for one in dict.fromkeys(uuid)]
    with writing(engine) as connection:
        revision = next_revision(connection, "retire", reason.strip(), time.time())
        count = retire_questions(connection, ids, reason.strip(), revision=revision, siblings=not alone)
    typer.echo(f"retired {counted(count, 'question')} in revision {revision}")
    if not count:
        notes().print("all of them were retired already")
