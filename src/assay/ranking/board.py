"""The board: every model's published numbers, and beside them what the data supports."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.ranking.adjusted import JudgeLeniency, PanelAdjusted, adjust
from assay.ranking.cells import Cells, cells
from assay.ranking.common_judges import compare_on_common_judges
from assay.ranking.groups import Group, GroupScore, group_scores, groups
from assay.ranking.measured import BoolArray, Measured
from assay.ranking.pairs import Comparisons
from assay.ranking.rank_range import RankRange, rank_ranges
from assay.ranking.resampled import resample, seed_halves
from assay.ranking.score import Counts, JudgeMean, Score, blend, count, judge_means, panel_mean, score
from assay.ranking.takes import Average, average, total_cost
from assay.stats.intervals import Interval
from assay.stats.resample import drawn, percentile

REPLICATES = 2000


@dataclass(frozen=True, slots=True)
class Without:
    """The composite (0-1) that the model would have without one judge; None with neither half left."""

    judge: str
    composite: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One model on the board.

    `score` has the seed's composite, `interval` its percentile bootstrap interval over prompts. `adjusted` is
    the composite that a full panel would have given; `ranks` follow from it, None without one. `efficiency`
    is the judges' mean over log2 of the mean output tokens. `metrics` has the mean of each G-Eval metric.
    `cost` is the total in USD, None when the cost of any answered sample is unknown (`cost_unknown` of
    them); errors add what they are known to have cost.
    """

    model: str
    score: Score
    counts: Counts
    judges: tuple[JudgeMean, ...]
    metrics: tuple[tuple[str, Average], ...]
    interval: Interval | None
    ranks: RankRange | None
    efficiency: float | None
    tokens: Average
    latency: Average
    cost: float | None
    cost_unknown: int
    adjusted: PanelAdjusted
    without: tuple[Without, ...]
    groups: tuple[GroupScore, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Models by composite, best first, then by name; models without one last.

    `comparisons` holds all pairs, in the order of the models' names, tested on the judges common to both.
    Rank ranges are at `alpha` over all of them.
    """

    standings: tuple[Standing, ...]
    judges: tuple[JudgeLeniency, ...]
    comparisons: Comparisons
    prompts: int
    epochs: int
    replicates: int
    alpha: float


def board(
    measured: Measured | Sequence[Measured],
    rng: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    alpha: float = 0.05,
) -> Board:
    """Compute the board of one epoch, or of several (averaged within each prompt first, counted one by one).

    The order of models and prompts in the input changes nothing, with the same `rng` seed: prompts are
    drawn in the order of their ids. InvalidInput for no model or no prompt, or epochs that disagree.
    Source: the methodology page of seed 002; DESIGN, section 7.
    """
    table = cells((measured,) if isinstance(measured, Measured) else tuple(measured))
    if not table.models or not table.prompts:
        raise InvalidInput("no model or no prompt: a board needs at least one of each")
    counting = table.counting
    split = groups(table.prompts)
    everything = np.ones(len(table.prompts), dtype=np.bool_)
    scores = [score(table, place, counting[place], everything) for place in range(len(table.models))]
    weights = drawn(rng, len(table.prompts), replicates)
    draws = resample(*seed_halves(table, counting), weights)
    adjusted = adjust(table, weights, 1.0 - alpha)
    comparisons = compare_on_common_judges(table, adjusted, weights, 1.0 - alpha)
    composites = [each.composite for each in adjusted.models]
    ranks = rank_ranges(np.array(composites, dtype=np.float64), comparisons, alpha=alpha)
    standings = [
        _standing(
            table,
            place,
            scores[place],
            counting[place],
            ranks[place],
            percentile(draws.composites[:, place], 1.0 - alpha),
            adjusted.models[place],
            split,
        )
        for place in range(len(table.models))
    ]
    standings.sort(
        key=lambda each: (each.score.composite is None, -(each.score.composite or 0.0), each.model)
    )
    return Board(
        standings=tuple(standings),
        judges=adjusted.judges,
        comparisons=comparisons,
        prompts=len(table.prompts),
        epochs=len(table.status),
        replicates=replicates,
        alpha=alpha,
    )


def _standing(
    table: Cells,
    place: int,
    scored: Score,
    counting: BoolArray,
    ranks: RankRange | None,
    interval: Interval | None,
    adjusted: PanelAdjusted,
    split: tuple[tuple[Group, BoolArray], ...],
) -> Standing:
    tokens = average(table.tokens[place])
    everything = np.ones(len(table.prompts), dtype=np.bool_)
    means = judge_means(table, place)
    cost, unknown = total_cost(table.status[:, place], table.cost[:, place])
    return Standing(
        model=table.models[place],
        score=scored,
        counts=count(table, place, everything),
        judges=means,
        metrics=tuple(
            (name, average(table.metrics[place, :, column])) for column, name in enumerate(table.metric_names)
        ),
        interval=interval if scored.composite is not None else None,
        ranks=ranks,
        efficiency=efficiency(scored.judge_mean, tokens.value),
        tokens=tokens,
        latency=average(table.latency[place]),
        cost=cost,
        cost_unknown=unknown,
        adjusted=adjusted,
        without=_without(means, scored.geval_mean),
        groups=group_scores(table, place, counting, split),
    )


def efficiency(judge_mean: float | None, tokens: float | None) -> float | None:
    """Return the judges' mean over log2 of the mean output tokens; None when unknown or at most 1."""
    if judge_mean is None or tokens is None or tokens <= 1.0:
        return None
    return judge_mean / math.log2(tokens)


def _without(means: tuple[JudgeMean, ...], geval_mean: float | None) -> tuple[Without, ...]:
    """Return the composite without each judge in turn; a judge that does not count changes nothing."""
    return tuple(
        Without(
            left.judge,
            blend(
                panel_mean([each.mean for each in means if each.counts and each.judge != left.judge]),
                geval_mean,
            )[0],
        )
        for left in means
    )
