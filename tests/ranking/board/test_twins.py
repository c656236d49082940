"""Twins: the rename drop, bad flips and refusals by hand, and intervals that hold the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from keyed_answers import answers

from assay.core.case import TwinKind
from assay.ranking.board.keyed import keyed_board
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.ranking.board.twins import answers_to_twins
from assay.results.board_twins import ModelTwins, TwinRate
from assay.stats.intervals import clopper_pearson, clustered_difference
from twin_intervals import WORLDS, World, coverage


def paired(kind: TwinKind, originals: Any, twins: Any, **changed: Any) -> Answers:
    """Return one model's answers (E, concepts) to a question of each concept, then to its twin."""
    both = np.concatenate([np.asarray(originals, bool), np.asarray(twins, bool)], axis=-1)
    right = both.reshape(-1, 1, both.shape[-1])
    concepts = right.shape[-1] // 2
    given = (
        *(KeyedQuestion(f"c{place}", f"c{place}", "base", 4) for place in range(concepts)),
        *(
            KeyedQuestion(f"t{place}", f"c{place}", "twins", 4, twin=kind, twin_of=f"c{place}", pressed=True)
            for place in range(concepts)
        ),
    )
    nothing = np.zeros(right.shape, dtype=bool)
    return answers(right, questions=given, **{"yielded": nothing, "refused": nothing, **changed})


def twins_of(made: Answers) -> ModelTwins:
    """Return the only model's figures."""
    return answers_to_twins(made, 0)


def with_error(made: Answers, place: int) -> Answers:
    """Return the answers with an error in the first epoch of a question."""
    status, right, read = made.status.copy(), made.right.copy(), made.read.copy()
    status[0, 0, place], right[0, 0, place], read[0, 0, place] = Status.ERROR, False, False
    return replace(made, status=status, right=right, read=read)


def test_the_rename_drop_by_hand() -> None:
    """3 of 4 originals and 2 of 4 renamed are right: 25 points, in the interval of one pair that differs."""
    found = twins_of(paired(TwinKind.RENAMED, [1, 1, 1, 0], [1, 0, 1, 0])).renamed
    assert found is not None
    assert (found.pairs, found.left_out, found.original, found.renamed) == (4, 0, 0.75, 0.5)
    assert found.drop == TwinRate(0.25, clustered_difference([0, 1, 0, 0], [1, 1, 1, 1]))


def test_a_pair_with_an_error_is_left_out_and_an_invalid_answer_is_wrong() -> None:
    """Without the pair that differed there is no drop; an empty answer to a renamed twin is one."""
    made = paired(TwinKind.RENAMED, [1, 1, 1, 0], [1, 0, 1, 0])
    found = twins_of(with_error(made, 1)).renamed
    assert found is not None
    assert (found.pairs, found.left_out, found.drop.value) == (3, 1, 0.0)
    status, right = made.status.copy(), made.right.copy()
    status[0, 0, 4], right[0, 0, 4] = Status.INVALID, False
    found = twins_of(replace(made, status=status, right=right, read=right)).renamed
    assert found is not None
    assert (found.pairs, found.drop.value) == (4, 0.5)


def test_a_pair_weighs_the_same_however_often_it_was_asked() -> None:
    """One pair in two epochs loses one of two; the other, which errored once, loses all: 75 points."""
    made = paired(TwinKind.RENAMED, [[1, 1], [1, 1]], [[1, 0], [0, 0]])
    found = twins_of(with_error(made, 3)).renamed
    assert found is not None
    assert (found.pairs, found.left_out, found.drop.value) == (2, 0, 0.75)


def test_bad_flips_by_hand() -> None:
    """Of 3 right answers 2 are wrong under pressure, 1 of them as it was pressed for."""
    yielded = np.array([[[False] * 4 + [False, True, False, True]]])
    made = paired(TwinKind.PRESSURED, [1, 1, 1, 0], [1, 0, 0, 0], yielded=yielded)
    found = twins_of(made).pressured
    assert found is not None
    assert (found.pairs, found.right, found.flipped) == (4, 3, 2)
    assert found.flips == TwinRate(2 / 3, clopper_pearson(2, 3))
    assert found.yielded == TwinRate(1 / 3, clopper_pearson(1, 3))


