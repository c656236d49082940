"""`assay bank draw`: preview the questions that an exam could draw."""

from __future__ import annotations

import typer

from assay.bank.stats import preview_draw
from assay.cli.allocation import ALLOCATION, allocation_of
from assay.cli.output import OutputFormat, console, notes, print_csv, print_output, print_table, prints
from assay.cli.session import open_session
from assay.results.bank import BankDraw
from assay.results.table import record


@prints("one row per question")
def draw(
    ctx: typer.Context,
    output: OutputFormat,
    n: int | None = typer.Option(None, "--n", min=1, metavar="N", help="Number of questions."),
    seed: int = typer.Option(
        ..., "--seed", min=0, metavar="SEED", help="Seed; the same seed gives the same draw."
    ),
    allocation: list[str] = ALLOCATION,
) -> None:
    """Preview a draw of questions, without opening an exam.

    No keys are shown, and no question counts as seen. A real exam's draw uses the system's randomness, never
    a seed.
    """
    work = open_session(ctx, existing=True)
    drawn = preview_draw(work.engine, n=n, seed=seed, written=allocation_of(allocation))
    print_output(
        output,
        result=drawn,
        csv=lambda: print_csv(map(record, drawn.questions)),
        text=lambda: _print(drawn),
    )


def _print(drawn: BankDraw) -> None:
    print_table(
        f"{len(drawn.questions):,} questions, seed {drawn.seed}, bank revision {drawn.revision}",
        ("discipline", "questions"),
        [(name, f"{count:,}") for name, count in drawn.allocation.items()],
        right=("questions",),
    )
    out = console()
    for preview in drawn.questions[:5]:
        question = preview.question
        out.print(f"{question.uuid}  {question.discipline:<12} {_short(question.stem)}")
    if len(drawn.questions) > 5:
        notes().print(f"and {len(drawn.questions) - 5:,} more: list all with --json")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
