"""Epochs are averaged within each prompt; what was not answered has no marks."""

import numpy as np
import pytest
from boards import measured

from assay.core.errors import InvalidInput
from assay.ranking.board.cells import cells
from assay.ranking.board.measured import Status


def test_epochs_are_averaged_within_a_prompt() -> None:
    """Marks 4 and 5 of two epochs are one mark of 4.5."""
    found = cells([measured([[[4.0]]]), measured([[[5.0]]])])
    assert found.marks[0, 0, 0] == 4.5


def test_an_absent_epoch_is_no_zero() -> None:
    """A prompt with one epoch of two keeps that epoch's mark."""
    absent = measured([[[np.nan]]], status=np.array([[Status.ABSENT]]))
    assert cells([measured([[[4.0]]]), absent]).marks[0, 0, 0] == 4.0


def test_an_invalid_answer_gets_mark_1_from_every_judge() -> None:
    """Also from a judge that was not asked, or gave another mark."""
    found = cells([measured([[[5.0, np.nan]]], status=np.array([[Status.INVALID]]))])
    assert found.marks[0, 0].tolist() == [1.0, 1.0]


def test_an_invalid_answer_has_no_geval() -> None:
    """G-Eval of an empty answer is left out, and 0 in the strict reading."""
    found = cells([measured([[[5.0]]], [[[0.9]]], status=np.array([[Status.INVALID]]))])
    assert np.isnan(found.geval[0, 0])
    assert found.geval_zero[0, 0] == 0.0


@pytest.mark.parametrize("status", [Status.ERROR, Status.ABSENT])
def test_what_was_not_answered_is_not_marked(status: Status) -> None:
    """A mark on an errored or absent sample is ignored, and nobody was asked for one."""
    found = cells([measured([[[5.0]]], status=np.array([[status]]))])
    assert np.isnan(found.marks[0, 0, 0])
    assert (found.asked[0, 0], found.marked[0, 0]) == (0, 0)


def test_own_marks_are_ignored() -> None:
    """A judge's mark for its own model is not used, though it was given."""
    found = cells([measured([[[5.0, 3.0]]], own=np.array([[True, False]]))])
    assert found.counting[0].tolist() == [False, True]
    assert np.isnan(found.marks[0, 0, 0])


def test_geval_is_averaged_over_the_metrics_that_returned() -> None:
    """0.9 and 0.6 with one metric missing are 0.75."""
    found = cells([measured([[[5.0]]], [[[0.9, np.nan, 0.6]]])])
    assert found.geval[0, 0] == 0.75


def test_coverage_counts_every_epoch() -> None:
    """A judge that marked one epoch of two does not count."""
    found = cells([measured([[[4.0]]]), measured([[[np.nan]]])])
    assert (found.marked[0, 0], found.asked[0, 0], bool(found.counting[0, 0])) == (1, 2, False)


def test_epochs_must_agree() -> None:
    """Epochs of other models are refused."""
    with pytest.raises(InvalidInput, match="epoch 1 has other models"):
        cells([measured([[[4.0]]]), measured([[[4.0]]], models=("z",))])


def test_no_epoch_is_refused() -> None:
    """There must be one."""
    with pytest.raises(InvalidInput, match="no epoch"):
        cells([])
