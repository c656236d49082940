"""`assay export`: write answers to files for people."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.runs.human_marks import export_marks

app = new_app(no_args_is_help=True)
RUN = "run:"


@app.callback()
def export() -> None:
    """Write answers to files for people."""


@app.command()
def marks(
    ctx: typer.Context,
    source: str = typer.Argument(metavar="RUN", help="Run number, such as 3 or run:3."),
    out: Path = typer.Option(..., "--out", metavar="FILE", help="Sheet to write: .xlsx or .csv."),
    answers: int | None = typer.Option(
        None, "--answers", metavar="N", help="Number of answers to draw at random (default: all)."
    ),
    seed: int = typer.Option(0, "--seed", metavar="N", help="Seed of the random order."),
    reveal: bool = typer.Option(
        False, "--reveal", help="Also write prompts and answers of a private or sealed suite."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Write a run's answers to a spreadsheet for marking.

    It has a blank column for the mark. Models are not named and answers are in random order. `assay import
    marks` stores the filled sheet.
    """
    text = source.removeprefix(RUN)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InvalidInput(f"invalid run {source!r}: give a number, such as 3 (exams: assay exam experts)")
    work = open_session(ctx, existing=True)
    result = export_marks(work.engine, int(text), out, seed=seed, most=answers, reveal=reveal)
    if as_json:
        print_result(result)
        return
    typer.echo(
        f"wrote {result.file}: {counted(result.answers, 'answer')} of run {result.run}, "
        f"{result.suite} {result.version}"
    )
    if result.cut:
        notes().print(f"{counted(result.cut, 'cell')} cut: a .csv file holds longer texts")
    notes().print(
        f"fill in the column 'mark', then: assay import marks {result.file} --run {result.run} --judge human"
    )
