"""`assay bank new-key`: the key that encrypts the bank's answers."""

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

    With the key and the database, every answer can be read; without the key, none. Keep a copy of the key in
    another place than the database.
    """
    try:
        write_bank_key(out)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InvalidInput(f"cannot write the key file {str(out)!r} ({why}): name another file") from None
    typer.echo(f"wrote {out}")
    notes().print(f"to use it: export {FILE_ENV}={out.resolve()}")
