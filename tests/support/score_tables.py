"""Small tables of scores for the tests of rankings."""

from __future__ import annotations

import numpy as np

from assay.ranking.score_table import ScoreTable

NAN = np.nan


def table(scores: list[list[float]], strata: str = "") -> ScoreTable:
    """Return a table of models a, b, ... and items 0, 1, ...; `strata` has a letter per item."""
    array = np.array(scores)
    models = tuple("abcdefgh"[: len(array)])
    items = tuple(str(place) for place in range(array.shape[1]))
    return ScoreTable(models, items, array, tuple(strata or "-" * array.shape[1]))
