"""Agreement of raters: Cohen's kappa, Krippendorff's alpha, and the comparison of two judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.stats.intervals import Interval, clopper_pearson
from assay.stats.resample import BootstrapDraws, draw_counts, percentile

FloatArray = npt.NDArray[np.float64]
Label = str | int | float | bool | None
Weights = Literal["linear", "quadratic"]
MOST_SHOWN = 6
"""The most labels that an error message lists."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Chance-corrected agreement of two raters on the `n` items that both labelled.

    `value` is 1 for perfect agreement and 0 for agreement by chance; None without items, or if both raters
    always use the same one category. `agreement` and `expected` are the observed agreement and the agreement
    by chance, 0-1 (weighted if weights were requested). `interval` is a percentile bootstrap over items, None
    if none was requested or it is undefined.
    """

    value: float | None
    n: int
    agreement: float | None
    expected: float | None
    categories: tuple[str, ...]
    interval: Interval | None = None


def name_of(label: Label) -> str | None:
    """Return the name of a category: text unchanged, '4' for 4 and 4.0, 'true' for True; None for NaN too."""
    if label is None or (isinstance(label, float | np.floating) and np.isnan(label)):
        return None
    if isinstance(label, bool | np.bool_):
        return "true" if label else "false"
    if isinstance(label, str):
        return str(label)
    number = float(label)
    return str(int(number)) if number.is_integer() else repr(number)


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    *,
    categories: Sequence[Label] | None = None,
    weights: Weights | None = None,
    draws: BootstrapDraws | None = None,
) -> Kappa:
    """Return Cohen's kappa (p_o - p_e)/(1 - p_e), p_e from each rater's own shares of the categories.

    Items that either rater left out (None, NaN) are dropped. Categories are compared by name. Without
    declared `categories` the labels of one rater must be among those of the other: {1, 2} against {0, 1} are
    two codings and their kappa is meaningless, so InvalidInput. Weights 1 - (|i - j|/range)^q, q 1 or 2, need
    an order: that of `categories` (equal steps), or of the numbers. With `draws` there is an interval; items
    are drawn, and the clusters of `draws` are ignored.
    Source: J. Cohen, Educational and Psychological Measurement 20 (1960); Psychological Bulletin 70 (1968).
    """
    left, right = _labelled_by_both(first, second)
    names = _categories(left, right, categories)
    table = _cross_table(left, right, names)
    credit = credit_matrix(names, weights, declared=categories is not None)
    observed, expected, value = chance_corrected(table[None], credit)
    interval = None
    if draws is not None and left:
        tables = draws.rng.multinomial(len(left), table.reshape(-1) / len(left), size=draws.replicates)
        replicates = tables.astype(np.float64).reshape(-1, *table.shape)
        interval = percentile(chance_corrected(replicates, credit)[2], draws.level)
    return Kappa(
        _none_if_nan(value), len(left), _none_if_nan(observed), _none_if_nan(expected), names, interval
    )


def _labelled_by_both(first: Sequence[Label], second: Sequence[Label]) -> tuple[list[str], list[str]]:
    """Return the names of both raters' labels, without the items that either left out."""
    if len(first) != len(second):
        raise InvalidInput(
            f"{len(first)} labels against {len(second)}: give one label of each rater for every item"
        )
    pairs = [(name_of(one), name_of(other)) for one, other in zip(first, second, strict=True)]
    complete = [(one, other) for one, other in pairs if one is not None and other is not None]
    return [one for one, _ in complete], [other for _, other in complete]


def _categories(left: list[str], right: list[str], declared: Sequence[Label] | None) -> tuple[str, ...]:
    """Return the names of the categories in order. Raises InvalidInput for labels that do not fit them."""
    used = set(left), set(right)
    if declared is not None:
        names = tuple(name for name in map(name_of, declared) if name is not None)
        undeclared = sorted((used[0] | used[1]) - set(names))
        if undeclared:
            raise InvalidInput(
                f"labels {_listed(undeclared)} are not among the declared categories {_listed(names)}: "
                "recode them, or declare them"
            )
        return names
    if used[0] - used[1] and used[1] - used[0]:
        raise InvalidInput(
            f"the first rater uses {_listed(sorted(used[0], key=_order))}, the second "
            f"{_listed(sorted(used[1], key=_order))}: each uses labels that the other never does, which "
            "looks like two codings of the same categories. Recode one of them, or declare the categories"
        )
    return tuple(sorted(used[0] | used[1], key=_order))


