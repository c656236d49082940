"""The keyed board: accuracies, chance, bundles, and which models are told apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from keyed_answers import answers, questions, simulated, with_status
from scipy import stats

from assay.core.errors import InvalidInput
from assay.ranking.board.keyed import KeyedBoard, consistency, keyed_board, resample_bundles, rights
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.ranking.board.pairs import compare
from assay.results.board_keyed import Chance, Consistency, Rights
from assay.results.ranking import BoardSamples

BY_HAND = np.tile([[[True, True, False, False]]], (1, 1, 5))


def board_of(made: Answers, replicates: int = 300) -> KeyedBoard:
    """Return the board with a fixed seed."""
    return keyed_board(made, np.random.default_rng(1), replicates=replicates)


def test_far_apart_is_told_and_alike_shares_ranks() -> None:
    """0.9, 0.9 and 0.3 on 100 questions: two share the first ranks, the third is last."""
    rng = np.random.default_rng(3)
    found = board_of(simulated(rng, [0.9, 0.9, 0.3]))
    ranks = [(each.ranks.low, each.ranks.high) for each in found.standings if each.ranks]
    assert ranks == [(1, 2), (1, 2), (3, 3)]


def test_errors_blame_nobody_and_invalid_answers_do() -> None:
    """The score leaves errors out; 10 of 20 right, 4 of the others invalid or errors."""
    right = np.tile([True, False], 10).reshape(1, 1, 20)
    status = np.full(20, int(Status.OK))
    status[[1, 3, 5, 7]] = Status.INVALID
    assert board_of(with_status(answers(right), status)).standings[0].score == 0.5
    status[[1, 3, 5, 7]] = Status.ERROR
    assert board_of(with_status(answers(right), status)).standings[0].score == 0.625


def test_a_model_without_an_answer_has_no_rank() -> None:
    """It stands last, with its errors counted."""
    status = np.full((1, 2, 20), int(Status.OK))
    status[0, 0] = Status.ERROR
    found = board_of(with_status(answers(np.ones((1, 2, 20))), status))
    last = found.standings[-1]
    assert (last.model, last.score, last.ranks, last.rights.samples.error) == ("a", None, None, 20)
    assert found.comparisons.between("a", "b").difference is None


def test_variants_and_concepts_add_up() -> None:
    """Each splits all answers; five questions of a concept have a wide interval."""
    found = board_of(simulated(np.random.default_rng(5), [0.6])).standings[0]
    assert [part.name for part in found.variants] == ["base", "trap", "transfer", "numeric", "analyst"]
    assert [len(found.concepts), found.concepts[0].questions] == [20, 5]
    for parts in (found.variants, found.concepts):
        assert sum(part.rights.right for part in parts) == found.rights.right
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
    assert board_of(made).standings == board_of(turned).standings


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
    assert board_of(made).standings[0].usage.cost == pytest.approx(0.2)
    cost[0, 0, 3] = np.nan
    found = board_of(replace(made, cost=cost)).standings[0]
    assert (found.usage.cost, found.usage.cost_unknown, found.usage.tokens.value, found.usage.latency.n) == (
        None,
        1,
        100.0,
        20,
    )


def test_chance_is_that_of_all_questions() -> None:
    """Four options everywhere: a quarter."""
    assert board_of(answers(np.ones((1, 1, 20)))).chance == 0.25


def counted(made: object, model: int = 0) -> Rights:
    """Count a model on all questions, clustered by bundle."""
    questions = made.questions  # type: ignore[attr-defined]
    bundle = np.array([made.concepts.index(each.concept) for each in questions])  # type: ignore[attr-defined]
    return rights(made, model, np.ones(len(questions), dtype=bool), bundle)  # type: ignore[arg-type]


def test_the_kinds_stay_apart() -> None:
    """Of 20: 3 invalid, 2 errors, 1 ungraded, 1 never asked; the 13 left are ok, all of them right."""
    kinds = (Status.INVALID,) * 3 + (Status.ERROR,) * 2 + (Status.UNGRADED, Status.ABSENT)
    made = with_status(answers(np.ones((1, 1, 20))), [*map(int, kinds), *[int(Status.OK)] * 13])
    found = counted(made)
    assert found.samples == BoardSamples(n=19, ok=13, invalid=3, truncated=0, error=2, ungraded=1)
    assert found.right == 13


def test_over_valid_and_over_all() -> None:
    """10 right of 16 visible of 20 asked: 0.625 and 0.5."""
    status = np.full(20, int(Status.OK))
    status[[2, 3, 6, 7]] = [Status.INVALID, Status.ERROR, Status.INVALID, Status.ERROR]
    found = counted(with_status(answers(BY_HAND), status))
    assert (found.valid.value, found.overall.value) == (0.625, 0.5)


def test_an_unread_letter_is_a_visible_wrong_answer() -> None:
    """It stays in the denominator, and is counted."""
    read = np.ones((1, 1, 20), dtype=bool)
    read[0, 0, [2, 3]] = False
    found = counted(answers(BY_HAND, read=read))
    assert (found.samples.ok, found.unread, found.valid.value) == (20, 2, 0.5)


def test_without_a_visible_answer_there_is_no_accuracy_over_valid() -> None:
    """Over all it is 0, of 20."""
    found = counted(with_status(answers(BY_HAND), np.full(20, int(Status.INVALID))))
    assert (found.valid.value, found.valid.interval, found.overall.value) == (None, None, 0.0)


def test_epochs_are_counted_one_by_one() -> None:
    """Two epochs of 20 questions are 40 samples."""
    made = answers(np.concatenate([BY_HAND, np.ones((1, 1, 20))]))
    assert (counted(made).samples.n, counted(made).valid.value) == (40, 0.75)


def test_the_interval_knows_the_bundles() -> None:
    """The same 50 of 100, by whole bundles and spread evenly: the first interval is far wider."""
    whole = counted(answers(np.tile([True, False] * 10, (1, 1, 5)))).valid.interval
    rng = np.random.default_rng(2)
    even = counted(answers(rng.permutation(np.repeat([True, False], 50)).reshape(1, 1, 100))).valid.interval
    assert whole is not None
    assert even is not None
    assert whole.high - whole.low > 1.7 * (even.high - even.low)


@pytest.mark.parametrize(("share", "alike"), [(0.4, 0.2), (0.8, 0.2)])
def test_coverage_with_epochs(share: float, alike: float) -> None:
    """Three epochs whose answers repeat: at least 93 % of the intervals hold the truth (500 boards)."""
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(500):
        found = counted(simulated(rng, [share], alike=alike, epochs=3)).valid.interval
        assert found is not None
        held += found.low <= share <= found.high
    assert held / 500 >= 0.93


def test_what_cannot_be_is_refused() -> None:
    """Right without a letter, a letter without an answer, other shapes, one option, a name twice."""
    made = answers(BY_HAND)
    with pytest.raises(InvalidInput, match="right, but no letter was read"):
        replace(made, read=np.zeros((1, 1, 20), dtype=bool))
    with pytest.raises(InvalidInput, match="not OK"):
        replace(made, status=np.full((1, 1, 20), int(Status.ERROR)))
    with pytest.raises(InvalidInput, match="tokens has shape"):
        replace(made, tokens=np.zeros((1, 1, 3)))
    with pytest.raises(InvalidInput, match="1 options"):
        replace(made, questions=(KeyedQuestion("c", "c", "base", 1), *made.questions[1:]))
    with pytest.raises(InvalidInput, match="is given 2 times"):
        answers(np.ones((1, 2, 20)), models=("a", "a"))


def chance_of(made: object) -> Chance | None:
    """Return the test of the only model."""
    return keyed_board(made, np.random.default_rng(1), replicates=20).standings[0].chance  # type: ignore[arg-type]


def right_answers(number: int, of_all: int = 100) -> np.ndarray:
    """Return so many right answers, spread over the bundles."""
    return (np.arange(of_all) < number).reshape(1, 1, of_all)


def test_it_is_the_binomial_test() -> None:
    """33 of 100 with four options: p is the tail of the binomial distribution."""
    found = chance_of(answers(right_answers(33)))
    assert found is not None
    assert found.p == pytest.approx(stats.binom.sf(32, 100, 0.25))
    assert (found.expected, found.tested, found.right) == (0.25, 100, 33)


@pytest.mark.parametrize(("right", "above"), [(25, False), (33, False), (45, True)])
def test_above_takes_the_interval_too(right: int, above: bool) -> None:
    """33 of 100 has p 0.045, but its interval reaches below 25 %."""
    found = chance_of(
        answers(np.random.default_rng(2).permutation(right_answers(right).ravel()).reshape(1, 1, -1))
    )
    assert found is not None
    assert found.above is above


def test_repeating_a_guess_is_no_proof() -> None:
    """Ten epochs of the same guesses test what one does."""
    once, ten = (
        chance_of(answers(right_answers(28))),
        chance_of(answers(np.repeat(right_answers(28), 10, axis=0))),
    )
    assert once is not None
    assert ten is not None
    assert ten.p == once.p


def test_the_first_visible_answer_counts() -> None:
    """A question whose first epoch errored is tested with its second; one without any is not."""
    made = answers(np.stack([np.zeros((1, 20)), np.ones((1, 20))]))
    status = made.status.copy()
    status[0, 0, :2], status[:, 0, 19] = Status.ERROR, Status.INVALID
    found = chance_of(with_status(made, status))
    assert found is not None
    assert (found.tested, found.right) == (19, 2)


def test_options_may_differ() -> None:
    """Half of the questions with two options: a guesser reaches 37.5 %."""
    mixed = (*questions(2, options=4)[:5], *questions(2, options=2)[5:])
    found = chance_of(answers(right_answers(5, 10), questions=mixed))
    assert found is not None
    assert found.expected == pytest.approx(0.375)


def test_nothing_visible_is_not_tested() -> None:
    """No answer, no test."""
    assert chance_of(with_status(answers(right_answers(20, 20)), np.full(20, int(Status.INVALID)))) is None


def consistency_of(right: object, variants: int = 5) -> Consistency:
    """Return the consistency of the only model."""
    return consistency(answers(right, variants), 0, np.random.default_rng(1), replicates=500)


def test_by_hand() -> None:
    """Bundles with both, one, one and none of 2 right; accuracies 1/2 and 1/2: expected 1, 2, 1."""
    found = consistency_of([[[True, True, False, False, True, False, True, False]]], variants=2)
    assert [(each.k, each.bundles) for each in found.spread] == [(0, 1), (1, 2), (2, 1)]
    assert [each.expected for each in found.spread] == pytest.approx([1.0, 2.0, 1.0])
    assert (found.bundles, found.mean, found.whole, found.whole_expected) == (4, 1.0, 0.25, 0.25)


def test_expected_follows_the_variants() -> None:
    """Accuracy 1 on one variant and 1/2 on the other: k is 1 or 2, never 0."""
    found = consistency_of([[[True, True, True, True, True, False, True, False]]], variants=2)
    assert [each.expected for each in found.spread] == pytest.approx([0.0, 2.0, 2.0])


def test_whole_concepts_have_the_largest_dispersion() -> None:
    """Ten bundles known whole, ten not at all: the variance of k is 5 times that of scattered rights."""
    found = consistency_of([[[True, False] * 50]])
    assert (found.whole, found.mean) == (0.5, 2.5)
    assert found.dispersion == pytest.approx(5.0, rel=0.1)
    assert found.p == pytest.approx(1 / 501)


def test_rights_dealt_evenly_have_a_small_one() -> None:
    """Every bundle has exactly 2 of 4 right: no variance at all."""
    right = np.concatenate([np.tile([True, False], 5), np.tile([False, True], 5)] * 2)
    found = consistency_of(right.reshape(1, 1, -1), variants=4)
    assert (found.dispersion, found.p) == (0.0, 1.0)


def test_all_right_says_nothing_about_dispersion() -> None:
    """Nothing varies, so there is nothing to compare."""
    found = consistency_of(np.ones((1, 1, 20)))
    assert (found.whole, found.whole_expected, found.dispersion, found.p) == (1.0, 1.0, None, None)


def test_a_bundle_with_an_error_is_left_out_and_an_invalid_answer_is_not_right() -> None:
    """Of 4 bundles one errored and one was never asked whole; an invalid answer makes 4 of 5."""
    status = np.full(20, int(Status.OK))
    status[0], status[5], status[10] = Status.ERROR, Status.ABSENT, Status.INVALID
    made = with_status(answers(np.ones((1, 1, 20))), status)
    found = consistency(made, 0, np.random.default_rng(1), replicates=50)
    assert (found.bundles, found.left_out) == (2, 2)
    assert [each.bundles for each in found.spread] == [0, 0, 0, 0, 1, 1]


def test_a_bundle_counts_once_an_epoch() -> None:
    """Two epochs of 4 bundles are 8; a bundle never asked in an epoch is no loss."""
    made = answers(np.ones((2, 1, 20)))
    status = made.status.copy()
    status[1, 0, [0, 4, 8, 12, 16]] = Status.ABSENT
    found = consistency(with_status(made, status), 0, np.random.default_rng(1), replicates=50)
    assert (found.bundles, found.left_out) == (7, 0)


def test_without_bundles() -> None:
    """One question a concept makes no bundle."""
    found = consistency_of(np.ones((1, 1, 4)), variants=1)
    assert (found.bundles, found.spread, found.mean) == (0, (), None)


def test_expected_and_observed_have_one_mean() -> None:
    """The Poisson-binomial keeps the number of rights, whatever they are."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        found = consistency_of(rng.random((1, 1, 100)) < rng.random())
        assert sum(each.expected for each in found.spread) == pytest.approx(20.0)
        assert sum(each.k * each.expected for each in found.spread) == pytest.approx(20.0 * (found.mean or 0))


