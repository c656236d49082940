"""The page of a study: escaped, with its table behind each chart, and the banner of simulated data."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from score_tables import table

from assay.ranking.relative_scores import score_models
from assay.report.rank.scores import scores_page
from assay.report.study_page import study_page
from assay.results.rank import RankSource, ScoreRanking

HOSTILE = "<script>alert(1)</script>"
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def page(*, simulated: bool, source: str = "a.csv") -> str:
    """Return the page of two models."""
    models = score_models(table(np.eye(2).tolist()))
    about = RankSource(source, simulated, 2, 2, (f"{HOSTILE} was left out",))
    return study_page(scores_page(ScoreRanking(about, "a", models), relative=True), MADE)


def test_names_and_notes_are_escaped() -> None:
    """Nothing that a source says becomes markup."""
    assert HOSTILE not in page(simulated=False, source=HOSTILE)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; was left out" in page(simulated=False)


def test_the_table_stands_behind_the_chart() -> None:
    """The chart has the table's figures, and the table every model."""
    text = page(simulated=False)
    assert 'data-chart="relative-scores"' in text
    assert text.count('<td class="text">itself</td>') == 1


def test_simulated_data_has_a_banner() -> None:
    """And real data has none."""
    assert "nothing was measured of it" in page(simulated=True)
    assert "nothing was measured of it" not in page(simulated=False)