def _order(name: str) -> tuple[bool, float, str]:
    """Return the sort key of a category: numbers by value, then words."""
    number = _number(name)
    return (number is None, number or 0.0, name)


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:MOST_SHOWN])
    return "{" + shown + (", ..." if len(names) > MOST_SHOWN else "") + "}"


def _cross_table(left: list[str], right: list[str], names: tuple[str, ...]) -> FloatArray:
    """Return how many items have each pair of labels, of shape (categories, categories)."""
    index = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    np.add.at(table, ([index[name] for name in left], [index[name] for name in right]), 1.0)
    return table


def credit_matrix(names: tuple[str, ...], weights: Weights | None, *, declared: bool) -> FloatArray:
    """Return how much each pair of categories counts as agreement, 0-1, of shape (categories, categories).

    Without weights only equal categories agree. `declared` names are in order, in equal steps.
    """
    if weights is None or len(names) < 2:
        return np.eye(len(names))
    numbers = [_number(name) for name in names]
    if declared:
        position = np.arange(len(names), dtype=np.float64)
    elif all(number is not None for number in numbers):
        position = np.array(numbers, dtype=np.float64)
    else:
        raise InvalidInput(f"weights need an order of {_listed(names)}: declare the categories in order")
    distance = np.abs(position[:, None] - position[None, :]) / np.ptp(position)
    return np.asarray(1.0 - distance ** (1 if weights == "linear" else 2), dtype=np.float64)


