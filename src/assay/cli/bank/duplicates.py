"""`assay bank duplicates`: pairs of nearly identical questions, and decisions about them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import typer

from assay.bank.redundancy import drop_one, keep_both
from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, print_table, prints
from assay.cli.session import open_session
from assay.results.review import NEAR_DUPLICATES, FlaggedPair
from assay.store.bank.duplicates import flagged

app = new_app(no_args_is_help=True)
LONGEST = 60


@app.callback()
def duplicates() -> None:
    """List near-duplicates and decide about them."""


@app.command("list")
@prints("one row per pair")
def list_(
    ctx: typer.Context,
    output: OutputFormat,
    everything: bool = typer.Option(False, "--all", help="Include decided pairs."),
) -> None:
    """List pairs that wait for a decision, the most similar first."""
    pairs = flagged(open_session(ctx, existing=True).engine, unresolved=not everything)
    print_listed(NEAR_DUPLICATES, pairs, output, text=lambda: _print(pairs))


def _print(pairs: Sequence[FlaggedPair]) -> None:
    questions = (
        (uuid, f"{pair.similarity:.2f}", pair.resolution or "", _short(stem))
        for pair in pairs
        for uuid, stem in ((pair.question, pair.stem), (pair.other, pair.other_stem))
    )
    print_table(None, ("question", "alike", "decided", "stem"), questions, right=("alike",))


@app.command()
def keep(
    ctx: typer.Context,
    question: str = typer.Argument(metavar="UUID", help="One question of the pair."),
    other: str = typer.Argument(metavar="UUID", help="The other question."),
) -> None:
    """Keep both questions of a pair, because they ask different things."""
    keep_both(open_session(ctx, existing=True).engine, question, other)
    notes().print("both questions are kept and no longer flagged")


@app.command()
def drop(
    ctx: typer.Context,
    dropped: str = typer.Argument(metavar="UUID", help="Question to drop."),
    kept: str = typer.Argument(metavar="UUID", help="Question to keep."),
    reviewer: str = typer.Option(..., metavar="NAME", help="Reviewer who decided."),
) -> None:
    """Drop one question of a pair; an accepted one is retired."""
    drop_one(open_session(ctx, existing=True).engine, reviewer, dropped, kept, now=time.time())
    notes().print(f"dropped {dropped} with the questions made from it; kept {kept}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
