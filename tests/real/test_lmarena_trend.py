"""LMArena's recorded ratings as a trend: which ceilings 227 models can exclude."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.studies.rank.releases import study_trend

pytestmark = [pytest.mark.real, pytest.mark.slow]


def test_arena_ratings_show_growth_and_no_ceiling(shared_data: Path) -> None:
    """First dates against last ratings: 181 points a year, and a line fits as well as a curve."""
    study = study_trend(shared_data / "lmarena_elo_history.parquet", {"score": "elo"})
    assert study.curve is not None
    assert study.source.models == 227
    assert study.curve.per_year == pytest.approx(181.3, abs=0.5)
    assert study.curve.asymptote_high is None
    assert study.curve.asymptote_low is not None
    assert study.curve.asymptote_low > 1450
    assert study.curve.line_p > 0.2
    assert study.gap is None
