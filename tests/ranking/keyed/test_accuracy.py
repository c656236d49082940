"""Accuracy over visible answers and over all, with every denominator."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from keyed_answers import answers, simulated, with_status

from assay.core.errors import InvalidInput
from assay.ranking.keyed.accuracy import Rights, rights
from assay.ranking.keyed.answers import Question
from assay.ranking.measured import Status

BY_HAND = np.tile([[[True, True, False, False]]], (1, 1, 5))


def counted(made: object, model: int = 0) -> Rights:
    """Count a model on all questions, clustered by bundle."""
    questions = made.questions  # type: ignore[attr-defined]
    bundle = np.array([made.concepts.index(each.concept) for each in questions])  # type: ignore[attr-defined]
    return rights(made, model, np.ones(len(questions), dtype=bool), bundle)  # type: ignore[arg-type]


def test_the_kinds_stay_apart() -> None:
    """Of 20: 3 invalid, 2 errors, 1 ungraded, 1 never asked; the 13 left are ok, all of them right."""
    kinds = (Status.INVALID,) * 3 + (Status.ERROR,) * 2 + (Status.UNGRADED, Status.ABSENT)
    made = with_status(answers(np.ones((1, 1, 20))), [*map(int, kinds), *[int(Status.OK)] * 13])
    counts = counted(made).counts
    assert (counts.n, counts.ok, counts.invalid, counts.error, counts.ungraded) == (19, 13, 3, 2, 1)
    assert counts.right == 13


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
    assert (found.counts.ok, found.counts.unread, found.valid.value) == (20, 2, 0.5)


def test_without_a_visible_answer_there_is_no_accuracy_over_valid() -> None:
    """Over all it is 0, of 20."""
    found = counted(with_status(answers(BY_HAND), np.full(20, int(Status.INVALID))))
    assert (found.valid.value, found.valid.interval, found.overall.value) == (None, None, 0.0)


def test_epochs_are_counted_one_by_one() -> None:
    """Two epochs of 20 questions are 40 samples."""
    made = answers(np.concatenate([BY_HAND, np.ones((1, 1, 20))]))
    assert (counted(made).counts.n, counted(made).valid.value) == (40, 0.75)


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
    with pytest.raises(InvalidInput, match="right without a letter"):
        replace(made, read=np.zeros((1, 1, 20), dtype=bool))
    with pytest.raises(InvalidInput, match="no visible answer"):
        replace(made, status=np.full((1, 1, 20), int(Status.ERROR)))
    with pytest.raises(InvalidInput, match="tokens has shape"):
        replace(made, tokens=np.zeros((1, 1, 3)))
    with pytest.raises(InvalidInput, match="1 options"):
        replace(made, questions=(Question("c", "c", "base", 1), *made.questions[1:]))
    with pytest.raises(InvalidInput, match="stands 2 times"):
        answers(np.ones((1, 2, 20)), models=("a", "a"))
