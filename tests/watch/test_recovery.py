"""Recovery: a fall is over after three scored days within the band from before it."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.recovery import Recovery, model_down, recovery
from assay.watch.same_cases import CaseTable, match_window
from assay.watch.verdict import Bars, Readings, read

THRESHOLDS = Thresholds()
NONE = float("nan")
BEFORE = [80.0] * 7


def follow(days: list[float], *, fit: list[bool] | None = None) -> tuple[Recovery, Readings]:
    scores = np.array(days)[np.newaxis, np.newaxis, :]
    bars = Bars.of(THRESHOLDS, np.array([False]))
    usable = ~np.isnan(scores) & (True if fit is None else np.array(fit))
    table = CaseTable.of(scores / 100.0, scores, usable, (0, 1))
    matched = match_window(table, bars.floor[:, 0], THRESHOLDS)
    every = np.ones(scores.shape, dtype=bool)
    readings = read(scores, matched.baseline, bars, THRESHOLDS, fit=usable, powered=every)
    return recovery(matched, readings, bars, THRESHOLDS, table), readings


def down(days: list[float], **masks: list[bool]) -> list[int]:
    """Return the days on which the use case is down, counted from the end of `BEFORE`."""
    found, _ = follow([*BEFORE, *days], **masks)
    return [int(day) - len(BEFORE) for day in np.nonzero(found.down[0, 0])[0]]


def test_ends_on_the_third_day_back() -> None:
    """A collapse is down until the third day within the band, on which it ends."""
    assert down([40.0, 80.0, 80.0, 80.0, 80.0]) == [0, 1, 2]


def test_begins_with_the_cooked_day() -> None:
    """A sustained fall is down from its second day, and counted from its first."""
    found, _ = follow([*BEFORE, 70.0, 60.0, 80.0])
    assert np.nonzero(found.down[0, 0])[0].tolist() == [8, 9]
    assert found.since[0, 0, 8] == 7


def test_judged_against_the_baseline_from_before() -> None:
    """A fall that the rolling baseline absorbs stays down while the seed's verdict says OK."""
    found, readings = follow([*BEFORE, *[60.0] * 20])
    assert readings.state[0, 0, -1] == State.OK
    assert found.down[0, 0, -1]
    assert (found.mean[0, 0, -1], found.spread[0, 0, -1]) == (80.0, 2.0)


@pytest.mark.parametrize(("back", "over"), [(76.01, True), (76.0, False)])
def test_band(back: float, over: bool) -> None:
    """The band ends where suspicion begins."""
    found, _ = follow([*BEFORE, 40.0, back, back, back])
    assert found.down[0, 0, -1] != over


def test_a_bad_day_starts_the_count_anew() -> None:
    """The three days must follow one another."""
    assert down([40.0, 80.0, 80.0, 60.0, 80.0, 80.0, 80.0]) == [0, 1, 2, 3, 4, 5]


def test_gaps_neither_count_nor_break() -> None:
    """Gaps between the three days change nothing."""
    assert down([40.0, 80.0, NONE, 80.0, NONE, 80.0]) == [0, 1, 2, 3, 4]


def test_uncounted_days_do_not_count() -> None:
    """A good day that measured another provider is none of the three."""
    fit = [True] * 8 + [False, True, True, True]
    assert down([40.0, 80.0, 80.0, 80.0, 80.0], fit=fit) == [0, 1, 2, 3]


def test_recovered_is_remembered() -> None:
    """The day on which a fall ended stays on record."""
    found, _ = follow([*BEFORE, 40.0, 80.0, 80.0, 80.0, 80.0])
    assert found.recovered[0, 0].tolist() == [-1] * 10 + [10, 10]
    assert found.within[0, 0].tolist()[7:10] == [0, 1, 2]


def test_a_second_fall_has_its_own_baseline() -> None:
    """A fall after a recovery is measured from the baseline before itself."""
    found, _ = follow([*BEFORE, 40.0, *[80.0] * 16, 90.0, 90.0, 40.0])
    assert found.since[0, 0, -1] == 26
    assert found.mean[0, 0, -1] == pytest.approx((12 * 80 + 2 * 90) / 14)


def test_a_model_is_down_until_all_have_recovered() -> None:
    """A COOKED model is down as long as any use case of it is, and not for a single one that fell alone."""
    cooked, suspicious, fine = State.COOKED, State.SUSPICIOUS, State.OK
    states = np.array([[suspicious, cooked, fine, fine, fine], [suspicious, fine, fine, fine, fine]])
    falls = np.array(
        [
            [[True, True, True, False, False], [False, True, True, True, False]],
            [[True, True, False, False, False], [False] * 5],
        ]
    )
    found = model_down(states.astype(np.int8), falls)
    assert found.tolist() == [[False, True, True, True, False], [False] * 5]
