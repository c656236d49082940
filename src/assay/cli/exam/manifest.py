"""`assay exam manifest`: every answer, mark, second marking and exclusion of a session, row by row."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.output import OutputFormat, notes, print_result, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.exam import EXAM_JUDGE
from assay.core.wording import counted
from assay.exam.manifest import as_csv, figure_8, write_lines, write_new
from assay.exam.manifest import manifest as rows_of
from assay.files.sealing import bank_sealer
from assay.results.exam_marking import ManifestRow, SessionManifest
from assay.results.published import document


class Format(StrEnum):
    """The layout of the file: the manifest's rows, or the fields of seed 003's figure 8."""

    ROWS = "rows"
    FIGURE_8 = "figure8"


@prints("one row per answer")
def manifest(
    ctx: typer.Context,
    output: OutputFormat,
    session: str = typer.Argument(metavar="SESSION", help="Session id."),
    out: Path | None = typer.Option(
        None, "--out", metavar="FILE", help="New file, .csv or .jsonl (default: CSV on stdout)."
    ),
    form: Format = typer.Option(
        Format.ROWS, "--format", help="Format: rows, or the fields of figure 8 (.jsonl)."
    ),
    judge: str = typer.Option(
        EXAM_JUDGE,
        "--judge",
        metavar="PROVIDER/MODEL",
        help="With figure8: judge whose marks are written.",
    ),
    with_rationales: bool = typer.Option(
        False,
        "--with-rationales",
        help="Include the judges' rationales, which reveal answers; needs the bank's key.",
    ),
) -> None:
    """List every answer, mark, second marking and exclusion.

    The manifest contains no key. With rationales, and with the fields of figure 8, it effectively reveals
    the answers: such a file is readable only by its owner.
    """
    work = open_session(ctx, existing=True)
    rationales = form is Format.FIGURE_8 or with_rationales
    if rationales and out is None:
        raise InvalidInput("judges' rationales are only written to files: give --out FILE.jsonl")
    if out is not None and out.suffix not in (".csv", ".jsonl"):
        raise InvalidInput(f"invalid --out {str(out)!r}: give a file that ends in .csv or .jsonl")
    sealer = bank_sealer(work.environment) if rationales else None
    if form is Format.FIGURE_8:
        assert sealer is not None
        assert out is not None
        if out.suffix != ".jsonl":
            raise InvalidInput(
                f"invalid --out {str(out)!r}: figure 8 has nested records; give a file that ends in .jsonl"
            )
        records = list(figure_8(work.engine, session, judge, sealer))
        write_lines(out, records)
        notes().print(f"{counted(len(records), 'record')} written to {out}")
        return
    rows = rows_of(work.engine, session, sealer=sealer)
    if out is not None:
        if out.suffix == ".csv":
            write_new(out, as_csv(ManifestRow, rows).encode())
        else:
            write_lines(out, map(document, rows))
        notes().print(f"{counted(len(rows), 'row')} written to {out}")
    if output is OutputFormat.JSON:
        print_result(SessionManifest(session, tuple(replace(row, rationale=None) for row in rows)))
    elif output is OutputFormat.CSV or out is None:
        sys.stdout.write(as_csv(ManifestRow, [replace(row, rationale=None) for row in rows]))
