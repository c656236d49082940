"""`assay bank import`: take questions in from documents and tables, accounting for every line."""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.core.errors import AssayError, Conflict
from assay.core.question import SourceKind

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from assay.bank.account import Account
    from assay.bank.ingest import Wish
    from assay.core.sealed import Sealer
    from assay.runs.work import Work

EVERY = 5.0


def import_(
    ctx: typer.Context,
    files: list[Path] = typer.Argument(
        metavar="FILE...", help=".txt .docx .pdf .xlsx .csv .json .jsonl; JSON also as .gz or .zst."
    ),
    discipline: str | None = typer.Option(
        None, metavar="D", help="The discipline of questions that state none: code or name."
    ),
    secondary: str | None = typer.Option(None, metavar="S", help="Their secondary discipline."),
    source: SourceKind = typer.Option(SourceKind.OTHER, help="What kind of exam they come from."),
    profile: str | None = typer.Option(
        None, metavar="NAME", help="How the files are laid out: a built-in profile or a JSON file."
    ),
    synthetic: bool = typer.Option(False, "--synthetic", help="They were made up, not set in an exam."),
    again: bool = typer.Option(False, "--again", help="Read files that were taken in before once more."),
    rejects: Path | None = typer.Option(
        None, metavar="OUT.jsonl", help="Write what was rejected, in the clear, for its owner only."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would become of it, keep nothing."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Take in questions; account for every line of the files.

    Each line or record ends in a question, a reject with its reason, or a class of its own, and the totals
    balance. A file is taken in whole or not at all; a second time it adds nothing. Rejects are kept sealed.
    """
    from assay.bank.ingest import Wish, find_profile, read_disciplines
    from assay.cli.banking.shown_import import import_document, print_account, write_rejects

    if rejects is not None and rejects.exists():
        raise Conflict(f"{str(rejects)!r} exists: name a new file for the rejects")
    codes = read_disciplines(discipline, secondary)
    found = None if profile is None else find_profile(profile)
    wish = Wish(*codes, source, found, synthetic, again, dry_run, rejects is not None)
    work = open_session(ctx)
    gc.disable()  # nothing of an import refers to itself, and looking for it costs a tenth of the time
    accounts, failed = [], 0
    with _database(work, dry_run) as (engine, sealer):
        for path in files:
            try:
                account = _taken(engine, path, wish, sealer)
            except AssayError as error:
                if len(files) == 1:
                    raise
                notes().print(f"error: {path.name}: {error}")
                failed += 1
                continue
            accounts.append(account)
            if not as_json:
                print_account(account, dry_run=dry_run)
    if rejects is not None:
        write_rejects(rejects, accounts)
    if as_json:
        print_json(import_document(accounts, failed=failed, dry_run=dry_run))
    if failed:
        notes().print(f"{failed} of {len(files)} files were not taken in")
        raise typer.Exit(2)
    if not any(account.added or account.known or account.before for account in accounts):
        raise typer.Exit(1)


def _taken(engine: Engine, path: Path, wish: Wish, sealer: Sealer) -> Account:
    from assay.bank.ingest import import_file

    terminal, begun = sys.stderr.isatty(), time.monotonic()
    told = begun

    def progress(read: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < (0.2 if terminal else EVERY):
            return
        told = now
        line = f"{path.name}: {read:,} read, {read / (now - begun):,.0f}/s"
        print(f"\r{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    account = import_file(engine, path, wish, sealer=sealer, clock=time.time, progress=progress)
    if terminal and told > begun:
        print(file=sys.stderr)
    return account


@contextmanager
def _database(work: Work, dry_run: bool) -> Iterator[tuple[Engine, Sealer]]:
    """Yield the bank and what seals its keys; a dry run needs neither to be there."""
    import os

    from assay.files.sealing import KEY_BYTES, KeySealer, bank_sealer
    from assay.store.engine import open_database

    if not dry_run:
        sealer = bank_sealer(work.environment)
        yield work.engine, sealer
        return
    existing = work.existing()
    with tempfile.TemporaryDirectory() as folder:
        engine = existing or open_database(str(Path(folder) / "dry-run.db"))
        try:
            yield engine, KeySealer(os.urandom(KEY_BYTES))
        finally:
            if existing is None:
                engine.dispose()
