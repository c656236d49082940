"""Showing what became of imported files: as tables, as a JSON document, and the rejects as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import typer

from assay.cli.output import counted, notes, print_table
from assay.files.atomic import write_whole

if TYPE_CHECKING:
    from assay.bank.account import Account


def print_account(account: Account, *, dry_run: bool) -> None:
    """Print what became of a file's lines or records; the totals are at the bottom."""
    if account.source is None and account.before is not None and not account.read:
        typer.echo(
            f"{account.file}: taken in before as source {account.before}; nothing was added "
            "(--again reads it once more)"
        )
        return
    place = "dry run, nothing was kept" if dry_run else f"source {account.source}"
    encoding = f", {account.encoding}" if account.encoding else ""
    typer.echo(f"{account.file}: {place}; profile {account.profile}{encoding}")
    rows = [(str(fate), f"{count:,}") for fate, count in account.fates.most_common()]
    print_table(
        None,
        ("ended as", f"{account.unit}s"),
        [*rows, ("read", f"{account.read:,}")],
        right=(f"{account.unit}s",),
    )
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in account.questions.most_common())
    typer.echo(f"{counted(account.added, 'question')} new in the bank{f': {kinds}' if kinds else ''}")
    if account.repeated or account.known:
        typer.echo(f"{account.repeated:,} repeated in this file, {account.known:,} in the bank already")
    _listed("rejected because", account.reasons, f"{account.unit}s")
    _listed("repaired", account.repairs, "questions")
    for note in account.notes:
        notes().print(f"{account.file}: {note}")


def _listed(title: str, counts: Mapping[str, int], unit: str) -> None:
    if counts:
        rows = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        print_table(None, (title, unit), [(str(name), f"{count:,}") for name, count in rows], right=(unit,))


def import_document(accounts: Sequence[Account], *, failed: int, dry_run: bool) -> dict[str, Any]:
    """Return the accounts of an import as a JSON document."""
    return {"dry_run": dry_run, "failed": failed, "files": [_document(account) for account in accounts]}


def _document(account: Account) -> dict[str, Any]:
    return {
        "file": account.file,
        "sha256": account.sha256,
        "source": account.source,
        "known_as": account.before,
        "profile": account.profile or None,
        "encoding": account.encoding,
        "unit": account.unit,
        "read": account.read,
        "fates": _counts("fate", account.fates),
        "added": account.added,
        "kinds": _counts("kind", account.questions),
        "disciplines": _counts("discipline", account.disciplines),
        "repeated": account.repeated,
        "known": account.known,
        "rejects": account.rejects,
        "reasons": _counts("reason", account.reasons),
        "repairs": _counts("repair", account.repairs),
        "notes": account.notes,
    }


def _counts(name: str, counts: Mapping[Any, int]) -> list[dict[str, Any]]:
    return [{name: str(each), "count": count} for each, count in counts.items() if count]


def write_rejects(path: Path, accounts: Iterable[Account]) -> None:
    """Write what was rejected, a line each, into a file that only its owner may read: it may hold keys."""
    lines = [
        orjson.dumps(
            {
                "file": account.file,
                "place": each.place,
                "units": each.lines,
                "reason": each.reason,
                "text": each.text,
            }
        )
        for account in accounts
        for each in account.rejected
    ]
    write_whole(path, b"".join(line + b"\n" for line in lines), mode=0o600)
    notes().print(f"wrote {path}: {counted(len(lines), 'reject')}, keys and all: keep it private")
