"""`assay bank new-key`: the key that seals the answers of the bank."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.output import notes


def new_key(
    file: Path = typer.Argument(metavar="FILE", help="A new file; only its owner may read it."),
) -> None:
    """Write a fresh key for sealing the bank's answers.

    Whoever has it and the database has every answer; without it nobody can open them. Keep a copy apart from
    the database.
    """
    from assay.core.errors import InvalidInput
    from assay.files.sealing import FILE_ENV, write_bank_key

    try:
        write_bank_key(file)
    except OSError as error:
        raise InvalidInput(f"the key file {str(file)!r} cannot be written: {error.strerror}") from None
    typer.echo(f"wrote {file}")
    notes().print(f"use it: export {FILE_ENV}={file.resolve()}")
