"""`assay bank new-key`: the key that seals the answers of the bank."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.output import notes
from assay.core.errors import InvalidInput
from assay.files.sealing import FILE_ENV, write_bank_key


def new_key(
    out: Path = typer.Option(..., metavar="FILE", help="New file, readable only by its owner."),
) -> None:
    """Write a new key that encrypts the bank's answers.

    Whoever has the key and the database can read every answer; without the key nobody can. Keep a copy of the
    key away from the database.
    """
    try:
        write_bank_key(out)
    except OSError as error:
        raise InvalidInput(f"the key file {str(out)!r} cannot be written: {error.strerror}") from None
    typer.echo(f"wrote {out}")
    notes().print(f"use it: export {FILE_ENV}={out.resolve()}")
