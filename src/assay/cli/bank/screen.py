"""`assay bank screen`: automatic checks, acceptance of clean questions, import of reviewers' decisions."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from assay.bank.decision_table import take_table
from assay.bank.screening import screen as screen_bank
from assay.cli.output import OutputFormat, notes, print_help_hint, print_listed, print_rows, prints
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
        help="Let exams draw clean questions without a human review.",
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
        raise InvalidInput(
            "--decisions needs the reviewer who decided: give --reviewer NAME (add one with "
            "`assay bank reviewer add`)"
        )
    if accept_clean and reviewer is not None:
        raise InvalidInput(
            f"--reviewer {reviewer!r} does not go with --accept-clean, which accepts questions without a "
            "review: leave --reviewer out"
        )
    if accept_clean and decisions is not None:
        raise InvalidInput("--accept-clean and --decisions exclude each other: run one after the other")
    work = open_session(ctx, existing=True)
    if decisions is not None and reviewer is not None:
        _import_decisions(work, decisions, reviewer, second_review, output)
    else:
        _screen(work, discipline, accept_clean, output)


def _screen(work: Work, discipline: list[str], accept_clean: bool, output: OutputFormat) -> None:
    codes = [find_discipline(name).code for name in discipline] or None
    sealer = bank_sealer(work.environment)
    screening = screen_bank(
        work.engine, sealer, disciplines=codes, accept_clean=accept_clean, now=time.time()
    )
    print_listed(FINDINGS, screening.findings, output, result=screening, text=lambda: _print(screening))


def _import_decisions(work: Work, file: Path, reviewer: str, second: bool, output: OutputFormat) -> None:
    imported = take_table(work.engine, file, reviewer, second_review=second, now=time.time())
    print_listed(REFUSED, imported.problems, output, result=imported, text=lambda: _print_decisions(imported))
    for problem in imported.problems:
        notes().print(f"{file}: {problem.place}: {problem.text}")
    if imported.problems:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def _print_decisions(imported: DecisionsTaken) -> None:
    states = ", ".join(f"{count:,} {state}" for state, count in imported.states.items()) or "none"
    typer.echo(
        f"{counted(imported.rows, 'row')}: {imported.taken:,} imported ({states}), "
        f"{imported.refused:,} refused"
    )


def _print(screening: Screening) -> None:
    if screening.findings:
        print_rows(FINDINGS, screening.findings)
    typer.echo(
        f"{counted(screening.questions, 'question')} checked: {screening.clean:,} clean, "
        f"{screening.questions - screening.clean:,} with findings ({screening.blocked:,} blocked); "
        f"{counted(screening.near_duplicates.pairs, 'pair')} of near-duplicates"
    )
    print_help_hint(finding.kind for finding in screening.findings)
    for fault in screening.near_duplicates.faults:
        notes().print(fault)
    if screening.screened is not None:
        typer.echo(
            f"{counted(screening.screened, 'question')} accepted as screened: exams may draw them, but "
            "official series only with --screened"
        )
    elif screening.clean:
        notes().print(
            "review the clean questions (`assay serve`, page /review), or let exams draw them with "
            "--accept-clean"
        )
    if screening.waiting:
        notes().print(f"waiting for a second reviewer: {counted(screening.waiting, 'question')}")
    for disputed in screening.disputed[:SHOWN]:
        notes().print(f"{disputed.uuid} ({disputed.discipline}) is disputed: a third reviewer must decide")
    if len(screening.disputed) > SHOWN:
        notes().print(f"and {len(screening.disputed) - SHOWN:,} more are disputed: list all with --json")
