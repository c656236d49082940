"""`assay bank expand`: true-or-false statements made from multiple-choice questions and source material."""

from __future__ import annotations

import time
from collections.abc import Collection

import numpy as np
import typer

from assay.bank.augment import OPEN, expand_choices
from assay.bank.material import MaterialPlan, expand_materials
from assay.calls.control import RunControl
from assay.cli.live import run_live
from assay.cli.options import CONCURRENCY, MAX_COST
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.question import QuestionState
from assay.core.sealed import Sealer
from assay.core.wording import counted
from assay.files.sealing import bank_sealer
from assay.results.expansion import STATEMENTS, ExpandedChoices, ExpandedMaterial, Expansion, StatementKeys
from assay.runs.work import Work


@prints("one row per discipline")
def expand(
    ctx: typer.Context,
    output: OutputFormat,
    keys: StatementKeys = typer.Option(
        StatementKeys.ALL,
        metavar="all|balanced",
        help="Statements to make: one for each option, or as many false ones as true ones.",
    ),
    seed: int = typer.Option(
        0, min=0, metavar="SEED", help="Seed that chooses the false statements of --keys balanced."
    ),
    state: list[QuestionState] = typer.Option(
        [],
        "--state",
        metavar="STATE",
        help="State of the questions: raw, reviewed or accepted; repeatable (default: all three).",
    ),
    model: str | None = typer.Option(
        None, metavar="PROVIDER/MODEL", help="Model that writes statements about source material."
    ),
    verifier: str | None = typer.Option(
        None,
        metavar="PROVIDER/MODEL",
        help="Model that verifies them blind (default: the same model, asked again).",
    ),
    statements: int = typer.Option(
        3, min=1, max=10, metavar="N", help="Number of true statements, and of false ones, per material."
    ),
    limit: int | None = typer.Option(
        None, min=1, metavar="N", help="Largest number of source materials to send to the model."
    ),
    max_cost: float | None = MAX_COST,
    concurrency: int | None = CONCURRENCY,
) -> None:
    """Make true-or-false statements from the bank's questions.

    Makes one statement for each option of a multiple-choice question. With --model, a model also writes
    statements about source material, and a second call verifies them. Statements have the state raw and refer
    to their question. If you repeat the command, only missing statements are added.
    """
    if verifier is not None and model is None:
        raise InvalidInput(f"--verifier {verifier!r} needs --model, whose statements it verifies: give both")
    if QuestionState.REJECTED in state:
        raise InvalidInput("rejected questions cannot be expanded: leave out --state rejected")
    work = open_session(ctx, concurrency=concurrency, existing=True)
    sealer = bank_sealer(work.environment)
    states = state or OPEN
    choices = expand_choices(
        work.engine, sealer, keys=keys, rng=np.random.default_rng(seed), now=time.time(), states=states
    )
    material = None
    if model is not None:
        models = (model, verifier or model)
        material = _write(work, sealer, models, states, statements, limit, max_cost)
    print_listed(
        STATEMENTS,
        choices.disciplines,
        output,
        result=Expansion(choices, material),
        text=lambda: _print(choices, material),
    )
    if material is not None and material.reason is not None:
        notes().print(f"stopped: {material.reason}; all replies are kept. To continue, repeat the command.")
        raise typer.Exit(ExitStatus.UPSTREAM)


def _write(
    work: Work,
    sealer: Sealer,
    models: tuple[str, str],
    states: Collection[QuestionState],
    statements: int,
    limit: int | None,
    max_cost: float | None,
) -> ExpandedMaterial:
    writer, verifier = (work.models([name])[0] for name in models)
    control = RunControl()
    plan = MaterialPlan(writer, verifier, statements, limit, states)
    expansion = expand_materials(
        work.asking_context(), sealer, plan, max_cost=work.limit(max_cost), control=control
    )
    return run_live(expansion, control, label="expanding material")


def _print(choices: ExpandedChoices, material: ExpandedMaterial | None) -> None:
    if choices.disciplines:
        print_rows(STATEMENTS, choices.disciplines, f"Statements, --keys {choices.keys}")
    typer.echo(
        f"{counted(choices.parents, 'multiple-choice question')}: {choices.added:,} new statements, "
        f"{choices.known:,} made before, {choices.taken:,} left out because another question reads the same"
    )
    counts = choices.statements
    if counts.constant_baseline is not None:
        always = "False" if counts.false >= counts.true else "True"
        typer.echo(
            f"constant-answer baseline: always answering {always} is right {counts.constant_baseline:.1%} of "
            "the time"
        )
    for reason, count in choices.left.most_common():
        notes().print(f"not expanded: {counted(count, 'multiple-choice question')}: {reason}")
    if material is not None:
        _print_material(material)


def _print_material(material: ExpandedMaterial) -> None:
    counts = material.statements
    constant = "-" if counts.constant_baseline is None else f"{counts.constant_baseline:.1%}"
    typer.echo(
        f"{counted(material.parents, 'source material')} sent, {material.before:,} expanded before: "
        f"{material.added:,} new statements ({counts.true:,} true, {counts.false:,} false; "
        f"a constant answer is right for {constant})"
    )
    for reason, count in material.dropped.most_common():
        notes().print(f"{counted(count, 'statement')} dropped: {reason}")
    for reason, count in material.unread.most_common():
        notes().print(f"{counted(count, 'source material')} without a readable reply, to repeat: {reason}")
    if material.run is not None:
        notes().print(f"run {material.run}, {material.spend}")
    if material.simulated:
        notes().print("a model is simulated: its statements say so and do not test anything")
