"""Resampled composites, and what the paired test makes of known truths."""

import numpy as np
import pytest
from boards import measured

from assay.ranking.board.cells import cells
from assay.ranking.board.judged import board
from assay.ranking.board.measured import MeasuredEpoch, Status
from assay.ranking.board.resampled import Resampled, resample, seed_halves
from assay.stats.resample import draw_counts


def _resampled(given: MeasuredEpoch, rng: np.random.Generator, replicates: int) -> Resampled:
    table = cells([given])
    return resample(*seed_halves(table, table.counting), draw_counts(rng, len(table.prompts), replicates))


def _panel(rng: np.random.Generator, models: int, prompts: int, shift: np.ndarray) -> MeasuredEpoch:
    """Two judges' marks 1-5 around 4.4 with prompts that are hard for all, and G-Eval that follows them."""
    ease = rng.normal(0.0, 0.5, (1, prompts))
    quality = 4.4 + shift[:, None] + ease + rng.normal(0.0, 0.7, (models, prompts))
    marks = np.clip(np.rint(quality[..., None] + rng.normal(0.0, 0.3, (models, prompts, 2))), 1, 5)
    geval = np.clip((quality - 1.0) / 4.0 + rng.normal(0.0, 0.05, quality.shape), 0.0, 1.0)
    return measured(marks, geval[..., None])


def test_one_prompt_has_one_composite() -> None:
    """With a single prompt every replicate draws it: the composite itself."""
    found = _resampled(measured([[[4.0, 5.0]]], [[[0.9]]]), np.random.default_rng(1), 5)
    assert found.composites.ravel().tolist() == pytest.approx([0.5 * 3.5 / 4 + 0.45] * 5)


def test_models_share_the_drawn_prompts() -> None:
    """A model one mark below another on each prompt is one mark below on each replicate."""
    rng = np.random.default_rng(2)
    better = rng.integers(2, 6, (1, 20, 1)).astype(float)
    found = _resampled(measured(np.concatenate([better, better - 1.0])), rng, 100).composites
    assert (found[:, 0] - found[:, 1]).tolist() == pytest.approx([0.25] * 100)


def test_prompts_without_geval_are_left_out_of_that_half() -> None:
    """An errored prompt takes no part in either half."""
    status = np.array([[Status.OK, Status.ERROR]])
    given = measured([[[5.0], [1.0]]], [[[1.0], [0.0]]], status=status)
    found = _resampled(given, np.random.default_rng(3), 50).composites
    assert set(found[~np.isnan(found)].tolist()) == {1.0}


def _skewed(rng: np.random.Generator, models: int, prompts: int) -> MeasuredEpoch:
    """Models of mean mark 4.5 and very different shapes: half 4s; an eighth 1s; a quarter 3s; else 5."""
    shape = np.arange(models) % 3
    low, chance = np.array([4.0, 1.0, 3.0])[shape], np.array([0.5, 0.125, 0.25])[shape]
    marks = np.where(rng.random((models, prompts)) < chance[:, None], low[:, None], 5.0)
    return measured(marks[..., None], ((marks - 1.0) / 4.0)[..., None])


def _whole_boards(models: int, boards: int, *, skewed: bool) -> tuple[float, float]:
    """Return for which shares of boards, and of models, the ranges of equals cover all ranks."""
    rng = np.random.default_rng(5)
    covered = []
    for _ in range(boards):
        given = _skewed(rng, models, 80) if skewed else _panel(rng, models, 80, np.zeros(models))
        ranks = [each.ranks for each in board(given, rng, replicates=400).standings]
        covered.append([each is not None and (each.low, each.high) == (1, models) for each in ranks])
    return float(np.mean([all(each) for each in covered])), float(np.mean(covered))


@pytest.mark.slow
@pytest.mark.parametrize("models", [6, 24])
@pytest.mark.parametrize("skewed", [False, True], ids=["alike", "skewed"])
def test_equal_models_share_all_ranks(models: int, skewed: bool) -> None:
    """Equal models: all ranges cover all ranks on 95 % of 300 boards, less two standard errors of that."""
    boards, ranges = _whole_boards(models, 300, skewed=skewed)
    assert boards >= 0.95 - 2 * 0.0126
    assert ranges >= 0.95


@pytest.mark.slow
def test_clearly_different_models_separate() -> None:
    """Three groups of four models a mark apart: each model's ranks are those of its group, 9 times of 10."""
    rng = np.random.default_rng(6)
    shift = np.repeat([0.3, -0.7, -1.7], 4)
    hits = 0
    for _ in range(50):
        found = board(_panel(rng, 12, 80, shift), rng, replicates=400)
        ranks = {each.model: (each.ranks.low, each.ranks.high) for each in found.standings if each.ranks}
        hits += [ranks[name] for name in "abcdefghijkl"] == [(1, 4)] * 4 + [(5, 8)] * 4 + [(9, 12)] * 4
    assert hits >= 45


@pytest.mark.slow
def test_the_interval_covers() -> None:
    """The 95 % interval of 80 prompts covers the composite over 20,000 on 92 to 98 % of 400 boards."""
    rng = np.random.default_rng(7)
    truth = board(_panel(rng, 1, 20_000, np.zeros(1)), rng, replicates=2).standings[0].score.composite
    assert truth is not None
    hits = 0
    for _ in range(400):
        interval = board(_panel(rng, 1, 80, np.zeros(1)), rng, replicates=400).standings[0].interval
        hits += interval is not None and interval.low <= truth <= interval.high
    assert 0.92 <= hits / 400 <= 0.98
