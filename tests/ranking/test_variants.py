"""Variants compared on common questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.ranking.variants import VariantScores, compare_promptings, compare_variants, paired_test

NAN = float("nan")


def arm(name: str, scores: list[list[float]], models: str = "m", strata: str = "") -> VariantScores:
    """Return the scores of models on items q0, q1, ..."""
    items = tuple(f"q{place}" for place in range(len(scores[0])))
    return VariantScores(
        name, tuple(models), items, np.array(scores, dtype=np.float64), tuple(strata or "a" * len(items))
    )


def test_the_difference_by_hand() -> None:
    """On the four common questions the base has 50 and the variant 75; law has 2 and 2 of 2."""
    base = arm("base", [[1, 0, 1, 0, NAN]], strata="llmmm")
    other = arm("search", [[1, 1, 1, 0, 1]], strata="llmmm")
    whole, law, medicine = compare_variants(base, [other])
    assert (whole.group, whole.n, whole.base_score, whole.score, whole.difference) == ("all", 4, 50, 75, 25)
    assert (law.group, law.n, law.difference) == ("l", 2, 50)
    assert (medicine.n, medicine.difference) == (2, 0)
    assert whole.p == 1.0
    assert whole.interval is not None
    assert whole.interval.low < 25 < whole.interval.high


def test_models_of_other_names_are_compared_only_alone() -> None:
    """One against one is a pair; two models need names in common."""
    assert compare_variants(arm("a", [[1, 0]]), [arm("b", [[1, 1]], "x")])[0].model == "x"
    with pytest.raises(InvalidInput, match=r"no model in common.*@x"):
        compare_variants(arm("a", [[1, 0], [0, 1]], "mn"), [arm("b", [[1, 1]], "x")])


def test_without_common_questions_there_is_a_reason() -> None:
    """Nothing is computed from other questions, and one question gives no test."""
    row = compare_variants(arm("a", [[1, NAN]]), [arm("b", [[NAN, 1]])])[0]
    assert (row.difference, row.reason) == (None, "no question in common")
    row = compare_variants(arm("a", [[1, NAN]]), [arm("b", [[0, 1]])])[0]
    assert (row.difference, row.p, row.n) == (-100.0, None, 1)
    assert row.reason is not None


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 1 / 3, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=2,
        max_size=12,
    )
)
def test_a_test_is_symmetric_and_finite(pairs: list[tuple[float, float]]) -> None:
    """Exchanging the columns changes the sign alone; p is never below that of the sign test."""
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    kinds = ["a"] * len(first)
    forth, back = paired_test(first, second, kinds), paired_test(second, first, kinds)
    assert forth.difference == pytest.approx(-back.difference)
    assert forth.p == pytest.approx(back.p)
    assert np.isfinite([forth.error, forth.interval.low, forth.interval.high]).all()
    assert forth.p >= min(1.0, 2.0 ** (1 - int((np.abs(second - first) > 1e-12).sum())))


def test_promptings_have_mean_variance_and_the_variance_of_chance() -> None:
    """By hand: 50, 100 and 75 have mean 75 and population variance 1250/3."""
    arms = [arm("zs", [[1, 0, 1, 0]]), arm("fs", [[1, 1, 1, 1]]), arm("cot", [[1, 1, 1, 0]])]
    (model,), tests = compare_promptings(arms)
    assert (model.mean, model.n) == (75.0, 4)
    assert model.variance == pytest.approx(1250 / 3)
    assert model.chance is not None
    assert [(row.base, row.variant, row.difference) for row in tests] == [
        ("zs", "fs", 50.0),
        ("zs", "cot", 25.0),
        ("fs", "cot", -25.0),
    ]


def test_a_missing_prompting_leaves_mean_and_variance_out() -> None:
    """A model without one prompting has its other scores."""
    models, _ = compare_promptings([arm("zs", [[1, 0], [0, 0]], "ab"), arm("fs", [[1, 1]], "a")])
    assert [(row.model, row.mean, row.scores) for row in models] == [
        ("a", 75.0, {"zs": 50.0, "fs": 100.0}),
        ("b", None, {"zs": 0.0, "fs": None}),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "kept"), [(40, 0.5), (200, 0.8), (400, 0.9)])
def test_equal_variants_are_rarely_different_and_intervals_cover(n: int, kept: float) -> None:
    """At most 7 % of 200 are false, 92 % or more of the intervals hold 0, the variance of chance is right."""
    rng = np.random.default_rng(n)

    def columns() -> list[list[float]]:
        hard = rng.beta(2, 1, n)
        return [
            np.where(rng.random(n) < kept, hard > 0.5, rng.random(n) < hard).astype(float).tolist()
            for _ in range(3)
        ]

    false = covered = 0
    chance = []
    runs = 200
    for _ in range(runs):
        arms = [arm(name, [scores]) for name, scores in zip("abc", columns(), strict=True)]
        (model,), tests = compare_promptings(arms)
        assert tests[0].p is not None
        assert tests[0].interval is not None
        false += tests[0].p <= 0.05
        covered += tests[0].interval.low <= 0.0 <= tests[0].interval.high
        chance.append(model.chance)
    observed = [np.var([100 * np.mean(scores) for scores in columns()]) for _ in range(1500)]
    assert false / runs <= 0.07
    assert covered / runs >= 0.92
    assert np.mean(chance) == pytest.approx(np.mean(observed), rel=0.15)
