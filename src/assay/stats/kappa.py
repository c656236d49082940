"""Cohen's kappa, weighted kappa and Scott's pi between two raters, with categories known by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.stats.intervals import Interval
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
Label = str | int | float | bool | None
Weights = Literal["linear", "quadratic"]
LISTED = 6
"""An error message names at most so many labels."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Chance-corrected agreement of two raters on the `n` items that both labelled.

    `value` is 1 for perfect agreement and 0 for what chance alone would give; None without items, or when
    both raters always use the same one category. `agreement` and `expected` are the observed agreement and
    that of chance, 0-1 (weighted where weights were asked for). `interval` is a percentile bootstrap
    over items, None when none was asked for or it is undefined.
    """

    value: float | None
    n: int
    agreement: float | None
    expected: float | None
    categories: tuple[str, ...]
    interval: Interval | None = None


def name_of(label: Label) -> str | None:
    """Return the name of a category: text as it is, '4' for 4 and 4.0, 'true' for True; None for NaN too."""
    if label is None or (isinstance(label, float | np.floating) and np.isnan(label)):
        return None
    if isinstance(label, bool | np.bool_):
        return "true" if label else "false"
    if isinstance(label, str):
        return str(label)
    number = float(label)
    return str(int(number)) if number.is_integer() else repr(number)


def cohen(
    first: Sequence[Label],
    second: Sequence[Label],
    *,
    categories: Sequence[Label] | None = None,
    weights: Weights | None = None,
    rng: np.random.Generator | None = None,
    replicates: int = 2000,
    level: float = 0.95,
) -> Kappa:
    """Return Cohen's kappa (p_o - p_e)/(1 - p_e), p_e from each rater's own shares; weighted when asked.

    Items that either rater left out (None, NaN) are dropped. Categories are compared by name, and
    without declared `categories` the labels of one rater must be among those of the other: {1, 2} against
    {0, 1} are two codings, and their kappa means nothing, so InvalidInput. Weights 1 - (|i - j|/range)^q, q
    1 or 2, need an order: that of `categories` (equal steps), or of the numbers. With `rng` an interval.
    Source: J. Cohen, Educational and Psychological Measurement 20 (1960); Psychological Bulletin 70 (1968).
    """
    return _kappa(first, second, categories, weights, (rng, replicates, level), pooled=False)


def scott(
    first: Sequence[Label],
    second: Sequence[Label],
    *,
    categories: Sequence[Label] | None = None,
    rng: np.random.Generator | None = None,
    replicates: int = 2000,
    level: float = 0.95,
) -> Kappa:
    """Return Scott's pi: kappa with chance agreement from the shares of both raters together.

    Source: W. Scott, Public Opinion Quarterly 19 (1955) 321-325. For two raters on n items Krippendorff's
    nominal alpha is 1 - (1 - pi)(2n - 1)/(2n).
    """
    return _kappa(first, second, categories, None, (rng, replicates, level), pooled=True)


def _kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    categories: Sequence[Label] | None,
    weights: Weights | None,
    draws: tuple[np.random.Generator | None, int, float],
    *,
    pooled: bool,
) -> Kappa:
    left, right = _both(first, second)
    names = _categories(left, right, categories)
    table = _crossed(left, right, names)
    credit = _credit(names, weights, declared=categories is not None)
    observed, expected, value = _chance_corrected(table[None], credit, pooled=pooled)
    rng, replicates, level = draws
    interval = None
    if rng is not None and left:
        shares = table.reshape(-1) / len(left)
        drawn = rng.multinomial(len(left), shares, size=replicates).astype(np.float64)
        interval = percentile(
            _chance_corrected(drawn.reshape(-1, *table.shape), credit, pooled=pooled)[2], level
        )
    return Kappa(_known(value), len(left), _known(observed), _known(expected), names, interval)


def _both(first: Sequence[Label], second: Sequence[Label]) -> tuple[list[str], list[str]]:
    if len(first) != len(second):
        raise InvalidInput(
            f"{len(first)} labels against {len(second)}: give one of each rater for every item"
        )
    pairs = [(name_of(one), name_of(other)) for one, other in zip(first, second, strict=True)]
    kept = [(one, other) for one, other in pairs if one is not None and other is not None]
    return [one for one, _ in kept], [other for _, other in kept]


def _categories(left: list[str], right: list[str], declared: Sequence[Label] | None) -> tuple[str, ...]:
    used = set(left), set(right)
    if declared is not None:
        names = tuple(name for name in (name_of(label) for label in declared) if name is not None)
        foreign = sorted((used[0] | used[1]) - set(names))
        if foreign:
            raise InvalidInput(
                f"labels {_listed(foreign)} are not among the declared categories {_listed(names)}: "
                "recode them, or declare them"
            )
        return names
    only = sorted(used[0] - used[1], key=_order), sorted(used[1] - used[0], key=_order)
    if only[0] and only[1]:
        raise InvalidInput(
            f"the first rater uses {_listed(sorted(used[0], key=_order))}, the second "
            f"{_listed(sorted(used[1], key=_order))}: each uses labels that the other never does, which "
            "looks like two codings of the same categories. Recode one of them, or declare the categories"
        )
    return tuple(sorted(used[0] | used[1], key=_order))


def _order(name: str) -> tuple[bool, float, str]:
    number = _number(name)
    return (number is None, number or 0.0, name)


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:LISTED])
    return "{" + shown + (", ..." if len(names) > LISTED else "") + "}"


def _crossed(left: list[str], right: list[str], names: tuple[str, ...]) -> FloatArray:
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    np.add.at(table, ([place[name] for name in left], [place[name] for name in right]), 1.0)
    return table


def _credit(names: tuple[str, ...], weights: Weights | None, *, declared: bool) -> FloatArray:
    """Return how much each pair of categories counts as agreement, 0-1, of shape (categories, categories)."""
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


def _chance_corrected(
    tables: FloatArray, credit: FloatArray, *, pooled: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return observed and expected agreement and kappa of tables (B, K, K), NaN where undefined."""
    total = tables.sum(axis=(1, 2))
    shares = np.divide(
        tables, total[:, None, None], out=np.full(tables.shape, np.nan), where=total[:, None, None] > 0
    )
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    if pooled:
        rows = columns = (rows + columns) / 2.0
    observed = np.where(total > 0, (shares * credit).sum(axis=(1, 2)), np.nan)
    expected = np.where(total > 0, np.einsum("bi,ij,bj->b", rows, credit, columns), np.nan)
    room = 1.0 - expected
    value = np.divide(observed - expected, room, out=np.full(len(tables), np.nan), where=room > 1e-12)
    return observed, expected, value


def _known(values: FloatArray) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])
