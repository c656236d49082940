"""`assay exam mark`: let judges mark the answers of sessions."""

from __future__ import annotations

from dataclasses import replace

import typer

from assay.calls.control import RunControl
from assay.cli.exam.named import user_name
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.exam import EXAM_JUDGE
from assay.core.wording import counted
from assay.exam.judging import Remarking
from assay.exam.mark import mark as mark_session
from assay.files.sealing import bank_sealer
from assay.results.exam_marking import MARKINGS, Marking


def mark(
    ctx: typer.Context,
    session: list[str] = typer.Argument(metavar="SESSION...", help="Session ids."),
    judge: list[str] = typer.Option(
        [EXAM_JUDGE],
        "--judge",
        metavar="PROVIDER/MODEL",
        help="Judge; repeatable. Each judge marks every answer.",
    ),
    again: str | None = typer.Option(
        None,
        "--again",
        metavar="REASON",
        help="Reason for marking answers again that have stars already; old marks are kept.",
    ),
    resumed: int | None = typer.Option(
        None, "--run", metavar="RUN", help="With --again: number of the stopped marking run to resume."
    ),
    by: str | None = typer.Option(
        None, "--by", metavar="NAME", help="Name to record (default: your user name)."
    ),
    max_cost: float | None = MAX_COST,
    allow_retention: bool = typer.Option(
        False, "--allow-retention", help="Allow a router to use endpoints that store questions and keys."
    ),
    concurrency: int | None = CONCURRENCY,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Let judges mark the answers of finished sessions.

    Each answer gets 0 to 3 stars for its conclusion and its explanation. Answers with stars are not
    marked again; late, timed-out and empty answers get 0. Needs the bank's key. Through OpenRouter,
    only endpoints that store nothing are used.
    """
    if resumed is not None and (again is None or len(session) > 1):
        raise InvalidInput(f"--run {resumed} needs --again REASON and one session")
    if again is not None and not again.strip():
        raise InvalidInput("--again '' gives no reason: write why the marks are replaced")
    work = open_session(ctx, concurrency=concurrency, existing=True)
    sealer = bank_sealer(work.environment)
    judges = [replace(model, unretained=not allow_retention) for model in work.models(judge)]
    markings: list[Marking] = []
    limit = work.limit(max_cost)
    for name in session:
        control = RunControl()
        marking = mark_session(
            work.asking_context(),
            name,
            judges,
            sealer,
            by=user_name(by),
            again=None if again is None else Remarking(again, resumed),
            max_cost=None if limit is None else limit - sum(earlier.spend.known for earlier in markings),
            control=control,
        )
        markings.append(run_live(marking, control, label=f"marking {name}"))
        if markings[-1].stopped is not None:
            break
    if as_json:
        print_result({MARKINGS.name: markings})
    else:
        for ended in markings:
            _print_marking(ended, again)
    if markings[-1].stopped is not None:
        raise typer.Exit(ExitStatus.UPSTREAM)


def _print_marking(marking: Marking, again: str | None) -> None:
    out = notes()
    if marking.run is None:
        out.print(f"session {marking.session}: all answers that count have stars already")
        return
    marked = f"{counted(marking.marked, 'answer')} marked"
    out.print(f"session {marking.session}: {marked}, run {marking.run}, {marking.spend}")
    for why, count in marking.unread.items():
        out.print(f"  without stars ({count}): {why}")
    if marking.unread:
        out.print(f"try again with: assay exam mark {marking.session}")
    if marking.simulated:
        out.print("A judge is simulated: nothing real was measured.")
    if marking.stopped is not None:
        more = "".join(f" --judge {name}" for name in marking.judges)
        more += "" if again is None else f" --again {again!r} --run {marking.run}"
        out.print(
            f"stopped ({marking.stopped}); {counted(marking.left, 'answer')} left, and all marks are kept. "
            f"Continue with: assay exam mark {marking.session}{more}"
        )
