"""`assay exam mark`: put the answers of a session to judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, dollars, notes, print_json
from assay.core.exam import EXAM_JUDGE

if TYPE_CHECKING:
    from assay.exams.mark import Marking


def mark(
    ctx: typer.Context,
    session: list[str] = typer.Argument(metavar="SESSION...", help="The sessions, by their ids."),
    judge: list[str] = typer.Option(
        [EXAM_JUDGE], "--judge", metavar="PROVIDER/MODEL", help="Who marks; each marks every answer."
    ),
    again: str | None = typer.Option(
        None, "--again", metavar="REASON", help="Mark anew what has stars too; the old marks are kept."
    ),
    go_on: int | None = typer.Option(
        None, "--run", metavar="RUN", help="With --again: take up the marking that stopped as this run."
    ),
    by: str | None = typer.Option(
        None, "--by", metavar="NAME", help="Who has it marked; else the user who is logged in."
    ),
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Let judges mark the answers of finished sessions.

    Each answer gets 0 to 3 stars for its conclusion and its explanation. What has stars is not asked about
    again; late, timed-out and empty answers get 0 by rule. Needs the bank's key.
    """
    from assay.calls.asking import Place
    from assay.calls.steering import Steering
    from assay.cli.examining.named import user_name
    from assay.cli.live import run_live
    from assay.cli.session import open_session
    from assay.core.errors import InvalidInput
    from assay.exams.due import Remarking
    from assay.exams.mark import mark as mark_session
    from assay.files.sealing import bank_sealer

    if go_on is not None and (again is None or len(session) > 1):
        raise InvalidInput(f"--run {go_on} goes with --again REASON and one session")
    if again is not None and not again.strip():
        raise InvalidInput("--again '' gives no reason: say why the marks are replaced")
    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment)
    judges = work.models(judge)
    place = Place(work.engine, work.workspace.providers, work.environment, concurrency=concurrency)
    done: list[Marking] = []
    limit = work.limit(max_cost)
    for one in session:
        steering = Steering()
        marking = mark_session(
            place,
            one,
            judges,
            sealer,
            by=user_name(by),
            again=None if again is None else Remarking(again, go_on),
            max_cost=None if limit is None else limit - sum(each.cost or 0.0 for each in done),
            steering=steering,
        )
        done.append(run_live(marking, steering, label=f"marking {one}"))
        if done[-1].stopped is not None:
            break
    if as_json:
        print_json({"sessions": [marking_document(each) for each in done]})
    else:
        for each in done:
            _tell(each, again)
    if done[-1].stopped is not None:
        raise typer.Exit(3)


def marking_document(marking: Marking) -> dict[str, Any]:
    """Return what a marking came to as a JSON document."""
    return {
        "session": marking.session,
        "judges": list(marking.judges),
        "run": marking.run,
        "marked": marking.marked,
        "unread": [{"reason": why, "n": n} for why, n in marking.unread.items()],
        "left": marking.left,
        "cost": marking.cost,
        "unknown_costs": marking.unknown_costs,
        "simulated": marking.simulated,
        "stopped": marking.stopped,
    }


def _tell(marking: Marking, again: str | None) -> None:
    out = notes()
    if marking.run is None:
        out.print(f"session {marking.session}: every answer that counts has its stars")
        return
    cost = dollars(marking.cost)
    if marking.unknown_costs:
        cost += f" + {counted(marking.unknown_costs, 'call')} of unknown cost"
    out.print(
        f"session {marking.session}: {counted(marking.marked, 'answer')} marked, run {marking.run}, {cost}"
    )
    for why, count in marking.unread.items():
        out.print(f"  without stars ({count}): {why}")
    if marking.unread:
        out.print(f"ask for them again with: assay exam mark {marking.session}")
    if marking.simulated:
        out.print("A judge is simulated: nothing real was measured.")
    if marking.stopped is not None:
        more = "".join(f" --judge {name}" for name in marking.judges)
        more += "" if again is None else f" --again {again!r} --run {marking.run}"
        out.print(
            f"stopped ({marking.stopped}); {counted(marking.left, 'answer')} left, what was marked is kept. "
            f"Go on with: assay exam mark {marking.session}{more}"
        )
