"""`assay study contamination` and `assay study recalls`: test whether models have seen questions before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import typer

from assay.calls.control import RunControl
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST_OF_RUN
from assay.cli.out import write_study
from assay.cli.outcome import end_asked_run, print_asked_run
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.report.rank.contamination import recall_page
from assay.results.contamination import LEAKS, RECALLS, Contamination, LeakTest, SourceRecall
from assay.runs.work import Work
from assay.store.runs import StoredRun, read_run
from assay.studies.contamination import KIND, ReplayRequest, begin_study, carry_on, choose
from assay.studies.recall_table import read_recalls


@prints("one row per model and source")
def contamination(
    ctx: typer.Context,
    output: OutputFormat,
    model: list[str] = typer.Option(
        [], "--model", "-m", metavar="PROVIDER/MODEL", help="Model to test; repeatable."
    ),
    bank: bool = typer.Option(False, "--bank", help="Replay questions of the bank. This retires them."),
    suite: list[str] = typer.Option(
        [], "--suite", metavar="SUITE", help="Suite whose prompts to replay; repeatable."
    ),
    file: list[Path] = typer.Option(
        [], "--file", metavar="FILE.jsonl", help="File whose questions to replay; repeatable."
    ),
    n: int = typer.Option(1000, "--n", min=1, metavar="N", help="Number of questions from each source."),
    control: int = typer.Option(
        200, min=0, metavar="N", help="Number of made-up questions, as a control for guessing."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Random seed for the choice of questions."),
    yes_retire: bool = typer.Option(
        False, "--yes-retire", help="Confirm that replayed questions of the bank are retired for good."
    ),
    resume: int | None = typer.Option(None, metavar="RUN", help="Run number of a stopped study to resume."),
    max_cost: float | None = MAX_COST_OF_RUN,
    concurrency: int | None = CONCURRENCY,
    out: Path | None = OUT,
) -> None:
    """Test whether models have seen the questions before.

    A piece of each question is hidden. A model that restores it exactly in two of three attempts has
    seen the question. Questions of the bank are retired, together with their siblings, before they are
    sent. Without --yes-retire only their number is shown.
    """
    work = open_session(ctx, concurrency=concurrency, existing=bank or resume is not None)
    request = ReplayRequest(bank, tuple(work.suite(name) for name in suite), tuple(file), n, control, seed)
    run = _begin(work, request, model, resume, yes_retire)
    run_control = RunControl()
    replay = carry_on(work.asking_context(), run, max_cost=work.limit(max_cost), control=run_control)
    study = run_live(replay, run_control, label=f"study {run.id}")
    print_listed(
        RECALLS, study.rows, output, result=study, text=partial(_print_rows, study.rows, study.tests)
    )
    _print_notes(study)
    page = recall_page(f"run {study.run}", study.rows, study.tests, simulated=study.simulated)
    write_study(out, study, RECALLS.records(study.rows), page)
    end_asked_run(study)


@prints("one row per model and public source")
def recalls(
    ctx: typer.Context,
    output: OutputFormat,
    table: Path = typer.Argument(
        ..., metavar="TABLE", help="Table with the columns model, source, kind, n and recalled."
    ),
    out: Path | None = OUT,
) -> None:
    """Test recorded counts of recalled questions.

    Each public source is compared with the model's private source. The kind of a source is public,
    private or control.
    """
    report = read_recalls(table)
    text = partial(_print_rows, report.rows, report.tests)
    print_listed(LEAKS, report.tests, output, result=report, text=text)
    page = recall_page(report.source, report.rows, report.tests, simulated=False)
    write_study(out, report, LEAKS.records(report.tests), page)


def _print_rows(rows: Sequence[SourceRecall], tests: Sequence[LeakTest]) -> None:
    print_rows(RECALLS, rows)
    if tests:
        print_rows(LEAKS, tests, "\nPublic sources minus the private source")


def _begin(
    work: Work,
    request: ReplayRequest,
    models: list[str],
    resume: int | None,
    may_retire: bool,
) -> StoredRun:
    """Return the stored study to resume, or store a new one."""
    if resume is not None:
        if models or request.bank or request.suites or request.files:
            raise InvalidInput("--resume keeps a study's models and sources: leave out --model and sources")
        return read_run(work.engine, resume, KIND)
    if not models:
        raise InvalidInput("no model to test: name one with --model, or resume a study with --resume")
    chosen = choose(work.engine, request)
    return begin_study(work.asking_context(), work.models(models), chosen, may_retire=may_retire)


def _print_notes(study: Contamination) -> None:
    """Print on stderr the skipped and retired questions, the cost, and the command that resumes the study."""
    out = notes()
    for source in study.sources:
        if source.too_short:
            out.print(f"  {source.source}: {counted(source.too_short, 'question')} skipped as too short")
    undecided = sum(row.undecided for row in study.rows)
    invalid = sum(row.invalid for row in study.rows)
    again = f"assay study contamination --resume {study.run}"
    if undecided:
        question = counted(undecided, "question")
        out.print(f"  {question} undecided because attempts are missing: make them with {again}")
    if invalid:
        out.print(f"  {counted(invalid, 'attempt')} without a visible answer, which count as not restored")
    if study.retired:
        out.print(f"  {counted(study.retired, 'question')} of the bank retired, including siblings")
    print_asked_run(study, again, simulated="A model is simulated: its figures measure no real model.")
