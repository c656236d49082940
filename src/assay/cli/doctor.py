"""`assay doctor`: check what a watch needs, and advise on what is missing."""

from __future__ import annotations

import textwrap

import typer
from rich.text import Text

from assay.cli.app import new_app
from assay.cli.checks import examine
from assay.cli.output import console, print_result
from assay.core.wording import counted
from assay.results.workspace import CheckState, Diagnosis

app = new_app()
STYLES = {CheckState.OK: "green", CheckState.WARN: "yellow", CheckState.FAIL: "bold red"}
WIDTH = 80
INDENT = 18


@app.command()
def doctor(
    ctx: typer.Context,
    model: list[str] = typer.Option(
        [],
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="Model to check as well, with the settings that a watch would use; repeatable.",
    ),
    timeout: float = typer.Option(
        5.0, min=0.1, metavar="SECONDS", help="Time to wait for an endpoint, in seconds."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check Python, workspace, keys, endpoints, suite, database and sandbox.

    Exits with 0 if nothing fails, with 2 if something here is set up wrongly, and with 3 if the only failures
    are services that cannot be reached.
    """
    root_options = ctx.find_root().obj or {}
    diagnosis = Diagnosis(tuple(examine(root_options, models=model, seconds=timeout)))
    if as_json:
        print_result(diagnosis)
    else:
        _print(diagnosis)
    if not diagnosis.ok:
        failed = [check for check in diagnosis.checks if check.state is CheckState.FAIL]
        raise typer.Exit(min(check.exit_status for check in failed))


def _print(diagnosis: Diagnosis) -> None:
    out = console()
    for check in diagnosis.checks:
        head = Text.assemble((f"{check.state.value:<5}", STYLES[check.state]), f" {check.check:<11} ")
        first, *rest = textwrap.wrap(check.text, WIDTH - INDENT, break_long_words=False) or [""]
        out.print(head.append(first), soft_wrap=True)
        for line in rest:
            typer.echo(" " * INDENT + line)
        for line in textwrap.wrap(check.advice or "", WIDTH - INDENT - 2, break_long_words=False):
            typer.echo(" " * INDENT + "> " + line)
    failed = sum(check.state is CheckState.FAIL for check in diagnosis.checks)
    warned = sum(check.state is CheckState.WARN for check in diagnosis.checks)
    typer.echo("")
    if failed:
        typer.echo(f"{counted(failed, 'check')} failed, {counted(warned, 'warning')}")
    else:
        typer.echo(f"ready: nothing failed, {counted(warned, 'warning')}")
