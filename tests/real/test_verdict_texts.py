"""Recorded texts of a judge as rationales of verdicts, not escaped: how many are read, with which mark."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from assay.grading.judging.verdict import JudgeVerdict, read, token

pytestmark = pytest.mark.real

TOKEN = token("0f1e2d3c4b5a6978")


def counted(texts: list[str]) -> tuple[int, int]:
    """Return how many verdicts with these rationales are read, and how many with another mark than 3."""
    found = [read(f'{{"rationale": "{text}", "mark": 3, "token": "{TOKEN}"}}', TOKEN, 1, 5) for text in texts]
    verdicts = [verdict for verdict in found if isinstance(verdict, JudgeVerdict)]
    return len(verdicts), sum(verdict.mark != 3 for verdict in verdicts)


def test_recorded_rationales_are_read(shared_data: Path) -> None:
    """All 7,900 with their quotation marks made single; 5,634 as they are; none with another mark."""
    file = shared_data / "arenabench_v1_gpt4_judge_scores.parquet"
    rows = duckdb.sql(f"SELECT judgment FROM '{file}' WHERE judgment <> ''").fetchall()
    texts = [text for (text,) in rows]
    assert len(texts) == 7_900
    assert counted([text.replace('"', "'") for text in texts]) == (7_900, 0)
    assert counted(texts) == (5_634, 0)
