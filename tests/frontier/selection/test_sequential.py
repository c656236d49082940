"""Tests of sequential prompting with early return."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.selection.attempts import Rates, counted
from assay.frontier.selection.judged import ErringJudge, erring, measure_judge
from assay.frontier.selection.plan import greedy_steps, rounds, walk
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor, from_counts

ERRING = ErringJudge(0.8, 0.25, 0.5)


def rates(*row: float) -> Rates:
    """Return one prompt's cells."""
    return Rates(np.array([row]), np.ones((1, len(row)), dtype=bool))


def test_a_worked_plan() -> None:
    """0.5 for 1, then 0.8 for 4: 0.9 right for 3, with 1.5 answers, of a perfect free judge."""
    found = walk(
        rates(0.5, 0.8), ErringJudge(), (0, 1), cost=np.array([[1.0, 4.0]]), latency=np.array([[2.0, 6.0]])
    )
    assert found.quality[:, 0] == pytest.approx([0.5, 0.9])
    assert found.cost[:, 0] == pytest.approx([1.0, 1.0 + 0.5 * 4.0])
    assert found.answers[:, 0] == pytest.approx([1.0, 1.5])
    assert found.latency is not None and found.latency[:, 0] == pytest.approx([2.0, 5.0])


@given(
    st.lists(st.sampled_from([0.0, 0.2, 0.7, 1.0]), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.sampled_from(
        [ErringJudge(), ERRING, ErringJudge(1.0, 0.3), ErringJudge(0.6, 0.0), ErringJudge(0.0, 1.0)]
    ),
)
@settings(deadline=None)
def test_the_closed_form_is_the_sum_over_all_outcomes(
    chances: list[float], plan: list[int], judge: ErringJudge
) -> None:
    """Quality, cost and answers agree with the enumeration of what is right and what is accepted."""
    price = np.array([1.0, 2.0, 5.0])
    quality = cost = answers = 0.0
    for right in product((0, 1), repeat=len(plan)):
        for verdict in product((0, 1), repeat=len(plan)):
            chance = 1.0
            for place, is_right, accepted in zip(plan, right, verdict, strict=True):
                says = judge.true_positive if is_right else judge.false_positive
                chance *= chances[place] if is_right else 1 - chances[place]
                chance *= says if accepted else 1 - says
            stop = verdict.index(1) if 1 in verdict else len(plan) - 1
            taken = stop if 1 in verdict else plan.index(2) if 2 in plan else 0
            quality += chance * right[taken]
            cost += chance * sum(price[place] + judge.price for place in plan[: stop + 1])
            answers += chance * (stop + 1)
    found = walk(rates(*chances), judge, plan, cost=price[np.newaxis], fallback=2)
    assert found.quality[-1, 0] == pytest.approx(quality, abs=1e-9)
    assert found.cost[-1, 0] == pytest.approx(cost, abs=1e-9)
    assert found.answers[-1, 0] == pytest.approx(answers, abs=1e-9)


def test_attempts_until_the_first_right_answer_of_a_recorded_cell() -> None:
    """Of n answers with c right in random order the first right one comes after (n + 1)/(c + 1)."""
    correct = np.array([[1], [2], [5]])
    found = walk(counted(correct, np.full((3, 1), 5)), ErringJudge(), (0,) * 5, cost=np.ones((3, 1)))
    assert found.answers[-1] == pytest.approx([6 / 2, 6 / 3, 6 / 6])
    assert found.quality[-1] == pytest.approx([1, 1, 1])


def test_a_cell_without_answers_left_is_passed_over() -> None:
    """Nothing is paid for an answer that does not exist, nor is it right."""
    found = walk(counted(np.array([[1, 0]]), np.array([[1, 0]])), ERRING, (1, 0, 0), cost=np.ones((1, 2)))
    assert found.answers[:, 0] == pytest.approx([0.0, 1.0, 1.0])
    assert found.quality[:, 0] == pytest.approx([0.0, 1.0, 1.0])


def test_where_the_fallback_has_no_answer_the_first_asked_stands() -> None:
    """A judge that rejects everything: the fallback's answer, on the prompts where it has one."""
    cells = counted(np.array([[2, 0, 2], [0, 0, 2]]), np.array([[2, 2, 2], [0, 2, 2]]))
    found = walk(cells, ErringJudge(0.0, 0.0), (1, 0, 2), cost=np.ones((2, 3)), fallback=0)
    assert found.quality[:, 0].tolist() == [0.0, 1.0, 1.0]
    assert found.quality[:, 1].tolist() == [0.0, 0.0, 0.0]


def test_greedy_takes_hits_for_their_price() -> None:
    """0.3 for 1 goes before 0.8 for 4; prompts that an earlier model solves do not count again."""
    cells = Rates(np.array([[0.3, 0.8]]), np.ones((1, 2), dtype=bool))
    assert greedy_steps(cells, ErringJudge(), cost=np.array([[1.0, 4.0]]), attempts=1, steps=2) == (0, 1)
    twins = Rates(np.array([[1.0, 1.0, 0.0], [1.0, 0.9, 0.0], [0.0, 0.0, 0.6]]), np.ones((3, 3), dtype=bool))
    assert greedy_steps(twins, ErringJudge(), cost=np.ones((3, 3)), attempts=1, steps=2) == (0, 2)


def test_greedy_is_near_the_best_order() -> None:
    """Over 30 random populations it costs at most 1.3 times the best order's cost to its end."""
    from itertools import permutations

    rng = np.random.default_rng(6)
    worst = 0.0
    for _ in range(30):
        cells = Rates(rng.beta(0.4, 0.8, (12, 4)), np.ones((12, 4), dtype=bool))
        cost = np.broadcast_to(rng.uniform(0.5, 4.0, 4), (12, 4))
        spent = {
            order: walk(cells, ErringJudge(), order, cost=cost).cost[-1].mean()
            for order in permutations(range(4))
        }
        greedy = greedy_steps(cells, ErringJudge(), cost=cost, attempts=1, steps=4)
        worst = max(worst, spent[greedy] / min(spent.values()))
    assert worst < 1.3


def made_up(prompts: int = 60) -> Tensor:
    """Return models that are good at different halves, and a poor one."""
    rng = np.random.default_rng(9)
    half = np.arange(prompts) % 2 == 0
    chance = np.stack([np.where(half, 0.9, 0.2), np.where(half, 0.1, 0.8), np.full(prompts, 0.15)], axis=1)
    correct, given_ = rng.binomial(4, chance), np.full((prompts, 3), 4)
    tensor = from_counts(
        tuple(map(str, range(prompts))),
        ("even", "odd", "poor"),
        correct,
        given_,
        cost=np.broadcast_to([2.0, 1.0, 0.5], (prompts, 3)),
    )
    return Tensor(
        tensor.prompts,
        tensor.models,
        tensor.quality,
        tensor.cost,
        latency=np.ones_like(tensor.quality),
        categories=tuple("even" if each else "odd" for each in half),
    )


def test_the_whole_plan_reaches_the_quality_of_all_models_for_less() -> None:
    """With a perfect judge it has the quality of asking all models, and each answer not made is saved."""
    found = sequential(made_up(), resamples=50)
    assert found.cross_fitted and len(found.points) == 12
    assert found.points[-1].quality.value == pytest.approx(found.everybody.quality.value)
    assert found.everybody.cost.value == pytest.approx(4 * 3.5)
    assert found.points[-1].cost.value is not None and found.saving.value is not None
    assert found.saving.value == pytest.approx(1 - found.points[-1].cost.value / 14.0)
    assert found.points[-1].latency is not None
    assert found.points[-1].latency.value == pytest.approx(found.points[-1].answers.value)


def test_a_given_order_is_not_cross_fitted() -> None:
    """Two attempts of one model, then two of the other, evaluated on all prompts."""
    found = sequential(made_up(), order=("poor", "odd"), attempts=2, resamples=20)
    assert found.plan == ("poor", "poor", "odd", "odd")
    assert not found.cross_fitted and found.saving.value is None
    assert any("was given" in note for note in found.notes)


def test_categories_have_plans_of_their_own() -> None:
    """If models are good at different categories, a plan for each has a better first answer."""
    together, apart = (
        sequential(made_up(120), by_category=each, most=1, resamples=20) for each in (False, True)
    )
    assert (apart.points[0].quality.value or 0) > (together.points[0].quality.value or 0) + 0.15


def test_a_plan_is_not_evaluated_on_its_training_prompts() -> None:
    """For twenty models that differ by luck alone, one answer of the luckiest is right in 0.3."""
    rng = np.random.default_rng(21)
    correct = (rng.random((30, 20)) < 0.3).astype(np.int64)
    names = tuple(f"m{each}" for each in range(20))
    tensor = from_counts(tuple(map(str, range(30))), names, correct, np.ones_like(correct))
    found = sequential(tensor, most=1, splits=20, resamples=20)
    assert (found.single_quality.value or 0) >= 0.45
    assert found.points[0].quality.value == pytest.approx(0.3, abs=0.06)


def test_a_judges_price_is_paid_for_every_answer() -> None:
    """A judge at 0.5 raises the cost by half an answer's count."""
    free, paid = (
        sequential(made_up(), ErringJudge(price=price), order=("odd",), resamples=20) for price in (0, 0.5)
    )
    answers, last = free.points[-1].answers.value or 0.0, free.points[-1].cost.value or 0.0
    assert paid.points[-1].cost.value == pytest.approx(last + 0.5 * answers)


def test_the_uncertainty_of_a_measured_judge_is_carried_along() -> None:
    """Twenty judged answers leave more uncertainty than 2,000; the value is near that of the rates."""
    widths = []
    for times in (1, 100):
        right, accepted = (
            [True] * 10 * times + [False] * 10 * times,
            [True] * 9 * times + [False] * 11 * times,
        )
        judge = measure_judge(right, accepted)
        found = sequential(made_up(), judge, resamples=0, splits=1)
        ends = found.points[-1].quality.these_prompts
        assert ends is not None
        widths.append(ends.high - ends.low)
    assert widths[0] > 3 * widths[1] > 0.0
    plain = sequential(made_up(), judge.judge(), resamples=0, splits=1).points[-1].quality
    assert plain.these_prompts is None
    assert found.points[-1].quality.value == pytest.approx(plain.value, abs=0.01)


def test_a_posterior_far_from_the_counts_gives_a_note() -> None:
    """Small rates in every cell add up over many answers; the note gives both figures."""
    tensor = from_counts(("x", "y"), ("a", "b"), [[5, 0], [0, 0]], np.full((2, 2), 5))
    drawn = Posterior("made up", np.full((3, 2, 2), 0.2), None, np.ones((2, 2), dtype=bool))
    notes = sequential(tensor, posterior=drawn, resamples=20).notes
    assert any("posterior gives 89.3 %" in note and "50.0 %" in note for note in notes)


def test_what_cannot_be_asked_is_refused() -> None:
    """An unknown model, one named twice, no attempts."""
    with pytest.raises(InvalidInput, match="'nobody', which is not asked"):
        sequential(made_up(), order=("nobody",))
    with pytest.raises(InvalidInput, match="names a model twice"):
        sequential(made_up(), order=("odd", "odd"))
    with pytest.raises(InvalidInput, match="give 1 or more"):
        sequential(made_up(), erring(0.1), attempts=0)


def test_rounds_keep_the_order() -> None:
    """All attempts of a model come before the next model."""
    assert rounds((2, 0), (1, 3)) == (2, 0, 0, 0)
