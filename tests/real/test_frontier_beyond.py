"""Selection, sequential prompting, carriers and sets of models on recorded benchmarks."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.shapley import carriers
from assay.frontier.selection.judged import ErringJudge, measure_judge
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor, from_counts

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def code(shared_data: Path) -> Tensor:
    """LiveCodeBench: 400 problems by 43 models, ten generations each."""
    rows = duckdb.execute(
        "SELECT question_id, model, n_correct FROM read_parquet(?) "
        "WHERE release = 'v1_400' AND canonical AND n_gen = 10",
        [str(shared_data / "lcb_codegen_counts.parquet")],
    ).fetchall()
    prompts, models = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    at_prompt = {name: place for place, name in enumerate(prompts)}
    at_model = {name: place for place, name in enumerate(models)}
    correct = np.zeros((len(prompts), len(models)), dtype=np.int64)
    for prompt, model, right in rows:
        correct[at_prompt[prompt], at_model[model]] = right
    return from_counts(tuple(prompts), tuple(models), correct, np.full(correct.shape, 10))


@pytest.mark.parametrize(
    ("scope", "one", "ten"),
    [("all_models", 65.29885, 73.0), ("per_prompt_best", 62.85, 73.0), ("fixed_best", 43.525, 54.25)],
)
def test_a_perfect_judge_gives_the_k_shot_figures(code: Tensor, scope: str, one: float, ten: float) -> None:
    """Equation 23, equation 22 and the fixed best model's pass@k, as they were computed before."""
    found = posthoc(code, ErringJudge(), scope=scope, resamples=0)  # type: ignore[arg-type]
    reached = [100 * (found.points[place].quality.value or 0.0) for place in (0, 9)]
    assert reached == pytest.approx([one, ten], abs=1e-4)


def test_sequential_prompting_reaches_the_same_for_less(code: Tensor) -> None:
    """43 answers of everybody find 65.3 %; one after the other, stopping early, costs less than half."""
    found = sequential(code, attempts=1, splits=1, resamples=0)
    assert 100 * (found.points[-1].quality.value or 0.0) == pytest.approx(65.29885, abs=1e-4)
    assert found.saving.value is not None and 0.5 < found.saving.value < 0.7


def test_carriers_add_up_to_the_oracle(code: Tensor) -> None:
    """The naive values of 43 models are 62.85 points together."""
    found = carriers(code.mean_quality(), code.models, resamples=0)
    assert 100 * sum(each.shapley.value or 0.0 for each in found.models) == pytest.approx(62.85)
    assert found.models[0].model == "GPT-4-Turbo-2024-04-09"


def test_a_set_keeps_less_where_it_was_not_chosen(code: Tensor) -> None:
    """Eleven models keep 95 % of the gain where they were chosen, such sets under 95 % elsewhere."""
    found = cheapest(code.mean_quality(), code.models, splits=2, resamples=0)
    assert len(found.chosen.models) <= 11 and (found.chosen.kept.value or 0.0) >= 0.95
    assert found.held_out.value is not None and found.held_out.value < 0.95


def test_real_verdicts_select_nearly_as_independent_errors_would(shared_data: Path) -> None:
    """Nine models' answers to TriviaQA, eleven judges: the closed form is at most 3.5 points off."""
    rows = duckdb.execute(
        "SELECT question, exam_taker, human, judge, verdict FROM read_parquet(?)",
        [str(shared_data / "triviaqa_judges_vs_human.parquet")],
    ).fetchall()
    prompts, models = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    places = {name: place for names in (prompts, models) for place, name in enumerate(names)}
    judges = sorted({row[3] for row in rows})
    human = np.full((len(prompts), len(models)), np.nan)
    verdicts = {judge: human.copy() for judge in judges}
    for prompt, model, right, judge, verdict in rows:
        human[places[prompt], places[model]] = right
        verdicts[judge][places[prompt], places[model]] = np.nan if verdict is None else verdict
    tensor = Tensor(tuple(prompts), tuple(models), human[:, :, np.newaxis])
    best = int(np.nanmean(human, axis=0).argmax())
    asked = np.broadcast_to(np.arange(len(prompts))[:, np.newaxis], human.shape)
    off = []
    for given in verdicts.values():
        both = ~np.isnan(given) & ~np.isnan(human)
        judge = measure_judge(human[both] == 1, given[both] == 1, asked[both]).judge()
        accepted = (given == 1) & both
        number = accepted.sum(axis=1)
        share = np.where(accepted, human, 0.0).sum(axis=1) / np.maximum(number, 1)
        taken = np.where(number > 0, share, human[:, best]).mean()
        found = posthoc(tensor, judge, resamples=0).points[0].quality.value
        off.append(abs((found or 0.0) - taken))
    assert len(off) == 11 and max(off) < 0.035
