"""The score of a sitting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ranking.exam.scores import Counted, score

SUBJECTS = tuple(f"subject {number}" for number in range(10))
PUBLISHED = {
    "DeepSeek-R1": (91.23, (9.47, 9.43, 9.27, 9.37, 8.83, 9.37, 9.03, 9.53, 8.50, 8.43)),
    "Qwen-3-32B": (86.38, (8.43, 9.10, 8.57, 9.10, 7.77, 9.47, 8.67, 9.30, 7.70, 8.27)),
    "Doubao-1.5-Thinking-Pro": (93.67, (9.47, 9.67, 9.43, 9.77, 8.93, 9.53, 9.23, 9.70, 8.97, 8.97)),
    "o3-mini": (78.80, (7.97, 8.60, 8.30, 8.20, 6.73, 8.57, 8.53, 7.17, 7.03, 7.70)),
}
"""Rows of seed 003, table 7."""


def sat(marks: dict[str, list[int]]) -> list[Counted]:
    """Return the questions of a sitting from the stars of each subject."""
    return [Counted(0, code, stars) for code, given in marks.items() for stars in given]


def test_equation_1_by_hand() -> None:
    """Stars 3, 2 in law and 0, 1 in history: 6 of 12 stars are 50; on ten, law has 8.33 and history 1.67."""
    found = score(sat({"law": [3, 2], "history": [0, 1]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, found.plain, found.n) == (pytest.approx(50.0), pytest.approx(50.0), 4)
    assert [round(one.score or 0.0, 2) for one in found.subjects] == [8.33, 1.67]


@pytest.mark.parametrize("model", PUBLISHED)
def test_s_is_the_mean_of_ten_equal_subjects(model: str) -> None:
    """Stars that give table 7's subject scores, 100 questions each, give its S."""
    published, subjects = PUBLISHED[model]
    marks: dict[str, list[int]] = {}
    for code, on_ten in zip(SUBJECTS, subjects, strict=True):
        stars = round(on_ten * 30)
        marks[code] = [3] * (stars // 3) + ([stars % 3] if stars % 3 else [])
        marks[code] += [0] * (100 - len(marks[code]))
    found = score(sat(marks), dict.fromkeys(SUBJECTS, 100))
    assert found is not None
    assert found.value == pytest.approx(published, abs=0.02)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=10, max_size=10))
def test_mean_of_subjects_and_equation_1_coincide_without_exclusions(given: list[list[int]]) -> None:
    """With as many questions in each subject they are one number, within its interval."""
    found = score(sat(dict(zip(SUBJECTS, given, strict=True))), dict.fromkeys(SUBJECTS, 4))
    assert found is not None
    assert found.value == pytest.approx(found.plain)
    assert found.interval.low - 1e-9 <= found.value <= found.interval.high + 1e-9


def test_an_exclusion_leaves_the_denominator_and_no_subject_its_share() -> None:
    """Law keeps half of S with one question left: (100 + 0)/2; equation 1 over three questions is 33.3."""
    found = score(sat({"law": [3], "history": [0, 0]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, round(found.plain, 1), found.n) == (50.0, 33.3, 3)


def test_a_subject_without_questions_left_gives_its_share_to_the_others() -> None:
    """It is named, and has no score."""
    found = score(sat({"history": [3, 0]}), {"law": 2, "history": 2})
    assert found is not None
    assert (found.value, found.empty) == (50.0, ("law",))
    assert {one.code: one.score for one in found.subjects} == {"law": None, "history": 5.0}


def test_nothing_counts_nothing() -> None:
    """Where every question is excluded there is no score."""
    assert score([], {"law": 2}) is None


def test_a_perfect_sitting_is_not_sure_to_be_perfect() -> None:
    """30 answers of 3 stars give Clopper and Pearson's interval of 30 of 30: 88.43 to 100."""
    found = score(sat({code: [3, 3, 3] for code in SUBJECTS}), dict.fromkeys(SUBJECTS, 3))
    assert found is not None
    assert (round(found.interval.low, 2), found.interval.high) == (88.43, 100.0)


def test_the_standard_error_by_hand() -> None:
    """Two subjects with marks 1, 0 and 1, 1: variances 1/2 and 0, so the error is sqrt(1/4 * 1/4) = 25."""
    found = score(sat({"law": [3, 0], "history": [3, 3]}), {"law": 2, "history": 2})
    assert found is not None
    assert found.error == pytest.approx(25.0)


@pytest.mark.parametrize(("n", "level"), [(3, 0.45), (10, 0.9)])
def test_the_interval_holds_the_truth(n: int, level: float) -> None:
    """Of 300 simulated sittings whose subjects differ, at least 93 % of the intervals hold the true S."""
    rng = np.random.default_rng(7)
    right = np.clip(level + np.linspace(-0.08, 0.08, 10), 0.0, 1.0)
    chances = [np.array([0.6 * (1 - p), 0.4 * (1 - p), 0.3 * p, 0.7 * p]) for p in right]
    truth = 100 * float(np.mean([each @ np.arange(4) / 3 for each in chances]))
    hits = 0
    for _ in range(300):
        drawn = {
            code: [int(x) for x in rng.choice(4, n, p=each)]
            for code, each in zip(SUBJECTS, chances, strict=True)
        }
        found = score(sat(drawn), dict.fromkeys(SUBJECTS, n))
        assert found is not None
        hits += found.interval.low <= truth <= found.interval.high
    assert hits >= 279


def test_under_another_allocation_a_subject_has_its_share_of_the_draw() -> None:
    """Three questions of law and one of history: S is equation 1, not the mean of the two subjects."""
    found = score(sat({"law": [3, 3, 3], "history": [0]}), {"law": 3, "history": 1})
    assert found is not None
    assert found.value == pytest.approx(75.0)
    assert found.plain == pytest.approx(75.0)
