"""The biased oracle and the k-shot quantities of LiveCodeBench's recorded counts: 400 problems, 43 models."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from assay.frontier.biased.exact import biased_curve
from assay.frontier.biased.forms import bias_forms
from assay.frontier.reliability import measure
from assay.frontier.selection.kshot import Shots, shots
from assay.frontier.tensor import from_counts

pytestmark = pytest.mark.real

Counts = npt.NDArray[np.int64]


@pytest.fixture(scope="module")
def counts(shared_data: Path) -> tuple[Counts, Counts]:
    """Right answers and generations, (400, 43): release v1_400, canonical, 10 generations."""
    rows = duckdb.sql(
        "SELECT question_id, model, n_correct, n_gen FROM read_parquet(?) "
        "WHERE release = 'v1_400' AND canonical AND n_gen = 10 ORDER BY question_id, model",
        params=[str(shared_data / "lcb_codegen_counts.parquet")],
    ).fetchnumpy()
    shape = (len(np.unique(rows["question_id"])), len(np.unique(rows["model"])))
    assert shape == (400, 43)
    return rows["n_correct"].reshape(shape), rows["n_gen"].reshape(shape)


@pytest.fixture(scope="module")
def by_k(counts: tuple[Counts, Counts]) -> dict[int, Shots]:
    """The k-shot quantities by k."""
    return {each.k: each for each in shots(*counts)}


def test_the_biased_oracle_falls_from_one_generation_to_ten(counts: tuple[Counts, Counts]) -> None:
    """65.29885 % at g = 1, 62.85 % at g = 10; the best single model reaches 43.525 %."""
    curve = biased_curve(*counts)
    assert (round(100 * curve[0], 5), round(100 * curve[9], 5)) == (65.29885, 62.85)
    assert np.all(np.diff(curve) < 0.0)


def test_one_shot_is_equation_5_of_the_best_and_the_first_generation_of_all(by_k: dict[int, Shots]) -> None:
    """per_prompt_best_k(1) is the biased oracle at G, all_models_k(1) at 1, fixed_best the best single."""
    first = by_k[1]
    found = (first.per_prompt_best, first.all_models, first.fixed_best)
    assert [round(100 * each.value, 5) for each in found] == [62.85, 65.29885, 43.525]


def test_ten_shots_of_ten_are_73_percent_and_the_plug_in_falls_short(by_k: dict[int, Shots]) -> None:
    """Both hypergeometric forms 73.0 %; 1 - prod (1 - c/n)^10 gives 71.91 %; one fixed model 54.25 %."""
    tenth = by_k[10]
    assert tenth.all_models_plug_in is not None
    found = (tenth.per_prompt_best, tenth.all_models, tenth.all_models_plug_in, tenth.fixed_best)
    assert [round(100 * each.value, 2) for each in found] == [73.0, 73.0, 71.91, 54.25]


def test_all_models_pay_k_times_43_generations(by_k: dict[int, Shots]) -> None:
    """430 a problem at k = 10, where the fixed model pays 10."""
    assert set(by_k[10].all_models.asked) == {430.0}
    assert set(by_k[10].fixed_best.asked) == {10.0}


def test_models_are_not_equally_good_so_assumption_6_overstates_the_bias(
    counts: tuple[Counts, Counts],
) -> None:
    """The Gaussian forms and the Bernoulli form exceed the whole fall from g = 1, their exact order kept."""
    right, number = counts
    names = tuple(map(str, range(400))), tuple(map(str, range(43)))
    forms = bias_forms(from_counts(*names, right, number).quality)
    assert forms.gaussian is not None and forms.gaussian_exact is not None and forms.bernoulli is not None
    assert forms.gaussian > forms.gaussian_exact
    curve = biased_curve(right, number)
    assert forms.bernoulli > curve[0] - curve[-1]


def test_every_model_measures_more_reliable_than_a_coin(counts: tuple[Counts, Counts]) -> None:
    """A coin at 10 generations measures 0.246; the models lie between that and 1."""
    names = tuple(map(str, range(400))), tuple(map(str, range(43)))
    found = measure(from_counts(*names, *counts))
    assert found.coin == pytest.approx(252 / 1024)
    assert np.all((found.measured > found.coin) & (found.measured <= 1.0))
    assert found.with_quality.n == 43
