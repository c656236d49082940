"""`assay exam experts`: blind marking by experts, and the judges' agreement with it."""

from __future__ import annotations

import random
import time

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, print_result, print_rows, prints
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.exam.agreement import expert_agreement
from assay.exam.coverage import CoverageTarget
from assay.exam.human import assign as assign_answers
from assay.exam.human import next_to_mark, take_mark
from assay.files.sealing import bank_sealer
from assay.results.exam_marking import (
    AGREEMENTS,
    COVERAGE,
    EXPERT_WORK,
    ExpertAgreement,
    NextToMark,
    StarsGiven,
)
from assay.store.exam.marks import count_marks

app = new_app(no_args_is_help=True)


@app.callback()
def experts() -> None:
    """Let experts mark answers blind; compare judges with them."""


@app.command()
def assign(
    ctx: typer.Context,
    session: list[str] = typer.Argument(
        None, metavar="[SESSION]...", help="Session ids to take answers from (default: all)."
    ),
    per_discipline: int = typer.Option(
        2, "--experts", min=1, metavar="N", help="Number of experts per discipline."
    ),
    answers_each: int = typer.Option(
        20, "--each", min=1, metavar="N", help="Number of answers per expert and discipline."
    ),
    shared: float = typer.Option(
        0.25,
        "--shared",
        min=0.0,
        max=1.0,
        metavar="SHARE",
        help="Share of these answers that a second expert marks too, 0-1.",
    ),
    seed: int | None = typer.Option(
        None, metavar="N", help="Seed that chooses the answers (default: the system's randomness)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Assign answers to experts until each discipline is covered.

    Experts are the bank's reviewers, each in their own disciplines. Earlier assignments count too.
    """
    engine = open_session(ctx, existing=True).engine
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    target = CoverageTarget(per_discipline, answers_each, shared)
    assignment = assign_answers(engine, target, rng, sessions=session or (), now=time.time())
    if as_json:
        print_result(assignment)
        return
    notes().print(f"{counted(assignment.assigned, 'answer')} assigned to experts")
    for lack in assignment.short:
        notes().print(f"  {lack.discipline}: {lack.experts} experts and {lack.answers} answers too few")


@app.command("next")
def next_(
    ctx: typer.Context,
    reviewer: str = typer.Option(..., "--reviewer", metavar="NAME", help="Expert."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show an expert's next answer, without naming the model.

    The key is shown too: do not run this where a candidate can see the screen.
    """
    work = open_session(ctx, existing=True)
    shown = next_to_mark(work.engine, reviewer, bank_sealer(work.environment), now=time.time())
    if as_json:
        print_result(NextToMark(shown))
    elif shown is None:
        notes().print("all assigned answers are marked")
    else:
        for title, text in (("Question", shown.question), ("Key", shown.key), ("Answer", shown.answer)):
            typer.echo(f"--- {title}\n{text}\n")
        typer.echo(f"--- {shown.code}, {shown.discipline}: {shown.left} left, {shown.today} today")


@app.command("mark")
def mark_(
    ctx: typer.Context,
    code: str = typer.Argument(metavar="CODE", help="Code of the answer."),
    reviewer: str = typer.Option(..., "--reviewer", metavar="NAME", help="Expert."),
    stars: int = typer.Option(..., "--stars", metavar="N", help="Stars: 0, 1, 2 or 3."),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="Reason, which is stored encrypted."),
    seconds: float | None = typer.Option(
        None, "--seconds", metavar="S", help="Time that marking took, in seconds."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Store an expert's stars for one answer. They cannot be changed."""
    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment)
    take_mark(work.engine, reviewer, code, stars, reason, sealer, seconds=seconds, now=time.time())
    if as_json:
        print_result(StarsGiven(code, reviewer, stars))
    else:
        notes().print(f"{code}: {stars} stars")


@app.command()
@prints("one row per rater and model")
def agreement(
    ctx: typer.Context,
    output: OutputFormat,
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Judge; repeatable (default: all that have marked)."
    ),
) -> None:
    """Measure how far judges agree with experts, by Cohen's kappa.

    Also shows each discipline's coverage, and the experts' hours and cost.
    """
    engine = open_session(ctx, existing=True).engine
    agreed = expert_agreement(engine, judge or list(count_marks(engine)))
    print_listed(AGREEMENTS, agreed.agreement, output, result=agreed, text=lambda: _print_agreement(agreed))


def _print_agreement(agreed: ExpertAgreement) -> None:
    print_rows(AGREEMENTS, agreed.agreement, "Agreement with experts")
    print_rows(COVERAGE, agreed.coverage, "Coverage")
    print_rows(EXPERT_WORK, agreed.work, "Work")
