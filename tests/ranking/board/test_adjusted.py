"""The panel-adjusted composite: by hand, and its interval in worlds with known truth."""

from collections.abc import Callable

import numpy as np
import pytest
from boards import measured, random_measured
from every_row import every_row

from assay.ranking.board.adjusted import complete, complete_geval, effect_draws
from assay.ranking.board.cells import cells
from assay.ranking.board.judged import Board, board
from assay.ranking.board.measured import MeasuredEpoch, Status

JUDGES = np.array([0.4, 0.1, 0.0, -0.5])


def _board(given: MeasuredEpoch) -> Board:
    return board(given, np.random.default_rng(1), replicates=200)


def test_adjusted_by_hand() -> None:
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


def _means(given: MeasuredEpoch) -> list[float]:
    """Return the models' mean completed marks."""
    return np.nanmean(complete(cells([given])).values, axis=(1, 2)).tolist()


def test_completed_by_hand() -> None:
    """j0 marks one above j1: effects 0.5 and -0.5. b has 4 from j0 alone: j1 is estimated at 3."""
    found = complete(cells([measured([[[5, 4], [3, 2]], [[4, np.nan], [4, np.nan]]])]))
    assert found.effects.tolist() == pytest.approx([0.5, -0.5])
    assert found.values[1].tolist() == [pytest.approx([4.0, 3.0])] * 2
    assert found.lacking.tolist() == [0, 2]
    assert (found.lowest[1].mean(), found.highest[1].mean()) == (2.5, 4.5)


def test_a_judges_own_model_is_estimated_and_lacks_nothing() -> None:
    """What a judge may not mark was never owed."""
    own = np.array([[False, False], [False, True]])
    found = complete(cells([measured([[[5, 4], [3, 2]], [[4, 1], [4, 1]]], own=own)]))
    assert found.values[1].tolist() == [pytest.approx([4.0, 3.0])] * 2
    assert found.lacking.tolist() == [0, 0]


def test_an_answer_that_nobody_marked_gets_model_and_prompt() -> None:
    """a is one mark above b; the second prompt is two below the first: a would have 3 there."""
    marks = [[[5.0], [np.nan], [4.0]], [[4.0], [2.0], [3.0]]]
    found = complete(cells([measured(marks)]))
    assert found.values[0, 1, 0] == pytest.approx(3.0)
    assert (found.lacking.tolist(), found.lowest[0, 1, 0], found.highest[0, 1, 0]) == ([1, 0], 1.0, 5.0)


def test_invalid_answers_stay_at_1_and_errors_have_none() -> None:
    """They say nothing about leniency and are not estimated."""
    status = np.array([[Status.OK, Status.INVALID, Status.ERROR]])
    found = complete(cells([measured([[[5, 3], [1, 1], [4, 4]]], status=status)]))
    assert found.effects[0] == pytest.approx(1.0)
    assert found.values[0].tolist()[:2] == [[5.0, 3.0], [1.0, 1.0]]
    assert np.isnan(found.values[0, 2]).all()


def test_an_unconnected_judge_has_no_effect() -> None:
    """Judges that share no answer with the others have none, and their marks are not used."""
    marks = np.full((2, 4, 3), np.nan)
    marks[0, :, :2] = [[5, 4]] * 4
    marks[1, :, 2] = 5
    found = complete(cells([measured(marks)]))
    assert np.isnan(found.effects[2])
    assert np.isnan(found.values[1]).all()


def test_a_lone_judge_is_the_panel() -> None:
    """Its marks are as they are."""
    assert _means(measured([[[5.0], [4.0]]])) == [4.5]


def test_epochs_are_completed_one_by_one() -> None:
    """j1 left out the second epoch of the only prompt: its mark there is estimated, not dropped."""
    first, second = measured([[[4.0, 2.0]]]), measured([[[5.0, np.nan]]])
    found = complete(cells([first, second]))
    assert found.values[0, 0].tolist() == pytest.approx([4.5, 2.5])
    assert found.lacking.tolist() == [1]


def test_metrics_of_geval_are_completed_likewise() -> None:
    """The second metric lies 0.2 below the first; where it is missing the mean is not the first alone."""
    marks = [[[5.0], [5.0]]]
    found = complete_geval(cells([measured(marks, [[[0.9, 0.7], [0.8, np.nan]]])]))
    assert found.values[0, 1].tolist() == pytest.approx([0.8, 0.6])
    assert (found.lowest[0, 1, 1], found.highest[0, 1, 1]) == (0.0, 1.0)


