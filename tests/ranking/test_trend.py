"""Scores by release date."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from assay.ranking.trend import ReleasedModel, Trend, find_trend

START = date(2024, 1, 1)


def released(days: int, score: float, *, is_open: bool | None = None, name: str = "") -> ReleasedModel:
    """Return a model by the day of its release."""
    return ReleasedModel(name or f"m{days}-{is_open}", START + timedelta(days=days), score, is_open)


def trend(models: list[ReleasedModel]) -> Trend:
    """Return the trend of some models."""
    return find_trend(models, np.random.default_rng(0))


def test_records_are_the_running_maximum() -> None:
    """A model that only equals the best is no record."""
    result = trend([released(20, 5), released(0, 3), released(10, 2), released(30, 5), released(40, 6)])
    assert [(model.score, model.record) for model in result.models] == [
        (3, True),
        (2, False),
        (5, True),
        (5, False),
        (6, True),
    ]
    assert result.curve is None
    assert "no curve" in result.remarks[0]


def test_the_gap_by_hand() -> None:
    """Closed models are 12 points better at each date and grow by 2 a month: the gap is 6 months."""
    models = []
    for month in range(12):
        day = round(month * 365.25 / 12)
        models += [released(day, 30 + 2 * month, is_open=True), released(day, 42 + 2 * month, is_open=False)]
    gap = trend(models).gap
    assert gap is not None
    assert gap.points == pytest.approx(12, abs=0.05)
    assert gap.months == pytest.approx(6, abs=0.05)
    assert gap.best_points == 12
    assert gap.best_months == pytest.approx(6, abs=0.1)


def test_an_open_model_that_leads_has_no_lag() -> None:
    """No closed model reached it, which is said instead of a number."""
    models = [released(day, day / 10, is_open=day % 2 == 0) for day in range(1, 21)]
    gap = trend(models).gap
    assert gap is not None
    assert gap.best_months is None
    assert "no closed model has reached it" in gap.sentence


def test_without_growth_there_are_no_months() -> None:
    """Points cannot be turned into months, and the remark says so."""
    models = [released(day, 50 + 7 * np.cos(3 * day), is_open=day % 2 == 0) for day in range(20)]
    result = trend(models)
    assert result.gap is not None
    assert result.gap.months is None
    assert any("do not grow clearly" in remark for remark in result.remarks)


def test_two_open_models_are_too_few() -> None:
    """The remark has both numbers."""
    models = [released(day, day, is_open=day < 2) for day in range(10)]
    result = trend(models)
    assert result.gap is None
    assert any("2 open and 8 closed" in remark for remark in result.remarks)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "true_gap"), [(40, 5.0), (80, 0.0)])
def test_the_bootstrap_interval_covers_the_gap(n: int, true_gap: float) -> None:
    """In 90 % or more of 150 worlds of half open, half closed models."""
    rng = np.random.default_rng(n)
    covered = 0
    for _ in range(150):
        models = [
            released(
                int(day),
                50 + day / 40 + (true_gap if place % 2 else 0.0) + rng.normal(0, 4),
                is_open=place % 2 == 0,
                name=str(place),
            )
            for place, day in enumerate(rng.integers(0, 700, n))
        ]
        gap = find_trend(models, rng).gap
        assert gap is not None
        assert gap.points_interval is not None
        covered += gap.points_interval.low <= true_gap <= gap.points_interval.high
    assert covered / 150 >= 0.90
