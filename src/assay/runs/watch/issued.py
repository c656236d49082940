"""Records of verdicts as they were issued, and their comparison with a recomputation."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson
from sqlalchemy import Engine

from assay.core.canonical import digest
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState
from assay.results.published import document
from assay.results.watch import ModelVerdict, VerdictRecord
from assay.store.verdicts import KeptVerdict, read_issued

RULES = 2
"""The version of the watch's rules; raise it with every change that may judge equal samples differently."""


def keep(row: int, verdict: ModelVerdict, thresholds: Thresholds) -> KeptVerdict:
    """Return the record of a verdict on a model, by its row."""
    text = orjson.dumps(document(verdict)).decode()
    return KeptVerdict(
        row, verdict.day.isoformat(), verdict.state.value, text, digest(asdict(thresholds)), RULES
    )


def issued(
    engine: Engine, suite: str, row: int, now: ModelVerdict, thresholds: Thresholds
) -> VerdictRecord | None:
    """Compare the verdicts issued on a model's day with `now`, its recomputation; None without a record."""
    records = read_issued(engine, suite, model=row, day=now.day.isoformat())
    if not records:
        return None
    first, last = records[0], records[-1]
    return VerdictRecord(
        ModelState(last.kept.state),
        last.issued_at,
        ModelState(first.kept.state),
        first.issued_at,
        len(records),
        _differences(last.kept, now, thresholds),
    )


def _differences(kept: KeptVerdict, now: ModelVerdict, thresholds: Thresholds) -> tuple[str, ...]:
    """Return the reasons why a recomputation's states differ from the record's; none if they are equal."""
    issued: dict[str, Any] = orjson.loads(kept.verdict)
    before = {use_case["use_case"]: use_case for use_case in issued["use_cases"]}
    after = {use_case.use_case: use_case for use_case in now.use_cases}
    same = all(
        name in before and before[name]["state"] == use_case.state.name for name, use_case in after.items()
    )
    if kept.state == now.state.value and same:
        return ()
    reasons = []
    if kept.rules != RULES:
        reasons.append("the rules of the watch have changed since")
    if kept.thresholds is not None and kept.thresholds != digest(asdict(thresholds)):
        reasons.append("the suite's thresholds have changed since")
    if issued["counts"]["n"] != now.counts.n:
        reasons.append(f"it was judged on {issued['counts']['n']} samples, now on {now.counts.n}")
    moved = [
        name
        for name, use_case in after.items()
        if name in before and not _same_baseline(before[name]["baseline"], use_case.baseline)
    ]
    if moved:
        reasons.append(f"the baseline of {', '.join(moved)} has other days, or days that were marked again")
    if not reasons:
        reasons.append("its samples, or days before it, were marked again or measured later")
    return tuple(reasons)


def _same_baseline(before: dict[str, Any] | None, after: Any) -> bool:
    if before is None or after is None:
        return before is None and after is None
    return bool(before["days"] == after.days and abs(before["mean"] - after.mean) < 1e-9)
