"""Choosing judges and correcting their marks on recordings: kappas, recommendations, and coverage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from assay.ranking.corrected_marks import correct, panel_of
from assay.ranking.judge_choice import compare_with_reference, recommend
from assay.ranking.reference_marks import of_model
from assay.results.corrected_marks import Correction
from assay.stats.rectified import rectified_mean
from assay.studies.reference_marks import ReferenceOptions, read_reference_marks

pytestmark = pytest.mark.real

KAPPAS = {"Llama3-70B": 0.818, "GPT-4": 0.788, "Llama-70B": 0.740, "Mistral-7B": 0.736, "Contains": 0.683}
"""Of the five best judges with people on TriviaQA, from the four counts of each."""


@pytest.fixture(scope="module")
def trivia(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TriviaQA as a table of marks: 11 judges and people on nine models' answers."""
    path = tmp_path_factory.mktemp("trivia") / "marks.csv"
    rows = f"read_parquet('{shared_data / 'triviaqa_judges_vs_human.parquet'}')"
    duckdb.sql(
        f"copy (select row as item, exam_taker as model, judge, verdict as mark from {rows} union all "
        f"select distinct row, exam_taker, 'human', human from {rows}) to '{path}'"
    )
    return path


def test_trivia_judges_are_ranked_and_none_is_recommended_without_costs(trivia: Path) -> None:
    """The kappas are those of the counts. GPT-4 may be as good as the best: its cost would decide."""
    marks = read_reference_marks(str(trivia)).marks
    found = compare_with_reference(marks, np.random.default_rng(0))
    kappas = {row.judge: round(row.kappa.value or 0.0, 3) for row in found.judges if row.kappa}
    assert {judge: kappas[judge] for judge in KAPPAS} == pytest.approx(KAPPAS, abs=0.002)
    assert list(kappas)[:2] == ["Llama3-70B", "GPT-4"]
    judge, reason = recommend(found, 0.05)
    assert (judge, "GPT-4 is not significant" in reason) == (None, True)


def test_one_model_can_be_judged_far_worse(trivia: Path) -> None:
    """GPT-4's kappa is 0.25 on one model's answers, although it is 0.79 overall: look at the models."""
    options = ReferenceOptions(judges=("GPT-4",))
    found = compare_with_reference(read_reference_marks(str(trivia), options).marks, np.random.default_rng(0))
    kappas = {row.model: row.kappa.value or 0.0 for row in found.models if row.kappa}
    assert min(kappas, key=kappas.__getitem__) == "llama2-13b-chat"
    assert kappas["llama2-13b-chat"] == pytest.approx(0.25, abs=0.01)


def test_llmbar_kappas_are_the_recomputed_ones(shared_data: Path, tmp_path: Path) -> None:
    """Against the gold labels of the natural subset, over the items that were read in both orders."""
    verdicts = f"read_parquet('{shared_data / 'llmbar_judge_verdicts.parquet'}')"
    where = "subset = 'LLMBar/Natural' and strategy = 'CoT'"
    duckdb.sql(
        f"copy (with v as (from {verdicts} where {where}) select item, judge, winner as mark from v "
        f"where winner_swapped is not null union all select distinct item, 'gold', label::varchar from v) "
        f"to '{tmp_path / 'llmbar.csv'}'"
    )
    expected = dict(
        duckdb.sql(
            "select judge, kappa_vs_gold_true from "
            f"'{shared_data / 'llmbar_expected_statistics.parquet'}' where {where}"
        ).fetchall()
    )
    read = read_reference_marks(str(tmp_path / "llmbar.csv"), ReferenceOptions(reference="gold"))
    found = compare_with_reference(read.marks, np.random.default_rng(0))
    kappas = {row.judge: row.kappa.value if row.kappa else None for row in found.judges}
    assert kappas == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("denser", [1.0, 5.0])
@pytest.mark.parametrize("judge", ["Llama3-70B", "Contains"])
def test_corrected_trivia_means_cover(trivia: Path, judge: str, denser: float) -> None:
    """From 60 human marks per model, 93-97 % of intervals hold what people gave all answers.

    Items are drawn again with replacement; answers that the judge rejects are `denser` times as often marked.
    """
    marks = read_reference_marks(str(trivia), ReferenceOptions(judges=(judge,))).marks
    rng = np.random.default_rng(3)
    hits, trials = 0, 100
    for model in marks.models:
        own = of_model(marks.answers, model) & ~np.isnan(marks.marks[0]) & ~np.isnan(marks.reference)
        given, truth = marks.marks[0, own], marks.reference[own]
        for _ in range(trials):
            drawn = rng.integers(0, len(truth), len(truth))
            verdicts, human = given[drawn], np.full(len(truth), np.nan)
            weight = np.where(verdicts == 1.0, 1.0, denser)
            places = rng.choice(len(truth), 60, replace=False, p=weight / weight.sum())
            human[places] = truth[drawn[places]]
            ends = rectified_mean(human, verdicts, verdicts).interval
            hits += ends.low <= truth.mean() <= ends.high
    assert 0.93 <= hits / (trials * len(marks.models)) <= 0.97


def test_rogan_gladen_fails_where_the_judge_errs_differently(trivia: Path) -> None:
    """GPT-4, calibrated on all models: the best model's true mean is outside, and the test sees why."""
    marks = read_reference_marks(str(trivia), ReferenceOptions(judges=("GPT-4",))).marks
    found = correct(panel_of(marks))
    truth = {
        model: 100.0 * float(np.nanmean(marks.reference[of_model(marks.answers, model)]))
        for model in marks.models
    }
    misses = [
        row.model
        for row in found.models
        if row.rogan_gladen is None
        or not row.rogan_gladen.interval.low <= truth[row.model] <= row.rogan_gladen.interval.high
    ]
    assert "gpt-4t" in misses
    assert found.same_errors_p is not None and found.same_errors_p < 1e-6
    assert {row.better for row in found.models} == {Correction.PREDICTION_POWERED}


@pytest.mark.slow
def test_graded_marks_of_one_annotator_are_corrected_by_others(shared_data: Path) -> None:
    """Newsroom: one annotator's marks 1-5 as the judge, the mean of two others on 80 of 420 as the truth."""
    rows: list[tuple[Any, ...]] = duckdb.sql(
        f"select individual from '{shared_data / 'judgebench20_human_annotations.parquet'}' "
        "where dataset = 'newsroom' and metric = 'Informativeness' order by item_id"
    ).fetchall()
    marks = (np.array([json.loads(row[0]) for row in rows], dtype=np.float64) - 1.0) / 4.0
    judge, human = marks[:, 0], marks[:, 1:].mean(axis=1)
    rng = np.random.default_rng(5)
    hits, trials = 0, 1000
    for _ in range(trials):
        drawn = rng.integers(0, len(human), len(human))
        kept = np.full(len(human), np.nan)
        places = rng.choice(len(human), 80, replace=False)
        kept[places] = human[drawn[places]]
        ends = rectified_mean(kept, judge[drawn], judge[drawn]).interval
        hits += ends.low <= human.mean() <= ends.high
    assert 0.93 <= hits / trials <= 0.97
