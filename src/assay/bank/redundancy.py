"""The redundancy check: near-duplicate questions, uuids and content digests of the whole bank."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.bank.review import decide
from assay.core.question import QuestionState
from assay.questions.digest import digest_of
from assay.questions.duplicates import Asked, Comparison, Pair
from assay.questions.screen import Decided, Decision
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.duplicates import (
    PairRow,
    Resolution,
    Wording,
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
"""After so many questions progress is told."""
BATCH = 2000
"""How many pairs are compared at a time: what bounds the texts in memory."""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Progress = Callable[[int, int], None]
"""Is told how many questions of how many have been read."""


@dataclass(frozen=True, slots=True)
class Redundancy:
    """What the check came to.

    Of `questions`, each `new` one was compared with all. `candidates` pairs were looked at word by word;
    `pairs` of them are near-duplicates, one pair for each two families, and `added` of these had not been
    found before. `faults` says of single questions what is wrong with their uuid or digest.
    """

    questions: int
    new: int
    candidates: int
    pairs: tuple[Pair, ...]
    added: int
    faults: tuple[str, ...]


def find_duplicates(
    engine: Engine, *, now: float, after: int = 0, progress: Progress | None = None
) -> Redundancy:
    """Look for near-duplicates in the bank and store new pairs, for reviewers to decide on.

    Pairs of which neither question has an id greater than `after` are left out: a new import is compared with
    the whole bank. Rejected questions are not compared; retired ones are, lest they come back. Two families
    are told of once, by their first questions that are alike.
    """
    comparison = Comparison()
    faults: list[str] = []
    new = 0
    last = last_question(engine) if progress is not None else 0
    for wording in walk_wordings(engine):
        comparison.add(_asked(wording))
        new += wording.id > after
        fault = _fault(wording)
        if fault:
            faults.append(fault)
        if progress is not None and len(comparison) % EACH == 0:
            progress(len(comparison), last)
    candidates, found = _compared(engine, comparison, after)
    with writing(engine) as connection:
        told = paired_families(connection)
        fresh = [pair for families, pair in found.items() if families not in told]
        keep_pairs(connection, [PairRow(*pair) for pair in fresh], now)
    pairs = tuple(sorted(found.values()))
    return Redundancy(len(comparison), new, candidates, pairs, len(fresh), tuple(faults))


def keep_both(engine: Engine, one: str, other: str) -> None:
    """Resolve a pair of uuids: they ask different things. Raises NotFound where it is no pair."""
    with writing(engine) as connection:
        resolve(connection, one, other, Resolution.BOTH)


def drop_one(engine: Engine, reviewer: str, dropped: str, kept: str, *, now: float) -> None:
    """Resolve a pair of uuids: one goes, with what was made from it; an accepted one is retired.

    Raises NotFound where it is no pair or there is no such reviewer, and what `decide` raises.
    """
    stored = question_by_uuid(engine, dropped)
    if not any(kept in (pair.question, pair.other) for pair in flagged(engine, of=dropped)):
        raise not_a_pair(dropped, kept)
    why = f"it reads nearly like question {kept}"
    if stored.state is not QuestionState.ACCEPTED:
        decide(engine, reviewer, Decided(dropped, Decision.REJECT, why), now=now)
    with writing(engine) as connection:
        if stored.state is QuestionState.ACCEPTED and stored.retired is None:
            revision = next_revision(connection, "retire", f"{reviewer}: {why}", now)
            retire(connection, [stored.id], why, revision=revision)
        resolve(connection, dropped, kept, Resolution.ONE)


def _compared(engine: Engine, comparison: Comparison, after: int) -> tuple[int, dict[tuple[int, int], Pair]]:
    """Return how many pairs were compared, and the first near-duplicates of each two families."""
    looked = 0
    found: dict[tuple[int, int], Pair] = {}
    for candidates in comparison.candidates(after):
        for start in range(0, len(candidates), BATCH):
            some = candidates[start : start + BATCH].tolist()
            looked += len(some)
            texts = wordings_by_id(engine, {number for pair in some for number in pair})
            for one, other in some:
                if one not in texts or other not in texts:
                    continue
                pair = comparison.compare(_asked(texts[one]), _asked(texts[other]))
                if pair is not None:
                    first, second = sorted((texts[one].family, texts[other].family))
                    found.setdefault((first, second), pair)
    return looked, found


def _asked(wording: Wording) -> Asked:
    return Asked(*wording[:6])


def _fault(wording: Wording) -> str | None:
    if not UUID.fullmatch(wording.uuid):
        return f"question {wording.uuid!r}: that is no uuid in lower case"
    if digest_of(wording.kind, wording.stem, wording.options, wording.material or None) != wording.digest:
        return f"question {wording.uuid!r}: its content is not what its digest was made of"
    return None