def chance_corrected(tables: FloatArray, credit: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return observed and expected agreement and kappa of tables (B, K, K), NaN where undefined."""
    total = tables.sum(axis=(1, 2))
    shares = np.divide(
        tables, total[:, None, None], out=np.full(tables.shape, np.nan), where=total[:, None, None] > 0
    )
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    # Not from the shares, whose sum may differ from 1 in the last digit: perfect agreement is exactly 1.
    agreed = (tables * credit).sum(axis=(1, 2))
    observed = np.divide(agreed, total, out=np.full(len(tables), np.nan), where=total > 0)
    expected = np.where(total > 0, np.einsum("bi,ij,bj->b", rows, credit, columns), np.nan)
    room = 1.0 - expected
    value = np.divide(observed - expected, room, out=np.full(len(tables), np.nan), where=room > 1e-12)
    return observed, expected, value


def _none_if_nan(values: FloatArray) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])


Scale = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha, 1 - `observed`/`expected` disagreement.

    `items` have at least two marks, `marks` in total; other items are left out. `value` is None if there are
    no such items, or if all marks are the same: without variation agreement cannot be measured. `interval` is
    a percentile bootstrap over items, None if none was requested or it is undefined.
    """

    value: float | None
    observed: float | None
    expected: float | None
    items: int
    marks: int
    interval: Interval | None = None


def krippendorff_alpha(
    table: npt.ArrayLike, scale: Scale = "nominal", draws: BootstrapDraws | None = None
) -> Alpha:
    """Return alpha of marks of shape (raters, items), NaN for none; for names give codes and 'nominal'.

    Distances: nominal 0 or 1; interval the squared difference; ordinal the squared number of marks between
    two values, half of those at each end included, which is the squared difference of their mid-ranks. With
    `draws` there is an interval; items are drawn, and the clusters of `draws` are ignored.
    Source: K. Krippendorff, Content Analysis (4th edition, 2018), chapter 12; A. Hayes and K. Krippendorff,
    Communication Methods and Measures 1 (2007) 77-89.
    """
    counts, values = _value_counts(table)
    observed, expected = _disagreement(counts, values, np.ones((1, len(counts))), scale)
    interval = None
    if draws is not None and len(counts):
        weights = draw_counts(draws.rng, len(counts), draws.replicates)
        interval = percentile(_alpha(*_disagreement(counts, values, weights, scale)), draws.level)
    return Alpha(
        _none_if_nan(_alpha(observed, expected)),
        _none_if_nan(observed),
        _none_if_nan(expected),
        len(counts),
        int(counts.sum()),
        interval,
    )


def _value_counts(table: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return how often each distinct value occurs on each item with two marks or more, and the values."""
    marks = np.asarray(table, dtype=np.float64).T
    given = ~np.isnan(marks)
    paired = given.sum(axis=1) >= 2
    marks, given = marks[paired], given[paired]
    values, index = np.unique(marks[given], return_inverse=True)
    counts = np.zeros((len(marks), len(values)))
    np.add.at(counts, (np.nonzero(given)[0], index.reshape(-1)), 1.0)
    return counts, values


def _disagreement(
    counts: FloatArray, values: FloatArray, weights: FloatArray, scale: Scale
) -> tuple[FloatArray, FloatArray]:
    """Return observed and expected disagreement (B,) of items counted (N, K) under weights (B, N)."""
    per_item = counts.sum(axis=1)
    totals = weights @ counts
    marks = totals.sum(axis=1)
    if scale == "nominal":
        within = weights @ np.divide(per_item**2 - (counts**2).sum(axis=1), per_item - 1.0)
        between = marks**2 - (totals**2).sum(axis=1)
    else:
        middle = float(values.mean()) if values.size else 0.0
        position = (
            np.cumsum(totals, axis=1) - totals / 2.0
            if scale == "ordinal"
            else np.broadcast_to(values - middle, totals.shape)
        )
        squares = 2.0 * (per_item[:, None] * (counts @ (position**2).T) - (counts @ position.T) ** 2)
        within = (weights.T * squares / (per_item[:, None] - 1.0)).sum(axis=0)
        between = 2.0 * (marks * (totals * position**2).sum(axis=1) - (totals * position).sum(axis=1) ** 2)
    enough = marks > 1.0
    observed = np.divide(within, marks, out=np.full(len(marks), np.nan), where=enough)
    expected = np.divide(between, marks * (marks - 1.0), out=np.full(len(marks), np.nan), where=enough)
    several = (totals > 0).sum(axis=1) > 1
    return observed, np.where(enough & ~several, 0.0, expected)


def _alpha(observed: FloatArray, expected: FloatArray) -> FloatArray:
    share = np.divide(observed, expected, out=np.full(len(expected), np.nan), where=expected > 0)
    return np.asarray(1.0 - share, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Agreement of two judges on the `n` items that both marked.

    `agreement` is the share of items with the same mark, with its exact interval; `within_one` the share at
    most 1 apart; both None without items. `kappa` is unweighted, `linear` and `quadratic` weighted.
    """

    n: int
    agreement: float | None
    interval: Interval | None
    within_one: float | None
    kappa: Kappa
    linear: Kappa
    quadratic: Kappa


def compare_judges(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    categories: Sequence[Label],
    draws: BootstrapDraws | None = None,
) -> JudgePair:
    """Compare two judges' marks of shape (items,), NaN for none, on the scale `categories`, in order.

    With `draws` the kappas have bootstrap intervals over items.
    """
    left, right = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both = ~np.isnan(left) & ~np.isnan(right)
    left, right = left[both], right[both]
    n, same = len(left), int(np.count_nonzero(left == right))
    weightings: tuple[Weights | None, ...] = (None, "linear", "quadratic")
    kappas = [
        cohen_kappa(left.tolist(), right.tolist(), categories=categories, weights=weights, draws=draws)
        for weights in weightings
    ]
    return JudgePair(
        n,
        same / n if n else None,
        clopper_pearson(same, n) if n else None,
        float(np.mean(np.abs(left - right) <= 1.0)) if n else None,
        *kappas,
    )
