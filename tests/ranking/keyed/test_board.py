"""The keyed board as a whole: order, ranks, parts, and what changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from keyed_answers import answers, simulated, with_status

from assay.ranking.keyed.answers import Answers
from assay.ranking.keyed.board import KeyedBoard, keyed_board
from assay.ranking.keyed.resampled import resample_bundles
from assay.ranking.measured import Status
from assay.ranking.pairs import compare


def of(made: Answers, replicates: int = 300) -> KeyedBoard:
    """Return the board with a fixed seed."""
    return keyed_board(made, np.random.default_rng(1), replicates=replicates)


def test_far_apart_is_told_and_alike_shares_ranks() -> None:
    """0.9, 0.9 and 0.3 on 100 questions: two share the first ranks, the third is last."""
    rng = np.random.default_rng(3)
    found = of(simulated(rng, [0.9, 0.9, 0.3]))
    ranks = [(each.ranks.low, each.ranks.high) for each in found.standings if each.ranks]
    assert ranks == [(1, 2), (1, 2), (3, 3)]


def test_errors_blame_nobody_and_invalid_answers_do() -> None:
    """The score leaves errors out; 10 of 20 right, 4 of the others invalid or errors."""
    right = np.tile([True, False], 10).reshape(1, 1, 20)
    status = np.full(20, int(Status.OK))
    status[[1, 3, 5, 7]] = Status.INVALID
    assert of(with_status(answers(right), status)).standings[0].score == 0.5
    status[[1, 3, 5, 7]] = Status.ERROR
    assert of(with_status(answers(right), status)).standings[0].score == 0.625


def test_a_model_without_an_answer_has_no_rank() -> None:
    """It stands last, with its errors counted."""
    status = np.full((1, 2, 20), int(Status.OK))
    status[0, 0] = Status.ERROR
    found = of(with_status(answers(np.ones((1, 2, 20))), status))
    last = found.standings[-1]
    assert (last.model, last.score, last.ranks, last.rights.counts.error) == ("a", None, None, 20)
    assert found.comparisons.between("a", "b").difference is None


def test_variants_and_concepts_add_up() -> None:
    """Each splits all answers; five questions of a concept have a wide interval."""
    found = of(simulated(np.random.default_rng(5), [0.6])).standings[0]
    assert [part.name for part in found.variants] == ["base", "trap", "transfer", "numeric", "analyst"]
    assert [len(found.concepts), found.concepts[0].questions] == [20, 5]
    for parts in (found.variants, found.concepts):
        assert sum(part.rights.counts.right for part in parts) == found.rights.counts.right
    interval = found.concepts[0].rights.valid.interval
    assert interval is not None
    assert interval.high - interval.low > 0.5


def test_the_order_of_models_changes_nothing() -> None:
    """The same standings and pairs, given in another order."""
    made = simulated(np.random.default_rng(6), [0.7, 0.5, 0.6], alike=0.2)
    turned = replace(
        made,
        models=made.models[::-1],
        **{
            name: getattr(made, name)[:, ::-1]
            for name in ("status", "right", "read", "truncated", "tokens", "latency", "cost")
        },
    )
    assert of(made).standings == of(turned).standings


def told_apart(made: Answers) -> bool:
    """Return whether any two models are told apart."""
    draws = resample_bundles(made, np.random.default_rng(1), 200)
    return bool((compare(made.models, draws.exact, draws).p_holm <= 0.05).any())


def test_equal_models_are_rarely_told_apart() -> None:
    """Six equal models, bundles alike within: any pair on at most 7 % of 300 boards."""
    rng = np.random.default_rng(7)
    told = [told_apart(simulated(rng, [0.7] * 6, alike=0.3)) for _ in range(300)]
    assert np.mean(told) <= 0.07


def test_without_clusters_equal_models_would_be() -> None:
    """The bundles matter: each question a bundle of its own, the same boards tell models apart too often."""
    rng = np.random.default_rng(7)
    told = []
    for _ in range(150):
        made = simulated(rng, [0.7] * 6, alike=0.3)
        alone = tuple(replace(each, concept=each.id) for each in made.questions)
        told.append(told_apart(replace(made, questions=alone)))
    assert np.mean(told) > 0.1


def test_what_it_takes() -> None:
    """Means over answers where known; a total that is unknown as soon as one is."""
    made = answers(np.ones((1, 1, 20)))
    cost = made.cost.copy()
    assert of(made).standings[0].cost == pytest.approx(0.2)
    cost[0, 0, 3] = np.nan
    found = of(replace(made, cost=cost)).standings[0]
    assert (found.cost, found.cost_unknown, found.tokens.value, found.latency.n) == (None, 1, 100.0, 20)


def test_chance_is_that_of_all_questions() -> None:
    """Four options everywhere: a quarter."""
    assert of(answers(np.ones((1, 1, 20)))).chance == 0.25
