"""`assay bank show`: one question with its history, and its key only on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import console, moment, notes, print_json
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.bank.shown import Shown


def show(
    ctx: typer.Context,
    uuid: str = typer.Argument(metavar="UUID", help="The question."),
    with_key: bool = typer.Option(False, "--with-key", help="Its answer and explanation too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a question with its reviews, edits and variants.

    With --with-key the bank's key must be set.
    """
    from assay.bank.shown import show_question
    from assay.files.sealing import bank_sealer

    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment) if with_key else None
    found = show_question(work.engine, uuid.strip().lower(), sealer=sealer)
    if as_json:
        print_json(document(found))
    else:
        _print(found)


def document(found: Shown) -> dict[str, Any]:
    """Return a question as a JSON document; `key` is null unless it was asked for."""
    from assay.bank.export import plain

    stored, key = found.stored, found.key
    return {
        **plain(stored),
        "source": found.source,
        "place": stored.place,
        "since": stored.since,
        "retired_in": stored.retired,
        "retired_why": stored.retired_why,
        "key": None if key is None else {"answers": list(key.answers), "explanation": key.explanation},
        "reviews": [
            {
                "reviewer": each.reviewer,
                "version": each.version,
                "decision": each.decision,
                "reason": each.reason,
                "at": moment(each.at),
                "seconds": each.seconds,
            }
            for each in found.reviews
        ],
        "edits": [
            {"version": each.version, "edited_by": each.by, "reason": each.reason, "at": moment(each.at)}
            for each in found.edits
        ],
        "variants": [
            {"uuid": each.uuid, "state": each.state, "retired": each.retired, "made_by": each.made_by}
            for each in found.variants
        ],
    }


def _print(found: Shown) -> None:
    stored = found.stored
    question, out = stored.question, console()
    gone = "" if stored.retired is None else f", retired in revision {stored.retired}: {stored.retired_why}"
    out.print(f"{question.uuid}  version {stored.version}, {stored.state}{gone}")
    below = "" if question.secondary is None else f" / {question.secondary}"
    out.print(
        f"{question.kind}, {question.discipline}{below}, {question.language}; {found.source}: {stored.place}"
    )
    if question.parent is not None:
        out.print(f"made from {question.parent} by {stored.made_by}")
    if question.passage is not None:
        out.print(f"\n{question.passage}")
    out.print(f"\n{question.stem}")
    for place, option in enumerate(question.options):
        out.print(f"{chr(ord('A') + place)}. {option}")
    if found.key is not None:
        out.print(f"\nKey: {'; '.join(found.key.answers)}\n{found.key.explanation}".rstrip())
    for review in found.reviews:
        told = f"{review.reviewer} {review.decision}s version {review.version}: {review.reason}"
        notes().print(f"{moment(review.at)} {told}")
    for edit in found.edits:
        notes().print(f"{moment(edit.at)} {edit.by} replaced version {edit.version}: {edit.reason}")
    if found.variants:
        listed = ", ".join(each.uuid for each in found.variants[:5])
        more = "" if len(found.variants) <= 5 else f" and {len(found.variants) - 5:,} more"
        notes().print(f"variants: {listed}{more}")
