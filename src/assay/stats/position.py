"""Position bias: what a pairwise judge does when the two answers change places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.errors import InvalidInput
from assay.stats.intervals import Interval
from assay.stats.permutation import mcnemar
from assay.stats.proportion import clopper_pearson

VERDICTS = ("first", "second", "tie", None)


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Verdicts on `items` pairs shown in both orders and read both times; `unreadable` pairs were not.

    `flips` prefer another answer (or turn to or from a tie) in the other order, `flip_share` of the items.
    `kept_first` chose what stood first both times, `kept_second` what stood second: these are the flips
    that position explains. `first_share` is the first among them (0.5: flips without a side), `p` the exact
    two-sided chance of a split as uneven when neither side is preferred. Shares are None of nothing.
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

    A verdict names the position that won, 'first' or 'second', or 'tie'; None when it could not be read.
    A judge without position bias answers 'first' once and 'second' once. InvalidInput for another verdict.
    """
    if len(shown) != len(swapped):
        raise InvalidInput(f"{len(shown)} verdicts against {len(swapped)} swapped: give both for every item")
    for verdict in (*shown, *swapped):
        if verdict not in VERDICTS:
            raise InvalidInput(f"verdict {verdict!r}: give 'first', 'second', 'tie', or none")
    both = [(one, other) for one, other in zip(shown, swapped, strict=True) if one and other]
    turned = {("first", "second"), ("second", "first"), ("tie", "tie")}
    flips = sum(pair not in turned for pair in both)
    first, second = both.count(("first", "first")), both.count(("second", "second"))
    sided = first + second
    return PositionBias(
        items=len(both),
        unreadable=len(shown) - len(both),
        flips=flips,
        flip_share=flips / len(both) if both else None,
        flip_interval=clopper_pearson(flips, len(both), level=level) if both else None,
        kept_first=first,
        kept_second=second,
        first_share=first / sided if sided else None,
        first_interval=clopper_pearson(first, sided, level=level) if sided else None,
        p=min(1.0, 2.0 * mcnemar(max(first, second), min(first, second))),
    )
