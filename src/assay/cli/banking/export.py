"""`assay bank export`: questions into a file, with their keys only on demand."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.output import counted, notes
from assay.cli.session import open_session
from assay.core.question import QuestionState


class Format(StrEnum):
    """The fields of an export."""

    PLAIN = "plain"
    FIGURE_8 = "figure8"


def export(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="To write: .jsonl or .csv."),
    with_keys: bool = typer.Option(
        False, "--with-keys", help="Answers and explanations too, into a new file for you alone (0600)."
    ),
    state: list[QuestionState] = typer.Option(
        [], "--state", metavar="STATE", help="raw, reviewed, accepted, rejected; several times, else all."
    ),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="Only these; may be given several times."
    ),
    fields: Format = typer.Option(
        Format.PLAIN, "--format", metavar="plain|figure8", help="The bank's fields, or those of seed 003."
    ),
    retired: bool = typer.Option(False, "--retired", help="Retired questions too."),
) -> None:
    """Write the bank's questions to a file, without keys.

    With --with-keys the bank's key must be set; without it no answer is in the file.
    """
    from assay.bank.export import Layout
    from assay.bank.export import export as export_bank
    from assay.files.sealing import bank_sealer
    from assay.questions.taxonomy import find_discipline

    work = open_session(ctx, existing=True)
    codes = [find_discipline(name).code for name in discipline] or None
    count = export_bank(
        work.engine,
        file,
        layout=Layout(fields.value),
        sealer=bank_sealer(work.environment) if with_keys else None,
        states=state or None,
        disciplines=codes,
        retired=retired,
    )
    typer.echo(f"wrote {counted(count, 'question')} to {file}, {'WITH' if with_keys else 'without'} keys")
    if with_keys:
        notes().print("whoever reads this file knows the answers: exams are worth nothing once it is out")
