"""Biases of judges: towards a position, long answers, their own models, and high or low marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.stats.agreement import cohen_kappa
from assay.stats.intervals import Interval, clopper_pearson
from assay.stats.p_values import mcnemar
from assay.stats.resample import (
    BootstrapDraws,
    RatioEstimate,
    by_cluster,
    draw_counts,
    mean_of,
    percentile,
    ratios,
)

VERDICTS = ("first", "second", "tie", None)


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Position bias in verdicts on `items` pairs that were shown in both orders and read both times.

    `unreadable` pairs lack a readable verdict. `flips` verdicts prefer another answer (or change to or from a
    tie) in the other order, `flip_share` of the items. `kept_first` chose the first position both times,
    `kept_second` the second: position explains these flips. `first_share` is the share of `kept_first` among
    them (0.5: no preferred position), `p` the exact two-sided p of this split if no position is preferred.
    Shares are None if their denominator is 0.
    """

    items: int
    unreadable: int
    flips: int
    flip_share: float | None
    flip_interval: Interval | None
    kept_first: int
    kept_second: int
    first_share: float | None
    first_interval: Interval | None
    p: float


def position_bias(
    shown: Sequence[str | None], swapped: Sequence[str | None], *, level: float = 0.95
) -> PositionBias:
    """Return the position bias of verdicts in both orders.

    A verdict is the position that won, 'first' or 'second', or 'tie'; None if it could not be read. A judge
    without position bias answers 'first' once and 'second' once. Raises InvalidInput for other verdicts.
    """
    if len(shown) != len(swapped):
        raise InvalidInput(f"{len(shown)} verdicts against {len(swapped)} swapped: give both for every item")
    for verdict in (*shown, *swapped):
        if verdict not in VERDICTS:
            raise InvalidInput(f"unknown verdict {verdict!r}: give 'first', 'second', 'tie', or None")
    both = [(one, other) for one, other in zip(shown, swapped, strict=True) if one and other]
    consistent = {("first", "second"), ("second", "first"), ("tie", "tie")}
    flips = sum(pair not in consistent for pair in both)
    first, second = both.count(("first", "first")), both.count(("second", "second"))
    explained = first + second
    return PositionBias(
        items=len(both),
        unreadable=len(shown) - len(both),
        flips=flips,
        flip_share=flips / len(both) if both else None,
        flip_interval=clopper_pearson(flips, len(both), level=level) if both else None,
        kept_first=first,
        kept_second=second,
        first_share=first / explained if explained else None,
        first_interval=clopper_pearson(first, explained, level=level) if explained else None,
        p=min(1.0, 2.0 * mcnemar(max(first, second), min(first, second))),
    )


@dataclass(frozen=True, slots=True)
class OrderAccuracy:
    """Verdicts in both orders against labels, on `n` labelled pairs, with exact intervals of the shares.

    A verdict that could not be read is wrong, and equal only to another that could not be read. `right` and
    `swapped` are the pairs that are judged rightly in one order and in the other, `both` those in both, and
    `equal` those with the same verdict in both. `kappa` is Cohen's kappa of the first order against the
    labels, `kappa_swapped` that of the two orders, over pairs read in both; None where undefined.
    """

    n: int
    right: int
    swapped: int
    both: int
    equal: int
    right_interval: Interval
    swapped_interval: Interval
    both_interval: Interval
    kappa: float | None
    kappa_swapped: float | None


def order_accuracy(
    labels: Sequence[str], shown: Sequence[str | None], swapped: Sequence[str | None]
) -> OrderAccuracy:
    """Return how often verdicts agree with labels in each order and in both.

    Labels and verdicts name an answer (or a tie), not a position: a judge that ignores the order gives the
    same verdict twice. Raises InvalidInput if the three have different lengths. Source: Z. Zeng et al.,
    Evaluating large language models at evaluating instruction following, ICLR 2024, section 4.
    """
    if not len(labels) == len(shown) == len(swapped):
        raise InvalidInput(
            f"{len(labels)} labels, {len(shown)} verdicts and {len(swapped)} swapped: give one of each"
        )
    n = len(labels)
    rows = list(zip(labels, shown, swapped, strict=True))
    names = sorted({*labels, *(name for name in (*shown, *swapped) if name is not None)})
    right = sum(label == verdict for label, verdict, _ in rows)
    other = sum(label == verdict for label, _, verdict in rows)
    both = sum(label == one == two for label, one, two in rows)
    return OrderAccuracy(
        n=n,
        right=right,
        swapped=other,
        both=both,
        equal=sum(one == two for _, one, two in rows),
        right_interval=clopper_pearson(right, n),
        swapped_interval=clopper_pearson(other, n),
        both_interval=clopper_pearson(both, n),
        kappa=cohen_kappa(
            [label for label, _, two in rows if two is not None],
            [one for _, one, two in rows if two is not None],
            categories=names,
        ).value,
        kappa_swapped=cohen_kappa(shown, swapped, categories=names).value,
    )


FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verbosity:
    """One judge's preference for long answers, within prompts.

    `slope`: change, per doubling of the length, of the mark minus the other judges' mean. `partial`: the
    partial correlation of mark and log length given the other judges' mean, -1 to 1 (None if undefined), with
    `partial_interval`.
    """

    slope: RatioEstimate
    partial: float | None
    partial_interval: Interval | None


def verbosity(
    marks: npt.ArrayLike, lengths: npt.ArrayLike, prompts: npt.ArrayLike, draws: BootstrapDraws | None = None
) -> tuple[Verbosity, ...]:
    """Return each judge's preference for length from marks (judges, items), lengths and prompts (items,).

    Marks, the others' mean and log2 of the length are centred within each prompt, so that prompts that need
    long answers have no influence. A preference that all judges share is not visible, only a judge's
    deviation from the panel. Items without a length above 0, a mark, or another judge's mark are left out;
    so are prompts with one item. The bootstrap draws prompts; the clusters of `draws` are ignored.
    """
    table = np.asarray(marks, dtype=np.float64)
    size = np.asarray(lengths, dtype=np.float64)
    log = np.log2(size, out=np.full(size.shape, np.nan), where=size > 0)
    groups = np.unique(np.asarray(prompts), return_inverse=True)[1].reshape(-1)
    return tuple(
        _verbosity_of(row, row - deviation, log, groups, draws)
        for row, deviation in zip(table, deviations(table), strict=True)
    )


def _verbosity_of(
    mark: FloatArray,
    others: FloatArray,
    log: FloatArray,
    groups: npt.NDArray[np.int64],
    draws: BootstrapDraws | None,
) -> Verbosity:
    complete = ~np.isnan(mark) & ~np.isnan(others) & ~np.isnan(log)
    prompt = groups[complete]
    y, z, x = _centred(np.column_stack([mark, others, log])[complete], prompt).T
    slope_sums = by_cluster(np.column_stack([(y - z) * x, x * x]), prompt)
    slope = ratios(slope_sums, [(0, 1, 1.0)], len(prompt), _without_clusters(draws))
    products = by_cluster(np.column_stack([x * y, x * z, y * z, x * x, y * y, z * z]), prompt)
    partial = _partial(products.sum(axis=0, keepdims=True))[0]
    interval = None
    if draws is not None and len(products):
        weights = draw_counts(draws.rng, len(products), draws.replicates)
        interval = percentile(_partial(weights @ products), draws.level)
    return Verbosity(slope, None if np.isnan(partial) else float(partial), interval)


def _without_clusters(draws: BootstrapDraws | None) -> BootstrapDraws | None:
    return None if draws is None else replace(draws, clusters=None)


def _centred(columns: FloatArray, groups: npt.NDArray[np.int64]) -> FloatArray:
    """Return the columns minus their means within each group."""
    if not len(columns):
        return columns
    labels, group = np.unique(groups, return_inverse=True)
    group = group.reshape(-1)
    totals = np.zeros((len(labels), columns.shape[1]))
    np.add.at(totals, group, columns)
    centred = columns - (totals / np.bincount(group)[:, None])[group]
    return np.where(np.abs(centred) < 1e-12, 0.0, centred)


def _partial(sums: FloatArray) -> FloatArray:
    """Return the partial correlation of x and y given z from sums of products (B, 6)."""
    xy, xz, yz, xx, yy, zz = sums.T
    shared = np.divide(xz * yz, zz, out=np.zeros(len(sums)), where=zz > 0)
    in_x = np.divide(xz**2, zz, out=np.zeros(len(sums)), where=zz > 0)
    in_y = np.divide(yz**2, zz, out=np.zeros(len(sums)), where=zz > 0)
    spread = np.sqrt(np.maximum(xx - in_x, 0.0) * np.maximum(yy - in_y, 0.0))
    tiny = spread <= 1e-9 * np.maximum(np.sqrt(xx * yy), 1e-300)
    return np.where(
        tiny, np.nan, np.divide(xy - shared, spread, out=np.full(len(sums), np.nan), where=spread > 0)
    )


BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Preference:
    """A judge's marks minus the other judges' marks on the same answers, in marks.

    `own`: mean difference on answers of its own models; `other`: on answers of all other models; `excess`:
    `own` minus `other`, with a bootstrap interval over prompts. `models` other models have enough marks to be
    compared in the same way (that model against all others but the judge's own); for `above` of them the
    excess is at least as large. With few own models this count, not the interval, shows how unusual it is.
    """

    own: RatioEstimate
    other: RatioEstimate
    excess: RatioEstimate
    above: int
    models: int


def own_preference(
    marks: npt.ArrayLike, own: npt.ArrayLike, judge: int, draws: BootstrapDraws | None = None
) -> Preference:
    """Return one judge's preference for its own models from marks (models, prompts, judges), NaN for none.

    `own` (models, judges) is True if a model is the judge's own, or of its family. The others' mean on an
    answer leaves out judges whose own model it is. It is a difference in differences: it assumes that without
    favour the judge would differ from the panel by as much on its own models' answers as on others'. The
    bootstrap draws prompts; the clusters of `draws` are ignored.
    """
    table = np.asarray(marks, dtype=np.float64)
    mine = np.asarray(own, dtype=np.bool_)
    others = np.where(mine[:, None, :], np.nan, table)
    others[:, :, judge] = np.nan
    present = ~np.isnan(others)
    count = present.sum(axis=2)
    panel = np.divide(
        np.where(present, others, 0.0).sum(axis=2), count, out=np.full(count.shape, np.nan), where=count > 0
    )
    gap = table[:, :, judge] - panel
    favoured = mine[:, judge]
    excess = _excess(gap, favoured, ~favoured, draws)
    rivals = [
        value
        for model in np.flatnonzero(~favoured).tolist()
        if (value := _one_against_rest(gap, model, ~favoured)) is not None
    ]
    prompts = np.tile(np.arange(gap.shape[1]), len(gap))
    by_prompt = None if draws is None else replace(draws, clusters=prompts)
    return Preference(
        mean_of(np.where(favoured[:, None], gap, np.nan).ravel(), by_prompt),
        mean_of(np.where(favoured[:, None], np.nan, gap).ravel(), by_prompt),
        excess,
        0 if excess.value is None else sum(value >= excess.value for value in rivals),
        len(rivals),
    )


def _excess(
    gap: FloatArray, favoured: BoolArray, rest: BoolArray, draws: BootstrapDraws | None
) -> RatioEstimate:
    """Return the mean gap on the favoured models minus that on the rest; the bootstrap draws prompts."""
    present = ~np.isnan(gap)
    filled = np.where(present, gap, 0.0)
    columns = np.column_stack(
        [
            filled[favoured].sum(axis=0),
            present[favoured].sum(axis=0),
            filled[rest].sum(axis=0),
            present[rest].sum(axis=0),
        ]
    ).astype(np.float64)
    terms = [(0, 1, 1.0), (2, 3, -1.0)]
    return ratios(columns, terms, int(present[favoured].sum()), _without_clusters(draws))


def _one_against_rest(gap: FloatArray, model: int, others: BoolArray) -> float | None:
    alone = np.zeros(len(gap), dtype=np.bool_)
    alone[model] = True
    return _excess(gap, alone, others & ~alone, None).value


def deviations(marks: npt.ArrayLike) -> FloatArray:
    """Return each mark minus the mean of the other judges' marks on that item, in the shape of `marks`.

    `marks` has shape (judges, ...), NaN for none. NaN if the judge, or every other judge, gave no mark.
    """
    table = np.asarray(marks, dtype=np.float64)
    return table - means_of_others(table)


def means_of_others(table: FloatArray) -> FloatArray:
    """Return, for each known value, the mean of the other known ones along the first axis; else NaN."""
    present = ~np.isnan(table)
    filled = np.where(present, table, 0.0)
    others = present.sum(axis=0) - present
    total = filled.sum(axis=0) - filled
    means: FloatArray = np.full(table.shape, np.nan)
    np.divide(total, others, out=means, where=present & (others > 0))
    return means


def above_others(marks: npt.ArrayLike, draws: BootstrapDraws | None = None) -> tuple[RatioEstimate, ...]:
    """Return each judge's mean deviation from the other judges on the same items, in marks.

    `marks` has shape (judges, items). Positive means lenient; with two judges the deviations are opposite. A
    board's leniency (`rater_effects`) compares with the whole panel instead: without missing marks this
    deviation is larger by judges/(judges - 1).
    """
    return tuple(mean_of(row, draws) for row in deviations(marks))
