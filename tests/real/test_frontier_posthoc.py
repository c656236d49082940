"""The study of selection on recorded code and on answers that judges and people marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.frontier.selection.judged import erring
from assay.studies.frontier.judge_table import table_judge_rates
from assay.studies.frontier.posthoc import posthoc_study
from assay.studies.frontier.posthoc_judges import judges_of
from assay.studies.frontier.posthoc_result import PosthocOptions
from assay.studies.frontier.source import read_tensor

pytestmark = pytest.mark.real


def test_few_good_models_beat_many_with_a_judge_that_errs(shared_data: Path) -> None:
    """On LiveCodeBench an error of 5 % makes three models' answers worth more than those of 43."""
    tensor = read_tensor(
        shared_data / "lcb_codegen_counts.parquet",
        columns={"prompt": "question_id"},
        where={"release": "v1_400", "canonical": True, "n_gen": 10},
    ).tensor
    judges = judges_of(erring(0.05), None, None)
    three = ("GPT-4-Turbo-2024-04-09", "Claude-3-Opus", "CodeQwen15-7B-Chat")
    few = posthoc_study(tensor, judges, PosthocOptions(models=three, resamples=20))
    many = posthoc_study(tensor.take(models=range(43)), judges, PosthocOptions(most=1, resamples=20))
    at = [100 * (found.posthoc.points[0].quality.value or 0.0) for found in (few.main, many.main)]
    assert at == pytest.approx([53.9, 49.8], abs=0.1)
    assert 100 * (few.selected[0].posthoc.points[9].quality.value or 0.0) == pytest.approx(65.7, abs=0.1)
    assert 100 * (many.break_even[0].error.value or 0.0) == pytest.approx(8.8, abs=0.1)


def test_a_real_judge_pays_in_a_sequence_only(shared_data: Path) -> None:
    """GPT-4's verdicts on TriviaQA: selecting among nine loses, asking on where it rejects gains."""
    table = shared_data / "triviaqa_judges_vs_human.parquet"
    columns = {"prompt": "question", "model": "exam_taker", "quality": "human"}
    tensor = read_tensor(table, columns=columns, where={"judge": "GPT-4"}).tensor
    rates = table_judge_rates(table, judge="GPT-4")
    assert (rates.measured.right_accepted, rates.measured.right) == (2374, 2506)
    assert (rates.measured.wrong_accepted, rates.measured.wrong) == (186, 1089)
    found = posthoc_study(tensor, judges_of(None, rates, None), PosthocOptions(resamples=200)).main
    gain = found.posthoc.points[0].gain.over_prompts
    assert gain is not None and gain.high < -0.03
    last, single = found.sequential.points[-1].quality.value, found.sequential.single_quality.value
    assert (last or 0.0) > (single or 0.0) + 0.01
