"""Simulated falls, of the whole suite or of one use case, and each rule's days to detection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from assay.results.operating import Detection
from assay.watch.null import Profile, SimulatedScores, fallen
from assay.watch.operating import Rules, delays, detection, falling
from plain_cusum import plain_alarms

HORIZON = 60
DROPS = (0.025, 0.05, 0.10, 0.20)
HISTORIES = (28, 45, 60, 90, 180)
LOCAL = (("deterministic", 1, 0.3), ("deterministic", 1, 0.5), ("judged", 6, 0.2), ("judged", 6, 0.5))
"""Falls of one use case: its kind, its position, and the share its cases lose."""


def falls(
    profile: Profile,
    rules: Rules,
    plain: dict[float, float],
    rng: np.random.Generator,
    histories: Sequence[int] = HISTORIES,
) -> list[dict[str, Any]]:
    """Return each rule's days to detection of one fall per model, by drop and by days of history."""
    replicates = len(profile.mean)
    rows = []
    for history in histories:
        for drop in DROPS:
            found = falling(
                profile, rules, rng, drop=drop, history=history, horizon=HORIZON, replicates=replicates
            )
            means = profile.draw(fallen(history + HORIZON, history, drop), replicates, rng).base.mean(axis=1)
            others = tuple(
                detection(
                    f"plain cusum, k = {k}",
                    drop,
                    delays(plain_alarms(means, k, height)[:, history:]),
                    HORIZON,
                )
                for k, height in plain.items()
            )
            rows += [row(each, history) for each in found + others]
    return rows


def row(found: Detection, history: int) -> dict[str, Any]:
    """Return one line of the output, with the curve reduced to a few days."""
    seen = {str(day): found.seen[day - 1] for day in (1, 2, 3, 4, 5, 7, 14, 30, 45, 60)}
    return {
        "rule": found.rule,
        "drop": found.drop,
        "history_days": history,
        "median_days": asdict(found.median),
        "seen_within_60_days": asdict(found.within),
        "seen_by_day": seen,
        "replicates": found.replicates,
    }


def local_falls(profile: Profile, rules: Rules, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return the days to detection if one use case of ten falls after 60 days and the others do not."""
    replicates, history = len(profile.mean), 60
    days = np.ones(history + HORIZON)
    rows = []
    for kind, use_case, drop in LOCAL:
        struck = np.array(profile.shape.use_cases) == use_case
        worse = replace(profile, mean=np.where(struck, profile.mean * (1.0 - drop), profile.mean))
        before, after = profile.draw(days, replicates, rng), worse.draw(days, replicates, rng)
        later = np.arange(len(days)) >= history
        drawn = SimulatedScores(
            np.where(later, after.base, before.base), np.where(later, after.full, before.full)
        )
        for rule, raised in rules.alarms(profile.shape, drawn, rng).items():
            found = detection(rule, drop, delays(raised[:, history:]), HORIZON)
            rows.append({"use_case": kind, **row(found, history)})
    return rows
