"""Adaptive runs replayed on recorded evaluations: prompts needed and false separations."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assay.ranking.adaptive import AdaptiveRule
from assay.ranking.adaptive_replay import replay_orders
from assay.ranking.score_table import ScoreSource
from assay.results.adaptive_run import Separation
from assay.runs.board.scores import board_scores
from assay.runs.imports.import_workbench import import_workbench
from assay.studies.rank.source import SourceOptions, read_scores

pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.fixture
def workbench(sqlite: Engine, shared_data: Path) -> ScoreSource:
    """The composites of 24 models on 80 prompts, as the board ranks them."""
    import_workbench(
        sqlite, shared_data / "workbench_generalist.jsonl.zst", suite="generalist", clock=time.time
    )
    return board_scores(sqlite, "generalist")


@pytest.fixture(scope="module")
def livecodebench(shared_data: Path) -> ScoreSource:
    """43 models on 400 problems, ten generations each."""
    columns = {"prompt": "question_id", "category": "difficulty"}
    where = ["release=v1_400", "canonical=true", "n_gen=10"]
    return read_scores(str(shared_data / "lcb_codegen_counts.parquet"), SourceOptions(columns, where))


def test_a_board_that_separates_few_saves_little(workbench: ScoreSource) -> None:
    """The first 15 models tie in the full test too; the four bad ones need half of the prompts."""
    result = replay_orders(workbench.table, workbench.about, AdaptiveRule(), 40, 0)
    separated = {row.worse: row for row in result.separations if row.separated >= 0.95}
    assert set(separated) == {"nova-micro", "llama3.1", "codestral", "llama3.2-vision-11b"}
    assert all(row.prompts is not None and row.prompts <= 50 for row in separated.values())
    assert result.significant == 9
    assert 0.9 <= result.scores <= 0.94
    assert (result.reversed, result.unconfirmed) == (0.0, 0.0)


def test_the_first_place_of_livecodebench_on_a_third_of_the_scores(livecodebench: ScoreSource) -> None:
    """All 41 models that are significantly behind are reached, and no separation is false."""
    result = replay_orders(livecodebench.table, livecodebench.about, AdaptiveRule(), 20, 0)
    assert (result.significant, result.reversed) == (41, 0.0)
    assert result.unconfirmed <= 0.05
    assert result.reached is not None and result.reached >= 0.97
    assert result.scores <= 0.35


def test_all_pairs_of_livecodebench(livecodebench: ScoreSource) -> None:
    """None is reversed, and at most 1 % of the separations is not significant in the full run."""
    result = replay_orders(livecodebench.table, livecodebench.about, AdaptiveRule(Separation.ALL), 5, 0)
    assert result.reversed == 0.0
    assert result.unconfirmed_separations is not None and result.unconfirmed_separations <= 0.01
    assert result.reached is not None and result.reached >= 0.85
