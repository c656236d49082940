"""Ratings of models from paired comparisons, with intervals, rank ranges and the models without a rating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.board.pairs import PairTests, corrected, rank_ranges
from assay.ranking.comparisons import CovariateColumn, PairedComparisons
from assay.results.rank_comparisons import (
    ComparisonRatings,
    Covariate,
    CovariateEffect,
    RatedModel,
    RatingScale,
    SequentialElo,
    TieRule,
    UnratedModel,
)
from assay.results.ranking import RankRange
from assay.stats.comparison_model import (
    ComparedRows,
    ComparisonFit,
    davidson_exists,
    fit_comparisons,
    inseparable,
    only,
)
from assay.stats.intervals import Interval
from assay.stats.paired_comparisons import (
    ELO_CENTRE,
    ELO_SCALE,
    ORDERS,
    sequential_elo,
    strong_parts,
)

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
SAME = 1e-9
"""Models whose strengths differ by less share a rank."""
LEVEL = 0.95
LEAST_ITEMS = 10
"""With fewer independent items than this a model has no interval: they would be far too short."""
FIXED = 1e-9
"""A standard error below this says that the comparisons do not vary, not that the strength is certain."""
NAMED = 5
"""The most names that a message lists."""


@dataclass(frozen=True, slots=True)
class RatingWish:
    """How models are to be rated. Without a `baseline` the mean of the ranked models is 0 (Elo: 1000)."""

    scale: RatingScale = RatingScale.STRENGTH
    ties: TieRule = TieRule.HALF
    covariates: frozenset[Covariate] = frozenset()
    baseline: str | None = None


def rate_models(
    comparisons: PairedComparisons, wish: RatingWish, rng: np.random.Generator | None = None
) -> ComparisonRatings:
    """Return the ratings of all models that have a finite one, best first.

    With a generator each model also gets its Elo updated in turn, over random orders of the comparisons.
    Raises InvalidInput if no two models can be rated, for an unknown or unrated baseline, for effects that
    cannot be estimated, and for ties that Davidson's model cannot have. Source:
    docs/methodology/bradley-terry.md.
    """
    columns = comparisons.covariates(wish.covariates)
    every = comparisons.rows(columns)
    counts = every.count()
    among = strong_parts(counts.halved > 0.0) == 0
    among &= among.sum() > 1
    unrated = _unrated(comparisons.models, every, counts.halved > 0.0, among)
    if not among.any():
        raise InvalidInput(_explain_unrated(unrated))
    names = tuple(model for model, keep in zip(comparisons.models, among, strict=True) if keep)
    if wish.baseline is not None and wish.baseline not in names:
        raise InvalidInput(_explain_baseline(wish.baseline, names, unrated))
    rows = only(every, among)
    fit, tie_rule, remarks = _fit(rows, columns, wish.ties)
    items = _items(rows)
    few = [name for name, n in zip(names, items, strict=True) if n < LEAST_ITEMS]
    if few:
        shown = ", ".join(few[:NAMED]) + (", ..." if len(few) > NAMED else "")
        remarks.append(f"no interval for models on fewer than {LEAST_ITEMS} items: {shown}")
    return ComparisonRatings(
        scale=wish.scale,
        tie_rule=tie_rule,
        tie_parameter=None if fit.log_tie is None else float(np.exp(fit.log_tie)),
        baseline=wish.baseline,
        comparisons=len(rows.points),
        groups=fit.clusters,
        models=_rated(names, rows, fit, wish, rng),
        effects=_effects(columns, fit, len(names)),
        unrated=unrated,
        remarks=tuple(remarks),
    )


def _fit(
    rows: ComparedRows, columns: tuple[CovariateColumn, ...], ties: TieRule
) -> tuple[ComparisonFit, TieRule, list[str]]:
    place = inseparable(rows)
    if place is not None:
        raise InvalidInput(
            f"the effect of {_named(columns[place])} cannot be told from the models' strengths, because the "
            "models or the other covariates determine it: leave it out of --covariate"
        )
    davidson = ties is TieRule.DAVIDSON
    remarks = []
    if davidson:
        if not np.isin(rows.points, (0.0, 0.5, 1.0)).all():
            raise InvalidInput("--ties davidson needs wins, losses and ties, not shares of a win: use half")
        counts = rows.count()
        if not counts.ties.any():
            davidson, remarks = False, ["no comparison is a tie: Davidson's model is Bradley and Terry's"]
        elif not davidson_exists(counts.wins, counts.ties):
            raise InvalidInput(
                "--ties davidson has no finite estimate, because too few comparisons are decided: use "
                "--ties half"
            )
    fit = fit_comparisons(rows, davidson=davidson)
    if not fit.finite:
        largest = columns[int(np.argmax(np.abs(fit.effects)))] if columns else None
        what = "a strength" if largest is None else f"the effect of {_named(largest)}"
        raise InvalidInput(f"{what} has no finite estimate, as it alone decides results: leave it out")
    return fit, TieRule.DAVIDSON if davidson else TieRule.HALF, remarks


def _named(column: CovariateColumn) -> str:
    judge = "" if column.judge is None else f" of judge {column.judge!r}"
    return f"{column.covariate.value!r}{judge}"


def _rated(
    names: tuple[str, ...],
    rows: ComparedRows,
    fit: ComparisonFit,
    wish: RatingWish,
    rng: np.random.Generator | None,
) -> tuple[RatedModel, ...]:
    models = len(names)
    unit, centre = (1.0, 0.0) if wish.scale is RatingScale.STRENGTH else (ELO_SCALE, ELO_CENTRE)
    items = _items(rows)
    zero, error = fit.strengths.mean(), _own_errors(fit)
    base = None if wish.baseline is None else names.index(wish.baseline)
    if base is not None:
        zero, error, items = fit.strengths[base], fit.errors()[base], np.minimum(items, items[base])
    ratings = centre + unit * (fit.strengths - zero)
    reach = unit * _quantile(items) * _usable(error, items)
    ranges = _ranges(names, fit, _items(rows))
    wins, ties, losses = _records(rows)
    points = np.bincount(rows.first, weights=rows.points, minlength=models)
    points += np.bincount(rows.second, weights=1.0 - rows.points, minlength=models)
    in_turn = _in_turn(rows, rng, base)
    rated = [
        RatedModel(
            rank=1 + int(np.count_nonzero(fit.strengths > fit.strengths[row] + SAME)),
            ranks=ranges[row],
            model=model,
            rating=float(ratings[row]),
            rating_interval=_around(ratings[row], reach[row]),
            win_rate=float(points[row] / (wins[row] + ties[row] + losses[row])),
            wins=int(wins[row]),
            ties=int(ties[row]),
            losses=int(losses[row]),
            n=int(wins[row] + ties[row] + losses[row]),
            sequential=in_turn[row],
        )
        for row, model in enumerate(names)
    ]
    return tuple(sorted(rated, key=lambda row: (row.rank, row.model)))


def _items(rows: ComparedRows) -> IntArray:
    """Return on how many independent items each model was compared, (M,)."""
    cells = [rows.clusters * rows.models + side for side in (rows.first, rows.second)]
    items: IntArray = np.bincount(np.unique(np.concatenate(cells)) % rows.models, minlength=rows.models)
    return items


def _own_errors(fit: ComparisonFit) -> FloatArray:
    models = len(fit.strengths)
    if fit.covariance is None:
        return np.full(models, np.nan)
    errors: FloatArray = np.sqrt(np.maximum(np.diag(fit.covariance)[:models], 0.0))
    return errors


def _usable(error: FloatArray, items: IntArray) -> FloatArray:
    """Return standard errors, NaN where there are too few items or the comparisons do not vary."""
    return np.where((items >= LEAST_ITEMS) & (error > FIXED), error, np.nan)


def _quantile(items: IntArray) -> FloatArray:
    """Return the quantiles of t for 95 % intervals from so many items."""
    return np.asarray(scipy.stats.t.ppf(0.5 + LEVEL / 2.0, np.maximum(items - 1, 1)), dtype=np.float64)


def _around(value: float, reach: float) -> Interval | None:
    return None if np.isnan(reach) else Interval(float(value - reach), float(value + reach), LEVEL)


def _ranges(names: tuple[str, ...], fit: ComparisonFit, items: IntArray) -> tuple[RankRange | None, ...]:
    """Return the rank ranges from t tests of all pairs of strengths, with Holm's correction.

    A test has one degree of freedom less than the smaller number of items of its two models.
    """
    fewer = np.minimum(items[:, None], items[None, :])
    error = _usable(fit.errors(), fewer)
    if np.isnan(error).all():
        return (None,) * len(names)
    difference = np.where(np.isnan(error), np.nan, fit.strengths[:, None] - fit.strengths[None, :])
    reach = _quantile(fewer) * error
    p = np.nan_to_num(2.0 * scipy.stats.t.sf(np.abs(difference / error), np.maximum(fewer - 1, 1)), nan=1.0)
    tests = PairTests(difference, difference - reach, difference + reach, p, ~np.isnan(error))
    return rank_ranges(fit.strengths, corrected(names, tests))


def _records(rows: ComparedRows) -> tuple[IntArray, IntArray, IntArray]:
    """Return each model's wins, ties and losses; more than half of the points is a win."""
    won, lost = rows.points > 0.5, rows.points < 0.5
    tied = ~won & ~lost
    wins, ties, losses = (
        np.bincount(rows.first[here], minlength=rows.models)
        + np.bincount(rows.second[there], minlength=rows.models)
        for here, there in ((won, lost), (tied, tied), (lost, won))
    )
    return wins, ties, losses


