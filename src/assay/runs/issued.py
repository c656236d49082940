"""What a day's verdict was when it was issued, beside what the same day is computed to be now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import Engine

from assay.core.canonical import digest
from assay.core.suite import Thresholds
from assay.store.verdicts import IssuedVerdict, KeptVerdict, read_issued
from assay.watch.evidence import ModelVerdict, plain

RULES = 2
"""The version of the watch's rules; raise it with every change that may judge equal samples otherwise."""


@dataclass(frozen=True, slots=True)
class Issued:
    """The record of a day's verdict. Times are ISO, UTC.

    `state` and `at` are those of the last issue, `first_state` and `first_at` of the first; `issues` counts
    them. `differs` says why the day is judged otherwise now, one sentence each; empty where it is not.
    """

    state: str
    at: str
    first_state: str
    first_at: str
    issues: int
    differs: tuple[str, ...]


def keep(row: int, verdict: ModelVerdict, thresholds: Thresholds) -> KeptVerdict:
    """Return the record of a verdict on a model, by its row."""
    text = orjson.dumps(plain(verdict)).decode()
    return KeptVerdict(
        row, verdict.day.isoformat(), verdict.state.value, text, digest(asdict(thresholds)), RULES
    )


def issued(engine: Engine, suite: str, row: int, now: ModelVerdict, thresholds: Thresholds) -> Issued | None:
    """Return what was issued on a model's day beside `now`, its recomputation; None without a record."""
    records = read_issued(engine, suite, model=row, day=now.day.isoformat())
    if not records:
        return None
    first, last = records[0], records[-1]
    return Issued(
        last.kept.state,
        _iso(last),
        first.kept.state,
        _iso(first),
        len(records),
        _differences(last.kept, now, thresholds),
    )


def _iso(record: IssuedVerdict) -> str:
    return datetime.fromtimestamp(record.issued_at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _differences(kept: KeptVerdict, now: ModelVerdict, thresholds: Thresholds) -> tuple[str, ...]:
    """Say why a recomputation's states differ from the record's; nothing where they are equal."""
    was: dict[str, Any] = orjson.loads(kept.verdict)
    before = {each["use_case"]: each for each in was["use_cases"]}
    after = {each.use_case: each for each in now.use_cases}
    same = all(name in before and before[name]["state"] == each.state.name for name, each in after.items())
    if kept.state == now.state.value and same:
        return ()
    reasons = []
    if kept.rules != RULES:
        reasons.append("the rules of the watch have changed since")
    if kept.thresholds is not None and kept.thresholds != digest(asdict(thresholds)):
        reasons.append("the suite's thresholds have changed since")
    if was["counts"]["n"] != now.counts.n:
        reasons.append(f"it was judged on {was['counts']['n']} samples, now on {now.counts.n}")
    moved = [
        name
        for name, each in after.items()
        if name in before and not _same_baseline(before[name]["baseline"], each.baseline)
    ]
    if moved:
        reasons.append(f"other days are in the baseline of {', '.join(moved)}, or they were marked again")
    if not reasons:
        reasons.append("its samples, or days before it, were marked again or measured later")
    return tuple(reasons)


def _same_baseline(before: dict[str, Any] | None, after: Any) -> bool:
    if before is None or after is None:
        return before is None and after is None
    return bool(before["days"] == after.days and abs(before["mean"] - after.mean) < 1e-9)
