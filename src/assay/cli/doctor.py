"""`assay doctor`: check what a watch needs, and say what to do about what is missing."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import typer
from rich.text import Text

from assay.cli.app import new_app
from assay.cli.checks import Finding, State, examine
from assay.cli.output import console, counted, print_json

app = new_app()
STYLES = {State.OK: "green", State.WARN: "yellow", State.FAIL: "bold red"}
WIDTH = 80
INDENT = 18


@app.command()
def doctor(
    ctx: typer.Context,
    model: list[str] = typer.Option(
        [], "--model", "-m", metavar="PROVIDER/MODEL", help="Check these too, as a watch would ask them."
    ),
    timeout: float = typer.Option(5.0, min=0.1, metavar="SECONDS", help="How long to wait for an endpoint."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check Python, workspace, keys, endpoints, suite, database and sandbox.

    Ends with 0 when nothing fails, 2 when something here is set up wrongly, 3 when only a service that Assay
    depends on cannot be reached.
    """
    given = ctx.find_root().obj or {}
    findings = examine(given, models=model, seconds=timeout)
    if as_json:
        print_json(doctor_document(findings))
    else:
        _print(findings)
    statuses = {finding.exit_status for finding in findings if finding.state is State.FAIL}
    if statuses:
        raise typer.Exit(min(statuses))


def doctor_document(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings as a JSON document."""
    return {
        "ok": all(finding.state is not State.FAIL for finding in findings),
        "checks": [
            {
                "check": finding.check,
                "state": finding.state.value,
                "text": finding.text,
                "advice": finding.advice,
            }
            for finding in findings
        ],
    }


def _print(findings: Sequence[Finding]) -> None:
    out = console()
    for finding in findings:
        head = Text.assemble((f"{finding.state.value:<5}", STYLES[finding.state]), f" {finding.check:<11} ")
        first, *rest = textwrap.wrap(finding.text, WIDTH - INDENT, break_long_words=False) or [""]
        out.print(head.append(first), soft_wrap=True)
        for line in rest:
            typer.echo(" " * INDENT + line)
        for line in textwrap.wrap(finding.advice or "", WIDTH - INDENT - 2, break_long_words=False):
            typer.echo(" " * INDENT + "> " + line)
    failed = sum(finding.state is State.FAIL for finding in findings)
    warned = sum(finding.state is State.WARN for finding in findings)
    typer.echo("")
    if failed:
        typer.echo(f"{counted(failed, 'check')} failed, {counted(warned, 'warning')}")
    else:
        typer.echo(f"ready: nothing failed, {counted(warned, 'warning')}")
