"""`assay bank export`: questions written to a file, with keys only if asked for."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.bank.export import Layout
from assay.bank.export import export as export_bank
from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.question import QuestionState
from assay.core.wording import counted
from assay.files.sealing import bank_sealer
from assay.questions.taxonomy import find_discipline


def export(
    ctx: typer.Context,
    out: Path = typer.Option(..., metavar="FILE", help="File to write: .jsonl or .csv."),
    with_keys: bool = typer.Option(
        False,
        "--with-keys",
        help="Include answers and explanations; the new file is readable only by its owner (0600).",
    ),
    state: list[QuestionState] = typer.Option(
        [],
        "--state",
        metavar="STATE",
        help="State to include: raw, reviewed, accepted or rejected; repeatable (default: all).",
    ),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="Discipline to include; repeatable (default: all)."
    ),
    fields: Layout = typer.Option(
        Layout.PLAIN,
        "--format",
        metavar="plain|figure8",
        help="Fields to write: the bank's, or those of seed 003's figure 8.",
    ),
    retired: bool = typer.Option(False, "--retired", help="Include retired questions."),
) -> None:
    """Write the bank's questions to a file, without keys.

    --with-keys adds the answers and needs the bank's key.
    """
    work = open_session(ctx, existing=True)
    codes = [find_discipline(name).code for name in discipline] or None
    count = export_bank(
        work.engine,
        out,
        layout=fields,
        sealer=bank_sealer(work.environment) if with_keys else None,
        states=state or None,
        disciplines=codes,
        retired=retired,
    )
    typer.echo(f"wrote {counted(count, 'question')} to {out}, {'WITH' if with_keys else 'without'} keys")
    if with_keys:
        notes().print("this file reveals the answers: keep it secret, or exams with these questions are void")
