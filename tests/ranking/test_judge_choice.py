"""Choosing a judge: by hand, the recommendation in each case, rounds, and table 10 of the seed."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from referenced import noisy, referenced

from assay.core.errors import InvalidInput
from assay.ranking.judge_choice import ComparedJudges, compare_with_reference, recommend
from assay.ranking.reference_marks import ReferenceMarks

NAN = float("nan")
TABLE_10 = Path(__file__).parents[1] / "support" / "llmeval3" / "table10.csv"
MEANS = {
    ("Doubao", "1"): 0.493,
    ("Gemini", "1"): 0.495,
    ("GPT-4o", "1"): 0.902,
    ("Doubao", "2"): 0.447,
    ("Gemini", "2"): 0.401,
    ("GPT-4o", "2"): 0.893,
}


def compared(marks: ReferenceMarks) -> ComparedJudges:
    """Compare with a fixed seed."""
    return compare_with_reference(marks, np.random.default_rng(1))


def two_judges(n: int, good: float, cheap: float, costs: tuple[float | None, float | None]) -> ComparedJudges:
    """Return a good and a cheap judge that are right in these shares of n answers."""
    rng = np.random.default_rng(6)
    human = rng.integers(0, 2, n).astype(float)
    judges = {"good": noisy(rng, human, good), "cheap": noisy(rng, human, cheap)}
    return compared(referenced(judges, human, costs=dict(zip(judges, costs, strict=True))))


def test_kappa_by_hand() -> None:
    """Agreement 3/4 with shares of one half each: kappa is (3/4 - 1/2)/(1/2) = 1/2."""
    found = compared(referenced({"j": [1, 1, 0, 1]}, [1, 1, 0, 0]))
    (row,) = found.judges
    assert row.agreement is not None and row.kappa is not None
    assert (row.n, row.agreement.value, row.kappa.value) == (4, 0.75, pytest.approx(0.5))
    assert (found.measure, row.quadratic, row.correlation) == ("kappa", None, None)


def test_ordered_marks_are_compared_by_quadratic_kappa() -> None:
    """With four kinds of marks all three kappas and a correlation are there."""
    human = [0.0, 1.0, 2.0, 3.0] * 10
    found = compared(referenced({"j": [*human[1:], 0.0]}, human, categories=(0.0, 1.0, 2.0, 3.0)))
    assert found.measure == "quadratic"
    assert found.judges[0].linear is not None
    assert found.judges[0].correlation is not None


def test_a_cheaper_judge_as_good_is_recommended() -> None:
    """With 4,000 answers the loss is shown to be below the margin."""
    judge, reason = recommend(two_judges(4000, 0.9, 0.9, (0.01, 0.001)), 0.05)
    assert (judge, "not significantly worse" in reason) == ("cheap", True)


def test_a_cheaper_judge_that_is_worse_is_not() -> None:
    """The best judge is then recommended."""
    judge, reason = recommend(two_judges(2000, 0.95, 0.7, (0.01, 0.001)), 0.05)
    assert (judge, reason) == ("good", "all other judges are significantly worse (by kappa)")


@pytest.mark.parametrize(
    ("n", "costs", "reason"),
    [
        (300, (0.01, 0.001), "its loss of kappa may be up to"),
        (300, (None, 0.001), "the costs that would decide are unknown"),
        (20, (0.01, 0.001), "only 20 answers with marks"),
    ],
)
def test_where_the_data_cannot_tell_no_judge_is_recommended(
    n: int, costs: tuple[float | None, float | None], reason: str
) -> None:
    """Too few answers, or unknown costs; the reason says what would help."""
    judge, text = recommend(two_judges(n, 0.9, 0.86, costs), 0.05)
    assert judge is None
    assert reason in text


def test_one_judge_and_chance_are_named() -> None:
    """There is nothing to choose, or nothing worth choosing."""
    rng = np.random.default_rng(0)
    human = rng.integers(0, 2, 100).astype(float)
    assert "the only judge" in recommend(compared(referenced({"j": noisy(rng, human, 0.9)}, human)), 0.05)[1]
    chance = recommend(compared(referenced({"j": noisy(rng, human, 0.5)}, human)), 0.05)
    assert (chance[0], "by chance alone" in chance[1]) == (None, True)


def test_rounds_and_models_have_their_own_figures() -> None:
    """Two rounds on fresh items; a round without reference marks is named and left out."""
    human = [1, 0, 1, 0, 1, 0, NAN, NAN]
    marks = referenced({"j": [1, 0, 1, 0, 0, 1, 1, 1]}, human, models="aabbaabb", rounds="11112233")
    found = compared(marks)
    assert [(row.round, row.n, row.kappa and row.kappa.value) for row in found.rounds] == [
        ("1", 4, 1.0),
        ("2", 2, -1.0),
    ]
    assert [(row.model, row.n) for row in found.models] == [("a", 4), ("b", 2)]
    assert found.remarks == ("round '3' has no marks of the reference: it is left out",)


def test_constant_marks_are_named() -> None:
    """A constant judge is remarked on, a constant reference refused."""
    found = compared(referenced({"j": [1, 1, 1, 1]}, [1, 0, 1, 0]))
    assert found.remarks == ("j gave every answer the same mark: its kappa is 0 or undefined",)
    with pytest.raises(InvalidInput, match="the reference gave all 4 answers the mark '1'"):
        compared(referenced({"j": [1, 0, 1, 0]}, [1, 1, 1, 1]))
    with pytest.raises(InvalidInput, match="no answer was marked by both"):
        compared(referenced({"j": [1, NAN]}, [NAN, 1]))


def test_table_10_has_its_column_means() -> None:
    """The 78 kappas of the seed's table 10: all six means are within 0.001, without exceptions."""
    with TABLE_10.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 78
    for (judge, number), mean in MEANS.items():
        kappas = [float(row["kappa"]) for row in rows if (row["judge"], row["round"]) == (judge, number)]
        assert len(kappas) == 13
        assert fmean(kappas) == pytest.approx(mean, abs=0.001)


def test_figure_4_is_not_a_mean_of_table_10() -> None:
    """The seed contradicts itself: its caption says 0.907 for GPT-4o, its table 0.901 and 0.893."""
    with TABLE_10.open() as file:
        kappas = [float(row["kappa"]) for row in csv.DictReader(file) if row["judge"] == "GPT-4o"]
    assert fmean(kappas) == pytest.approx(0.897, abs=0.001)