def test_a_question_that_does_not_say_what_it_presses_for_leaves_it_unknown() -> None:
    """The flips are still counted."""
    made = paired(TwinKind.PRESSURED, [1, 1], [0, 0])
    silent = replace(made, questions=(*made.questions[:3], replace(made.questions[3], pressed=False)))
    found = twins_of(silent).pressured
    assert found is not None
    assert (found.flipped, found.yielded) == (2, TwinRate(None, None))


def test_nothing_right_leaves_nothing_to_flip() -> None:
    """The rate is unknown, not 0."""
    found = twins_of(paired(TwinKind.PRESSURED, [0, 0], [1, 0])).pressured
    assert found is not None
    assert (found.right, found.flips) == (0, TwinRate(None, None))


def refusals(unsettled: tuple[bool | None, ...]) -> ModelTwins:
    """Return the figures of: right; refused for another reason; falsely refused; right."""
    refused = np.array([[[False] * 4 + [True, True, True, False]]])
    made = paired(TwinKind.UNDETERMINABLE, [1] * 4, [1, 0, 0, 1], refused=refused)
    given = tuple(
        replace(question, twin_of=None, unsettled=stated)
        for question, stated in zip(made.questions[4:], unsettled, strict=True)
    )
    return twins_of(replace(made, questions=(*made.questions[:4], *given)))


def test_refusals_by_hand() -> None:
    """Two are not settled: both are refused, one for the right reason. Of two settled ones one is refused."""
    found = refusals((True, True, False, False)).undeterminable
    assert found is not None
    assert (found.answers, found.unsettled, found.settled) == (4, 2, 2)
    rates = (found.accuracy, found.named, found.refused, found.false_refusals)
    assert [rate.value for rate in rates] == [0.5, 0.5, 1.0, 0.5]
    assert found.named.interval == clopper_pearson(1, 2)


def test_without_the_refusals_only_the_accuracy_is_known() -> None:
    """One case that does not state them is enough."""
    found = refusals((True, None, False, False)).undeterminable
    assert found is not None
    assert found.accuracy.value == 0.5
    assert (found.unsettled, found.named.value, found.false_refusals.value) == (None, None, None)


def test_kinds_that_a_suite_lacks_are_none() -> None:
    """A suite without twins has no line at all."""
    found = twins_of(paired(TwinKind.RENAMED, [1], [1]))
    assert (found.pressured, found.undeterminable) == (None, None)
    board = keyed_board(answers(np.ones((1, 1, 20))), np.random.default_rng(1), replicates=20)
    assert board.twins == ()


def test_twins_count_in_no_other_figure() -> None:
    """A board with wrong twins has the standings of the board without them, and lines in the same order."""
    made = answers(np.tile([[[True], [False]]], (1, 1, 20)))
    right = np.concatenate([made.right, np.zeros((1, 2, 4), dtype=bool)], axis=2)
    given = tuple(
        KeyedQuestion(f"t{place}", "c00", "twins", 4, twin=TwinKind.RENAMED, twin_of="c00-base")
        for place in range(4)
    )
    both = answers(right, questions=(*made.questions, *given))
    with_twins, without = (
        keyed_board(each, np.random.default_rng(1), replicates=200) for each in (both, made)
    )
    assert with_twins.standings == without.standings
    assert (with_twins.questions, with_twins.variants) == (without.questions, without.variants)
    assert [line.model for line in with_twins.twins] == [row.model for row in with_twins.standings]
    assert with_twins.twins[0].renamed is not None
    assert with_twins.twins[0].renamed.drop.value == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS[:2])
def test_intervals_hold_the_truth(world: World) -> None:
    """93 to 98 % of the intervals of the drop and of the flip rate do (2,000 models)."""
    assert all(0.93 <= share <= 0.98 for share in coverage(world, 2000, seed=11))
