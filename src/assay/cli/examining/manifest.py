"""`assay exam manifest`: every answer, mark, re-mark and exclusion of a session, row by row."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from assay.core.exam import EXAM_JUDGE


class Format(StrEnum):
    """What is written: the manifest's rows, or the fields of seed 003's figure 8."""

    ROWS = "rows"
    FIGURE_8 = "figure8"


def manifest(
    ctx: typer.Context,
    session: str = typer.Argument(metavar="SESSION", help="The session, by its id."),
    out: Path | None = typer.Option(
        None, "--out", metavar="FILE", help="A new file, .csv or .jsonl; else CSV on stdout."
    ),
    form: Format = typer.Option(Format.ROWS, "--format", help="Rows, or figure 8's fields (.jsonl)."),
    judge: str = typer.Option(
        EXAM_JUDGE, "--judge", metavar="PROVIDER/MODEL", help="Of figure8: whose judgement."
    ),
    with_rationales: bool = typer.Option(
        False, "--with-rationales", help="With the judges' words, which tell keys; needs the bank's key."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List every answer, mark, re-mark and exclusion.

    It holds no key. With rationales, and in figure 8's form, it does as good as hold them: such a file is
    written for its owner alone.
    """
    import sys

    from assay.cli.output import counted, notes, print_json
    from assay.cli.session import open_session
    from assay.core.errors import InvalidInput
    from assay.exams.manifest import as_csv, figure_8, write_lines, write_new
    from assay.exams.manifest import manifest as rows_of
    from assay.files.sealing import bank_sealer

    work = open_session(ctx, existing=True)
    told = form is Format.FIGURE_8 or with_rationales
    if told and out is None:
        raise InvalidInput("what judges said is written to files only: give --out FILE.jsonl")
    if out is not None and out.suffix not in (".csv", ".jsonl"):
        raise InvalidInput(f"--out {str(out)!r} is no .csv and no .jsonl file: name one")
    sealer = bank_sealer(work.environment) if told else None
    if form is Format.FIGURE_8:
        assert sealer is not None
        assert out is not None
        if out.suffix != ".jsonl":
            raise InvalidInput(f"--out {str(out)!r}: figure 8's records are nested, name a .jsonl file")
        records = list(figure_8(work.engine, session, judge, sealer))
        write_lines(out, records)
        notes().print(f"{counted(len(records), 'record')} written to {out}")
        return
    rows = rows_of(work.engine, session, sealer=sealer)
    if out is not None:
        if out.suffix == ".csv":
            write_new(out, as_csv(rows).encode())
        else:
            write_lines(out, [row.written() for row in rows])
        notes().print(f"{counted(len(rows), 'row')} written to {out}")
    if as_json:
        listed = [{**row.written(), "rationale": None} for row in rows]
        print_json({"session": session, "rows": listed})
    elif out is None:
        sys.stdout.write(as_csv(rows))
