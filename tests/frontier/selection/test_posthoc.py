"""Tests of post-hoc selection by a judge that errs and has a price."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import comb as choose

from assay.core.errors import InvalidInput
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.posterior import Posterior
from assay.frontier.selection.attempts import Rates, counted
from assay.frontier.selection.judged import ErringJudge, erring, measure_judge
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.selecting import selected_first, selected_uniformly
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor, from_counts

ERRING = ErringJudge(0.8, 0.3, 0.25)


def selected(right: np.ndarray, judge: ErringJudge, rng: np.random.Generator, rule: str) -> np.ndarray:
    """Return whether the answer selected from `right` (R, L, k), shown model by model, is right."""
    shown = right.reshape(len(right), -1)
    chance = np.where(shown, judge.true_positive, judge.false_positive)
    accepted = rng.random(shown.shape) < chance
    order = rng.random(shown.shape) if rule == "uniform" else np.arange(shown.shape[1])
    place = np.where(accepted, order, np.inf).argmin(axis=1)
    taken = np.where(accepted.any(axis=1), place, 0)
    return shown[np.arange(len(shown)), taken]


@pytest.mark.parametrize("rule", ["uniform", "first"])
def test_the_closed_form_is_what_selection_gives(rule: str) -> None:
    """Simulated selection among 3 answers of each of 4 models agrees within 4 standard errors."""
    rng = np.random.default_rng(11)
    rates, runs, k = np.array([[0.7, 0.5, 0.1, 0.0]]), 40_000, 3
    right = rng.random((runs, 4, k)) < rates[0][np.newaxis, :, np.newaxis]
    simulated = selected(right, ERRING, rng, rule)
    select = selected_uniformly if rule == "uniform" else selected_first
    cells = Rates(rates, np.ones_like(rates, dtype=bool))
    found = select(cells, ERRING, np.array([k]), [0, 1, 2, 3])[0, 0]
    assert found == pytest.approx(simulated.mean(), abs=4 * simulated.std() / np.sqrt(runs))


@pytest.mark.parametrize("rule", ["uniform", "first"])
def test_counts_give_selection_among_recorded_answers(rule: str) -> None:
    """From counts it is the mean over all ways of drawing answers without replacement."""
    rng = np.random.default_rng(12)
    correct, number, runs, k = np.array([[3, 1]]), 4, 40_000, 2
    kept = rng.random((runs, 2, number)).argsort(axis=2)[:, :, :k]
    simulated = selected(kept < correct[0][np.newaxis, :, np.newaxis], ERRING, rng, rule)
    select = selected_uniformly if rule == "uniform" else selected_first
    cells = counted(correct, np.full((1, 2), number))
    found = select(cells, ERRING, np.array([k]), [0, 1])[0, 0]
    assert found == pytest.approx(simulated.mean(), abs=4 * simulated.std() / np.sqrt(runs))


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.integers(1, 6), st.integers(6, 12))
@settings(max_examples=25)
def test_counts_are_unbiased_for_the_rate(
    rate: float, true: float, false: float, k: int, number: int
) -> None:
    """Weighted by how likely each count is, chances from counts are those at the rate itself."""
    judge, counts = ErringJudge(true, false), np.arange(number + 1)
    weight = np.array([comb(number, each) * rate**each * (1 - rate) ** (number - each) for each in counts])
    cells = counted(counts[np.newaxis], np.full((1, number + 1), number))
    known = Rates(np.array([[rate]]), np.array([[True]]))
    assert weight @ cells.rejected(judge, k)[0] == pytest.approx(known.rejected(judge, k)[0, 0], abs=1e-9)
    beside = weight @ cells.right_beside(judge, k - 1)[0]
    assert beside == pytest.approx(known.right_beside(judge, k - 1)[0, 0], abs=1e-9)


def made_up() -> Tensor:
    """Return 40 prompts by 3 models with 5 answers each."""
    rng = np.random.default_rng(4)
    correct = rng.binomial(5, rng.beta(1, 1, (40, 1)) * np.array([0.9, 0.7, 0.4]))
    return from_counts(
        tuple(map(str, range(40))), ("a", "b", "c"), correct, np.full((40, 3), 5), cost=np.full((40, 3), 0.5)
    )


def test_a_perfect_free_judge_finds_every_right_answer() -> None:
    """All models, the best by prompt and the fixed one give equations 23 and 22 and pass@k."""
    tensor, k = made_up(), 3
    miss = choose(5 - tensor.correct, k) / choose(5, k)
    expected = {
        "all_models": 1 - miss.prod(axis=1).mean(),
        "per_prompt_best": (1 - miss.min(axis=1)).mean(),
        "fixed_best": 1 - miss[:, tensor.mean_quality().mean(axis=0).argmax()].mean(),
    }
    for scope, value in expected.items():
        for rule in ("uniform", "first"):
            found = posthoc(tensor, ErringJudge(), scope=scope, rule=rule, resamples=20)  # type: ignore[arg-type]
            assert found.points[k - 1].quality.value == pytest.approx(value, abs=1e-9)


def test_all_answers_and_judgements_are_paid() -> None:
    """Two answers of three models at 0.50 each and six judgements at 0.25."""
    found = posthoc(made_up(), ERRING, resamples=20)
    assert found.points[1].cost.value == pytest.approx(2 * 3 * 0.75)
    assert found.points[1].answers.value == 6.0
    assert found.single_cost.value == 0.5


def test_with_more_answers_of_one_model_the_quality_approaches_the_judges_precision() -> None:
    """TPR p / (TPR p + FPR (1 - p)), reached from below by a judge that is better than chance."""
    tensor = from_counts(("x",), ("a",), [[2]], [[5]])
    known = Posterior("known", np.array([[[0.4]]]), None, np.array([[True]]))
    found = posthoc(tensor, ERRING, posterior=known, most=200)
    precision = 0.8 * 0.4 / (0.8 * 0.4 + 0.3 * 0.6)
    assert found.limit.value == pytest.approx(precision)
    assert found.points[-1].quality.value == pytest.approx(precision)
    curve = [point.quality.value or 0.0 for point in found.points]
    assert curve[0] == pytest.approx(0.4) and np.all(np.diff(curve) >= -1e-12)


def test_an_erring_judge_turns_more_answers_into_worse_results() -> None:
    """The more wrong answers a weak model makes, the more of them are accepted."""
    rates = np.array([[[0.5, 0.02], [0.9, 0.02]]])
    tensor = from_counts(("x", "y"), ("good", "weak"), [[1, 0], [1, 0]], [[2, 2], [2, 2]])
    known = Posterior("known", rates, None, np.ones((2, 2), dtype=bool))
    found = posthoc(tensor, ErringJudge(0.9, 0.3), posterior=known, most=60)
    assert found.worse_after is not None
    assert (found.points[-1].quality.value or 0) < (found.points[found.best_k - 1].quality.value or 0)
    pooled = (0.9 * rates[0].sum(1)) / (0.9 * rates[0].sum(1) + 0.3 * (2 - rates[0].sum(1)))
    assert found.limit.value == pytest.approx(pooled.mean())
    assert posthoc(tensor, ErringJudge(), posterior=known, most=60).worse_after is None


def test_hundreds_of_answers_keep_their_precision() -> None:
    """The quadrature of the uniform rule agrees with the recursion over how many are accepted."""
    rng, k = np.random.default_rng(8), 10
    rates = rng.beta(0.5, 2, (1, 40))
    accepted = np.repeat(ERRING.true_positive * rates[0] + ERRING.false_positive * (1 - rates[0]), k)
    right = np.repeat(ERRING.true_positive * rates[0], k)
    expected = 0.0
    for place in range(0, len(accepted), k):
        spread = np.array([1.0])
        for chance in np.delete(accepted, place):
            spread = np.convolve(spread, [1 - chance, chance])
        expected += k * right[place] * (spread / np.arange(1, len(accepted) + 1)).sum()
    cells = Rates(rates, np.ones_like(rates, dtype=bool))
    found = selected_uniformly(cells, ERRING, np.array([k]), list(range(40)))[0, 0]
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("answers", [1, 30, 1000])
def test_answers_that_are_all_accepted_keep_their_precision(answers: int) -> None:
    """Of a right and a wrong model's answers, all accepted, one half is right."""
    cells = Rates(np.array([[1.0, 0.0]]), np.ones((1, 2), dtype=bool))
    found = selected_uniformly(cells, ErringJudge(1.0, 1.0), np.array([answers]), [0, 1])[0, 0]
    assert found == pytest.approx(0.5, abs=1e-9)


