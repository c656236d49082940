"""`assay bank screen`: the mechanical screening, acceptance by it, and reviewers' tables of decisions."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from assay.bank.decision_table import take_table
from assay.bank.screening import screen as screen_bank
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints, tell_help
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.wording import counted
from assay.files.sealing import bank_sealer
from assay.questions.taxonomy import find_discipline
from assay.results.review import FINDINGS, REFUSED, DecisionsTaken, Screening
from assay.runs.work import Work

SHOWN = 10


@prints("one row per finding, or per refused decision")
def screen(
    ctx: typer.Context,
    output: OutputFormat,
    accept_clean: bool = typer.Option(
        False,
        "--accept-clean",
        help="Allow exams to draw clean questions that nobody has read.",
    ),
    decisions: Path | None = typer.Option(
        None, metavar="FILE", help="Table of decisions to import: uuid, decision, reason, seconds."
    ),
    reviewer: str | None = typer.Option(None, metavar="NAME", help="Reviewer who decided."),
    second_review: bool = typer.Option(
        False, "--second-review", help="Require two reviewers to agree; a third settles disagreements."
    ),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="Discipline to include; repeatable."
    ),
) -> None:
    """Check raw questions automatically, or import decisions.

    Checks options against keys, blanks against answers, leaked keys, brackets, signs, language, missing
    figures and passages, and near-duplicates. Needs the bank's key; never shows an answer.
    """
    if decisions is not None and reviewer is None:
        raise InvalidInput("say who decided with --reviewer NAME: `assay bank reviewer add` makes one")
    if accept_clean and reviewer is not None:
        raise InvalidInput(
            f"--reviewer {reviewer!r}: --accept-clean accepts in nobody's name, as nobody has read the "
            "questions; leave --reviewer out"
        )
    if accept_clean and decisions is not None:
        raise InvalidInput("--accept-clean and --decisions are two deeds: do one after the other")
    work = open_session(ctx, existing=True)
    if decisions is not None and reviewer is not None:
        _take(work, decisions, reviewer, second_review, output)
    else:
        _look(work, discipline, accept_clean, output)


def _look(work: Work, discipline: list[str], accept_clean: bool, output: OutputFormat) -> None:
    codes = [find_discipline(name).code for name in discipline] or None
    sealer = bank_sealer(work.environment)
    screening = screen_bank(
        work.engine, sealer, disciplines=codes, accept_clean=accept_clean, now=time.time()
    )
    print_listed(FINDINGS, screening.findings, output, result=screening, text=lambda: _print(screening))


def _take(work: Work, file: Path, reviewer: str, second: bool, output: OutputFormat) -> None:
    taken = take_table(work.engine, file, reviewer, second_review=second, now=time.time())
    print_listed(REFUSED, taken.problems, output, result=taken, text=lambda: _print_taken(taken))
    for problem in taken.problems:
        notes().print(f"{file}: {problem.place}: {problem.text}")
    if taken.problems:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def _print_taken(taken: DecisionsTaken) -> None:
    states = ", ".join(f"{count:,} {state}" for state, count in taken.states.items()) or "none"
    typer.echo(
        f"{counted(taken.rows, 'row')}: {taken.taken:,} taken in ({states}), {taken.refused:,} refused"
    )


def _print(screening: Screening) -> None:
    if screening.findings:
        print_rows(FINDINGS, screening.findings)
    typer.echo(
        f"{counted(screening.questions, 'question')} looked at: {screening.clean:,} clean, "
        f"{screening.questions - screening.clean:,} with findings ({screening.blocked:,} that block); "
        f"{screening.near_duplicates.pairs:,} pairs of near-duplicates"
    )
    tell_help(finding.kind for finding in screening.findings)
    for fault in screening.near_duplicates.faults:
        notes().print(fault)
    if screening.screened is not None:
        typer.echo(
            f"{counted(screening.screened, 'question')} screened: exams may draw them, official series only "
            "where the operator allows it"
        )
    elif screening.clean:
        notes().print(
            "review the clean ones (`assay serve`, page /review), or let exams draw them: --accept-clean"
        )
    if screening.waiting:
        notes().print(f"{counted(screening.waiting, 'question')} had one reviewer and wait for a second")
    for disputed in screening.disputed[:SHOWN]:
        notes().print(f"{disputed.uuid} ({disputed.discipline}) is disputed: a third reviewer decides")
    if len(screening.disputed) > SHOWN:
        notes().print(f"and {len(screening.disputed) - SHOWN:,} more are disputed: --json lists all")
