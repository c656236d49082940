"""The case variance that operating characteristics are simulated from."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine

from assay.runs.watch.operating import LEAST_DAYS, STATED, suite_profile


def slip(day: int) -> Any:
    """Return a script in which the first case slips every other day."""

    def answer(prompt: str, before: int) -> Any:
        return "no" if prompt == "Question 0 of use case 0?" and day % 2 else "right"

    return answer


def test_without_a_history_the_stated_variance_is_used_and_says_so(sqlite: Engine, small_suite: Any) -> None:
    """A suite that was never run gets the stated profile, the same for the same seed."""
    one, same = (suite_profile(sqlite, small_suite, seed=1) for _ in range(2))
    assert one.source == same.source == STATED


@pytest.mark.slow
def test_too_few_days_measure_nothing(watching_sqlite: Any) -> None:
    """A week is the least."""
    for day in range(LEAST_DAYS - 1):
        watching_sqlite.on(day, slip(day))
    assert suite_profile(watching_sqlite.engine, watching_sqlite.suite, seed=1).source == STATED
    watching_sqlite.on(LEAST_DAYS - 1)
    found = suite_profile(watching_sqlite.engine, watching_sqlite.suite, seed=1)
    assert found.source == f"measured: 1 models, {LEAST_DAYS} model-days of small 1"


@pytest.mark.slow
def test_days_of_a_real_fall_do_not_pass_for_noise(watching_sqlite: Any, wrong: Any) -> None:
    """COOKED days, and those before the recovery, are left out of the measured variance."""
    for day in range(16):
        watching_sqlite.on(day, wrong(0, 1) if day >= 9 else slip(day))
    found = suite_profile(watching_sqlite.engine, watching_sqlite.suite, seed=1)
    days = int(found.source.split(", ")[1].split()[0])
    assert found.source.startswith("measured: 1 models")
    assert LEAST_DAYS <= days < 12


@pytest.mark.slow
def test_the_measured_profile_knows_which_case_varies(watching_sqlite: Any) -> None:
    """The case that slipped every other day has its own mean below one; the others are near one."""
    for day in range(10):
        watching_sqlite.on(day, slip(day))
    profile = suite_profile(watching_sqlite.engine, watching_sqlite.suite, seed=1).profile
    assert profile.mean.shape == (1, 10)
    assert profile.mean[0, 0] == pytest.approx(0.5, abs=0.05)
    assert (profile.mean[0, 1:] > 0.9).all()
    assert profile.binary.all()