def test_a_model_without_answers_is_neither_paid_nor_returned() -> None:
    """If the best single has no answer, the next model's is returned; its own mean leaves the prompt out."""
    tensor = from_counts(("x", "y"), ("a", "b"), [[2, 0], [0, 2]], [[2, 2], [0, 2]])
    found = posthoc(tensor, ErringJudge(0.0, 0.0), resamples=20)
    assert found.single == "a" and found.single_quality.value == 1.0
    assert found.points[0].quality.value == 1.0
    assert found.points[0].answers.value == 1.5


def test_the_uncertainty_of_a_measured_judge_is_carried_along() -> None:
    """Few judgements give a wide interval for these prompts, many a narrow one."""

    def width(times: int) -> float:
        right = np.repeat([True, False], 10 * times)
        accepted = np.tile([True, True, True, True, False], 4 * times)
        judge = measure_judge(right, accepted)
        interval = posthoc(made_up(), judge, resamples=20).points[2].quality.these_prompts
        assert interval is not None
        return interval.high - interval.low

    assert width(100) < 0.3 * width(1)


def test_the_best_single_is_measured_where_it_answered() -> None:
    """Its cost, and the gain over it, are means over the two prompts of three that it has answers on."""
    correct = np.array([[2, 1], [1, 0], [0, 2]])
    given = np.array([[2, 2], [2, 2], [0, 2]])
    cost = np.array([[1.0, 3.0], [2.0, 3.0], [np.nan, 3.0]])
    found = posthoc(
        from_counts(("a", "b", "c"), ("x", "y"), correct, given, cost=cost), ErringJudge(), most=1
    )
    assert found.single == "x"
    assert (found.single_quality.value, found.single_cost.value) == (0.75, 1.5)
    # On a one of both is right for sure, on b with chance 0.5: 0.75, as good as x alone.
    assert found.points[0].gain.value == pytest.approx(0.0)
    assert found.points[0].quality.value == pytest.approx((1.0 + 0.5 + 1.0) / 3.0)


