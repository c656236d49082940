"""`assay study errors`: a judge sorts wrong answers by the cause of the error."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import typer

from assay.calls.control import RunControl
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST_OF_RUN
from assay.cli.out import write_study
from assay.cli.outcome import end_asked_run, print_asked_run
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import BOARD, EXAM, OUT
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.report.rank.errors import errors_page
from assay.results.study_errors import CONFUSIONS, SHARES, ErrorStudy, shares_table
from assay.runs.work import Work
from assay.store.runs import StoredRun, read_run
from assay.studies.error_sources import answers_of_file, answers_of_run, choose_answers, read_hand_labels
from assay.studies.errors import KIND, begin_errors, sort_errors
from assay.studies.frontier.source import named_runs


@prints("one row per group and category")
def errors(
    ctx: typer.Context,
    output: OutputFormat,
    source: str | None = typer.Argument(
        None,
        metavar="[SOURCE]",
        help="Run, such as run:3, or a table of wrong answers with the columns item, model, question and "
        "answer, and optionally discipline and reference.",
    ),
    judge: str | None = typer.Option(
        None, "--judge", metavar="PROVIDER/MODEL", help="Judge that sorts the answers."
    ),
    labels: Path | None = typer.Option(
        None, "--labels", metavar="FILE", help="Table of hand labels with item, model and category."
    ),
    below: float = typer.Option(
        50.0, "--below", metavar="SCORE", help="Score from 0 to 100 under which an answer of a run is wrong."
    ),
    n: int = typer.Option(100, "--n", min=1, metavar="N", help="Most answers of each model."),
    seed: int = typer.Option(0, metavar="SEED", help="Seed of the choice of answers."),
    resume: int | None = typer.Option(None, metavar="RUN", help="Run number of a study to resume or show."),
    max_cost: float | None = MAX_COST_OF_RUN,
    concurrency: int | None = CONCURRENCY,
    out: Path | None = OUT,
) -> None:
    """Sort wrong answers into five kinds of errors with a judge.

    The kinds are disciplinary knowledge, misunderstanding, logical reasoning, factual inaccuracy and format
    compliance. Hand labels show how far the judge can be trusted, and correct the shares.
    """
    given = read_hand_labels(labels) if labels is not None else {}
    stored = resume is not None or (source is not None and named_runs(source) is not None)
    work = open_session(ctx, concurrency=concurrency, existing=stored)
    run = _begin(work, source, judge, (below, n, seed), resume)
    control = RunControl()
    sorting = sort_errors(work.asking_context(), run, given, max_cost=work.limit(max_cost), control=control)
    study = run_live(sorting, control, label=f"study {run.id}")
    print_listed(SHARES, study.shares, output, result=study, text=partial(_print, study))
    _print_notes(study)
    write_study(out, study, SHARES.records(study.shares), errors_page(study))
    end_asked_run(study)


def _begin(
    work: Work,
    source: str | None,
    judge: str | None,
    choice: tuple[float, int, int],
    resume: int | None,
) -> StoredRun:
    """Return the stored study to resume, or store a new one."""
    if resume is not None:
        if source is not None or judge is not None:
            raise InvalidInput("--resume keeps a study's answers and judge: leave out SOURCE and --judge")
        return read_run(work.engine, resume, KIND)
    if source is None or judge is None:
        raise InvalidInput("no answers or no judge: give SOURCE and --judge PROVIDER/MODEL, or --resume RUN")
    below, n, seed = choice
    numbers = named_runs(source)
    if source.startswith((BOARD, EXAM)):
        raise InvalidInput(
            f"{source!r} cannot be sorted: give a run, such as run:3, or a table of wrong answers"
        )
    if numbers is not None and len(numbers) > 1:
        raise InvalidInput(f"{len(numbers)} runs in {source!r}: sort the answers of one run at a time")
    read = (
        answers_of_file(Path(source)) if numbers is None else answers_of_run(work.engine, numbers[0], below)
    )
    (model,) = work.models([judge])
    return begin_errors(work.asking_context(), model, choose_answers(read, n, seed), seed)


def _print(study: ErrorStudy) -> None:
    print_rows(shares_table(study.of("all")), study.of("all"))
    for by in ("model", "discipline"):
        if study.of(by):
            print_rows(shares_table(study.of(by)), study.of(by), f"\nBy {by}")
    if study.agreement is not None:
        print_rows(CONFUSIONS, study.agreement.confusion, "\nHand labels and the judge's choices")
        typer.echo(f"\n{study.agreement.sentence}")


def _print_notes(study: ErrorStudy) -> None:
    """Print on stderr what was left out, the cost, and the command that resumes the study."""
    out = notes()
    for note in study.notes:
        out.print(f"  {note}")
    again = f"assay study errors --resume {study.run}"
    if study.unreadable:
        out.print(f"  {counted(study.unreadable, 'answer')} without a readable reply of the judge, left out")
    if study.missing:
        out.print(f"  {counted(study.missing, 'answer')} not sorted yet: continue with {again}")
    print_asked_run(
        study, again, simulated="The judge or a model is simulated: the shares describe no real model."
    )
