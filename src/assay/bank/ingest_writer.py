"""Storing imported questions and rejects in the bank, in batches, with their keys sealed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection

from assay.core.sealed import Sealer, key_about, reject_about
from assay.questions.digest import digest_of
from assay.questions.recognise import Recognised
from assay.questions.refusal import Reason, RefusedRecord
from assay.results.bank_import import Account, Fate, RejectedText
from assay.store.bank.questions import QuestionRow, keep_questions, keep_rejects, known_uuids

BATCH = 1000
OnFate = Callable[[Fate, RefusedRecord | None], None]
"""Called once with the fate of a question, and with the reason of a reject."""


def new_uuid() -> str:
    """Return a random uuid (version 4) as text."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


class Placement(NamedTuple):
    """The place, disciplines and origin of a question.

    `uuid` comes from its record, None for a new one; `parent` is a uuid.
    """

    place: str
    discipline: str
    secondary: str | None
    uuid: str | None = None
    parent: str | None = None
    made_by: str | None = None


class _Added(NamedTuple):
    recognised: Recognised
    placement: Placement
    on_fate: OnFate


class _Pending(NamedTuple):
    row: QuestionRow
    parent: str | None
    repairs: tuple[str, ...]
    on_fate: OnFate
    named: bool


@dataclass(slots=True)
class IngestWriter:
    """Stores the questions and rejects of one source in batches, and counts them in its account.

    With `clear` the texts of rejects are also collected unsealed.
    """

    connection: Connection
    source: int
    sealer: Sealer
    account: Account
    clear: bool = False
    _added: list[_Added] = field(default_factory=list)
    _rejects: list[tuple[str, int, str, bytes]] = field(default_factory=list)
    _seen: dict[bytes, int] = field(default_factory=dict)
    _ids: dict[str, int] = field(default_factory=dict)

    def add(self, recognised: Recognised, placement: Placement, on_fate: OnFate) -> None:
        """Add a question; `on_fate` is called once, possibly later.

        Of questions with the same content only the first is stored; one with another key is rejected.
        """
        self._added.append(_Added(recognised, placement, on_fate))
        if len(self._added) >= BATCH:
            self.flush()

    def reject(self, place: str, units: int, refused: RefusedRecord, text: str | bytes) -> None:
        """Store a rejected text sealed, and count its lines or records as rejects."""
        reason = str(refused)
        if isinstance(text, bytes):
            text = text.decode("utf-8", "backslashreplace")
        self._rejects.append((place, units, reason, self.sealer.seal(text, reject_about(self.source, place))))
        self.account.fates[Fate.REJECT] += units
        self.account.reasons[str(refused.reason)] += units
        self.account.rejects += 1
        if self.clear:
            self.account.rejected.append(RejectedText(place, units, reason, text))
        if len(self._rejects) >= BATCH:
            self._store_rejects()

    def flush(self) -> None:
        """Store the added questions, parents before the questions made from them, and the rejects."""
        pending = self._seal_new()
        children = [question for question in pending if question.parent is not None]
        self._store([question for question in pending if question.parent is None])
        while children:
            unknown = {str(child.parent) for child in children if not self._ids.get(str(child.parent))}
            for uuid, known in known_uuids(self.connection, unknown).items():
                self._ids[uuid] = known.id
            ready = [child for child in children if self._ids.get(str(child.parent))]
            if not ready:
                break
            self._store(ready)
            children = [child for child in children if not self._ids.get(str(child.parent))]
        for orphan in children:
            orphan.on_fate(Fate.REJECT, RefusedRecord(Reason.PARENT))
        self._store_rejects()

    def _seal_new(self) -> list[_Pending]:
        """Return the added questions that are new in this file, with sealed keys."""
        added, self._added = self._added, []
        pending = []
        for question in added:
            recognised, placement, on_fate = question
            digest = digest_of(recognised.kind.value, recognised.stem, recognised.options, recognised.passage)
            if not self._is_new(question, digest):
                continue
            name = placement.uuid or new_uuid()
            key = self.sealer.seal(recognised.key.written(), key_about(name, 1))
            row = QuestionRow(
                name,
                recognised.kind.value,
                placement.discipline,
                placement.secondary,
                recognised.language,
                recognised.stem,
                recognised.options,
                recognised.passage,
                key,
                digest,
                self.source,
                placement.place,
                placement.made_by,
                None,
            )
            named = placement.uuid is not None
            pending.append(_Pending(row, placement.parent, recognised.repairs, on_fate, named))
        return pending

    def _is_new(self, added: _Added, digest: bytes) -> bool:
        key, uuid = hash(added.recognised.key.answers), added.placement.uuid
        earlier = self._seen.get(digest)
        if earlier is not None:
            if earlier == key:
                self.account.repeated += 1
                added.on_fate(Fate.REPEATED, None)
            else:
                added.on_fate(Fate.REJECT, RefusedRecord(Reason.OTHER_KEY))
            return False
        if uuid is not None:
            if uuid in self._ids:
                added.on_fate(Fate.REJECT, RefusedRecord(Reason.UUID_TAKEN))
                return False
            self._ids[uuid] = 0
        self._seen[digest] = key
        return True

    def _store(self, pending: list[_Pending]) -> None:
        if not pending:
            return
        rows = [
            question.row
            if question.parent is None
            else question.row._replace(parent=self._ids[question.parent])
            for question in pending
        ]
        numbers = keep_questions(self.connection, rows)
        existing = [row.uuid for row, number in zip(rows, numbers, strict=True) if number is None]
        known_by_uuid = known_uuids(self.connection, existing)
        for question, number in zip(pending, numbers, strict=True):
            row = question.row
            if number is not None:
                self.account.kinds[row.kind] += 1
                self.account.disciplines[row.discipline] += 1
                if question.repairs:
                    self.account.repairs.update(question.repairs)
                if question.named:
                    self._ids[row.uuid] = number
                question.on_fate(Fate.QUESTION, None)
                continue
            known = known_by_uuid.get(row.uuid)
            if known is not None and known.digest != row.digest:
                question.on_fate(Fate.REJECT, RefusedRecord(Reason.UUID_TAKEN))
                continue
            if known is not None:
                self._ids[row.uuid] = known.id
            self.account.known += 1
            question.on_fate(Fate.KNOWN, None)

    def _store_rejects(self) -> None:
        keep_rejects(self.connection, self.source, self._rejects)
        self._rejects = []
