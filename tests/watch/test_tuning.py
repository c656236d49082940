"""Thresholds for a wished rate of false alarms."""

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.core.suite import Thresholds
from assay.watch import cusum
from assay.watch.null import stated
from assay.watch.operating import SETTLING, Rules
from assay.watch.tuning import LEAST_HEIGHT, least_height, scaled, tune


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_scaling_multiplies_z_and_drop_and_leaves_the_rest() -> None:
    """Floors, window and counts are not bounds on the fall."""
    wider = scaled(Thresholds(), 1.5)
    assert wider.deterministic.cooked_z == pytest.approx(-4.5)
    assert wider.judged.cooked_drop == pytest.approx(0.375)
    assert wider.deterministic.floor == Thresholds().deterministic.floor
    assert wider.window_days == Thresholds().window_days


def test_a_drop_of_everything_is_never_asked_for() -> None:
    """Scaled drops stop below 100 %."""
    assert scaled(Thresholds(), 5.0).judged.collapse_drop == 0.99


def test_the_height_is_the_least_that_keeps_the_rate() -> None:
    """On normal days, 0.05 lower would raise more alarms than allowed."""
    z = rng().standard_normal((200, SETTLING + 365))
    height = least_height(z, 1.0)
    alarms = [
        cusum.climb(z, threshold=each).alarm[:, SETTLING:].sum() / 200 for each in (height, height - 0.1)
    ]
    assert alarms[0] <= 1.0 < alarms[1]


def test_quiet_days_still_get_a_height() -> None:
    """Days that never fall would allow any height; the least is proposed."""
    assert least_height(np.zeros((5, 100)), 0.05) == pytest.approx(LEAST_HEIGHT, abs=0.1)


def test_a_target_of_zero_is_refused() -> None:
    """Only a rule that never speaks raises no false alarm."""
    with pytest.raises(InvalidInput, match="above 0"):
        tune(stated(rng(), 1), Rules(), rng(), false_alarms=0.0)


@pytest.mark.slow
def test_a_proposal_meets_its_target_while_searching_and_is_measured_afresh() -> None:
    """A loose target scales the seed's bounds down, a tight one up; the evidence has both."""
    profile = stated(rng(), 30)
    loose = tune(profile, Rules(), rng(), false_alarms=3.0, drops=(0.1,), replicates=30)
    tight = tune(profile, Rules(), rng(), false_alarms=0.04, drops=(0.1,), replicates=30)
    assert loose.scale is not None and tight.scale is not None
    assert loose.scale < tight.scale
    assert {trial.scale: trial.per_year for trial in tight.trials}[tight.scale] <= 0.04
    assert loose.rules.cusum_threshold < tight.rules.cusum_threshold
    assert tight.rules.false_alarms == 0.04
    assert tight.after.detections[0].replicates == 30
