"""`assay bank expand`: true-or-false statements of choices, and of material that models write about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, dollars, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.question import QuestionState
from assay.questions.expand import Keys

if TYPE_CHECKING:
    from assay.bank.augment import Expanded, Tally
    from assay.bank.material import Written
    from assay.core.sealed import Sealer
    from assay.runs.work import Work


def expand(
    ctx: typer.Context,
    keys: Keys = typer.Option(
        Keys.ALL, metavar="all|balanced", help="A statement for each option, or as many false as true."
    ),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Chooses the false ones of --keys balanced."),
    state: list[QuestionState] = typer.Option(
        [], "--state", metavar="STATE", help="Only from these: raw, reviewed, accepted; else all three."
    ),
    model: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="Writes statements about material."
    ),
    verifier: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="Verifies them blind; else the same model, asked anew."
    ),
    statements: int = typer.Option(3, min=1, max=10, metavar="N", help="True ones, and as many false."),
    limit: int | None = typer.Option(None, min=1, metavar="N", help="Ask about at most so much material."),
    max_cost: float | None = typer.Option(None, metavar="USD", help="Stop at this many US dollars."),
    concurrency: int | None = typer.Option(
        None, min=1, metavar="N", help="Most requests in flight to one provider."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Make true-or-false statements of the bank's questions.

    One for each option of a choice; with --model also statements about material, which a second ask
    verifies. Statements are raw and point to their parent. Doing it again adds only what is missing.
    """
    import numpy as np

    from assay.bank.augment import OPEN, expand_choices
    from assay.files.sealing import bank_sealer

    if verifier is not None and model is None:
        raise InvalidInput(f"--verifier {verifier!r} verifies what --model writes: name both")
    if QuestionState.REJECTED in state:
        raise InvalidInput("--state 'rejected': what was rejected is not expanded")
    import time

    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment)
    states = state or OPEN
    told = expand_choices(
        work.engine, sealer, keys=keys, rng=np.random.default_rng(seed), now=time.time(), states=states
    )
    written = None
    if model is not None:
        models = (model, verifier or model)
        written = _write(work, sealer, models, states, statements, limit, max_cost, concurrency)
    if as_json:
        print_json(document(told, written, (model, verifier or model)))
    else:
        _print(told)
        if written is not None:
            _print_written(written)
    if written is not None and written.reason is not None:
        notes().print(f"stopped: {written.reason}; what came back is kept. The same command goes on.")
        raise typer.Exit(3)


def _write(
    work: Work,
    sealer: Sealer,
    models: tuple[str, str],
    states: Any,
    statements: int,
    limit: int | None,
    max_cost: float | None,
    concurrency: int | None,
) -> Written:
    from assay.bank.material import expand_materials
    from assay.calls.asking import Place
    from assay.calls.steering import Steering
    from assay.cli.live import run_live

    writer, verifier = (work.models([name])[0] for name in models)
    place = Place(work.engine, work.workspace.providers, work.environment, concurrency=concurrency)
    steering = Steering()
    asking = expand_materials(
        place,
        sealer,
        writer=writer,
        verifier=verifier,
        each=statements,
        limit=limit,
        max_cost=work.limit(max_cost),
        states=states,
        steering=steering,
    )
    return run_live(asking, steering, label="expanding material")


def document(
    told: Expanded, written: Written | None, models: tuple[str | None, str | None]
) -> dict[str, Any]:
    """Return an expansion as a JSON document; `material` is null where no model was named."""
    return {
        "choices": {
            "keys": told.keys.value,
            "parents": told.parents,
            "added": told.added,
            "known": told.known,
            "taken": told.taken,
            "left": [{"reason": why, "questions": count} for why, count in told.left.most_common()],
            "statements": _tally(told.whole),
            "disciplines": [
                {"discipline": name, **_tally(tally)} for name, tally in sorted(told.tallies.items())
            ],
        },
        "material": None if written is None else _written_document(written, *models),
    }


def _written_document(written: Written, writer: str | None, verifier: str | None) -> dict[str, Any]:
    return {
        "run": written.run,
        "writer": writer,
        "verifier": verifier,
        "before": written.before,
        "parents": written.parents,
        "added": written.added,
        "taken": written.taken,
        "dropped": [{"reason": why, "statements": count} for why, count in written.dropped.most_common()],
        "unread": [{"reason": why, "questions": count} for why, count in written.unread.most_common()],
        "left": written.left,
        "statements": _tally(written.tally),
        "cost": written.cost,
        "unknown_costs": written.unknown_costs,
        "simulated": written.simulated,
        "reason": written.reason,
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {"true": tally.true, "false": tally.false, "constant_baseline": tally.baseline}


def _print(told: Expanded) -> None:
    if told.tallies:
        print_table(
            f"statements, --keys {told.keys}",
            ("discipline", "true", "false", "a constant answer gets"),
            [
                (name, f"{one.true:,}", f"{one.false:,}", _percent(one))
                for name, one in sorted(told.tallies.items())
            ],
            right=("true", "false", "a constant answer gets"),
        )
    whole = told.whole
    typer.echo(
        f"{counted(told.parents, 'choice')} -> {told.added:,} new statements, {told.known:,} made before, "
        f"{told.taken:,} that read like another question"
    )
    if whole.baseline is not None:
        always = "False" if whole.false >= whole.true else "True"
        typer.echo(f"constant-answer baseline: always {always} is right {_percent(whole)} of the time")
    for why, count in told.left.most_common():
        notes().print(f"{counted(count, 'choice')} left as they are: {why}")


def _print_written(written: Written) -> None:
    typer.echo(
        f"{counted(written.parents, 'material')} asked about, {written.before:,} before: "
        f"{written.added:,} new statements ({written.tally.true:,} true, {written.tally.false:,} false; "
        f"a constant answer gets {_percent(written.tally)})"
    )
    for why, count in written.dropped.most_common():
        notes().print(f"{counted(count, 'statement')} dropped: {why}")
    for why, count in written.unread.most_common():
        notes().print(f"{counted(count, 'material')} unread, to be asked about again: {why}")
    if written.run is not None:
        unknown = (
            f" + {counted(written.unknown_costs, 'call')} of unknown cost" if written.unknown_costs else ""
        )
        notes().print(f"run {written.run}, {dollars(written.cost)}{unknown}")
    if written.simulated:
        notes().print("a model is simulated: its statements say so, and test nothing")


def _percent(tally: Tally) -> str:
    return "-" if tally.baseline is None else f"{100 * tally.baseline:.1f} %"
