"""`assay bank draw`: draw questions as an exam would, without opening one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import console, notes, print_json, print_table
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.bank.drawing import Draw


def draw(
    ctx: typer.Context,
    n: int | None = typer.Option(None, "--n", min=1, metavar="N", help="How many questions."),
    seed: int = typer.Option(..., "--seed", min=0, metavar="SEED", help="The same seed, the same draw."),
    allocation: str = typer.Option(
        "ten-subjects", metavar="NAME", help="ten-subjects, proportional, or counts: law=50,medicine=30."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Draw questions as an exam would; nothing is opened or seen.

    No keys are shown. An exam's own draw is made from the system's randomness, never from a seed.
    """
    from assay.bank.drawing import draw_by_hand

    work = open_session(ctx, existing=True)
    found = draw_by_hand(work.engine, n=n, seed=seed, written=allocation)
    if as_json:
        print_json(document(found))
        return
    print_table(
        f"{len(found.questions):,} questions, seed {found.seed}, bank revision {found.revision}",
        ("discipline", "questions"),
        [(name, f"{count:,}") for name, count in found.allocation.items()],
        right=("questions",),
    )
    out = console()
    for stored in found.questions[:5]:
        out.print(f"{stored.question.uuid}  {stored.question.discipline:<12} {_short(stored.question.stem)}")
    if len(found.questions) > 5:
        notes().print(f"and {len(found.questions) - 5:,} more: --json lists all")


def document(found: Draw) -> dict[str, Any]:
    """Return a draw as a JSON document, without keys."""
    return {
        "seed": found.seed,
        "revision": found.revision,
        "allocation": [{"discipline": name, "questions": count} for name, count in found.allocation.items()],
        "questions": [
            {
                "position": position,
                "uuid": stored.question.uuid,
                "version": stored.version,
                "kind": stored.question.kind.value,
                "discipline": stored.question.discipline,
                "secondary": stored.question.secondary,
                "language": stored.question.language,
                "passage": stored.question.passage,
                "stem": stored.question.stem,
                "options": list(stored.question.options),
            }
            for position, stored in enumerate(found.questions)
        ],
    }


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
