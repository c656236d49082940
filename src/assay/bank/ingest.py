"""`assay bank import`: taking in a file of questions, in one transaction, with an account that balances."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.bank.account import Account
from assay.bank.ingest_lines import choose_layout, take_lines
from assay.bank.ingest_records import choose_profile, take_records
from assay.bank.keeping import Keeper
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.question import SourceKind
from assay.core.sealed import Sealer
from assay.files.documents.document import Lines, Records
from assay.files.documents.opening import open_document
from assay.questions.profiles.built_in import Profile, built_in, profile_names, read_profile
from assay.questions.profiles.documents import DocumentProfile
from assay.questions.profiles.records import RecordProfile
from assay.questions.taxonomy import find_discipline, find_secondary
from assay.store.bank.questions import keep_account, keep_source, source_of_file
from assay.store.engine import writing

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Wish:
    """How files are to be taken in. Disciplines are codes, for what states none itself.

    `profile` None chooses one by the file. `again` reads a file that was taken in before once more, `dry_run`
    writes nothing, `clear` collects the rejects in the clear.
    """

    discipline: str | None = None
    secondary: str | None = None
    kind: SourceKind = SourceKind.OTHER
    profile: Profile | None = None
    synthetic: bool = False
    again: bool = False
    dry_run: bool = False
    clear: bool = False


class _Undone(Exception):
    """Ends a dry run, so that its transaction is rolled back."""


def read_disciplines(discipline: str | None, secondary: str | None) -> tuple[str | None, str | None]:
    """Return the codes of two disciplines given in any spelling; a secondary one tells its primary."""
    code = None if discipline is None else find_discipline(discipline).code
    if secondary is None:
        return code, None
    below = find_secondary(secondary, code)
    return below.primary, below.code


def find_profile(text: str) -> Profile:
    """Return a profile by its built-in name, or from a JSON file. Raises NotFound, InvalidInput."""
    if text in profile_names():
        return built_in(text)
    path = Path(text)
    if not path.is_file():
        raise NotFound(
            f"there is no profile {text!r}: give one of {', '.join(profile_names())}, or a JSON file"
        )
    try:
        return read_profile(path.read_text(encoding="utf-8-sig"), text)
    except UnicodeDecodeError:
        raise InvalidInput(Problem("is no UTF-8 text", text)) from None


def import_file(
    engine: Engine,
    path: Path,
    wish: Wish,
    *,
    sealer: Sealer,
    clock: Callable[[], float],
    progress: Callable[[int], None] = lambda read: None,
) -> Account:
    """Take in a file and return its account; a file that was taken in before is passed over, which it says.

    All of it happens in one transaction. Raises InvalidInput for a file that cannot be read, a profile of the
    other kind, or a missing discipline; AssayError where the totals do not balance. Then nothing is kept.
    """
    document = open_document(path)
    account = Account(path.name, _sha256(path), encoding=document.encoding)
    account.before = source_of_file(engine, account.sha256)
    if account.before is not None and not wish.again:
        return account
    profile = _profile(document, wish.profile, path)
    account.profile = profile.name
    try:
        with writing(engine) as connection:
            account.source = keep_source(
                connection,
                name=path.name,
                sha256=account.sha256,
                kind=wish.kind.value,
                profile=profile.name,
                synthetic=wish.synthetic,
                account={},
                now=clock(),
            )
            keeper = Keeper(connection, account.source, sealer, account, wish.clear)
            wanted = (wish.discipline, wish.secondary)
            if isinstance(document, Records):
                assert isinstance(profile, RecordProfile)
                take_records(document, profile, keeper, wanted, progress)
            else:
                assert isinstance(profile, DocumentProfile)
                take_lines(document, profile, keeper, wanted)
            account.check()
            keep_account(connection, account.source, account.document())
            if wish.dry_run:
                raise _Undone
    except _Undone:
        account.source = None
    return account


def _profile(document: Lines | Records, given: Profile | None, path: Path) -> Profile:
    if isinstance(document, Records):
        if isinstance(given, DocumentProfile):
            raise InvalidInput(
                Problem(f"holds records, and the profile {given.name!r} is one of documents", str(path))
            )
        return choose_profile(document, given)
    if isinstance(given, RecordProfile):
        raise InvalidInput(
            Problem(f"is a document, and the profile {given.name!r} is one of records", str(path))
        )
    return choose_layout(document, given)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()
