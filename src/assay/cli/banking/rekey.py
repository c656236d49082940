"""`assay bank rekey`: seal everything anew with another key."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.output import notes
from assay.cli.session import open_session


def rekey(
    ctx: typer.Context,
    new_key_file: Path = typer.Option(
        ..., "--new-key-file", metavar="FILE", help="The new key, as `assay bank new-key FILE` writes one."
    ),
) -> None:
    """Seal all keys anew with another sealing key.

    The old key is the one that is set (ASSAY_BANK_KEY or ASSAY_BANK_KEY_FILE). All or nothing, in one
    transaction; stop the exam service and imports first, since they hold the old key.
    """
    from assay.bank.rekey import rekey as seal_anew
    from assay.exams.keys import signing_key_about
    from assay.files.sealing import FILE_ENV, bank_sealer
    from assay.store.bank.sealed_columns import signing_secrets

    work = open_session(ctx, existing=True)
    old = bank_sealer(work.environment)
    new = bank_sealer({FILE_ENV: str(new_key_file)})
    counts = seal_anew(work.engine, old, new, more=[signing_secrets(signing_key_about)])
    told = ", ".join(f"{count:,} of {column}" for column, count in counts.items() if count)
    typer.echo(f"sealed anew with key {new.name}: {told or 'nothing was sealed yet'}")
    notes().print(f"set {FILE_ENV}={new_key_file} from now on; key {old.name} opens backups made before")