def test_the_loss_from_more_answers_has_its_own_interval() -> None:
    """With a judge that errs on 30 % the last k is worse than the best; a perfect judge loses nothing."""
    rng = np.random.default_rng(8)
    correct = np.stack([rng.binomial(10, 0.8, 200), rng.binomial(10, 0.1, 200)], axis=1)
    names = tuple(str(place) for place in range(200))
    tensor = from_counts(names, ("good", "poor"), correct, np.full((200, 2), 10))
    found, perfect = posthoc(tensor, erring(0.3)), posthoc(tensor, ErringJudge())
    curve = [each.quality.value or 0.0 for each in found.points]
    assert found.fall.value == pytest.approx(max(curve) - curve[-1])
    assert found.fall.over_prompts is not None and found.fall.over_prompts.low >= 0.0
    assert perfect.fall.value == 0.0


def test_graded_quality_is_refused() -> None:
    """Accepting and rejecting needs right and wrong."""
    with pytest.raises(InvalidInput, match="needs quality 0 or 1"):
        posthoc(Tensor(("x",), ("a",), np.array([[[0.5]]])), erring(0.1))


@pytest.mark.parametrize("answers", [150, 400])
def test_hundreds_of_counted_answers_that_are_all_right_are_right(answers: int) -> None:
    """The chance that all are rejected underflows, and the selected answer is still right for certain."""
    cells = counted(np.full((1, 2), answers), np.full((1, 2), answers))
    found = selected_uniformly(cells, ErringJudge(), np.array([1, answers]), [0, 1])
    assert found == pytest.approx(np.ones((2, 1)), abs=1e-9)


def test_the_single_model_is_the_best_on_all_prompts_not_on_the_easy_ones() -> None:
    """The second model answered only the easy prompt, and worse than the first."""
    tensor = from_counts(
        ("easy", "hard", "harder"), ("a", "b"), [[5, 4], [1, 0], [1, 0]], [[5, 5], [5, 0], [5, 0]]
    )
    assert posthoc(tensor, ErringJudge(), resamples=0).single == "a"
    assert cheapest(tensor.mean_quality(), tensor.models, resamples=0).single == "a"
    assert sequential(tensor, resamples=0).single == "a"
