"""`assay bank import`: import questions from documents and tables, and account for every line."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import orjson
import typer
from sqlalchemy import Engine

from assay.bank.ingest import IngestOptions, find_profile, import_file, read_disciplines
from assay.cli.output import OutputFormat, notes, print_help_hint, print_listed, print_table, prints
from assay.cli.session import open_session
from assay.core.errors import AssayError, Conflict, ExitStatus
from assay.core.question import SourceKind
from assay.core.sealed import Sealer
from assay.core.wording import counted
from assay.files.atomic import write_whole
from assay.files.sealing import KEY_BYTES, KeySealer, bank_sealer
from assay.results.bank_import import FILES, Account, ImportedFiles
from assay.results.published import document
from assay.runs.work import Work
from assay.store.engine import open_database

EVERY = 5.0


@prints("one row per file")
def import_(
    ctx: typer.Context,
    output: OutputFormat,
    files: list[Path] = typer.Argument(
        metavar="FILE...", help="Files: .txt .docx .pdf .xlsx .csv .json .jsonl; JSON also as .gz or .zst."
    ),
    discipline: str | None = typer.Option(
        None, metavar="D", help="Discipline of questions that state none, as code or name."
    ),
    secondary: str | None = typer.Option(None, metavar="S", help="Secondary discipline of these questions."),
    source: SourceKind = typer.Option(SourceKind.OTHER, help="Kind of exam that the questions come from."),
    profile: str | None = typer.Option(
        None, metavar="NAME", help="Layout of the files: a built-in profile or a JSON file."
    ),
    encoding: str | None = typer.Option(
        None,
        metavar="NAME",
        help="Encoding of text files, such as cp1251 or shift_jis (default: detected).",
    ),
    synthetic: bool = typer.Option(
        False, "--synthetic", help="Mark the questions as synthetic, not taken from an exam."
    ),
    again: bool = typer.Option(False, "--again", help="Read files again even if they were imported before."),
    rejects: Path | None = typer.Option(
        None,
        metavar="OUT.jsonl",
        help="New file for the rejected lines, unencrypted and readable only by its owner.",
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Preview the import without saving it."),
) -> None:
    """Import questions and account for every line of the files.

    Each line or record becomes a question, a reject with a reason, or is counted as part of the layout. A
    file is imported completely or not at all; importing it twice adds nothing. Rejects are stored encrypted.
    """
    if rejects is not None and rejects.exists():
        raise Conflict(f"{str(rejects)!r} already exists: name a new file for the rejects")
    codes = read_disciplines(discipline, secondary)
    layout = None if profile is None else find_profile(profile)
    options = IngestOptions(*codes, source, layout, synthetic, again, dry_run, rejects is not None, encoding)
    work = open_session(ctx)
    gc.disable()  # an import makes no reference cycles, and searching for them takes a tenth of the time
    accounts, failed = [], 0
    with _database(work, dry_run) as (engine, sealer):
        for path in files:
            try:
                account = _import(engine, path, options, sealer)
            except AssayError as error:
                if len(files) == 1:
                    raise
                notes().print(f"error: {path.name}: {error}")
                failed += 1
                continue
            accounts.append(account)
            if output is OutputFormat.TEXT:
                _print_account(account, dry_run=dry_run)
    if rejects is not None:
        _write_rejects(rejects, accounts)
    imported = ImportedFiles(dry_run, failed, tuple(accounts))
    print_listed(FILES, accounts, output, result=imported, text=lambda: None)
    if failed:
        notes().print(f"{failed} of {counted(len(files), 'file')} not imported")
        raise typer.Exit(ExitStatus.WRONG)
    if not any(account.added or account.known or account.known_as for account in accounts):
        raise typer.Exit(ExitStatus.BAD_NEWS)


def _import(engine: Engine, path: Path, options: IngestOptions, sealer: Sealer) -> Account:
    terminal, start = sys.stderr.isatty(), time.monotonic()
    shown = start

    def progress(read: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < (0.2 if terminal else EVERY):
            return
        shown = now
        line = f"{path.name}: {read:,} read, {read / (now - start):,.0f}/s"
        print(f"\r{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    account = import_file(engine, path, options, sealer=sealer, clock=time.time, progress=progress)
    if terminal and shown > start:
        print(file=sys.stderr)
    return account


@contextmanager
def _database(work: Work, dry_run: bool) -> Iterator[tuple[Engine, Sealer]]:
    """Yield the bank's database and the sealer of its keys. A dry run works without either."""
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


def _print_account(account: Account, *, dry_run: bool) -> None:
    """Print how the lines or records of a file were counted, with the totals at the bottom."""
    if account.source is None and account.known_as is not None and not account.read:
        typer.echo(
            f"{account.file}: imported before as source {account.known_as}; nothing was added "
            "(read it again with --again)"
        )
        return
    place = "dry run, nothing was saved" if dry_run else f"source {account.source}"
    encoding = f", {account.encoding}" if account.encoding else ""
    typer.echo(f"{account.file}: {place}; profile {account.profile}{encoding}")
    rows = [(str(fate), f"{count:,}") for fate, count in account.fates.most_common()]
    print_table(
        None,
        ("outcome", f"{account.unit}s"),
        [*rows, ("read", f"{account.read:,}")],
        right=(f"{account.unit}s",),
    )
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in account.kinds.most_common())
    added = counted(account.added, "new question")
    typer.echo(f"{added} in the bank{f': {kinds}' if kinds else ''}")
    if account.repeated or account.known:
        typer.echo(f"{account.repeated:,} repeated in this file, {account.known:,} already in the bank")
    _print_counts("rejected because", account.reasons, f"{account.unit}s")
    _print_counts("repaired", account.repairs, "questions")
    print_help_hint(reason for reason, _ in account.reasons.most_common())
    for note in account.notes:
        notes().print(f"{account.file}: {note}")


def _print_counts(title: str, counts: Mapping[str, int], unit: str) -> None:
    if counts:
        rows = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        print_table(None, (title, unit), [(str(name), f"{count:,}") for name, count in rows], right=(unit,))


def _write_rejects(path: Path, accounts: Iterable[Account]) -> None:
    """Write the rejects, one on each line, to a file that only its owner may read: it can hold keys."""
    lines = [
        orjson.dumps({"file": account.file, **document(reject)})
        for account in accounts
        for reject in account.rejected
    ]
    write_whole(path, b"".join(line + b"\n" for line in lines), mode=0o600)
    notes().print(f"wrote {path}: {counted(len(lines), 'reject')}, which can include keys: keep it private")
