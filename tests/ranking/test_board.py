"""The board as a whole: by hand, and what must not change it."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from boards import measured, random_measured
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.ranking.board import Board, board, efficiency
from assay.ranking.measured import Measured, Status

CELLS = ("marks", "geval", "status", "truncated", "tokens", "latency", "cost", "flags")


def _board(given_input: Measured) -> Board:
    return board(given_input, np.random.default_rng(1), replicates=50)


def _reordered(given_input: Measured, models: Any, prompts: Any) -> Measured:
    return dataclasses.replace(
        given_input,
        models=tuple(given_input.models[place] for place in models),
        prompts=tuple(given_input.prompts[place] for place in prompts),
        own=given_input.own[models],
        **{name: getattr(given_input, name)[models][:, prompts] for name in CELLS},
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_of_models_and_prompts_changes_nothing(seed: int) -> None:
    """Shuffled models and prompts give the same standings, to the last bit, intervals included."""
    rng = np.random.default_rng(seed)
    whole = random_measured(rng)
    shuffled = _reordered(whole, rng.permutation(4), rng.permutation(12))
    assert _board(shuffled).standings == _board(whole).standings


def test_best_first_then_by_name_and_without_composite_last() -> None:
    """b and c are equal; d has no mark at all."""
    marks = np.array([[[3.0]], [[5.0]], [[5.0]], [[np.nan]]])
    assert [each.model for each in _board(measured(marks)).standings] == ["b", "c", "a", "d"]


@pytest.mark.parametrize(
    ("mean", "tokens", "expected"),
    [(4.0, 256.0, 0.5), (4.0, 1.0, None), (4.0, 0.0, None), (None, 256.0, None), (4.0, None, None)],
)
def test_efficiency(mean: float | None, tokens: float | None, expected: float | None) -> None:
    """The judges' mean over log2 of the tokens; none where that has no meaning."""
    assert efficiency(mean, tokens) == expected


def test_an_unknown_cost_stays_unknown() -> None:
    """One answered sample without a price leaves the total unknown, and says how many there are."""
    found = _board(measured([[[5.0], [5.0]]], cost=np.array([[0.01, np.nan]]))).standings[0]
    assert (found.cost, found.cost_unknown) == (None, 1)


def test_an_error_without_a_cost_does_not_hide_the_total() -> None:
    """A failed call costs what it is known to have cost."""
    found = _board(
        measured(
            [[[5.0], [5.0]]], cost=np.array([[0.01, np.nan]]), status=np.array([[Status.OK, Status.ERROR]])
        )
    ).standings[0]
    assert (found.cost, found.cost_unknown) == (0.01, 0)


def test_unknown_tokens_are_left_out_with_their_number() -> None:
    """The mean is over the prompts where they are known."""
    found = _board(measured([[[5.0], [5.0]]], tokens=np.array([[100.0, np.nan]]))).standings[0]
    assert (found.tokens.value, found.tokens.n) == (100.0, 1)


def test_without_each_judge() -> None:
    """Means 5 and 3: without the first 3, without the second 5; the third has a gap and changes nothing."""
    found = _board(measured([[[5, 3, 1], [5, 3, np.nan]]])).standings[0]
    assert [each.composite for each in found.without] == [0.5, 1.0, 0.75]


def test_without_the_only_judge_geval_is_left() -> None:
    """And without that too, nothing."""
    with_geval = _board(measured([[[5.0]]], [[[0.6]]])).standings[0]
    alone = _board(measured([[[5.0]]])).standings[0]
    assert [with_geval.without[0].composite, alone.without[0].composite] == [0.6, None]


def test_each_metric_has_its_mean() -> None:
    """Over the prompts where it returned."""
    found = _board(measured([[[5.0], [5.0]]], [[[0.5, np.nan], [0.7, 0.9]]])).standings[0].metrics
    assert [(name, mean.value, mean.n) for name, mean in found] == [
        ("g0", pytest.approx(0.6), 2),
        ("g1", 0.9, 1),
    ]


def test_epochs_are_averaged_before_prompts() -> None:
    """Marks 5 (two epochs) and 1 (one epoch) average to 3, not to 11/3."""
    first = measured([[[5.0], [1.0]]])
    second = measured([[[5.0], [np.nan]]], status=np.array([[Status.OK, Status.ABSENT]]))
    found = board([first, second], np.random.default_rng(1), replicates=10)
    assert (found.standings[0].score.judge_mean, found.epochs, found.standings[0].counts.n) == (3.0, 2, 3)


def test_nothing_to_rank_is_refused() -> None:
    """A board needs a model."""
    with pytest.raises(InvalidInput, match="no model"):
        _board(measured(np.zeros((0, 1, 1))))


def test_a_model_that_only_failed_is_shown() -> None:
    """Its errors are counted, and it has no score."""
    found = _board(measured([[[np.nan]] * 2], status=np.full((1, 2), Status.ERROR))).standings[0]
    assert (found.counts.error, found.score.composite, found.interval, found.ranks) == (2, None, None, None)


def test_geval_alone_makes_a_board() -> None:
    """Without any judge the composite is G-Eval's, and nothing is adjusted."""
    found = _board(measured(np.zeros((2, 3, 0)), np.full((2, 3, 1), 0.7)))
    assert [(each.score.basis, each.score.composite) for each in found.standings] == [("geval only", 0.7)] * 2
    assert [each.adjusted.judge_mean.value for each in found.standings] == [None, None]