@every_row("seed", range(20))
def test_a_constant_on_one_judge_changes_no_difference(seed: int) -> None:
    """Without invalid answers every model moves by the same constant, whatever marks are missing."""
    rng = np.random.default_rng(seed)
    marks = rng.integers(2, 5, (4, 10, 3)).astype(float)
    marks[rng.random(marks.shape) < 0.2] = np.nan
    marks[0, :2] = 3.0
    own = np.zeros((4, 3), dtype=bool)
    own[1, 1] = True
    moved = marks.copy()
    moved[:, :, 1] += 0.7
    before, after = _means(measured(marks, own=own)), _means(measured(moved, own=own))
    assert np.diff(np.subtract(after, before)).tolist() == pytest.approx([0.0] * 3)


def test_known_leniency_is_found() -> None:
    """Simulated judges at +0.6, 0 and -0.6 with a third of the marks missing: within 0.1."""
    rng = np.random.default_rng(8)
    quality = rng.uniform(2.2, 3.8, (20, 80, 1))
    marks = quality + np.array([0.6, 0.0, -0.6]) + rng.normal(0, 0.15, (20, 80, 3))
    marks[rng.random(marks.shape) < 1 / 3] = np.nan
    found = complete(cells([measured(np.clip(marks, 1, 5))]))
    assert found.effects.tolist() == pytest.approx([0.6, 0.0, -0.6], abs=0.1)


def test_effects_drawn_with_every_prompt_once_are_the_effects() -> None:
    """The fit on draws is the fit itself where the draw is the sample, gaps and own models included."""
    table = cells([random_measured(np.random.default_rng(3))])
    found = complete(table)
    drawn = effect_draws(table, found.effects, np.ones((2, len(table.prompts))))
    assert drawn.tolist() == [pytest.approx(found.effects.tolist())] * 2


def _world(rng: np.random.Generator) -> MeasuredEpoch:
    """Return six models with judges at +0.4, 0.1 and -0.5, on a scale that no mark leaves."""
    quality = 3.0 + np.linspace(-0.5, 0.5, 6)[:, None] + rng.normal(0, 0.3, (6, 40))
    marks = quality[..., None] + np.array([0.4, 0.1, -0.5]) + rng.normal(0, 0.2, (6, 40, 3))
    return measured(np.clip(marks, 1, 5))


def test_marks_deleted_at_random_leave_the_mean_unbiased() -> None:
    """200 worlds, 20 % of all marks deleted: the mean change is 0 within three standard errors."""
    rng = np.random.default_rng(9)
    changes = []
    for _ in range(200):
        whole = _world(rng)
        marks = whole.marks.copy()
        marks[rng.random(marks.shape) < 0.2] = np.nan
        changes.append(np.subtract(_means(measured(marks)), _means(whole)))
    error = np.std(changes, axis=0) / 200**0.5
    assert (np.abs(np.mean(changes, axis=0)) < 3.0 * error).all()


def test_losing_the_harsh_judge_pays_nobody() -> None:
    """Without its harshest judge a model's plain mean rises by 0.25, the completed one by 0."""
    rng = np.random.default_rng(10)
    plain, completed = [], []
    for _ in range(200):
        whole = _world(rng)
        marks = whole.marks.copy()
        marks[2, :, 2] = np.nan
        plain.append(np.nanmean(marks[2]) - whole.marks[2].mean())
        completed.append(_means(measured(marks))[2] - _means(whole)[2])
    assert np.mean(plain) == pytest.approx(0.25, abs=0.02)
    assert abs(np.mean(completed)) < 3.0 * np.std(completed) / 200**0.5


def test_a_filter_tripped_by_the_worst_answers_pays_little() -> None:
    """A judge that refuses the worst tenth of one model's answers: the others still see how bad they are."""
    rng = np.random.default_rng(11)
    dropped, completed = [], []
    for _ in range(100):
        whole = _world(rng)
        marks = whole.marks.copy()
        worst = np.argsort(whole.marks[2].mean(axis=-1))[:4]
        marks[2, worst, 0] = np.nan
        dropped.append(np.nanmean(marks[2, :, 0]) - whole.marks[2, :, 0].mean())
        completed.append(_means(measured(marks))[2] - _means(whole)[2])
    assert np.mean(dropped) > 0.03
    assert np.mean(completed) < 0.1 * np.mean(dropped)
