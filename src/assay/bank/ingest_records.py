"""Taking in a file of records: each becomes a question, a reject, or is accounted for otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice

from assay.bank.account import Fate
from assay.bank.keeping import Filed, Keeper
from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import Found, Records
from assay.files.documents.records import BLANK, HEADER
from assay.questions.mapping import Entry, RecordReader
from assay.questions.profiles.built_in import record_profile
from assay.questions.profiles.records import RecordProfile
from assay.questions.recognise import Recognised, recognise
from assay.questions.refusal import Reason, Refused

PEEKED = 200
STEP = 1000
_OTHER = {BLANK: Fate.BLANK, HEADER: Fate.HEADING}
Wanted = tuple[str | None, str | None]


def choose_profile(records: Records, given: RecordProfile | None) -> RecordProfile:
    """Return the profile given, or the first built-in one that suits the first record that can be read."""
    ahead = list(islice(iter(records), PEEKED))
    records.found = chain(ahead, records.found)
    records.count -= len(ahead)
    if given is not None:
        return given
    return record_profile(next((each.value for each in ahead if isinstance(each.value, dict)), {}))


def take_records(
    records: Records,
    profile: RecordProfile,
    keeper: Keeper,
    wanted: Wanted,
    progress: Callable[[int], None],
) -> None:
    """Take in records. `wanted` are the codes of the disciplines of those that state none.

    Raises InvalidInput where no column holds questions or keys, or no discipline is known.
    """
    account, reader = keeper.account, RecordReader(profile)
    account.unit = records.unit
    rest = iter(records)
    while chunk := list(islice(rest, STEP)):
        entries = [None if found.value is None else reader.entry(found.value) for found in chunk]
        read = [recognise(entry.draft) if isinstance(entry, Entry) else entry for entry in entries]
        for found, entry, recognised in zip(chunk, entries, read, strict=True):
            _take(found, entry, recognised, keeper, wanted)
        progress(records.count)
    keeper.flush()
    account.read = records.count
    account.notes += [*records.notes, *_told(reader)]


def _take(
    found: Found,
    entry: Entry | Refused | None,
    read: Recognised | Refused | None,
    keeper: Keeper,
    wanted: Wanted,
) -> None:
    account = keeper.account
    if found.value is None and found.other:
        account.fates[_OTHER[found.other]] += 1
        return
    if found.fault:
        cells = Reason.CELLS if "cells under" in found.fault else Reason.UNREADABLE
        keeper.reject(found.place, 1, Refused(cells, found.fault), found.raw)
        return
    if not isinstance(entry, Entry) or not isinstance(read, Recognised):
        why = read if isinstance(read, Refused) else Refused(Reason.NO_OBJECT)
        keeper.reject(found.place, 1, why, found.raw)
        return
    discipline, secondary = entry.discipline, entry.secondary
    if discipline is None:
        discipline, secondary = wanted
        if discipline is None:
            raise InvalidInput(
                Problem(f"{found.place} tells no discipline: give one with --discipline", account.file)
            )

    def settle(fate: Fate, refused: Refused | None) -> None:
        if refused is not None:
            keeper.reject(found.place, 1, refused, found.raw)
        else:
            account.fates[fate] += 1

    filed = Filed(found.place, discipline, secondary, entry.uuid, entry.parent, entry.made_by)
    keeper.keep(read, filed, settle)


def _told(reader: RecordReader) -> Iterator[str]:
    shown = {"stem": "question"}
    if reader.read:
        parts = (
            f"{shown.get(name, name)} from {', '.join(map(repr, keys))}" for name, keys in reader.read.items()
        )
        yield f"read: {'; '.join(parts)}"
    if reader.unknown:
        yield f"not read: {', '.join(map(repr, sorted(reader.unknown)))}"
