"""What the page says of judges."""

from dataclasses import replace

import numpy as np
import pytest
from stored_boards import apart, stored_board

from assay.ranking.board import Board
from assay.report.board_judges import judges_view


@pytest.fixture
def found() -> Board:
    """Three models; judge j0 is lenient, may not mark model a, and left one answer of model b out."""
    made = apart(3, 24, 3)
    marks = made.marks.copy()
    marks[..., 0] = np.minimum(5.0, marks[..., 0] + 1.0)
    marks[1, 0, 0] = np.nan
    own = made.own.copy()
    own[0, 0] = True
    return stored_board(replace(made, marks=marks, own=own)).board


def test_leniency_stands_on_one_axis(found: Board) -> None:
    """The lenient judge right of nought, the others left of it."""
    view = judges_view(found)
    nought = view.axis.at(0.0)
    assert [each.effect for each in view.judges] == [each.effect for each in found.judges]
    assert [each.bar is not None and each.bar > nought for each in view.judges] == [True, False, False]


def test_exclusion_and_partial_coverage_are_told(found: Board) -> None:
    """Its own model, and the model that it marked in part with the numbers."""
    judge = judges_view(found).judges[0]
    assert judge.own == ("a",)
    assert [(model, mean.marked, mean.asked) for model, mean in judge.partial] == [("b", 23, 24)]
    assert judge.complete == 1


def test_without_a_judge_the_composite_moves_by_the_difference(found: Board) -> None:
    """In points; a judge that does not count moves nothing."""
    for standing, cells in judges_view(found).rows:
        for cell, left in zip(cells, standing.without, strict=True):
            assert standing.score.composite is not None and left.composite is not None
            assert cell.change == pytest.approx(100 * (left.composite - standing.score.composite))
            if not cell.found.counts:
                assert cell.change == 0.0
