"""The seed's rule: every threshold at its boundary, sustained falls, held states, the model's state."""

from __future__ import annotations

import numpy as np
import pytest
from every_row import every_row
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.baseline import rolling
from assay.watch.verdict import BoundColumns, StateEvidence, evaluate, roll_up

THRESHOLDS = Thresholds()
STEADY = [80.0, 80.0, 80.0, 80.0, 80.0]
SPREAD = [70.0, 90.0, 70.0, 90.0, 80.0]
"""Mean 80; STEADY has the floor for its spread, SPREAD a standard deviation of 10."""


def judge(
    scores: np.ndarray,
    judged: list[bool],
    *,
    fit: np.ndarray | None = None,
    powered: np.ndarray | None = None,
) -> StateEvidence:
    bounds = BoundColumns.of(THRESHOLDS, np.array(judged))
    fit = ~np.isnan(scores) if fit is None else fit & ~np.isnan(scores)
    baseline = rolling(np.where(fit, scores, np.nan), bounds.floor[:, 0], THRESHOLDS)
    powered = np.ones(scores.shape, dtype=bool) if powered is None else powered
    return evaluate(scores, baseline, bounds, THRESHOLDS, fit=fit, powered=powered)


def states(days: list[float], *, judged: bool = False, **masks: list[bool]) -> list[State]:
    """Return the states of one use case on the days after the first five."""
    cubes = {name: np.array(mask)[np.newaxis, np.newaxis, :] for name, mask in masks.items()}
    evidence = judge(np.array(days, dtype=float)[np.newaxis, np.newaxis, :], [judged], **cubes)
    return [State(state) for state in evidence.state[0, 0, 5:]]


G, C, O, S, X = State.GAP, State.CALIBRATING, State.OK, State.SUSPICIOUS, State.COOKED  # noqa: E741
NONE = float("nan")


@every_row(
    "judged, past, score, state",
    [
        (False, STEADY, 76.0, S),  # z = -2
        (False, STEADY, 76.01, O),
        (False, SPREAD, 72.0, S),  # drop = 10 %
        (False, SPREAD, 72.01, O),
        (False, SPREAD, 52.0, X),  # drop = 35 %
        (False, SPREAD, 52.01, S),
        (True, STEADY, 70.0, S),  # z = -2.5 with the floor of 4
        (True, STEADY, 70.01, O),
        (True, SPREAD, 68.0, S),  # drop = 15 %
        (True, SPREAD, 68.01, O),
        (True, SPREAD, 48.0, X),  # drop = 40 %
        (True, SPREAD, 48.01, S),
        (False, STEADY, 100.0, O),  # a rise blames nobody
        (False, STEADY, 65.0, S),  # z = -7.5 alone is not yet cooked
    ],
)
def test_one_day(judged: bool, past: list[float], score: float, state: State) -> None:
    """Suspicious and collapse hold exactly at their bounds and not a hundredth of a point above."""
    assert states([*past, score], judged=judged) == [state]


@every_row(
    "judged, past, first, second, state",
    [
        (False, STEADY, 74.0, 0.0, X),
        (False, STEADY, 74.0, 79.0 - 3 * 6**0.5, X),  # z = -3 on both days, each against its own window
        (False, STEADY, 74.0, 79.0 - 3 * 6**0.5 + 0.01, S),
        (False, STEADY, 74.01, 65.0, S),  # the first day misses z = -3
        (False, SPREAD, 64.0, 58.0, X),  # drops of 20 % and of 25 % of 77.33
        (False, SPREAD, 64.01, 58.0, S),
        (False, SPREAD, 64.0, 61.8667, S),  # 19.99996 % of 77.3333
        (False, SPREAD, 64.0, 61.8666, X),
        (True, STEADY, 66.0, 58.2, X),  # z = -3.5 with the floor of 4, then a drop of 25 % of 77.67
        (True, STEADY, 66.01, 58.2, S),
        (True, SPREAD, 60.0, 55.0, X),  # drops of 25 %
        (True, SPREAD, 60.01, 55.0, S),
    ],
)
def test_sustained(judged: bool, past: list[float], first: float, second: float, state: State) -> None:
    """Cooked takes z or drop on two days running, each against its own window; the first is suspicious."""
    assert states([*past, first, second], judged=judged) == [S, state]


def test_z_on_one_day_and_drop_on_the_other() -> None:
    """The two days need not share their reason: z may hold on one and drop on the other."""
    assert states([*STEADY, 74.0, 60.0]) == [S, X]