@pytest.mark.parametrize("epochs", [1, 3])
def test_scattered_rights_are_rarely_called_mastery(epochs: int) -> None:
    """Independent questions, repeated answers or not: p is at most 0.05 on at most 8 % of 300 models."""
    rng = np.random.default_rng(5)
    made = simulated(rng, np.full(300, 0.6), epochs=epochs)
    found = [consistency(made, model, rng, replicates=200).p for model in range(300)]
    assert np.mean([p is not None and p <= 0.05 for p in found]) <= 0.08


def test_mastery_is_found() -> None:
    """Questions of a bundle correlated at 0.4: more than 9 of 10 models are told."""
    rng = np.random.default_rng(6)
    made = simulated(rng, np.full(60, 0.6), alike=0.4)
    found = [consistency(made, model, rng, replicates=200).p for model in range(60)]
    assert np.mean([p is not None and p <= 0.05 for p in found]) > 0.9


def test_bundles_left_out_bear_on_nothing() -> None:
    """With errors here and there, expected and observed bundles keep one number and one mean."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        made = answers(rng.random((2, 1, 100)) < 0.6)
        status = np.where(rng.random((2, 1, 100)) < 0.1, int(Status.ERROR), int(Status.OK))
        found = consistency(with_status(made, status), 0, rng, replicates=50)
        assert sum(each.expected for each in found.spread) == pytest.approx(found.bundles)
        total = sum(each.k * each.expected for each in found.spread)
        assert total == pytest.approx(found.bundles * (found.mean or 0.0))
