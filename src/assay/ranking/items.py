"""Item statistics: how hard an item is, how well it separates models, and whether it fits the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.results.rank_items import ItemReport, ItemStatistics
from assay.stats.item_response import ItemFit, ItemResponseFit, fit_rasch, item_fit, item_rest_correlation

FloatArray = npt.NDArray[np.float64]
CEILING = 0.95
"""A score from which a leading model is at the ceiling of an item."""
LEADERS = 10
FEWEST = 3
"""Models with a score that an item needs before it can be called a misfit."""
MISFIT = 2.0
"""A mean square from which answers to an item are more noise than the Rasch model expects."""


def report_items(source: ScoreSource, leaders: int = LEADERS) -> ItemReport:
    """Return the statistics of a source's items and how many separate no models; see `item_statistics`."""
    statistics = item_statistics(source.table, leaders)
    return ItemReport(
        source.about,
        min(leaders, len(source.table.models)),
        sum(item.ceiling for item in statistics),
        sum(item.constant for item in statistics),
        sum(item.misfit for item in statistics),
        statistics,
    )


def item_statistics(table: ScoreTable, leaders: int = LEADERS) -> tuple[ItemStatistics, ...]:
    """Return the statistics of every item, in the order of the table.

    `leaders` is the number of best models whose ceiling is looked at. Raises InvalidInput for fewer than two.
    Source: docs/methodology/item-statistics.md.
    """
    if leaders < 2:
        raise InvalidInput(f"{leaders} leaders: give at least 2 models that an item could separate")
    fitted = fit_rasch(table.scores)
    fit = item_fit(fitted, table.scores)
    correlation = item_rest_correlation(table.scores)
    best = np.argsort(-fitted.abilities, kind="stable")[: min(leaders, len(table.models))]
    return tuple(
        _statistics(table, item, fitted, fit, float(correlation[item]), best)
        for item in range(len(table.items))
    )


def _statistics(
    table: ScoreTable,
    item: int,
    fitted: ItemResponseFit,
    fit: ItemFit,
    correlation: float,
    best: npt.NDArray[np.int64],
) -> ItemStatistics:
    scores = table.scores[:, item]
    known = scores[~np.isnan(scores)]
    leading = scores[best][~np.isnan(scores[best])]
    misfit = _known(float(fit.infit[item]))
    return ItemStatistics(
        item=table.items[item],
        group=table.strata[item],
        n=len(known),
        mean=float(known.mean()) if len(known) else None,
        spread=float(known.max() - known.min()) if len(known) else None,
        difficulty=float(fitted.difficulties[item]),
        difficulty_sd=float(fitted.difficulty_sd[item]),
        discrimination=_known(correlation),
        infit=misfit,
        outfit=_known(float(fit.outfit[item])),
        misfit=len(known) >= FEWEST and misfit is not None and misfit >= MISFIT,
        ceiling=len(leading) > 1 and bool((leading >= CEILING).all()),
        constant=len(known) > 1 and bool(np.ptp(known) == 0.0),
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
