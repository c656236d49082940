"""Putting recognised questions and rejects into the bank, in batches, with their keys sealed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection

from assay.bank.account import Account, Fate, RejectedText
from assay.core.sealed import Sealer, key_about
from assay.questions.digest import digest_of
from assay.questions.recognise import Recognised
from assay.questions.refusal import Reason, Refused
from assay.store.bank.known import known_uuids
from assay.store.bank.questions import QuestionRow, keep_questions, keep_rejects

BATCH = 1000
Settle = Callable[[Fate, Refused | None], None]


def reject_about(source: int, place: str) -> str:
    """Return what a reject of a source is sealed for."""
    return f"reject of source {source} at {place}"


def new_uuid() -> str:
    """Return a random uuid (version 4) as text."""
    drawn = os.urandom(16).hex()
    variant = "89ab"[int(drawn[16], 16) % 4]
    return f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-{variant}{drawn[17:20]}-{drawn[20:]}"


class Filed(NamedTuple):
    """Where a question belongs. `uuid` is what its record says, None to draw one; `parent` is a uuid."""

    place: str
    discipline: str
    secondary: str | None
    uuid: str | None = None
    parent: str | None = None
    made_by: str | None = None


class _Offered(NamedTuple):
    found: Recognised
    filed: Filed
    settle: Settle


class _Waiting(NamedTuple):
    row: QuestionRow
    parent: str | None
    repairs: tuple[str, ...]
    settle: Settle
    named: bool


@dataclass(slots=True)
class Keeper:
    """Keeps the questions and rejects of one source, and counts them in its account.

    `clear` tells to collect the rejects' texts in the clear too. Work is done in batches, one step for all of
    a batch before the next.
    """

    connection: Connection
    source: int
    sealer: Sealer
    account: Account
    clear: bool = False
    _offered: list[_Offered] = field(default_factory=list)
    _rejects: list[tuple[str, int, str, bytes]] = field(default_factory=list)
    _seen: dict[bytes, int] = field(default_factory=dict)
    _ids: dict[str, int] = field(default_factory=dict)

    def keep(self, found: Recognised, filed: Filed, settle: Settle) -> None:
        """Take in a question and call `settle` once, perhaps later, with what became of it.

        Of questions with the same content the first one stays; a second one with another key is refused.
        """
        self._offered.append(_Offered(found, filed, settle))
        if len(self._offered) >= BATCH:
            self.flush()

    def reject(self, place: str, units: int, refused: Refused, text: str | bytes) -> None:
        """Keep what could not be taken in, sealed, and count its lines or records as rejects."""
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
            self._keep_rejects()

    def flush(self) -> None:
        """Write what waits; questions made from others come after these."""
        waiting = self._new()
        children = [each for each in waiting if each.parent is not None]
        self._write([each for each in waiting if each.parent is None])
        while children:
            missing = {str(each.parent) for each in children if not self._ids.get(str(each.parent))}
            self._ids.update(
                (name, known.id) for name, known in known_uuids(self.connection, missing).items()
            )
            ready = [each for each in children if self._ids.get(str(each.parent))]
            if not ready:
                break
            self._write(ready)
            children = [each for each in children if not self._ids.get(str(each.parent))]
        for orphan in children:
            orphan.settle(Fate.REJECT, Refused(Reason.PARENT))
        self._keep_rejects()

    def _new(self) -> list[_Waiting]:
        """Return what was offered and is new in this file, with the keys sealed."""
        offered, self._offered = self._offered, []
        digests = [
            digest_of(found.kind.value, found.stem, found.options, found.passage) for found, _, _ in offered
        ]
        new = [
            (each, digest)
            for each, digest in zip(offered, digests, strict=True)
            if self._is_new(each, digest)
        ]
        names = [each.filed.uuid or new_uuid() for each, _ in new]
        keys = [each.found.key.written() for each, _ in new]
        sealed = [self.sealer.seal(key, key_about(name, 1)) for key, name in zip(keys, names, strict=True)]
        return [
            _Waiting(
                self._row(each, name, key, digest),
                each.filed.parent,
                each.found.repairs,
                each.settle,
                each.filed.uuid is not None,
            )
            for (each, digest), name, key in zip(new, names, sealed, strict=True)
        ]

    def _is_new(self, offered: _Offered, digest: bytes) -> bool:
        key, uuid = hash(offered.found.key.answers), offered.filed.uuid
        before = self._seen.get(digest)
        if before is not None:
            if before == key:
                self.account.repeated += 1
                offered.settle(Fate.REPEATED, None)
            else:
                offered.settle(Fate.REJECT, Refused(Reason.OTHER_KEY))
            return False
        if uuid is not None:
            if uuid in self._ids:
                offered.settle(Fate.REJECT, Refused(Reason.UUID_TAKEN))
                return False
            self._ids[uuid] = 0
        self._seen[digest] = key
        return True

    def _row(self, offered: _Offered, name: str, key: bytes, digest: bytes) -> QuestionRow:
        found, filed = offered.found, offered.filed
        return QuestionRow(
            name,
            found.kind.value,
            filed.discipline,
            filed.secondary,
            found.language,
            found.stem,
            found.options,
            found.passage,
            key,
            digest,
            self.source,
            filed.place,
            filed.made_by,
            None,
        )

    def _write(self, waiting: list[_Waiting]) -> None:
        if not waiting:
            return
        rows = [
            each.row if each.parent is None else each.row._replace(parent=self._ids[each.parent])
            for each in waiting
        ]
        numbers = keep_questions(self.connection, rows)
        old = [each.row.uuid for each, number in zip(waiting, numbers, strict=True) if number is None]
        taken = known_uuids(self.connection, old)
        for each, number in zip(waiting, numbers, strict=True):
            row = each.row
            if number is not None:
                self.account.questions[row.kind] += 1
                self.account.disciplines[row.discipline] += 1
                if each.repairs:
                    self.account.repairs.update(each.repairs)
                if each.named:
                    self._ids[row.uuid] = number
                each.settle(Fate.QUESTION, None)
                continue
            known = taken.get(row.uuid)
            if known is not None and known.digest != row.digest:
                each.settle(Fate.REJECT, Refused(Reason.UUID_TAKEN))
                continue
            if known is not None:
                self._ids[row.uuid] = known.id
            self.account.known += 1
            each.settle(Fate.KNOWN, None)

    def _keep_rejects(self) -> None:
        keep_rejects(self.connection, self.source, self._rejects)
        self._rejects = []
