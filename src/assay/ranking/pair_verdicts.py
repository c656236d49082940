"""Judges' verdicts on pairs of answers in both orders: how they count, and what position and length do.

The rule: a pair counts for a side only if the judge prefers that side's answer in both orders. Otherwise it
counts half for each side. A pair without a readable verdict in both orders does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput
from assay.ranking.comparison_ratings import RatingWish, rate_models
from assay.ranking.comparisons import PairedComparisons
from assay.results.pairs import JudgeOrders, ListedVerdict, PairTally
from assay.results.rank_comparisons import Covariate, CovariateEffect
from assay.stats.intervals import Interval, clustered_share
from assay.stats.judge_bias import position_bias

TIE = 0.5
MEASURED = (Covariate.POSITION, Covariate.LENGTH)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """One judge's two verdicts on the answers of two models to one item.

    `shown` is the share of a win of the first model with its answer shown first, `swapped` its share with the
    answer shown second; None if it could not be read. `lengths` are the answers' numbers of characters. A
    pair decided `by_rule` was put to no judge.
    """

    item: str
    first: str
    second: str
    judge: str
    shown: float | None
    swapped: float | None
    lengths: tuple[int, int]
    by_rule: bool = False
    epoch: int = 0

    @property
    def points(self) -> float | None:
        """The share of a win of the first model by the rule of this module; None if it does not count."""
        if self.shown is None or self.swapped is None:
            return None
        return self.shown if self.shown == self.swapped else TIE

    @property
    def consistent(self) -> bool:
        """Whether both orders have the same verdict."""
        return self.points is not None and self.shown == self.swapped

    def turned(self) -> PairVerdict:
        """Return the same verdicts with the two models exchanged."""
        return PairVerdict(
            self.item,
            self.second,
            self.first,
            self.judge,
            None if self.swapped is None else 1.0 - self.swapped,
            None if self.shown is None else 1.0 - self.shown,
            (self.lengths[1], self.lengths[0]),
            self.by_rule,
            self.epoch,
        )


def list_verdicts(verdicts: Sequence[PairVerdict]) -> tuple[ListedVerdict, ...]:
    """Return each readable verdict as a row of a table of comparisons."""
    words = {1.0: ("first", "second"), 0.0: ("second", "first"), TIE: ("tie", "tie")}
    return tuple(
        ListedVerdict(
            verdict.item,
            verdict.epoch,
            verdict.first,
            verdict.second,
            words[share][order == "BA"],
            verdict.judge,
            order,
            *verdict.lengths,
            verdict.by_rule,
        )
        for verdict in verdicts
        for order, share in (("AB", verdict.shown), ("BA", verdict.swapped))
        if share is not None
    )


def tally_pairs(verdicts: Sequence[PairVerdict]) -> tuple[PairTally, ...]:
    """Count each judge's verdicts on each two models. Intervals of win rates treat items as independent."""
    groups: dict[tuple[str, str, str], list[PairVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault((verdict.first, verdict.second, verdict.judge), []).append(verdict)
    return tuple(_tally(*names, own) for names, own in sorted(groups.items()))


def _tally(model: str, opponent: str, judge: str, verdicts: Sequence[PairVerdict]) -> PairTally:
    points = [(verdict.item, verdict.points) for verdict in verdicts if verdict.points is not None]
    agreed = [verdict.points for verdict in verdicts if verdict.consistent]
    rate = _share(points)
    return PairTally(
        model=model,
        opponent=opponent,
        judge=judge,
        n=len(points),
        wins=agreed.count(1.0),
        ties=agreed.count(TIE),
        losses=agreed.count(0.0),
        split=len(points) - len(agreed),
        by_rule=sum(verdict.by_rule and verdict.points is not None for verdict in verdicts),
        missing=len(verdicts) - len(points),
        win_rate=None if rate is None else rate.value,
        win_rate_interval=None if rate is None else rate.interval,
    )


def judge_orders(verdicts: Sequence[PairVerdict]) -> tuple[JudgeOrders, ...]:
    """Measure each judge's agreement with itself in the other order, and what position and length do.

    Intervals take items as independent draws; the p of the position takes pairs as independent.
    """
    judges = sorted({verdict.judge for verdict in verdicts})
    return tuple(
        _orders(judge, [verdict for verdict in verdicts if verdict.judge == judge and not verdict.by_rule])
        for judge in judges
    )


def _orders(judge: str, verdicts: Sequence[PairVerdict]) -> JudgeOrders:
    bias = position_bias(
        [_position(verdict.shown, "first", "second") for verdict in verdicts],
        [_position(verdict.swapped, "second", "first") for verdict in verdicts],
    )
    agree = _share(
        [(verdict.item, float(verdict.consistent)) for verdict in verdicts if verdict.points is not None]
    )
    decided = [
        (verdict.item, float((verdict.points == 1.0) == (verdict.lengths[0] > verdict.lengths[1])))
        for verdict in verdicts
        if verdict.consistent and verdict.points != TIE and verdict.lengths[0] != verdict.lengths[1]
    ]
    longer = _share(decided)
    return JudgeOrders(
        judge=judge,
        n=bias.items,
        missing=bias.unreadable,
        agree=bias.items - bias.flips,
        agree_share=None if agree is None else agree.value,
        agree_interval=None if agree is None else agree.interval,
        kept_first=bias.kept_first,
        kept_second=bias.kept_second,
        p=bias.p,
        longer=None if longer is None else longer.value,
        longer_interval=None if longer is None else longer.interval,
        decided=len(decided),
    )


@dataclass(frozen=True, slots=True)
class _Share:
    value: float
    interval: Interval


def _share(values: Sequence[tuple[str, float]]) -> _Share | None:
    """Return the mean of values of items with its interval; None without values."""
    if not values:
        return None
    items = _numbered(item for item, _ in values)
    right, n = np.zeros(len(items)), np.zeros(len(items))
    for item, value in values:
        right[items[item]] += value
        n[items[item]] += 1.0
    return _Share(float(right.sum() / n.sum()), clustered_share(right, n))


def _position(share: float | None, win: str, loss: str) -> str | None:
    """Return the position of the answer that won."""
    return None if share is None else {1.0: win, 0.0: loss}.get(share, "tie")


def compare_pairs_of(verdicts: Sequence[PairVerdict]) -> PairedComparisons:
    """Return one comparison for each pair that counts, by the rule of this module.

    The position in which an answer was shown is balanced, and therefore not a property of these comparisons.
    """
    return _comparisons(
        [(verdict, verdict.points, 0.0) for verdict in verdicts if verdict.points is not None], ordered=False
    )


def compare_by_order(verdicts: Sequence[PairVerdict]) -> PairedComparisons:
    """Return one comparison for each readable verdict, with the position in which the answers were shown.

    Pairs that were decided by rule have no position (0) and no difference in length.
    """
    rows: list[tuple[PairVerdict, float, float]] = []
    for verdict in verdicts:
        if verdict.shown is not None:
            rows.append((verdict, verdict.shown, 0.0 if verdict.by_rule else 1.0))
        if verdict.swapped is not None:
            rows.append((verdict, verdict.swapped, 0.0 if verdict.by_rule else -1.0))
    return _comparisons(rows, ordered=True)


def _comparisons(
    rows: Sequence[tuple[PairVerdict, float | None, float]], *, ordered: bool
) -> PairedComparisons:
    verdicts = [verdict for verdict, _, _ in rows]
    models = _numbered(name for verdict in verdicts for name in (verdict.first, verdict.second))
    items = _numbered(verdict.item for verdict in verdicts)
    judges = _numbered(verdict.judge for verdict in verdicts)
    return PairedComparisons(
        tuple(models),
        tuple(items),
        tuple(judges),
        np.array([models[verdict.first] for verdict in verdicts], dtype=np.int64),
        np.array([models[verdict.second] for verdict in verdicts], dtype=np.int64),
        np.array([items[verdict.item] for verdict in verdicts], dtype=np.int64),
        np.array([judges[verdict.judge] for verdict in verdicts], dtype=np.int64),
        np.array([points for _, points, _ in rows], dtype=np.float64),
        np.array([position for _, _, position in rows]) if ordered else None,
        np.array([(0, 0) if verdict.by_rule else verdict.lengths for verdict in verdicts], dtype=np.float64),
    )


def measure_effects(
    verdicts: Sequence[PairVerdict],
) -> tuple[tuple[CovariateEffect, ...], tuple[Covariate, ...]]:
    """Return the effects of position and length on single verdicts, given the models' strengths.

    Both are fitted together. If that has no finite estimate, each is fitted alone; the second value has those
    that cannot be estimated even so.
    """
    comparisons = compare_by_order(verdicts)

    def fitted(*covariates: Covariate) -> tuple[CovariateEffect, ...]:
        try:
            return rate_models(comparisons, RatingWish(covariates=frozenset(covariates))).effects
        except InvalidInput:
            return ()

    together = fitted(*MEASURED)
    if together:
        return together, ()
    alone = {covariate: fitted(covariate) for covariate in MEASURED}
    effects = tuple(effect for own in alone.values() for effect in own)
    return effects, tuple(covariate for covariate, own in alone.items() if not own)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted(set(names)))}
