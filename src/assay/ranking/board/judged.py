"""The judged board: each model's figures, overall and by group, and tests of all pairs on common judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from assay.core.errors import InvalidInput
from assay.ranking.board.adjusted import AdjustedBoard, adjust
from assay.ranking.board.cells import Cells, cells, over
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray, MeasuredEpoch, PromptKind
from assay.ranking.board.pairs import Comparisons, PairTests, corrected, rank_ranges, test_pairs
from assay.ranking.board.resampled import resample, seed_halves
from assay.ranking.board.score import (
    answer_usage,
    average,
    blend,
    count_flags,
    count_samples,
    judge_means,
    panel_mean,
    score,
)
from assay.results.board_judged import (
    Dimension,
    Group,
    GroupScore,
    JudgeLeniency,
    JudgeMean,
    MetricMean,
    PanelAdjusted,
    Score,
    Standing,
    Without,
)
from assay.results.ranking import RankRange
from assay.stats.intervals import Interval
from assay.stats.resample import draw_counts, percentile

REPLICATES = 2000
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)


@dataclass(frozen=True, slots=True)
class Board:
    """Models by rank range, then by adjusted and by the seed's composite, best first, then by name.

    Models without a composite are last. `comparisons` holds the tests of all pairs on their common judges, in
    the order of the models' names. Rank ranges are at `alpha` over all pairs.
    """

    standings: tuple[Standing, ...]
    judges: tuple[JudgeLeniency, ...]
    comparisons: Comparisons
    prompts: int
    epochs: int
    replicates: int
    alpha: float


def board(
    measured: MeasuredEpoch | Sequence[MeasuredEpoch],
    rng: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    alpha: float = 0.05,
) -> Board:
    """Compute the board of one or several epochs, which are averaged within each prompt.

    The order of models and prompts in the input does not matter: prompts are drawn in the order of their ids.
    Raises InvalidInput for no model or no prompt, or epochs that disagree. Source: the methodology page of
    seed 002; DESIGN, section 7.
    """
    table = cells((measured,) if isinstance(measured, MeasuredEpoch) else tuple(measured))
    if not table.models or not table.prompts:
        raise InvalidInput("no model or no prompt: a board needs at least one of each")
    counting = table.counting
    split = groups(table.prompts)
    everything = np.ones(len(table.prompts), dtype=np.bool_)
    scores = [score(table, place, counting[place], everything) for place in range(len(table.models))]
    weights = draw_counts(rng, len(table.prompts), replicates)
    draws = resample(*seed_halves(table, counting), weights)
    adjusted = adjust(table, weights, 1.0 - alpha)
    comparisons = compare_on_common_judges(table, adjusted, weights, 1.0 - alpha)
    composites = [model.composite for model in adjusted.models]
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
    standings.sort(key=_sort_key)
    return Board(
        standings=tuple(standings),
        judges=adjusted.judges,
        comparisons=comparisons,
        prompts=len(table.prompts),
        epochs=len(table.status),
        replicates=replicates,
        alpha=alpha,
    )


def _sort_key(standing: Standing) -> tuple[float, float, float, float, str]:
    ranks = standing.ranks
    low, high = (math.inf, math.inf) if ranks is None else (ranks.low, ranks.high)
    adjusted, composite = standing.adjusted.composite, standing.score.composite
    return low, high, -(adjusted or 0.0), -(composite or 0.0), standing.model


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
    usage = answer_usage(
        latency=table.latency[place],
        tokens=table.tokens[place],
        status=table.status[:, place],
        cost=table.cost[:, place],
    )
    everything = np.ones(len(table.prompts), dtype=np.bool_)
    means = judge_means(table, place)
    return Standing(
        model=table.models[place],
        score=scored,
        samples=count_samples(table, place, everything),
        flags=count_flags(table, place, everything),
        judges=means,
        metrics=tuple(
            MetricMean(name, metric.value, metric.n)
            for name, metric in zip(table.metric_names, map(average, table.metrics[place].T), strict=True)
        ),
        interval=interval if scored.composite is not None else None,
        ranks=ranks,
        efficiency=efficiency(scored.judge_mean, usage.tokens.value),
        usage=usage,
        adjusted=adjusted,
        without=_without(means, scored.geval_mean),
        groups=group_scores(table, place, counting, split),
    )


def efficiency(judge_mean: float | None, tokens: float | None) -> float | None:
    """Return the judges' mean over log2 of the mean output tokens; None if they are unknown or at most 1."""
    if judge_mean is None or tokens is None or tokens <= 1.0:
        return None
    return judge_mean / math.log2(tokens)


