"""Near-duplicate questions of the bank, their resolution, and checks of uuids and digests."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.bank.review import decide
from assay.core.question import QuestionState
from assay.questions.digest import digest_of
from assay.questions.duplicates import AskedText, DuplicatePair, NearDuplicates
from assay.questions.screen import Decided, Decision
from assay.results.review import Resolution
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.duplicates import (
    PairRow,
    StoredText,
    flagged,
    keep_pairs,
    last_question,
    not_a_pair,
    paired_families,
    resolve,
    walk_wordings,
    wordings_by_id,
)
from assay.store.bank.questions import question_by_uuid
from assay.store.engine import writing

EACH = 1000
"""The number of questions after which progress is reported."""
BATCH = 2000
"""The number of pairs compared at a time, which bounds the memory for texts."""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Progress = Callable[[int, int], None]
"""Called with the number of questions read, and their total."""


@dataclass(frozen=True, slots=True)
class Redundancy:
    """The result of the search.

    Each `new` question was compared with all `questions`. `candidates` pairs were compared word by word;
    `pairs` of them are near-duplicates, one for each pair of families, and `added` of these are new. `faults`
    describes questions whose uuid or digest is wrong.
    """

    questions: int
    new: int
    candidates: int
    pairs: tuple[DuplicatePair, ...]
    added: int
    faults: tuple[str, ...]


def find_duplicates(
    engine: Engine, *, now: float, after: int = 0, progress: Progress | None = None
) -> Redundancy:
    """Search for near-duplicates in the bank and store new pairs for reviewers to resolve.

    With `after`, only pairs with a greater question id are compared: a new import with the whole bank.
    Rejected questions are not compared; retired ones are, so that they cannot return. Two families are stored
    as one pair, by their first similar questions.
    """
    comparison = NearDuplicates()
    faults: list[str] = []
    new = 0
    last = last_question(engine) if progress is not None else 0
    for wording in walk_wordings(engine):
        comparison.add(_text(wording))
        new += wording.id > after
        fault = _fault(wording)
        if fault:
            faults.append(fault)
        if progress is not None and len(comparison) % EACH == 0:
            progress(len(comparison), last)
    candidates, pair_of = _compare(engine, comparison, after)
    with writing(engine) as connection:
        known = paired_families(connection)
        added = [pair for families, pair in pair_of.items() if families not in known]
        keep_pairs(connection, [PairRow(*pair) for pair in added], now)
    pairs = tuple(sorted(pair_of.values()))
    return Redundancy(len(comparison), new, candidates, pairs, len(added), tuple(faults))


def keep_both(engine: Engine, one: str, other: str) -> None:
    """Resolve a pair of uuids as different questions. Raises NotFound if they are no pair."""
    with writing(engine) as connection:
        resolve(connection, one, other, Resolution.BOTH)


def drop_one(engine: Engine, reviewer: str, dropped: str, kept: str, *, now: float) -> None:
    """Resolve a pair of uuids by rejecting one with its variants, or retiring it if it is accepted.

    Raises NotFound if they are no pair or the reviewer is unknown, and what `decide` raises.
    """
    stored = question_by_uuid(engine, dropped)
    if not any(kept in (pair.question, pair.other) for pair in flagged(engine, of=dropped)):
        raise not_a_pair(dropped, kept)
    reason = f"near-duplicate of question {kept}"
    if stored.state is not QuestionState.ACCEPTED:
        decide(engine, reviewer, Decided(dropped, Decision.REJECT, reason), now=now)
    with writing(engine) as connection:
        if stored.state is QuestionState.ACCEPTED and stored.retired is None:
            revision = next_revision(connection, "retire", f"{reviewer}: {reason}", now)
            retire(connection, [stored.id], reason, revision=revision)
        resolve(connection, dropped, kept, Resolution.ONE)


def _compare(
    engine: Engine, comparison: NearDuplicates, after: int
) -> tuple[int, dict[tuple[int, int], DuplicatePair]]:
    """Return the number of pairs compared, and the first near-duplicates of each pair of families."""
    compared = 0
    pair_of: dict[tuple[int, int], DuplicatePair] = {}
    for candidates in comparison.candidates(after):
        for start in range(0, len(candidates), BATCH):
            batch = candidates[start : start + BATCH].tolist()
            compared += len(batch)
            texts = wordings_by_id(engine, {number for pair in batch for number in pair})
            for one, other in batch:
                if one not in texts or other not in texts:
                    continue
                pair = comparison.compare(_text(texts[one]), _text(texts[other]))
                if pair is not None:
                    first, second = sorted((texts[one].family, texts[other].family))
                    pair_of.setdefault((first, second), pair)
    return compared, pair_of


def _text(wording: StoredText) -> AskedText:
    return AskedText(*wording[:6])


def _fault(wording: StoredText) -> str | None:
    if not UUID.fullmatch(wording.uuid):
        return f"question {wording.uuid!r}: the uuid is not one in lower case"
    if digest_of(wording.kind, wording.stem, wording.options, wording.material or None) != wording.digest:
        return f"question {wording.uuid!r}: the content does not match its digest"
    return None
