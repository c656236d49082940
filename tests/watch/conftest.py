"""Small histories for the watch's tests, built row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np
import pytest

from assay.core.case import Grading
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel

COLUMNS = ("run", "model", "case", "ok", "invalid", "error", "ungraded", "total", "elsewhere")
MakeHistory = Callable[..., History]


def _history(
    rows: Sequence[Mapping[str, float]],
    *,
    runs: Sequence[DayRun],
    use_cases: Sequence[UseCaseSeries] = (UseCaseSeries("only", Grading.DETERMINISTIC, ("a", "b")),),
    subjects: Sequence[WatchedModel] = (WatchedModel("m"),),
    days: int = 1,
) -> History:
    """Return a history of rows given as mappings; what a row leaves out is 0."""
    columns = {name: np.array([row.get(name, 0) for row in rows]) for name in COLUMNS}
    whole = {name: column.astype(np.int64) for name, column in columns.items() if name != "total"}
    return History(
        suite="suite",
        version="1",
        subjects=tuple(subjects),
        use_cases=tuple(use_cases),
        first=date(2026, 3, 1),
        days=days,
        runs=tuple(runs),
        rows=SampleRows(total=columns["total"].astype(np.float64), **whole),
    )


@pytest.fixture
def history() -> MakeHistory:
    """Builds a history from rows."""
    return _history
