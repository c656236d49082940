"""Suites and cases."""

from __future__ import annotations

import pytest
from small_suite import make_suite

from assay.core.case import Grading
from assay.core.suite import Bounds, Thresholds


def test_cases_stand_in_the_order_of_the_manifest() -> None:
    """A case's place in it is its ordinal, which plans and samples count by."""
    suite = make_suite(use_cases=3, cases=2)
    assert [case.id for case in suite.cases] == [
        f"case-{number}-{index}" for number in range(3) for index in range(2)
    ]


def test_a_use_case_is_found_by_name() -> None:
    """An unknown one is a KeyError."""
    suite = make_suite()
    assert suite.use_case("use-1").title == "Use case 1"
    with pytest.raises(KeyError):
        suite.use_case("use-9")


@pytest.mark.parametrize(
    ("grading", "judged"), [(Grading.DETERMINISTIC, False), (Grading.HYBRID, True), (Grading.JUDGE, True)]
)
def test_hybrid_counts_as_judged(grading: Grading, judged: bool) -> None:
    """It selects the floor and the bounds of the watch."""
    thresholds = Thresholds()
    assert grading.judged is judged
    assert thresholds.bounds(grading) is (thresholds.judged if judged else thresholds.deterministic)


def test_the_defaults_are_the_seed_s() -> None:
    """z -2 and -3, drops of 10, 20 and 35 %, floor 2; judged -2.5, -3.5, 15, 25 and 40 %, floor 4."""
    thresholds = Thresholds()
    assert thresholds.deterministic == Bounds(-2.0, 0.10, -3.0, 0.20, 0.35, 2.0)
    assert thresholds.judged == Bounds(-2.5, 0.15, -3.5, 0.25, 0.40, 4.0)
    assert (thresholds.window_days, thresholds.least_days, thresholds.sustained_days) == (14, 5, 2)
    assert (thresholds.gap_share, thresholds.judge_shift) == (0.20, 0.3)
    assert (thresholds.cooked_use_cases, thresholds.suspicious_beside_cooked) == (2, 2)