def test_tolerance() -> None:
    """A score that differs from its bound by rounding alone is at it."""
    assert states([*STEADY, 76.0 + 1e-12]) == [S]


def test_zero_mean_disables_drop() -> None:
    """A use case that scored 0 throughout stays OK at 0, and its drop is unknown."""
    evidence = judge(np.zeros((1, 1, 6)), [False])
    assert evidence.state[0, 0, 5] == O
    assert np.isnan(evidence.drop[0, 0, 5])


def test_gap_neither_counts_nor_breaks() -> None:
    """Two fallen days with a gap between them are consecutive."""
    assert states([*STEADY, 70.0, NONE, NONE, 65.0]) == [S, G, G, X]


def test_an_ordinary_day_breaks() -> None:
    """Two fallen days with an ordinary one between them are not consecutive."""
    assert states([*STEADY, 70.0, 80.0, 65.0]) == [S, O, S]


def test_a_calibrating_day_breaks() -> None:
    """A scored day without a baseline lies between two fallen days like an ordinary one."""
    days = [*STEADY, 70.0] + [NONE] * 10 + [80.0] * 5 + [60.0]
    assert states(days)[-6:] == [C, C, C, C, C, S]


def test_calibrating_until_five_days() -> None:
    """A use case calibrates for five scored days, gaps not counted."""
    days = [80.0, NONE, 80.0, 80.0, NONE, 80.0, 80.0, 80.0]
    assert states(days) == [C, C, O]


def test_days_that_are_not_fit_hold_the_state() -> None:
    """A day with a moved judge or changed routing keeps the state, and the next day starts from before it."""
    days = [*STEADY, 70.0, 20.0, 65.0]
    fit = [True] * 6 + [False, True]
    assert states(days, fit=fit) == [S, S, X]


def test_days_that_are_not_fit_do_not_clear() -> None:
    """A cooked use case stays cooked on a day that may not change its state."""
    assert states([*STEADY, 40.0, 80.0, 80.0], fit=[True] * 6 + [False, True]) == [X, X, O]


def test_days_that_are_not_fit_enter_no_baseline() -> None:
    """A high score that another provider gave makes the next ordinary day no fall."""
    days = [*STEADY, *[100.0] * 6, 80.0]
    assert states(days, fit=[True] * 5 + [False] * 6 + [True])[-1] == O
    assert states(days)[-1] == S


def test_thin_evidence_holds_the_state() -> None:
    """A suspicious day without full-power evidence leaves the state as it was and counts for nothing."""
    powered = [True] * 6 + [False, True, True]
    assert states([*STEADY, 80.0, 65.0, 60.0, 80.0], powered=powered) == [O, O, S, O]


def test_an_ordinary_day_needs_no_full_power() -> None:
    """The base sample is enough to read OK, and to clear a suspicion."""
    assert states([*STEADY, 70.0, 80.0], powered=[True] * 6 + [False]) == [S, O]


def test_flagged_days_stay_in_the_baseline() -> None:
    """A fall that lasts becomes the baseline: the rolling verdict goes back to OK."""
    assert states([*STEADY, *[60.0] * 16])[-1] == O


DAYS = 24
series = arrays(
    np.float64,
    st.tuples(st.integers(1, 2), st.just(2), st.just(DAYS)),
    elements=st.sampled_from([np.nan, 0.0, 40.0, 60.0, 64.0, 72.0, 76.0, 80.0, 80.0, 80.0, 90.0, 100.0]),
)
mask = st.integers(0, 2**31 - 1)


