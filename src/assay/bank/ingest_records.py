"""Importing a file of records: each becomes a question, a reject, or is counted as blank or a heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice

from assay.bank.ingest_writer import IngestWriter, Placement
from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import DocumentRecord, DocumentRecords
from assay.files.documents.records import BLANK, HEADER
from assay.questions.mapping import MappedRecord, RecordReader
from assay.questions.profiles.profile import RecordProfile, record_profile
from assay.questions.recognise import Recognised, recognise
from assay.questions.refusal import Reason, RefusedRecord
from assay.results.bank_import import Fate

PEEKED = 200
STEP = 1000
_NOT_RECORDS = {BLANK: Fate.BLANK, HEADER: Fate.HEADING}
Disciplines = tuple[str | None, str | None]
"""The codes of the primary and secondary discipline of records that state none."""


def choose_profile(records: DocumentRecords) -> RecordProfile:
    """Return the first built-in profile that matches the first readable record."""
    first = list(islice(iter(records), PEEKED))
    records.records = chain(first, records.records)
    records.count -= len(first)
    return record_profile(next((record.value for record in first if isinstance(record.value, dict)), {}))


def import_records(
    records: DocumentRecords,
    profile: RecordProfile,
    writer: IngestWriter,
    disciplines: Disciplines,
    progress: Callable[[int], None],
) -> None:
    """Import records. Raises InvalidInput without a column of questions or keys, or without a discipline."""
    account, reader = writer.account, RecordReader(profile)
    account.unit = records.unit
    rest = iter(records)
    while chunk := list(islice(rest, STEP)):
        for record in chunk:
            mapped = None if record.value is None else reader.entry(record.value)
            recognised = recognise(mapped.draft) if isinstance(mapped, MappedRecord) else mapped
            _import(record, mapped, recognised, writer, disciplines)
        progress(records.count)
    writer.flush()
    account.read = records.count
    account.notes += [*records.notes, *_columns_read(reader)]


def _import(
    record: DocumentRecord,
    mapped: MappedRecord | RefusedRecord | None,
    recognised: Recognised | RefusedRecord | None,
    writer: IngestWriter,
    disciplines: Disciplines,
) -> None:
    account = writer.account
    if record.value is None and record.other:
        account.fates[_NOT_RECORDS[record.other]] += 1
        return
    if record.picture:
        writer.reject(record.place, 1, RefusedRecord(Reason.PICTURE), record.raw)
        return
    if record.fault:
        reason = Reason.CELLS if "cells under" in record.fault else Reason.UNREADABLE
        writer.reject(record.place, 1, RefusedRecord(reason, record.fault), record.raw)
        return
    if not isinstance(mapped, MappedRecord) or not isinstance(recognised, Recognised):
        refused = recognised if isinstance(recognised, RefusedRecord) else RefusedRecord(Reason.NO_OBJECT)
        writer.reject(record.place, 1, refused, record.raw)
        return
    discipline, secondary = mapped.discipline, mapped.secondary
    if discipline is None:
        discipline, secondary = disciplines
    if discipline is None:
        raise InvalidInput(
            Problem(f"no discipline at {record.place}: give one with --discipline", account.file)
        )

    def on_fate(fate: Fate, refused: RefusedRecord | None) -> None:
        if refused is not None:
            writer.reject(record.place, 1, refused, record.raw)
        else:
            account.fates[fate] += 1

    placement = Placement(record.place, discipline, secondary, mapped.uuid, mapped.parent, mapped.made_by)
    writer.add(recognised, placement, on_fate)


def _columns_read(reader: RecordReader) -> Iterator[str]:
    shown = {"stem": "question"}
    if reader.read:
        parts = (
            f"{shown.get(name, name)} from {', '.join(map(repr, keys))}" for name, keys in reader.read.items()
        )
        yield f"read: {'; '.join(parts)}"
    if reader.unknown:
        yield f"not read: {', '.join(map(repr, sorted(reader.unknown)))}"
