"""Samples counted by run, model, case and conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine

from assay.files.sealing import KeySealer
from assay.store.engine import writing
from assay.store.ledger import write
from assay.store.rows import SampleRow
from assay.store.schema import samples
from assay.store.scores import SampleCounts, count_samples
from assay.store.sealing import seal_row

Key = tuple[int, ...]
KEY = ("run", "model", "case", "topped", "conditions")
COUNTED = ("ok", "invalid", "error", "ungraded", "elsewhere", "total")
SEALER = KeySealer(bytes(32))
BIG = 2**62 + 1
"""A number of conditions that no float holds."""


def keep(engine: Engine, rows: Sequence[SampleRow]) -> None:
    """Store samples."""
    with writing(engine) as connection:
        write(connection, samples, rows)


def by_key(counts: SampleCounts) -> dict[Key, tuple[Any, ...]]:
    """Return the counts and totals by run, model, case, topped and conditions."""
    keys, values = (
        zip(*(getattr(counts, name).tolist() for name in names), strict=True) for names in (KEY, COUNTED)
    )
    return dict(zip(keys, values, strict=True))


def some_samples(rng: np.random.Generator) -> list[SampleRow]:
    """Return samples of three runs, two models, three cases and three epochs, of every status."""
    rows = []
    for run in (3, 1, 2):
        for position in range(18):
            status = str(rng.choice(["ok", "ok", "ok", "invalid", "error"]))
            score = {"invalid": 0.0, "error": None}.get(status, float(rng.integers(0, 7)) / 7 * 100.0)
            if status == "ok" and rng.random() < 0.2:
                score = None
            under = [None, 5, BIG][int(rng.integers(0, 3))]
            case, epoch = position // 2 % 3, position // 6
            routed = int(rng.random() < 0.2)
            rows.append(
                SampleRow(run, position, 1 + position % 2, case, epoch, status, score, routed, 1.0, under)
            )
    return rows


@pytest.mark.parametrize("pinned_only", [True, False])
def test_samples_are_counted_as_one_would_by_hand(engine: Engine, pinned_only: bool) -> None:
    """Statuses, rerouted answers, top-ups and totals, for each of the conditions."""
    rows = some_samples(np.random.default_rng(1))
    keep(engine, rows)
    base, left_out = {0: 1, 1: 2}, (2, 1)
    expected: dict[Key, list[float]] = defaultdict(lambda: [0, 0, 0, 0, 0, 0.0])
    for row in sorted(rows, key=lambda row: (row.run, row.position)):
        if (row.run, row.model) == left_out:
            continue
        topped = int(row.epoch >= base.get(row.case_ordinal, 0))
        under = -1 if row.conditions is None else row.conditions
        cell = expected[row.run, row.model, row.case_ordinal, topped, under]
        cell[4] += row.routing_changed
        if row.routing_changed and pinned_only:
            continue
        place = {"invalid": 1, "error": 2}.get(row.status, 0 if row.score is not None else 3)
        cell[place] += 1
        cell[5] += row.score or 0.0
    found = count_samples(engine, [1, 2, 3], base=base, pinned_only=pinned_only, partial=[left_out])
    assert by_key(found) == {key: tuple(values) for key, values in expected.items()}
    assert list(by_key(found)) == sorted(expected)


def test_sealed_scores_count_as_open_ones(sqlite: Engine) -> None:
    """With the key, encrypted samples have the same counts and totals."""
    rows = some_samples(np.random.default_rng(2))
    keep(sqlite, rows)
    in_the_clear = by_key(count_samples(sqlite, [1, 2, 3], base={}))
    keep(sqlite, [seal_row(row, SEALER) for row in rows])
    engine = sqlite.execution_options(assay_suite_sealer=lambda: SEALER)
    assert by_key(count_samples(engine, [1, 2, 3], base={})) == in_the_clear


def test_without_runs_nothing_is_counted(sqlite: Engine) -> None:
    """The arrays are empty."""
    assert len(count_samples(sqlite, [], base={}).run) == 0
