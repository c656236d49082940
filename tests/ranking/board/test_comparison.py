"""Two runs compared case by case."""

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.ranking.board.comparison import RunFlip, compare_runs

NAN = float("nan")


def _names(count: int) -> list[str]:
    return [f"c{place:02}" for place in range(count)]


def test_by_hand() -> None:
    """Of ten cases five fall and none rises: -0.5, sign flips and McNemar both 2/32."""
    found = compare_runs(_names(10), [1.0] * 10, [0.0] * 5 + [1.0] * 5)
    assert (found.difference, found.p, found.mcnemar) == (-0.5, 2 / 32, 2 / 32)
    assert [flip.case for flip in found.fell] == ["c00", "c01", "c02", "c03", "c04"]


def test_any_change_of_a_binary_case_is_a_flip() -> None:
    """One falls, one rises."""
    found = compare_runs(["a", "b", "c"], [1, 0, 1], [0, 1, 1])
    assert (found.fell, found.rose, found.binary) == ((RunFlip("a", 1, 0),), (RunFlip("b", 0, 1),), True)


def test_a_graded_case_flips_at_the_threshold() -> None:
    """0.6 to 0.4 crosses a half and 0.9 to 0.6 does not; at the threshold a case passes."""
    found = compare_runs(["a", "b", "c"], [0.6, 0.9, 0.4], [0.4, 0.6, 0.5])
    assert ([flip.case for flip in found.fell], [flip.case for flip in found.rose]) == (["a"], ["c"])
    assert found.binary is False


def test_cases_of_one_run_are_named_and_left_out() -> None:
    """The difference is over the common case only."""
    found = compare_runs(["a", "b", "c"], [1.0, 1.0, NAN], [0.5, NAN, 0.0])
    assert (found.cases, found.only_a, found.only_b, found.difference) == (1, ("b",), ("c",), -0.5)


def test_no_common_case_shows_nothing() -> None:
    """No mean, no interval, p 1."""
    found = compare_runs(["a"], [NAN], [1.0])
    assert (found.mean_a, found.difference, found.interval, found.p, found.mcnemar) == (
        None,
        None,
        None,
        1.0,
        1.0,
    )


def test_swapping_the_runs_mirrors_everything() -> None:
    """Difference and interval change sign, p stays."""
    rng = np.random.default_rng(1)
    a, b = rng.random(20).round(2), rng.random(20).round(2)
    one, other = compare_runs(_names(20), a, b), compare_runs(_names(20), b, a)
    assert one.interval is not None
    assert other.interval is not None
    assert (one.interval.low, one.p) == pytest.approx((-other.interval.high, other.p))


@pytest.mark.parametrize("chance", [0.3, 0.9])
def test_the_interval_covers_and_the_test_keeps_its_level(chance: float) -> None:
    """Two runs of one model, 40 cases, 300 times: p <= 0.05 at most 7 %, intervals miss 0 at most 5 %."""
    rng = np.random.default_rng(2)
    low_p = missed = 0
    for _ in range(300):
        a, b = (rng.random((2, 40)) < chance).astype(float)
        found = compare_runs(_names(40), a, b)
        low_p += found.p <= 0.05
        missed += found.interval is not None and not found.interval.low <= 0.0 <= found.interval.high
    assert low_p <= 21
    assert missed <= 15


@pytest.mark.parametrize(
    ("before", "says"),
    [([2.0], "score 2.0"), ([0.5, 0.5], "1 cases, but 2 and 1 scores")],
    ids=["range", "length"],
)
def test_refuses(before: list[float], says: str) -> None:
    """Scores outside 0-1 and lists of different lengths are refused."""
    with pytest.raises(InvalidInput, match=says):
        compare_runs(["a"], before, [0.5])
