"""What contamination attempts come to: questions recalled, with intervals, beside what is merely guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from assay.core.ask import CallStatus
from assay.questions.replay import ATTEMPTS, NEEDED, Cloze, restored
from assay.results.contamination import ControlDifference, SourceRecall
from assay.stats.intervals import clopper_pearson
from assay.store.rows import CallRow
from assay.studies.contamination_sources import ClozeSource


def recall(model: str, source: ClozeSource, attempts: Sequence[Sequence[CallRow | None]]) -> SourceRecall:
    """Count what a model restores of a source. `attempts` holds three for each item, None where open."""
    decided, recalled, invalid = 0, 0, 0
    for cloze, rows in zip(source.items, attempts, strict=True):
        invalid += sum(row is not None and row.status == CallStatus.INVALID for row in rows)
        outcome = recalled_by(cloze, rows)
        decided += outcome is not None
        recalled += outcome is True
    return SourceRecall(
        model,
        source.name,
        source.kind,
        decided,
        recalled,
        len(source.items) - decided,
        invalid,
        clopper_pearson(recalled, decided),
    )


def recalled_by(cloze: Cloze, rows: Sequence[CallRow | None]) -> bool | None:
    """Whether at least two of three attempts restore the piece; None while missing ones could decide it."""
    right = sum(row is not None and restored(row.answer or "", cloze) for row in rows)
    still = ATTEMPTS - sum(row is not None for row in rows)
    if right >= NEEDED:
        return True
    return None if right + still >= NEEDED else False


def difference(one: SourceRecall, other: SourceRecall) -> ControlDifference | None:
    """Return how far one share is above another, None where either has nothing.

    The interval combines those of the two shares. Source: R. Newcombe, Statistics in Medicine 17 (1998)
    873-890, method 10, here with the exact (Clopper-Pearson) limits instead of Wilson's.
    """
    if one.share is None or other.share is None:
        return None
    value = one.share - other.share
    below = math.hypot(one.share - one.interval.low, other.interval.high - other.share)
    above = math.hypot(one.interval.high - one.share, other.share - other.interval.low)
    return ControlDifference(value, value - below, value + above)


def split(found: Mapping[int, CallRow], first: int, items: int) -> list[list[CallRow | None]]:
    """Return the attempts at so many items, from the position of the first one on."""
    return [
        [found.get(first + ATTEMPTS * item + attempt) for attempt in range(ATTEMPTS)] for item in range(items)
    ]
