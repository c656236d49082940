"""The panel-adjusted composite: by hand, and its interval in worlds with known truth."""

from collections.abc import Callable

import numpy as np
import pytest
from boards import measured

from assay.ranking.board import Board, board
from assay.ranking.measured import Measured

JUDGES = np.array([0.4, 0.1, 0.0, -0.5])


def _board(given: Measured) -> Board:
    return board(given, np.random.default_rng(1), replicates=200)


def test_by_hand() -> None:
    """j1 is one below j0; b has 4s from j0 alone, so a full panel would give 3.5: (3.5 - 1)/4."""
    found = _board(measured([[[5, 4], [3, 2]], [[4, np.nan], [4, np.nan]]]))
    one = next(each for each in found.standings if each.model == "b")
    assert one.score.composite == 0.75
    assert one.adjusted.composite == pytest.approx(0.625)
    assert one.adjusted.missing == 2
    assert (one.adjusted.lowest, one.adjusted.highest) == pytest.approx((1.5 / 4, 3.5 / 4))


def test_a_full_panel_has_the_original_composite() -> None:
    """Where nothing is missing the two differ by rounding only."""
    rng = np.random.default_rng(2)
    found = _board(measured(rng.integers(1, 6, (4, 30, 3)), rng.random((4, 30, 2))))
    for each in found.standings:
        assert each.adjusted.composite == pytest.approx(each.score.composite, abs=0.002)
        assert (each.adjusted.lowest, each.adjusted.highest) == (each.adjusted.composite,) * 2


def test_one_prompt_has_no_interval() -> None:
    """A single prompt says nothing about others."""
    (standing,) = _board(measured([[[4.0]]])).standings
    assert standing.adjusted.interval is None


def test_the_estimates_error_is_in_the_interval() -> None:
    """A judge that likes models by turns: where it is missing altogether the interval is wider."""
    rng = np.random.default_rng(4)
    quality = rng.normal(3.0, 0.3, (8, 60))
    taste = np.where(np.arange(8) % 2, 0.6, -0.6)[:, None]
    marks = np.clip(np.stack([quality, quality, quality + taste], axis=-1), 1, 5)
    whole = _board(measured(marks))
    marks[0, :, 2] = np.nan
    lacking = _board(measured(marks))
    width = [
        next(each.adjusted.interval for each in found.standings if each.model == "a")
        for found in (whole, lacking)
    ]
    assert width[0] is not None and width[1] is not None
    assert width[1].high - width[1].low > 1.5 * (width[0].high - width[0].low)


def _plain(rng: np.random.Generator, prompts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all judges' marks of six models, and the models' true means."""
    true = 3.0 + np.linspace(-0.4, 0.4, 6)
    quality = true[:, None] + rng.normal(0, 0.3, (1, prompts)) + rng.normal(0, 0.4, (6, prompts))
    return quality[..., None] + JUDGES + rng.normal(0, 0.2, (6, prompts, 4)), true + JUDGES.mean()


def _tastes(rng: np.random.Generator, prompts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the same where every judge likes some models more than others (sd 0.15)."""
    marks, true = _plain(rng, prompts)
    taste = rng.normal(0, 0.15, (6, 1, 4))
    return marks + taste, true + taste.mean(axis=(1, 2))


def _whole_marks(rng: np.random.Generator, prompts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whole marks up to 5, most of them 4 and 5; the truth is that of 20,000 prompts."""

    def given(many: int) -> np.ndarray:
        quality = 4.2 + np.linspace(-0.4, 0.4, 6)[:, None] + rng.normal(0, 0.7, (6, many))
        return np.clip(np.rint(quality[..., None] + JUDGES + rng.normal(0, 0.2, (6, many, 4))), 1, 5)

    return given(prompts), given(20_000).mean(axis=(1, 2))


WORLDS = (_plain, _tastes, _whole_marks)


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [20, 80])
@pytest.mark.parametrize("world", WORLDS, ids=lambda each: each.__name__.strip("_"))
def test_the_interval_covers(
    world: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]], prompts: int
) -> None:
    """A twentieth of the marks missing and two own judges: 93 to 97 % of 1,200 intervals cover the truth."""
    rng = np.random.default_rng(41)
    own = np.zeros((6, 4), dtype=bool)
    own[0, 3] = own[1, 0] = True
    hits, n = 0, 0
    for _ in range(200):
        marks, true = world(rng, prompts)
        marks = np.clip(marks, 1, 5)
        marks[rng.random(marks.shape) < 0.05] = np.nan
        found = board(measured(np.where(own[:, None], np.nan, marks), own=own), rng, replicates=400)
        for each in found.standings:
            interval, truth = each.adjusted.interval, (true["abcdef".index(each.model)] - 1) / 4
            hits += interval is not None and interval.low <= truth <= interval.high
            n += 1
    assert 0.93 <= hits / n <= 0.97
