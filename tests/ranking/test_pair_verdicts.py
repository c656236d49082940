"""Verdicts in both orders: the rule, the tallies, the judges' consistency, and the comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ranking.comparison_ratings import RatingWish, rate_models
from assay.ranking.pair_verdicts import (
    PairVerdict,
    compare_by_order,
    compare_pairs_of,
    judge_orders,
    measure_effects,
    tally_pairs,
)
from assay.results.rank_comparisons import Covariate

shares = st.sampled_from([1.0, 0.5, 0.0, None])


def verdict(
    shown: float | None,
    swapped: float | None,
    item: str = "1",
    lengths: tuple[int, int] = (10, 10),
    *,
    judge: str = "j",
    by_rule: bool = False,
) -> PairVerdict:
    """Return a verdict on models a and b."""
    return PairVerdict(item, "a", "b", judge, shown, swapped, lengths, by_rule)


@pytest.mark.parametrize(
    ("shown", "swapped", "points"),
    [
        (1.0, 1.0, 1.0),
        (0.0, 0.0, 0.0),
        (0.5, 0.5, 0.5),
        (1.0, 0.0, 0.5),
        (0.0, 1.0, 0.5),
        (1.0, 0.5, 0.5),
        (0.5, 0.0, 0.5),
        (None, 1.0, None),
        (1.0, None, None),
        (None, None, None),
    ],
)
def test_a_pair_counts_for_a_side_only_if_both_orders_agree(
    shown: float | None, swapped: float | None, points: float | None
) -> None:
    """Otherwise half for each, and not at all without a verdict in both orders."""
    assert verdict(shown, swapped).points == points


@given(shares, shares)
def test_exchanging_the_models_exchanges_the_points(shown: float | None, swapped: float | None) -> None:
    """And twice is once more the same."""
    one = verdict(shown, swapped, lengths=(1, 2))
    other = one.turned()
    assert other.turned() == one
    assert (one.points is None) == (other.points is None)
    assert one.points is None or other.points is None or one.points + other.points == 1.0


def test_a_tally_counts_every_pair_once() -> None:
    """Two wins, a tie, a loss, two split pairs, one of them decided by rule, and one missing."""
    pairs = [(1.0, 1.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (None, 1.0)]
    verdicts = [
        verdict(shown, swapped, str(item), by_rule=item == 2) for item, (shown, swapped) in enumerate(pairs)
    ]
    (tally,) = tally_pairs(verdicts)
    assert (tally.n, tally.wins, tally.ties, tally.losses, tally.split) == (6, 2, 1, 1, 2)
    assert (tally.by_rule, tally.missing) == (1, 1)
    assert tally.win_rate == pytest.approx(3.5 / 6)


def test_nothing_readable_has_no_rate() -> None:
    """None, and not NaN."""
    (tally,) = tally_pairs([verdict(None, None)])
    assert (tally.n, tally.missing, tally.win_rate, tally.win_rate_interval) == (0, 1, None, None)
    (orders,) = judge_orders([verdict(None, None)])
    assert (orders.n, orders.agree_share, orders.longer) == (0, None, None)


def test_a_judge_that_always_takes_the_first_agrees_with_itself_never() -> None:
    """Its wins in both orders are none; the p is that of a fair coin, 2/2^8."""
    (orders,) = judge_orders([verdict(1.0, 0.0, str(item)) for item in range(8)])
    assert (orders.n, orders.agree, orders.kept_first, orders.kept_second) == (8, 0, 8, 0)
    assert orders.p == pytest.approx(2 / 2**8)


def test_length_counts_on_pairs_with_a_winner_and_different_lengths() -> None:
    """Of three, the longer answer wins two; ties, split pairs and pairs by rule do not count."""
    verdicts = [
        verdict(1.0, 1.0, "1", (20, 10)),
        verdict(0.0, 0.0, "2", (10, 20)),
        verdict(1.0, 1.0, "3", (10, 20)),
        verdict(0.5, 0.5, "4", (10, 20)),
        verdict(1.0, 0.0, "5", (10, 20)),
        verdict(1.0, 1.0, "6", (10, 10)),
        verdict(1.0, 1.0, "7", (20, 0), by_rule=True),
    ]
    (orders,) = judge_orders(verdicts)
    assert (orders.decided, orders.longer) == (3, pytest.approx(2 / 3))


def test_each_pair_is_one_comparison_and_each_verdict_another() -> None:
    """By order, the position is 1 and -1, and 0 for pairs by rule, which have no difference in length."""
    verdicts = [
        verdict(1.0, 0.0, "1", (30, 10)),
        verdict(0.5, 0.5, "2", (0, 9), by_rule=True),
        verdict(None, 1.0, "3"),
    ]
    pairs, orders = compare_pairs_of(verdicts), compare_by_order(verdicts)
    assert pairs.points.tolist() == [0.5, 0.5]
    assert pairs.shown is None
    assert orders.points.tolist() == [1.0, 0.0, 0.5, 0.5, 1.0]
    assert orders.shown is not None
    assert orders.shown.tolist() == [1.0, -1.0, 0.0, 0.0, -1.0]
    assert orders.lengths is not None
    assert orders.lengths[2].tolist() == [0.0, 0.0]


def simulated(rng: np.random.Generator, items: int, position: float, length: float) -> list[PairVerdict]:
    """Return verdicts of a judge with known effects on models of known strengths."""
    strengths = {"a": 0.6, "b": 0.0, "c": -0.6}
    verdicts = []
    for item in range(items):
        for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
            sizes = rng.integers(100, 1000, 2)
            relative = (sizes[0] - sizes[1]) / sizes.sum()
            gap = strengths[first] - strengths[second] + length * relative
            one, other = (
                float(rng.random() < 1.0 / (1.0 + np.exp(-(gap + side * position)))) for side in (1, -1)
            )
            lengths = (int(sizes[0]), int(sizes[1]))
            verdicts.append(PairVerdict(str(item), first, second, "j", one, other, lengths))
    return verdicts


@pytest.mark.parametrize("seed", range(3))
def test_planted_effects_are_measured(seed: int) -> None:
    """The position's 0.8 and a positive length lie in their intervals, and a judge without them has none."""
    verdicts = simulated(np.random.default_rng(seed), 400, 0.8, 1.5)
    effects, unknown = measure_effects(verdicts)
    by_kind = {effect.covariate: effect for effect in effects}
    position, length = by_kind[Covariate.POSITION], by_kind[Covariate.LENGTH]
    assert not unknown
    assert position.effect_interval is not None
    assert length.effect_interval is not None
    assert position.effect_interval.low - 0.1 < 0.8 < position.effect_interval.high + 0.1
    assert length.effect_interval.low > 0.2
    fair, _ = measure_effects(simulated(np.random.default_rng(seed + 50), 400, 0.0, 0.0))
    assert all(abs(effect.effect) < 0.25 for effect in fair)


def test_the_rule_favours_nobody_under_a_position_effect() -> None:
    """Both orders together have no position, so ratings by pairs are in the true order."""
    verdicts = simulated(np.random.default_rng(7), 400, 2.0, 0.0)
    ratings = rate_models(compare_pairs_of(verdicts), RatingWish())
    assert [row.model for row in ratings.models] == ["a", "b", "c"]


def test_an_effect_that_alone_decides_is_not_known() -> None:
    """A judge that always takes the first answer has no finite position effect; the length's is known."""
    rng = np.random.default_rng(1)
    verdicts = [
        verdict(1.0, 0.0, str(item), (int(rng.integers(1, 99)), int(rng.integers(1, 99))))
        for item in range(30)
    ]
    effects, unknown = measure_effects(verdicts)
    assert unknown == (Covariate.POSITION,)
    assert [effect.covariate for effect in effects] == [Covariate.LENGTH]
