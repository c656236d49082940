"""Figures of a contamination study: questions recalled, differences with intervals, and exact tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.core.ask import CallStatus
from assay.questions.replay import ATTEMPTS, NEEDED, Cloze, restored
from assay.results.contamination import PUBLIC, ControlDifference, LeakTest, SourceRecall
from assay.stats.intervals import Interval, clopper_pearson, share_difference
from assay.stats.p_values import fisher, holm
from assay.store.rows import CallRow
from assay.studies.contamination_sources import CONTROL, ClozeSource


def recall(model: str, source: ClozeSource, attempts: Sequence[Sequence[CallRow | None]]) -> SourceRecall:
    """Count the questions that a model recalls. `attempts` has three calls for each item, None if missing."""
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
    """Return true if two of three attempts restore the piece; None while missing attempts could decide it."""
    right = sum(row is not None and restored(row.answer or "", cloze) for row in rows)
    missing = ATTEMPTS - sum(row is not None for row in rows)
    if right >= NEEDED:
        return True
    return None if right + missing >= NEEDED else False


def difference(one: SourceRecall, other: SourceRecall) -> ControlDifference | None:
    """Return the difference of two shares, None if either has no decided question."""
    if not one.n or not other.n:
        return None
    value, interval = share_difference((one.recalled, other.recalled), (one.n, other.n))
    return ControlDifference(value, interval.low, interval.high)


def compared_with_control(rows: Sequence[SourceRecall]) -> tuple[SourceRecall, ...]:
    """Return the rows, each with its difference to the same model's control if there is one."""
    controls = {row.model: row for row in rows if row.kind == CONTROL}
    return tuple(
        replace(row, above=difference(row, controls[row.model]))
        if row.kind != CONTROL and row.model in controls
        else row
        for row in rows
    )


def leak_tests(rows: Sequence[SourceRecall]) -> tuple[LeakTest, ...]:
    """Compare each model's recall of every public source (a suite or a file) with that of the private bank.

    Empty without a bank. All tests are one family for Holm's correction; one without decided questions on a
    side has no p and is not in the family.
    """
    private = {row.model: row for row in rows if row.kind == "bank"}
    pairs = [(row, private[row.model]) for row in rows if row.kind in PUBLIC and row.model in private]
    counts = [((row.recalled, bank.recalled), (row.n, bank.n)) for row, bank in pairs]
    plain = [fisher(*count) if all(count[1]) else None for count in counts]
    adjusted = iter(holm([p for p in plain if p is not None]).tolist())
    tests = []
    for (row, bank), p in zip(pairs, plain, strict=True):
        above = difference(row, bank)
        tests.append(
            LeakTest(
                row.model,
                row.source,
                bank.source,
                None if above is None else above.value,
                None if above is None else Interval(above.low, above.high),
                p,
                None if p is None else next(adjusted),
            )
        )
    return tuple(tests)


def split(attempts: Mapping[int, CallRow], first: int, items: int) -> list[list[CallRow | None]]:
    """Return the attempts at each of `items` items, from position `first` on."""
    return [
        [attempts.get(first + ATTEMPTS * item + number) for number in range(ATTEMPTS)]
        for item in range(items)
    ]
