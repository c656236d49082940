"""Replaying the adaptive rule on recorded scores: prompts needed and false separations over random orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.ranking.adaptive import AdaptiveEvidence, AdaptiveRule, open_models
from assay.ranking.exam.hierarchy import compare_models, fit
from assay.ranking.score_table import ScoreTable
from assay.results.adaptive_run import Separation
from assay.results.rank import RankSource
from assay.results.rank_adaptive import AdaptiveReplay, ReplayedSeparation

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
NEVER = 0


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """One replay of the rule.

    `when` (M, M) is the number of prompts after which the row was separated from the column, 0 for never.
    For the first place the diagonal has the prompts after which some model was shown to be better. `asked`
    (M,) counts each model's scores, `prompts` those of the run.
    """

    when: IntArray
    asked: IntArray
    prompts: int


def replay_run(scores: FloatArray, order: IntArray, rule: AdaptiveRule) -> ReplayedRun:
    """Replay the rule on scores (M, N), 0-1 or NaN, with the items in this order."""
    models = len(scores)
    evidence, asking = AdaptiveEvidence.none(models), np.ones(models, dtype=np.bool_)
    when = np.zeros((models, models), dtype=np.int64)
    asked, used = np.zeros(models, dtype=np.int64), 0
    while asking.any() and used < len(order):
        items = order[used : used + rule.batch]
        batch = np.where(asking[:, None], scores[:, items], np.nan)
        evidence, used = evidence.add(batch), used + len(items)
        asked += (~np.isnan(batch)).sum(axis=1)
        settled = _settled(evidence, rule)
        when[settled & (when == NEVER)] = used
        asking = open_models(evidence, rule)
    return ReplayedRun(when, asked, used)


def replay_orders(
    table: ScoreTable, about: RankSource, rule: AdaptiveRule, orders: int, seed: int
) -> AdaptiveReplay:
    """Return what the rule needs and how often it errs over random orders of a table's items.

    The full run is the table with its corrected paired tests (`compare_models`). Raises InvalidInput for no
    orders.
    """
    if orders < 1:
        raise InvalidInput(f"{orders!r} orders: give at least 1")
    rng, items = np.random.default_rng(seed), len(table.items)
    runs = [replay_run(table.scores, rng.permutation(items), rule) for _ in range(orders)]
    fitted = fit(table.marks())
    compared = compare_models(table.models, fitted)
    better = compared.significant(rule.alpha) & (compared.difference > 0.0)
    above = fitted.means[:, None] > fitted.means[None, :]
    if rule.separate is Separation.FIRST:
        better, above = np.diag(better.any(axis=0)), np.diag(above.any(axis=0))
    when = np.stack([run.when for run in runs])
    happened = when != NEVER
    made = int(happened.sum())
    confirmed = (happened & better).sum(axis=(1, 2))
    return AdaptiveReplay(
        source=about,
        separate=rule.separate,
        alpha=rule.alpha,
        batch=rule.batch,
        orders=orders,
        seed=seed,
        scores=float(np.mean([run.asked.sum() for run in runs]) / table.scored.sum()),
        stopped=float(np.mean([run.prompts < items for run in runs])),
        significant=int(better.sum()),
        reached=float(confirmed.mean() / better.sum()) if better.any() else None,
        unconfirmed=float((happened & ~better).any(axis=(1, 2)).mean()),
        unconfirmed_separations=float((happened & ~better).sum() / made) if made else None,
        reversed=float((happened & ~above).any(axis=(1, 2)).mean()),
        separations=_separations(table.models, fitted.means, better, when, rule.separate),
    )


def _settled(evidence: AdaptiveEvidence, rule: AdaptiveRule) -> BoolArray:
    if rule.separate is Separation.FIRST:
        return np.diag(evidence.behind(rule.alpha))
    return evidence.separated(rule.alpha)


def _separations(
    models: tuple[str, ...], means: FloatArray, better: BoolArray, when: IntArray, separate: Separation
) -> tuple[ReplayedSeparation, ...]:
    """Return the rows, in the order of the full run's means."""
    order = [int(place) for place in np.argsort(-means, kind="stable")]
    first = separate is Separation.FIRST
    pairs = (
        [(place, place) for place in order[1:] + order[:1]]
        if first
        else [(row, column) for rank, row in enumerate(order) for column in order[rank + 1 :]]
    )
    rows = []
    for row, column in pairs:
        reached = when[:, row, column]
        reached = reached[reached != NEVER]
        top = float(means.max()) if first else float(means[row])
        rows.append(
            ReplayedSeparation(
                better=None if first else models[row],
                worse=models[column],
                difference=100.0 * (top - float(means[column])),
                significant=bool(better[row, column]),
                separated=len(reached) / len(when),
                prompts=float(np.median(reached)) if len(reached) else None,
                most_prompts=float(np.quantile(reached, 0.9)) if len(reached) else None,
                reversed=_reversed(when, row, column, first=first, best=column == order[0]),
            )
        )
    return tuple(rows)


def _reversed(when: IntArray, row: int, column: int, *, first: bool, best: bool) -> float:
    """Return the share of replays that settled the opposite; for the first place, that lost the best."""
    if first:
        return float((when[:, column, column] != NEVER).mean()) if best else 0.0
    return float((when[:, column, row] != NEVER).mean())
