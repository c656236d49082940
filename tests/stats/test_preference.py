"""A judge's marks for its own models against the panel's."""

import numpy as np
import pytest

from assay.stats.preference import own_preference
from assay.stats.ratio import Draws

NAN = np.nan
OWN = [[True, False, False], [False, False, False], [False, False, False]]


def test_by_hand() -> None:
    """Own model: judge 5, others 4 and 4 (+1); the two other models: judge 3, others 4 (-1): excess 2."""
    marks = [[[5, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    found = own_preference(marks, OWN, 0)
    assert (found.own.value, found.other.value, found.excess.value) == (1.0, -1.0, 2.0)
    assert (found.above, found.models) == (0, 2)


def test_a_strict_judge_is_no_preferring_one() -> None:
    """One mark below the panel everywhere is leniency, not preference."""
    marks = np.full((3, 4, 3), 4.0)
    marks[:, :, 0] = 3.0
    assert own_preference(marks, OWN, 0).excess.value == 0.0


def test_others_own_marks_are_left_out_of_the_panel() -> None:
    """The third judge's 5 for its own model does not raise the panel's mean."""
    own = [[True, False, True], [False, False, False]]
    marks = [[[4, 3, 5]], [[3, 3, 3]]]
    assert own_preference(marks, own, 0).own.value == 1.0


def test_no_own_mark_shows_nothing() -> None:
    """Where the judge never marked its own model there is no excess."""
    marks = [[[NAN, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    found = own_preference(marks, OWN, 0, Draws(np.random.default_rng(1), 20))
    assert (found.excess.value, found.excess.interval, found.own.value) == (None, None, None)


def test_the_placebo_counts_other_models() -> None:
    """The judge also exceeds the panel on model 1, by as much: one other model is as high."""
    marks = [[[5, 4, 4]], [[5, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    own = [[True, False, False]] + [[False] * 3] * 3
    found = own_preference(marks, own, 0)
    assert (found.above, found.models) == (1, 3)


@pytest.mark.parametrize("favour", [0.0, 0.6])
def test_a_known_favour_is_covered(favour: float) -> None:
    """Simulated favour of 0 and 0.6 marks, 40 prompts, 200 times: covered in 90 to 99 %."""
    rng = np.random.default_rng(4)
    own = np.zeros((5, 3), dtype=bool)
    own[0, 0] = True
    hits = 0
    for _ in range(200):
        marks = rng.normal(3, 0.8, (5, 40, 1)) + rng.normal(0, 0.5, (5, 40, 3)) + [0.3, 0.0, -0.2]
        marks[0, :, 0] += favour
        interval = own_preference(marks, own, 0, Draws(rng, 300)).excess.interval
        hits += interval is not None and interval.low <= favour <= interval.high
    assert 0.90 <= hits / 200 <= 0.99
