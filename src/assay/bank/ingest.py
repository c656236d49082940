"""Importing a file of questions in one transaction, with an account of every line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.bank.example import PAPERS, example_digests, write_example
from assay.bank.ingest_lines import import_lines
from assay.bank.ingest_records import choose_profile, import_records
from assay.bank.ingest_writer import IngestWriter
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.question import SourceKind
from assay.core.sealed import Sealer
from assay.files.documents.document import DocumentLines, DocumentRecords
from assay.files.documents.opening import open_document
from assay.questions.profiles.profile import (
    DocumentProfile,
    Profile,
    RecordProfile,
    built_in,
    profile_names,
    read_profile,
)
from assay.questions.split import choose_document_profile
from assay.questions.taxonomy import find_discipline, find_secondary
from assay.results.bank_import import Account
from assay.store.bank.questions import keep_account, keep_source, source_of_file
from assay.store.engine import writing

CHUNK = 1 << 20
PUBLIC = "these are public example questions: use them for learning, never for a published score"


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """Options of an import. The disciplines (codes) apply to questions that state none.

    With `profile` None a built-in one is chosen for each file. `again` reads a file that was imported before,
    `dry_run` stores nothing, `clear` collects the rejects unsealed. `encoding` is for text files; None
    detects it.
    """

    discipline: str | None = None
    secondary: str | None = None
    kind: SourceKind = SourceKind.OTHER
    profile: Profile | None = None
    synthetic: bool = False
    again: bool = False
    dry_run: bool = False
    clear: bool = False
    encoding: str | None = None


class _DryRun(Exception):
    """Ends a dry run, so that its transaction is rolled back."""


def read_disciplines(discipline: str | None, secondary: str | None) -> tuple[str | None, str | None]:
    """Return the codes of two disciplines in any spelling; a secondary one implies its primary one."""
    code = None if discipline is None else find_discipline(discipline).code
    if secondary is None:
        return code, None
    part = find_secondary(secondary, code)
    return part.primary, part.code


def find_profile(text: str) -> Profile:
    """Return a built-in profile by name, or one from a JSON file. Raises NotFound, InvalidInput."""
    if text in profile_names():
        return built_in(text)
    path = Path(text)
    if not path.is_file():
        raise NotFound(f"unknown profile {text!r}: give one of {', '.join(profile_names())}, or a JSON file")
    try:
        return read_profile(path.read_text(encoding="utf-8-sig"), text)
    except UnicodeDecodeError:
        raise InvalidInput(Problem("not a UTF-8 text: save it as UTF-8", text)) from None


def import_file(
    engine: Engine,
    path: Path,
    options: IngestOptions,
    *,
    sealer: Sealer,
    clock: Callable[[], float],
    progress: Callable[[int], None] = lambda read: None,
) -> Account:
    """Import a file in one transaction and return its account; `known_as` marks a file imported before.

    Raises InvalidInput for an unreadable file, a profile of the wrong kind or a missing discipline, and
    AssayError if the totals do not balance; then nothing is stored.
    """
    document = open_document(path, encoding=options.encoding)
    account = Account(path.name, _sha256(path), encoding=document.encoding)
    account.known_as = source_of_file(engine, account.sha256)
    if account.known_as is not None and not options.again:
        return account
    profile = _profile(document, options.profile, path)
    account.profile = profile.name
    kind = options.kind
    if account.sha256 in example_digests():
        kind = SourceKind.EXAMPLE
        account.notes.append(PUBLIC)
    try:
        with writing(engine) as connection:
            account.source = keep_source(
                connection,
                name=path.name,
                sha256=account.sha256,
                kind=kind.value,
                profile=profile.name,
                synthetic=options.synthetic,
                account={},
                now=clock(),
            )
            writer = IngestWriter(connection, account.source, sealer, account, options.clear)
            disciplines = (options.discipline, options.secondary)
            if isinstance(document, DocumentRecords):
                assert isinstance(profile, RecordProfile)
                import_records(document, profile, writer, disciplines, progress)
            else:
                assert isinstance(profile, DocumentProfile)
                import_lines(document, profile, writer, disciplines)
            account.check()
            keep_account(connection, account.source, account.document())
            if options.dry_run:
                raise _DryRun
    except _DryRun:
        account.source = None
    return account


def import_example(engine: Engine, sealer: Sealer, folder: Path, *, clock: Callable[[], float]) -> None:
    """Write the example bank into a folder and import it."""
    for path in write_example(folder):
        options = IngestOptions(discipline=PAPERS.get(path.name))
        import_file(engine, path, options, sealer=sealer, clock=clock)


def _profile(document: DocumentLines | DocumentRecords, given: Profile | None, path: Path) -> Profile:
    if isinstance(document, DocumentRecords):
        if isinstance(given, DocumentProfile):
            fault = f"profile {given.name!r} is for documents, but this file contains records"
            raise InvalidInput(Problem(f"{fault}: give a profile for records", str(path)))
        return given or choose_profile(document)
    if isinstance(given, RecordProfile):
        fault = f"profile {given.name!r} is for records, but this file is a document"
        raise InvalidInput(Problem(f"{fault}: give a profile for documents", str(path)))
    return given or choose_document_profile([line.text for line in document.lines])


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()