def plainly(days: list[float], *, judged: bool, fit: list[bool], powered: list[bool]) -> list[State]:
    """The rule for one use case in plain Python, written from the seed's page, day by day."""
    b = THRESHOLDS.judged if judged else THRESHOLDS.deterministic
    found: list[State] = []
    held, yesterday_fell = C, False
    for day, score in enumerate(days):
        past = [days[d] for d in range(max(0, day - 14), day) if days[d] == days[d] and fit[d]]
        if score != score:
            found.append(G)
            continue
        mean = float(np.mean(past)) if past else 0.0
        if len(past) < 5:
            reading, fell = C, False
        else:
            z = (score - mean) / max(float(np.std(past, ddof=1)), b.floor)
            drop = (mean - score) / mean if mean else 0.0
            fell = z <= b.cooked_z + 1e-9 or drop >= b.cooked_drop - 1e-9
            low = z <= b.suspicious_z + 1e-9 or drop >= b.suspicious_drop - 1e-9
            collapse = drop >= b.collapse_drop - 1e-9
            reading = X if collapse or (fell and yesterday_fell) else S if low else O
        if fit[day] and not (reading in (S, X) and not powered[day]):
            held, yesterday_fell = reading, fell
            found.append(reading)
        else:
            found.append(C if reading is C else held)
    return found


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(series, mask)
def test_equals_the_plain_rule(scores: np.ndarray, seed: int) -> None:
    """The vectorised rule gives, everywhere, what the rule written out for one series gives."""
    rng = np.random.default_rng(seed)
    fit, powered = rng.random(scores.shape) < 0.85, rng.random(scores.shape) < 0.8
    found = judge(scores, [False, True], fit=fit, powered=powered)
    for model, use_case in np.ndindex(scores.shape[:2]):
        expected = plainly(
            scores[model, use_case].tolist(),
            judged=bool(use_case),
            fit=fit[model, use_case].tolist(),
            powered=powered[model, use_case].tolist(),
        )
        assert [State(state) for state in found.state[model, use_case]] == expected


@settings(max_examples=50, deadline=None)
@given(series)
def test_one_series_alone(scores: np.ndarray) -> None:
    """A series judged alone reads bit for bit as among others: the scalar is a vector of length one."""
    together = judge(scores, [False, True])
    for model, use_case in np.ndindex(scores.shape[:2]):
        alone = judge(scores[model, use_case][np.newaxis, np.newaxis, :], [bool(use_case)])
        np.testing.assert_array_equal(alone.z[0, 0], together.z[model, use_case])
        np.testing.assert_array_equal(alone.drop[0, 0], together.drop[model, use_case])
        np.testing.assert_array_equal(alone.state[0, 0], together.state[model, use_case])


@settings(max_examples=50, deadline=None)
@given(series)
def test_the_past_is_settled(scores: np.ndarray) -> None:
    """Later days change nothing about earlier verdicts."""
    whole, part = judge(scores, [False, True]), judge(scores[..., :12], [False, True])
    np.testing.assert_array_equal(whole.state[..., :12], part.state)


@settings(max_examples=50, deadline=None)
@given(series, st.floats(-40, 40))
def test_z_ignores_a_shift(scores: np.ndarray, shift: float) -> None:
    """Adding points to every day leaves every z as it was."""
    before, after = judge(scores, [False, True]), judge(scores + shift, [False, True])
    np.testing.assert_allclose(after.z, before.z, atol=1e-6)


@settings(max_examples=50, deadline=None)
@given(series, st.floats(0.1, 1.0))
def test_drop_ignores_a_scale(scores: np.ndarray, scale: float) -> None:
    """Multiplying every day leaves every drop as it was."""
    before, after = judge(scores, [False, True]), judge(scores * scale, [False, True])
    np.testing.assert_allclose(after.drop, before.drop, atol=1e-9)


@every_row(
    "use_cases, state",
    [
        ([O, O, O, O], O),
        ([S, O, O, O], S),
        ([S, S, S, S], S),
        ([X, O, O, O], S),
        ([X, S, O, O], S),
        ([X, S, S, O], X),
        ([X, X, O, O], X),
        ([X, X, G, C], X),
        ([C, C, C, O], O),
        ([C, C, S, G], S),
        ([G, G, G, O], O),
        ([G, G, G, G], G),
    ],
)
def test_roll_up(use_cases: list[State], state: State) -> None:
    """COOKED takes two cooked use cases, or one beside two suspicious; less is SUSPICIOUS."""
    cube = np.array(use_cases, dtype=np.int8)[np.newaxis, :, np.newaxis]
    gap = np.zeros((1, 1), dtype=bool)
    assert roll_up(cube, cube > C, gap, THRESHOLDS)[0, 0] == state


def test_roll_up_calibrating() -> None:
    """A model calibrates while no use case has a baseline, though some have no score."""
    cube = np.array([C, G], dtype=np.int8)[np.newaxis, :, np.newaxis]
    assert (
        roll_up(cube, np.zeros(cube.shape, dtype=bool), np.zeros((1, 1), dtype=bool), THRESHOLDS)[0, 0] == C
    )


def test_roll_up_gap_comes_first() -> None:
    """The gap rule goes before calibrating."""
    cube = np.array([G, G], dtype=np.int8)[np.newaxis, :, np.newaxis]
    assert roll_up(cube, np.zeros(cube.shape, dtype=bool), np.ones((1, 1), dtype=bool), THRESHOLDS)[0, 0] == G
