"""The board as a whole: by hand, and what must not change it."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from boards import measured, random_measured
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.ranking.board.cells import cells
from assay.ranking.board.judged import Board, board, efficiency, group_scores, groups
from assay.ranking.board.measured import MeasuredEpoch, Status

CELLS = ("marks", "geval", "status", "truncated", "tokens", "latency", "cost", "flags")


def _board(given_input: MeasuredEpoch) -> Board:
    return board(given_input, np.random.default_rng(1), replicates=50)


def _reordered(given_input: MeasuredEpoch, models: Any, prompts: Any) -> MeasuredEpoch:
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


def test_ranks_rise_from_row_to_row_although_the_seed_composites_do_not() -> None:
    """b skips the harsh judge, as it is its own: by the seed's composite it leads, on a full panel a does."""
    marks = np.full((2, 40, 2), np.nan)
    marks[0] = 5.0, 3.0
    marks[1, :, 0] = 4.5
    own = np.array([[False, False], [False, True]])
    found = _board(measured(marks, own=own)).standings
    assert found[1].score.composite > found[0].score.composite  # type: ignore[operator]
    assert [each.model for each in found] == ["a", "b"]
    assert [(each.ranks.low, each.ranks.high) for each in found if each.ranks] == [(1, 1), (2, 2)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_ranks_never_fall_from_row_to_row(seed: int) -> None:
    """Whatever the marks, the best and then the worst tenable ranks rise."""
    found = _board(random_measured(np.random.default_rng(seed))).standings
    ranks = [(each.ranks.low, each.ranks.high) for each in found if each.ranks]
    assert ranks == sorted(ranks)


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
    assert (found.usage.cost, found.usage.cost_unknown) == (None, 1)


def test_an_error_without_a_cost_does_not_hide_the_total() -> None:
    """A failed call costs what it is known to have cost."""
    found = _board(
        measured(
            [[[5.0], [5.0]]], cost=np.array([[0.01, np.nan]]), status=np.array([[Status.OK, Status.ERROR]])
        )
    ).standings[0]
    assert (found.usage.cost, found.usage.cost_unknown) == (0.01, 0)


def test_unknown_tokens_are_left_out_with_their_number() -> None:
    """The mean is over the prompts where they are known."""
    found = _board(measured([[[5.0], [5.0]]], tokens=np.array([[100.0, np.nan]]))).standings[0]
    assert (found.usage.tokens.value, found.usage.tokens.n) == (100.0, 1)


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
    assert [(metric.metric, metric.mean, metric.n) for metric in found] == [
        ("g0", pytest.approx(0.6), 2),
        ("g1", 0.9, 1),
    ]


def test_epochs_are_averaged_before_prompts() -> None:
    """Marks 5 (two epochs) and 1 (one epoch) average to 3, not to 11/3."""
    first = measured([[[5.0], [1.0]]])
    second = measured([[[5.0], [np.nan]]], status=np.array([[Status.OK, Status.ABSENT]]))
    found = board([first, second], np.random.default_rng(1), replicates=10)
    assert (found.standings[0].score.judge_mean, found.epochs, found.standings[0].samples.n) == (3.0, 2, 3)


def test_nothing_to_rank_is_refused() -> None:
    """A board needs a model."""
    with pytest.raises(InvalidInput, match="no model"):
        _board(measured(np.zeros((0, 1, 1))))


def test_a_model_that_only_failed_is_shown() -> None:
    """Its errors are counted, and it has no score."""
    found = _board(measured([[[np.nan]] * 2], status=np.full((1, 2), Status.ERROR))).standings[0]
    assert (found.samples.error, found.score.composite, found.interval, found.ranks) == (2, None, None, None)


def test_geval_alone_makes_a_board() -> None:
    """Without any judge the composite is G-Eval's, and nothing is adjusted."""
    found = _board(measured(np.zeros((2, 3, 0)), np.full((2, 3, 1), 0.7)))
    assert [(each.score.basis, each.score.composite) for each in found.standings] == [("geval only", 0.7)] * 2
    assert [each.adjusted.judge_mean.value for each in found.standings] == [None, None]


def test_groups_split_every_prompt_once_a_dimension() -> None:
    """Each dimension's groups hold all six prompts, each once."""
    found = groups(measured(np.full((1, 6, 1), 3.0)).prompts)
    for by in ("category", "subcategory", "difficulty"):
        assert sum(chosen.astype(int) for group, chosen in found if group.by == by).tolist() == [1] * 6


def test_a_subcategory_belongs_to_its_category() -> None:
    """The same subcategory name in two categories makes two groups."""
    found = groups(measured(np.full((1, 6, 1), 3.0)).prompts)
    named = [(group.category, group.name) for group, _ in found if group.by == "subcategory"]
    assert named == [("coding", "sub"), ("writing", "sub")]


def test_a_group_has_its_own_mean() -> None:
    """Prompts 0 and 2 are writing, 1 and 3 coding."""
    table = cells([measured([[[5.0], [1.0], [5.0], [3.0]]])])
    found = group_scores(table, 0, table.counting[0], groups(table.prompts))
    assert [(each.group.name, each.score.judge_mean) for each in found[:2]] == [
        ("coding", 2.0),
        ("writing", 5.0),
    ]


def test_a_judge_left_out_overall_is_left_out_of_every_group() -> None:
    """The second judge skipped a coding prompt; its writing marks do not count either."""
    table = cells([measured([[[5, 1], [5, np.nan], [5, 1], [5, 1]]])])
    found = group_scores(table, 0, table.counting[0], groups(table.prompts))
    assert {each.score.judge_mean for each in found} == {5.0}


def _judged_board(given: MeasuredEpoch, replicates: int = 400) -> Board:
    return board(given, np.random.default_rng(1), replicates=replicates)


def _own(models: int, judges: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    own = np.zeros((models, judges), dtype=bool)
    for model, judge in pairs:
        own[model, judge] = True
    return own


def test_a_model_gains_nothing_from_skipping_its_own_harsh_judge() -> None:
    """j1 marks two below j0. a is j1's own model and has b's marks from j0: the two do not differ."""
    rng = np.random.default_rng(3)
    first = rng.integers(3, 6, (3, 40)).astype(float)
    first[0] = first[1]
    marks = np.stack([first, first - 2.0], axis=-1)
    found = _judged_board(measured(marks, own=_own(3, 2, [(0, 1)])))
    pair = found.comparisons.between("a", "b")
    assert (pair.difference, pair.p) == (pytest.approx(0.0), 1.0)
    scores = {each.model: each for each in found.standings}
    assert scores["a"].score.composite == pytest.approx(scores["b"].score.composite + 0.25, abs=0.01)
    assert scores["a"].adjusted.composite == pytest.approx(scores["b"].adjusted.composite)


def test_two_own_judges_leave_the_third() -> None:
    """a and b own j0 and j1: they are compared on j2, where b is one mark better on every prompt."""
    marks = np.zeros((3, 30, 3))
    marks[...] = [3.0, 4.0, 2.0]
    marks[0, :, 1], marks[1, :, 0] = 5.0, 1.0
    marks[1, :, 2] = 3.0
    found = _judged_board(measured(marks, own=_own(3, 3, [(0, 0), (1, 1)])))
    assert found.comparisons.between("b", "a").difference == pytest.approx(0.25)
    assert found.comparisons.between("b", "c").difference == pytest.approx((-2.0 + 1.0) / 2 / 4)


def test_without_a_common_judge_two_models_are_not_compared() -> None:
    """Each of two judges may not mark one of two models."""
    marks = np.full((2, 20, 2), 4.0)
    found = _judged_board(measured(marks, np.full((2, 20, 1), 0.5), own=_own(2, 2, [(0, 0), (1, 1)])))
    assert found.comparisons.between("a", "b").difference is None
    assert [each.adjusted.composite for each in found.standings] == [None, None]


def test_a_missing_mark_is_estimated_for_the_pair() -> None:
    """b lacks j1's mark on one prompt: the pair keeps j1, and the difference is that of the whole table."""
    quality = np.array([[4.0, 3.0, 5.0, 4.0, 2.0, 3.0], [3.0, 3.0, 4.0, 2.0, 2.0, 3.0]])
    marks = np.stack([quality, quality - 0.5], axis=-1)
    marks = np.clip(marks, 1, 5)
    whole = _judged_board(measured(marks)).comparisons.between("a", "b").difference
    marks[1, 2, 1] = np.nan
    assert _judged_board(measured(marks)).comparisons.between("a", "b").difference == pytest.approx(whole)


@pytest.mark.parametrize("judge", [0, 1, 2])
def test_a_constant_on_one_judge_changes_no_pair(judge: int) -> None:
    """A judge that is half a mark milder to everybody changes no difference and no p."""
    rng = np.random.default_rng(5)
    marks = rng.integers(2, 5, (4, 30, 3)).astype(float)
    marks[rng.random(marks.shape) < 0.05] = np.nan
    moved = marks.copy()
    moved[..., judge] += 0.5
    own = _own(4, 3, [(0, 0), (2, 1)])
    before, after = (_judged_board(measured(each, own=own)) for each in (marks, moved))
    np.testing.assert_allclose(before.comparisons.difference, after.comparisons.difference, atol=1e-12)
    np.testing.assert_allclose(before.comparisons.p, after.comparisons.p, atol=1e-9)
    adjusted = [
        [each.adjusted.composite for each in sorted(found.standings, key=lambda each: each.model)]
        for found in (before, after)
    ]
    assert np.ptp(np.subtract(*adjusted)) == pytest.approx(0.0, abs=1e-12)


def _equals(rng: np.random.Generator, missing: float, clipped: bool) -> MeasuredEpoch:
    """Return eight equal models, of which three own a judge; judges are at +0.4, 0.1, 0 and -0.6."""
    quality = 3.4 + rng.normal(0, 0.5, (1, 60)) + rng.normal(0, 0.7, (8, 60))
    marks = quality[..., None] + np.array([0.4, 0.1, 0.0, -0.6]) + rng.normal(0, 0.3, (8, 60, 4))
    marks = np.clip(np.rint(marks + 0.6) if clipped else marks, 1, 5)
    marks[rng.random(marks.shape) < missing] = np.nan
    geval = np.clip((quality - 1.0) / 4.0 + rng.normal(0, 0.05, quality.shape), 0, 1)
    own = _own(8, 4, [(0, 0), (1, 3), (2, 1)])
    return measured(np.where(own[:, None], np.nan, marks), geval[..., None], own=own)


@pytest.mark.slow
@pytest.mark.parametrize("clipped", [False, True], ids=["any mark", "whole marks"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_equal_models_differ_on_few_boards(missing: float, clipped: bool) -> None:
    """On at most 5 % of 300 boards (and two standard errors) is any pair of equal models significant."""
    rng = np.random.default_rng(31)
    wrong = 0
    for _ in range(300):
        found = board(_equals(rng, missing, clipped), rng, replicates=400)
        wrong += bool(found.comparisons.significant(0.05).any())
    assert wrong / 300 <= 0.05 + 2 * 0.0126
