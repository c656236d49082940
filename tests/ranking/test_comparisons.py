"""Comparisons from scores, and the covariates of comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.comparisons import PairedComparisons, compare_scores
from assay.results.rank_comparisons import Covariate


def judged(**changes: object) -> PairedComparisons:
    """Return four comparisons of two models by two judges."""
    parts = {
        "models": ("a", "b"),
        "items": ("p", "q"),
        "judges": ("j", "k"),
        "first": np.array([0, 0, 1, 1]),
        "second": np.array([1, 1, 0, 0]),
        "item": np.array([0, 0, 1, 1]),
        "judge": np.array([0, 1, 0, 1]),
        "points": np.array([1.0, 0.0, 0.5, 1.0]),
        "shown": np.array([1.0, -1.0, 1.0, 1.0]),
        "lengths": np.array([[30.0, 10.0], [10.0, 10.0], [0.0, 0.0], [10.0, 30.0]]),
    }
    return PairedComparisons(**{**parts, **changes})  # type: ignore[arg-type]


def test_the_higher_score_wins_and_equal_scores_tie() -> None:
    """Each pair meets on the items that both have; rounding noise is a tie."""
    compared = compare_scores(table([[1.0, 0.1 + 0.2, NAN], [0.0, 0.3, 0.5], [NAN, 1.0, 0.5]]))
    names = [
        (compared.models[one] + compared.models[other], compared.items[item], point)
        for one, other, item, point in zip(
            compared.first, compared.second, compared.item, compared.points, strict=True
        )
    ]
    assert names == [
        ("ab", "0", 1.0),
        ("ab", "1", 0.5),
        ("ac", "1", 0.0),
        ("bc", "1", 0.0),
        ("bc", "2", 0.5),
    ]


def test_models_without_a_common_item_cannot_be_compared() -> None:
    """The message says what is needed."""
    with pytest.raises(InvalidInput, match="0 comparisons: a ranking needs two models on a common item"):
        compare_scores(table([[1.0, NAN], [NAN, 1.0]]))


def test_the_length_is_relative_and_standardised() -> None:
    """(30 - 10)/40 = 1/2, 0, 0 and -1/2, over their root mean square."""
    (column,) = judged().covariates(frozenset({Covariate.LENGTH}))
    size = np.sqrt(0.125)
    assert column.values.tolist() == pytest.approx([0.5 / size, 0.0, 0.0, -0.5 / size])
    assert column.unit == "longer by 0.35 of both lengths together"


def test_each_judge_has_its_own_effect() -> None:
    """With the covariate judge a column belongs to one judge, and is 0 for the others."""
    columns = judged().covariates(frozenset({Covariate.POSITION, Covariate.JUDGE}))
    assert [(column.judge, column.values.tolist()) for column in columns] == [
        ("j", [1.0, 0.0, 1.0, 0.0]),
        ("k", [0.0, -1.0, 0.0, 1.0]),
    ]


@pytest.mark.parametrize(
    ("changes", "wanted", "message"),
    [
        ({}, {Covariate.JUDGE}, "add one of them by --covariate"),
        ({"shown": None}, {Covariate.POSITION}, "4 of 4 comparisons have no order: fill in a column 'order'"),
        (
            {"lengths": np.array([[1.0, NAN], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])},
            {Covariate.LENGTH},
            "1 of 4 comparisons have no lengths",
        ),
        (
            {"judges": (), "judge": np.full(4, -1)},
            {Covariate.POSITION, Covariate.JUDGE},
            "4 of 4 comparisons have no judge",
        ),
    ],
)
def test_covariates_that_are_unknown_are_refused(
    changes: dict[str, object], wanted: set[Covariate], message: str
) -> None:
    """The message says how many comparisons lack it, and what to add."""
    with pytest.raises(InvalidInput, match=message):
        judged(**changes).covariates(frozenset(wanted))