def _in_turn(
    rows: ComparedRows, rng: np.random.Generator | None, base: int | None
) -> list[SequentialElo | None]:
    if rng is None:
        return [None] * rows.models
    ratings = sequential_elo(rows.first, rows.second, rows.points, rows.models, rng, orders=ORDERS)
    if base is not None:
        ratings += ELO_CENTRE - ratings[:, [base]]
    pairs = zip(ratings.mean(axis=0), ratings.std(axis=0, ddof=1), strict=True)
    return [SequentialElo(float(mean), float(spread)) for mean, spread in pairs]


def _effects(
    columns: tuple[CovariateColumn, ...], fit: ComparisonFit, models: int
) -> tuple[CovariateEffect, ...]:
    effects = []
    for place, column in enumerate(columns):
        value = float(fit.effects[place])
        interval = None
        if fit.covariance is not None and fit.clusters >= LEAST_ITEMS:
            error = float(np.sqrt(max(fit.covariance[models + place, models + place], 0.0)))
            interval = _around(value, float(_quantile(np.array(fit.clusters))) * error)
        chance = float(scipy.special.expit(value))
        effects.append(CovariateEffect(column.covariate, column.judge, value, interval, chance, column.unit))
    return tuple(effects)


def _unrated(
    models: tuple[str, ...], rows: ComparedRows, beat: BoolArray, among: BoolArray
) -> tuple[UnratedModel, ...]:
    """Return the models outside the group `among` that is ranked, with the reason of each.

    `beat` (M, M) says whether i has a win or a tie against j. No model outside is linked with the group by
    chains of wins in both directions.
    """
    ranked = bool(among.any())
    above, below = _chained(beat, among), _chained(beat.T, among)
    linked = _chained(np.logical_or(beat, beat.T), among)
    unrated = []
    for place, (wins, ties, losses) in enumerate(zip(*_records(rows), strict=True)):
        n = counted(int(wins + ties + losses), "comparison")
        if among[place]:
            continue
        if not wins + ties + losses:
            reason, advice = "it has no comparisons", "compare it with a ranked model"
        elif not losses + ties:
            reason = f"it won all {n}, so its rating has no upper limit"
            advice = "compare it with stronger models, or on more items, until it loses once"
        elif not wins + ties:
            reason = f"it lost all {n}, so its rating has no lower limit"
            advice = "compare it with weaker models, or on more items, until it wins once"
        elif ranked and not linked[place]:
            reason = "no chain of comparisons links it with the ranked models"
            advice = "compare it with a ranked model"
        elif ranked and above[place]:
            reason, advice = "no ranked model has beaten it, directly or by a chain of wins", _MORE
        elif ranked and below[place]:
            reason, advice = "it has beaten no ranked model, directly or by a chain of wins", _MORE
        else:
            reason, advice = "no chain of wins leads from it to another model and back", _MORE
        unrated.append(UnratedModel(models[place], int(wins), int(ties), int(losses), reason, advice))
    return tuple(unrated)


_MORE = "compare it with ranked models on more items"


def _chained(beat: BoolArray, among: BoolArray) -> BoolArray:
    """Return the models from which a chain of wins leads to the group, (M,)."""
    reached = among.copy()
    while True:
        more = reached | (beat & reached[None, :]).any(axis=1)
        if (more == reached).all():
            return reached
        reached = more


def _explain_unrated(unrated: tuple[UnratedModel, ...]) -> str:
    shown = "; ".join(f"{model.model!r}: {model.reason}" for model in unrated[:NAMED])
    more = f"; and {len(unrated) - NAMED} more" if len(unrated) > NAMED else ""
    return (
        "no two models have each beaten the other, directly or by a chain of wins, so no rating is finite "
        f"({shown}{more}): add comparisons that go both ways, or use `assay rank absolute` on scores"
    )


def _explain_baseline(baseline: str, names: tuple[str, ...], unrated: tuple[UnratedModel, ...]) -> str:
    for model in unrated:
        if model.model == baseline:
            return f"baseline {baseline!r} has no rating: {model.reason}; give one of {', '.join(names)}"
    return f"unknown baseline {baseline!r}: give one of {', '.join(names)}"
