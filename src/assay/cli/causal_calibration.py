"""`assay causal calibrate`: the level at which models differ significantly."""

from __future__ import annotations

from functools import partial

import typer

from assay.cli.output import OutputFormat, notes, print_csv, print_output, print_rows, prints
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.results.causal_calibration import LEVELS, LadderCalibration, level_table
from assay.runs.board.levels import calibrate_runs

SIMULATED = "SIMULATED MODELS: these figures say nothing about real models. Do not choose a level by them."


@prints("one row per level and model")
def calibrate(
    ctx: typer.Context,
    output: OutputFormat,
    run: list[int] = typer.Argument(metavar="RUN...", help="Finished runs of one causal suite with levels."),
    allow_simulated: bool = typer.Option(
        False, "--allow-simulated", help="Accept runs of simulated models, which say nothing about real ones."
    ),
) -> None:
    """Propose the level at which models differ significantly.

    On a level that fits, most models score 30 to 80 % and some pairs of models differ significantly. Needs
    finished runs of two or more models.
    """
    work = open_session(ctx, existing=True)
    found = calibrate_runs(work.engine, run, allow_simulated=allow_simulated)
    print_output(
        output, result=found, csv=lambda: print_csv(found.records()), text=partial(_print_calibration, found)
    )
    for line in found.notes:
        notes().print(line)
    if found.simulated and output is not OutputFormat.TEXT:
        notes().print(SIMULATED)


def _print_calibration(found: LadderCalibration) -> None:
    """Print the warning about simulated models, the levels, the models on each level, and the proposal."""
    if found.simulated:
        typer.echo(f"{SIMULATED}\n")
    models = counted(len(found.levels[0].models), "model")
    print_rows(LEVELS, found.levels, f"{found.suite.suite} {found.suite.version}: {models} by level")
    rows = found.levels[0].models
    print_rows(level_table(found.levels), rows, "\nRight answers out of 100, with 95 % intervals")
    if found.proposed is None:
        typer.echo("\nNo level fits: the column `lacks` has the reasons.")
    else:
        typer.echo(f"\nProposed level: {found.proposed}{' (of SIMULATED models)' if found.simulated else ''}")