def _without(means: tuple[JudgeMean, ...], geval_mean: float | None) -> tuple[Without, ...]:
    """Return the composite without each judge. Leaving out a judge that does not count changes nothing."""
    return tuple(
        Without(
            left.judge,
            blend(
                panel_mean([other.mean for other in means if other.counts and other.judge != left.judge]),
                geval_mean,
            )[0],
        )
        for left in means
    )


def groups(prompts: tuple[PromptKind, ...]) -> tuple[tuple[Group, BoolArray], ...]:
    """Return all groups with masks of their prompts (P,), by dimension and then by name."""
    result = []
    for by in DIMENSIONS:
        keys = [_group_key(prompt, by) for prompt in prompts]
        for key in sorted(set(keys)):
            chosen = np.array([group_key == key for group_key in keys])
            category = key[0] if by == "subcategory" else None
            result.append((Group(by, key[-1], category, int(chosen.sum())), chosen))
    return tuple(result)


def group_scores(
    cells: Cells, model: int, counting: BoolArray, split: tuple[tuple[Group, BoolArray], ...]
) -> tuple[GroupScore, ...]:
    """Return one model's scores on all groups."""
    return tuple(
        GroupScore(
            group,
            score(cells, model, counting, chosen),
            count_samples(cells, model, chosen),
            count_flags(cells, model, chosen),
        )
        for group, chosen in split
    )


def _group_key(prompt: PromptKind, by: str) -> tuple[str, ...]:
    name: str = getattr(prompt, by)
    return (prompt.category, name) if by == "subcategory" else (name,)


def compare_on_common_judges(
    cells: Cells, adjusted: AdjustedBoard, weights: FloatArray, level: float = 0.95
) -> Comparisons:
    """Test every pair of models on the marks of the judges that may mark both, and on G-Eval.

    A judge does not mark its own model, so both models of such a pair are compared without this judge.
    Missing marks of the other judges are estimated. Two models without a common judge are not comparable if
    their composites have a judges' half.
    """
    models = len(cells.models)
    judges = _marking_judges(cells, adjusted)
    tests = PairTests.none(models)
    panels, of = np.unique(judges, axis=0, return_inverse=True)
    of = of.reshape(-1)
    for first in range(len(panels)):
        for second in range(first, len(panels)):
            among = np.flatnonzero((of == first) | (of == second))
            block = _test_on_judges(adjusted, among, panels[first] & panels[second], weights, level)
            rows, columns = of[among] == first, of[among] == second
            tests.put(block, among, rows[:, None] & columns[None, :] | columns[:, None] & rows[None, :])
    return corrected(cells.models, tests)


def _marking_judges(cells: Cells, adjusted: AdjustedBoard) -> BoolArray:
    """Return a mask of each model's judges, (M, J): others than its own that marked it, with an effect."""
    gave = (~np.isnan(cells.given)).any(axis=1)
    unseen = np.logical_not((cells.valid > 0).any(axis=1))
    return np.asarray(~cells.own & ~np.isnan(adjusted.marks.effects) & (gave | unseen[:, None]))


def _test_on_judges(
    adjusted: AdjustedBoard, among: IntArray, common: BoolArray, weights: FloatArray, level: float
) -> PairTests:
    """Test all pairs of the models `among` on the `common` judges."""
    marks = adjusted.marks.values[among][..., common]
    normal = (over(marks, -1) - 1.0) / 4.0
    draws = resample(normal, adjusted.geval[among], weights)
    tests = test_pairs(draws.exact, draws, level)
    same = (draws.basis == adjusted.basis[among]) & (draws.basis > 0)
    return tests.only(same[:, None] & same[None, :])
