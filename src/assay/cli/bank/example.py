"""`assay bank example`: Assay's public example questions, as files to import."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.bank.example import PAPERS, write_example
from assay.cli.output import notes


def example(
    out: Path = typer.Option(Path("example"), metavar="FOLDER", help="New folder."),
) -> None:
    """Write the example bank: 150 public questions to try an exam.

    It has 15 questions in each of ten disciplines, in English and Chinese, as tables and as exam papers. The
    keys are public: never publish a score on these questions.
    """
    for path in write_example(out):
        typer.echo(str(path))
    papers = " ".join(
        f"assay bank import {out}/papers/{name} --discipline {discipline};"
        for name, discipline in sorted(PAPERS.items())
    )
    hints = notes()
    hints.print(
        "These questions and their keys are public: use them for learning, never for a published score."
    )
    hints.print(f"import them: assay bank import {out}/tables/*; {papers.rstrip(';')}")
