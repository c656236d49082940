"""`assay bank duplicates`: pairs of questions that read nearly alike, and what becomes of them."""

from __future__ import annotations

import typer

from assay.cli.app import new_app
from assay.cli.output import moment, notes, print_json, print_table
from assay.cli.session import open_session

app = new_app(no_args_is_help=True)
LONGEST = 60


@app.callback()
def duplicates() -> None:
    """List pairs of near-duplicates that `screen` found; decide."""


@app.command("list")
def list_(
    ctx: typer.Context,
    everything: bool = typer.Option(False, "--all", help="Decided ones too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List pairs that wait for a decision, the most alike first."""
    from assay.store.bank.duplicates import flagged
    from assay.store.bank.questions import question_by_uuid

    engine = open_session(ctx, existing=True).engine
    found = flagged(engine, unresolved=not everything)
    stems = {
        uuid: question_by_uuid(engine, uuid).question.stem
        for pair in found
        for uuid in (pair.question, pair.other)
    }
    if as_json:
        rows = [
            {
                "question": pair.question,
                "stem": stems[pair.question],
                "other": pair.other,
                "other_stem": stems[pair.other],
                "similarity": pair.similarity,
                "found_at": moment(pair.found_at),
                "resolution": None if pair.resolution is None else pair.resolution.value,
            }
            for pair in found
        ]
        print_json({"pairs": rows})
        return
    shown = (
        (uuid, f"{pair.similarity:.2f}", pair.resolution or "", _short(stems[uuid]))
        for pair in found
        for uuid in (pair.question, pair.other)
    )
    print_table(None, ("question", "alike", "decided", "stem"), shown, right=("alike",))


@app.command()
def keep(
    ctx: typer.Context,
    question: str = typer.Argument(metavar="UUID"),
    other: str = typer.Argument(metavar="UUID"),
) -> None:
    """Keep both questions of a pair: they ask different things."""
    from assay.bank.redundancy import keep_both

    keep_both(open_session(ctx, existing=True).engine, question, other)
    notes().print("both are kept, and no longer flagged")


@app.command()
def drop(
    ctx: typer.Context,
    dropped: str = typer.Argument(metavar="UUID", help="The one that goes."),
    kept: str = typer.Argument(metavar="UUID", help="The one that stays."),
    reviewer: str = typer.Option(..., metavar="NAME", help="Who has decided."),
) -> None:
    """Drop one question of a pair; an accepted one is retired."""
    import time

    from assay.bank.redundancy import drop_one

    drop_one(open_session(ctx, existing=True).engine, reviewer, dropped, kept, now=time.time())
    notes().print(f"{dropped} goes, with what was made from it; {kept} stays")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
