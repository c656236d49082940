"""Ratings: by hand, adjusted, with rank ranges; and the models that can have none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from assay.core.errors import InvalidInput
from assay.ranking.comparison_ratings import RatingWish, rate_models
from assay.ranking.comparisons import PairedComparisons
from assay.results.rank_comparisons import Covariate, RatingScale, TieRule

ELO = RatingScale.ELO


def compared(results: list[tuple[str, str, float]], items: list[int] | None = None) -> PairedComparisons:
    """Return comparisons from (first, second, points), each on an item of its own."""
    names = sorted({name for first, second, _ in results for name in (first, second)})
    item = np.array(range(len(results)) if items is None else items)
    return PairedComparisons(
        tuple(names),
        tuple(str(number) for number in range(item.max() + 1)),
        (),
        np.array([names.index(first) for first, _, _ in results]),
        np.array([names.index(second) for _, second, _ in results]),
        item,
        np.full(len(results), -1),
        np.array([point for *_, point in results]),
    )


def shown(n: int, seed: int, bias: float) -> PairedComparisons:
    """Return n comparisons of four models, in random order, with a bias towards the first position."""
    rng = np.random.default_rng(seed)
    strengths = np.array([0.9, 0.3, -0.3, -0.9])
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    order = rng.choice([1.0, -1.0], n)
    points = rng.random(n) < expit(strengths[first] - strengths[second] + bias * order)
    return PairedComparisons(
        ("a", "b", "c", "d"),
        tuple(map(str, range(n))),
        ("j",),
        first,
        second,
        np.arange(n),
        np.zeros(n, dtype=np.int64),
        points.astype(np.float64),
        order,
    )


CIRCLE = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
DAVIDSON = RatingWish(ties=TieRule.DAVIDSON)
THREE_TO_ONE = [("a", "b", 1.0)] * 3 + [("a", "b", 0.0)]


def test_three_wins_to_one_by_hand() -> None:
    """Elo 1095 and 905; strengths are half of log 3 from the mean, or log 3 from a baseline."""
    best, worst = rate_models(compared(THREE_TO_ONE), RatingWish(scale=ELO)).models
    assert (best.rating, worst.rating) == pytest.approx((1095.42, 904.58), abs=0.01)
    assert (best.wins, best.ties, best.losses, best.n, best.win_rate) == (3, 0, 1, 4, 0.75)
    (_, base) = rate_models(compared(THREE_TO_ONE), RatingWish(baseline="b")).models
    (best, _) = rate_models(compared(THREE_TO_ONE), RatingWish(baseline="b")).models
    assert (best.rating, base.rating, base.rating_interval) == (pytest.approx(np.log(3.0)), 0.0, None)


def test_equal_models_share_a_rank() -> None:
    """And neither is significantly better."""
    rated = rate_models(compared([("a", "b", 1.0), ("b", "a", 1.0)] * 20), RatingWish()).models
    assert [(row.rank, str(row.ranks)) for row in rated] == [(1, "1-2"), (1, "1-2")]


def test_repeating_one_item_adds_no_certainty() -> None:
    """Comparisons of one item count together, so copies of each leave the interval as wide."""
    once = rate_models(compared(THREE_TO_ONE * 10), RatingWish()).models[0].rating_interval
    copied = rate_models(compared(THREE_TO_ONE * 30, [*range(40)] * 3), RatingWish()).models[0]
    assert once is not None
    assert copied.rating_interval is not None
    assert copied.rating_interval.high == pytest.approx(once.high, rel=0.02)


def test_the_position_effect_is_measured_and_removed() -> None:
    """A bias of 0.8 in log odds; being shown first against an equal wins 69 %."""
    ratings = rate_models(shown(6000, 1, 0.8), RatingWish(covariates=frozenset({Covariate.POSITION})))
    (effect,) = ratings.effects
    assert effect.effect == pytest.approx(0.8, abs=0.08)
    assert effect.effect_interval is not None
    assert effect.effect_interval.low < 0.8 < effect.effect_interval.high
    assert effect.chance == pytest.approx(0.69, abs=0.02)
    assert [row.model for row in ratings.models] == ["a", "b", "c", "d"]
    assert [row.rating for row in ratings.models] == pytest.approx([0.9, 0.3, -0.3, -0.9], abs=0.12)


def test_models_that_won_or_lost_everything_are_reported() -> None:
    """They are not ranked, and the reason and the advice say what is missing; others keep their ratings."""
    results = [*THREE_TO_ONE, ("top", "a", 1.0), ("top", "b", 1.0), ("b", "low", 1.0)]
    ratings = rate_models(compared(results), RatingWish())
    assert [row.model for row in ratings.models] == ["a", "b"]
    reasons = {row.model: row.reason for row in ratings.unrated}
    assert reasons["top"] == "it won all 2 comparisons, so its rating has no upper limit"
    assert reasons["low"] == "it lost all 1 comparison, so its rating has no lower limit"
    assert ratings.models[0].n == 4


def test_groups_that_never_met_are_reported() -> None:
    """The larger group is ranked."""
    results = [
        *THREE_TO_ONE,
        ("a", "c", 1.0),
        ("c", "b", 1.0),
        ("b", "a", 1.0),
        ("x", "y", 1.0),
        ("y", "x", 1.0),
    ]
    ratings = rate_models(compared(results), RatingWish())
    assert {row.model for row in ratings.models} == {"a", "b", "c"}
    assert {row.reason for row in ratings.unrated} == {
        "no chain of comparisons links it with the ranked models"
    }


def test_groups_linked_one_way_are_reported() -> None:
    """x and y beat each other and the ranked models, but were never beaten by them."""
    results = [
        ("a", "b", 1.0),
        ("b", "c", 1.0),
        ("c", "a", 1.0),
        ("x", "y", 1.0),
        ("y", "x", 1.0),
        ("x", "a", 1.0),
    ]
    (unrated, _) = rate_models(compared(results), RatingWish()).unrated
    assert unrated.reason == "no ranked model has beaten it, directly or by a chain of wins"


@pytest.mark.parametrize(
    ("results", "wish", "message"),
    [
        ([("a", "b", 1.0)] * 3, RatingWish(), "no two models have each beaten the other.*'a': it won all 3"),
        (THREE_TO_ONE, RatingWish(baseline="z"), "unknown baseline 'z': give one of a, b"),
        (
            [*THREE_TO_ONE, ("z", "a", 1.0)],
            RatingWish(baseline="z"),
            "baseline 'z' has no rating: it won all 1 comparison",
        ),
        (
            [("a", "b", 0.7), ("a", "b", 0.2)],
            RatingWish(ties=TieRule.DAVIDSON),
            "not shares of a win: use half",
        ),
        (
            [("a", "b", 0.5), ("a", "b", 1.0)],
            RatingWish(ties=TieRule.DAVIDSON),
            "too few comparisons are decided",
        ),
    ],
)
def test_what_cannot_be_rated_is_one_message(
    results: list[tuple[str, str, float]], wish: RatingWish, message: str
) -> None:
    """What is wrong, the names, and what to do."""
    with pytest.raises(InvalidInput, match=message):
        rate_models(compared(results), wish)


def test_a_position_that_never_changes_is_refused() -> None:
    """The first model of every comparison is the same, so its position explains its strength."""
    comparisons = compared(THREE_TO_ONE)
    fixed = PairedComparisons(
        comparisons.models,
        comparisons.items,
        (),
        comparisons.first,
        comparisons.second,
        comparisons.item,
        comparisons.judge,
        comparisons.points,
        np.ones(4),
    )
    with pytest.raises(InvalidInput, match="effect of 'position' cannot be told from the models' strengths"):
        rate_models(fixed, RatingWish(covariates=frozenset({Covariate.POSITION})))


def test_few_items_give_no_intervals() -> None:
    """Nine items are too few, and ten comparisons of one item are one; the reason is said."""
    for comparisons in (
        compared(THREE_TO_ONE * 3, [*range(9), 0, 1, 2]),
        compared(THREE_TO_ONE * 3, [0] * 12),
    ):
        ratings = rate_models(comparisons, RatingWish())
        assert ratings.remarks == ("no interval for models on fewer than 10 items: a, b",)
        assert [(row.rating_interval, row.ranks) for row in ratings.models] == [(None, None)] * 2


def test_comparisons_that_do_not_vary_give_no_intervals() -> None:
    """Twenty ties say nothing about how sure a difference of 0 is."""
    ratings = rate_models(compared([("a", "b", 0.5)] * 20), RatingWish())
    assert [(row.rating, row.rating_interval, row.ranks) for row in ratings.models] == [(0.0, None, None)] * 2


def test_a_rarely_compared_model_claims_no_rank() -> None:
    """One tie with the best model does not make c significantly better than the last."""
    results = [*[("a", "b", 1.0)] * 90, *[("a", "b", 0.0)] * 10, ("a", "c", 0.5)]
    ranks = {row.model: str(row.ranks) for row in rate_models(compared(results), RatingWish()).models}
    assert ranks == {"a": "1-2", "b": "2-3", "c": "1-3"}


def test_davidson_without_ties_is_bradley_terry() -> None:
    """It is fitted as such, and says so."""
    ratings = rate_models(compared(THREE_TO_ONE), DAVIDSON)
    assert (ratings.tie_rule, ratings.tie_parameter) == (TieRule.HALF, None)
    assert ratings.remarks[0] == "no comparison is a tie: Davidson's model is Bradley and Terry's"


def test_elo_in_turn_has_the_same_baseline() -> None:
    """The baseline has 1000 in every order."""
    wish = RatingWish(scale=ELO, baseline="b")
    ratings = rate_models(shown(300, 2, 0.0), wish, np.random.default_rng(1))
    (base,) = [row for row in ratings.models if row.model == "b"]
    assert base.sequential is not None
    assert (base.sequential.value, base.sequential.spread) == pytest.approx((1000.0, 0.0))


def test_elo_in_turn_stands_beside_the_elo_of_all() -> None:
    """Only with a generator, and with its spread over orders."""
    ratings = rate_models(shown(300, 2, 0.0), RatingWish(scale=ELO), np.random.default_rng(1))
    assert all(row.sequential is not None and row.sequential.spread > 0.0 for row in ratings.models)
    assert rate_models(shown(300, 2, 0.0), RatingWish()).models[0].sequential is None


@pytest.mark.slow
@pytest.mark.parametrize(("n", "strengths"), [(120, 0.0), (400, 0.5), (200, 1.0)])
def test_rank_ranges_hold_the_true_ranks(n: int, strengths: float) -> None:
    """At least 95 % of simulated tables have all true ranks within the ranges; the last world is new."""
    held = 0
    true = strengths * np.array([1.5, 0.5, -0.5, -1.5])
    for seed in range(300):
        rng = np.random.default_rng(seed)
        first = rng.integers(0, 4, n)
        second = (first + rng.integers(1, 4, n)) % 4
        points = (rng.random(n) < expit(true[first] - true[second])).astype(np.float64)
        pairs = zip("abcd", true, strict=True)
        given = [("abcd"[a], "abcd"[b], p) for a, b, p in zip(first, second, points, strict=True)]
        ratings = rate_models(compared(given), RatingWish())
        best = {name: 1 + int((true > value).sum()) for name, value in pairs}
        worst = {name: int((true >= value).sum()) for name, value in zip("abcd", true, strict=True)}
        held += all(
            row.ranks is not None and row.ranks.low <= worst[row.model] and row.ranks.high >= best[row.model]
            for row in ratings.models
        )
    assert held / 300 >= 0.95
