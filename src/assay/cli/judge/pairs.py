"""`assay judge pairs`: judges compare the stored answers of models, in both orders."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.calls.control import RunControl
from assay.cli.judge.options import EXCLUDE, Exclude
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST_OF_RUN
from assay.cli.out import write_out
from assay.cli.outcome import CONTROLS, end_asked_run, print_asked_run
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.planned import print_estimate
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.model import Model
from assay.core.wording import counted
from assay.grading.pairs import PAIRS
from assay.results.pairs import JUDGE_ORDERS, LISTED_VERDICTS, PAIR_TALLIES, PairStudy
from assay.runs.pairs.estimate import estimate_pairs
from assay.runs.pairs.plan import PairRequest, plan_pairs
from assay.runs.pairs.study import begin_pairs, carry_on_pairs
from assay.runs.work import Work
from assay.store.runs import read_run

RULE = "a model wins a pair if both orders agree; otherwise the pair counts half for each"


@prints("one row per two models and judge")
def pairs(
    ctx: typer.Context,
    output: OutputFormat,
    run: list[int] = typer.Argument(
        None, metavar="RUN...", help="Runs of one suite whose answers to compare.", show_default=False
    ),
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Judge to ask; repeatable."
    ),
    baseline: str | None = typer.Option(
        None, metavar="MODEL", help="Model to compare each other model with."
    ),
    every: bool = typer.Option(False, "--all", help="Compare every two models, as without --baseline."),
    n: int | None = typer.Option(
        None, "--n", min=1, metavar="N", help="Number of prompts, drawn at random (default: all)."
    ),
    seed: int = typer.Option(0, metavar="SEED", help="Random seed for the choice of prompts."),
    exclude: Exclude | None = EXCLUDE,
    resume: int | None = typer.Option(None, metavar="RUN", help="Run number of a stopped comparison."),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Print the calls and their estimated cost; send nothing."
    ),
    max_cost: float | None = MAX_COST_OF_RUN,
    concurrency: int | None = CONCURRENCY,
    out: Path | None = typer.Option(
        None,
        "--out",
        metavar="FILE",
        help="Write the single verdicts too, as a table of comparisons (.csv, .parquet), or the document "
        "(.json).",
    ),
) -> None:
    """Have judges compare the stored answers of models.

    Each pair of answers is shown in both orders. A model wins a pair if a judge prefers its answer both
    times; if the two verdicts differ, the pair counts half for each. Rank the models afterwards with
    `assay board SUITE --pairwise`.
    """
    if every and baseline is not None:
        raise InvalidInput("--all and --baseline exclude each other: choose one")
    if out is not None:
        _check_out(out)
    work = open_session(ctx, concurrency=concurrency, existing=True)
    if resume is not None:
        if run or judge or baseline is not None or n is not None or exclude is not None or dry_run:
            raise InvalidInput("--resume keeps what is compared, and the judges: leave out everything else")
        stored = read_run(work.engine, resume, PAIRS)
    else:
        judges = _judges(work, judge)
        if not run:
            raise InvalidInput("no run to compare: give runs of one suite, see `assay runs`")
        request = PairRequest(baseline, n, seed, "self" if exclude is None else exclude.value)
        plan = plan_pairs(work.engine, run, judges, request)
        if dry_run:
            print_estimate(estimate_pairs(work.engine, plan, judges), output)
            return
        stored = begin_pairs(work.asking_context(), plan, judges)
    control = RunControl()
    comparing = carry_on_pairs(work.asking_context(), stored, max_cost=work.limit(max_cost), control=control)
    study = run_live(comparing, control, label=f"pairs {stored.id}")
    print_listed(PAIR_TALLIES, study.tallies, output, result=study, text=lambda: print_pairs(study))
    _print_notes(study, control.progress.complaints)
    if out is not None:
        records = LISTED_VERDICTS.records(study.verdicts)
        written = write_out(out, result=lambda: study, records=lambda: records, page=_check_out)
        notes().print(f"written: {written}")
    _end(study)


def _check_out(path: Path) -> None:
    """Raise InvalidInput for a file that verdicts cannot be written to, before they are paid for."""
    if path.suffix.lower() not in (".csv", ".parquet", ".json"):
        raise InvalidInput(
            f"cannot write verdicts to {str(path)!r}: give a file that ends in .csv, .parquet or .json, or "
            "write the ranking by `assay board SUITE --pairwise --out FILE.html`"
        )


def _judges(work: Work, names: list[str]) -> list[Model]:
    if not names:
        raise InvalidInput("no judge: name one with --judge, such as --judge simulated/judge")
    return work.models(names)


def print_pairs(study: PairStudy) -> None:
    """Print the verdicts on each two models, and each judge's agreement with itself."""
    title = (
        f"{study.suite} {study.version}: {counted(study.prompts, 'prompt')}, "
        f"{counted(len(study.compared), 'model')}"
    )
    print_rows(PAIR_TALLIES, study.tallies, title)
    if study.orders:
        print_rows(JUDGE_ORDERS, study.orders, "\nJudges: the same pairs in both orders")


def _print_notes(study: PairStudy, unread: tuple[str, ...]) -> None:
    """Print on stderr what is missing, the cost, and the command that continues a stopped comparison."""
    out = notes()
    out.print(f"  {RULE}")
    for remark in (*study.remarks, *unread):
        out.print(f"  {CONTROLS.sub(' ', remark)}")
    if study.reused:
        out.print(f"  {counted(study.reused, 'verdict')} taken from earlier runs on the same answers")
    again = f"assay judge pairs --resume {study.run}"
    print_asked_run(
        study,
        again,
        simulated="A judge or a model is simulated: these figures say nothing about real models.",
        done=f": {study.stored:,} of {counted(study.planned, 'verdict')}",
    )
    if study.status == "finished" and study.stored < study.planned:
        out.print(f"verdicts are missing; try again with: {again}")
    elif study.status == "finished":
        out.print(f"rank the models: assay board {study.suite} --pairwise")


def _end(study: PairStudy) -> None:
    """End the command: with 3 after an error or if no verdict is readable, with 130 if it was interrupted."""
    end_asked_run(study)
    if study.planned and not any(tally.n for tally in study.tallies):
        raise typer.Exit(ExitStatus.UPSTREAM)
