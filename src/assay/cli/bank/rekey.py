"""`assay bank rekey`: encrypt all answers with a new key."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.output import notes
from assay.cli.session import open_session
from assay.files.sealing import FILE_ENV, bank_sealer
from assay.store.bank.sealed_columns import rekey as seal_again


def rekey(
    ctx: typer.Context,
    new_key_file: Path = typer.Option(
        ...,
        "--new-key-file",
        metavar="FILE",
        help="New key, as written by `assay bank new-key --out FILE`.",
    ),
) -> None:
    """Encrypt all answers with a new key.

    The old key is read from ASSAY_BANK_KEY or ASSAY_BANK_KEY_FILE. All answers are changed in one
    transaction, or none. Stop the exam service and imports first, because they use the old key.
    """
    work = open_session(ctx, existing=True)
    old = bank_sealer(work.environment)
    new = bank_sealer({FILE_ENV: str(new_key_file)})
    counts = seal_again(work.engine, old, new)
    sealed = ", ".join(f"{count:,} of {column}" for column, count in counts.items() if count)
    typer.echo(f"encrypted with the new key {new.name}: {sealed or 'nothing was encrypted yet'}")
    notes().print(f"set {FILE_ENV}={new_key_file} from now on; keep key {old.name} for backups made before")
