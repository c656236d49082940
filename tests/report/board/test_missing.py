"""The missing data of a board."""

from dataclasses import replace

import numpy as np
import pytest
from stored_boards import alike, halves, stored_board

from assay.ranking.board.measured import MeasuredEpoch, Status
from assay.report.board.missing import judged_gaps
from assay.runs.board.stored import StoredBoard


def lines_by_title(stored: StoredBoard) -> dict[str, tuple[str, ...]]:
    """Return the lines of each kind."""
    return {gap.title: gap.lines for gap in judged_gaps(stored)}


def at(made: MeasuredEpoch, status: Status, *cells: tuple[int, int]) -> MeasuredEpoch:
    """Return the same epoch, in which these samples have another status."""
    statuses = made.status.copy()
    for cell in cells:
        statuses[cell] = status
    return replace(made, status=statuses)


def test_a_complete_board_has_no_gaps() -> None:
    """Kinds without a line are left out."""
    assert judged_gaps(stored_board(alike())) == ()


@pytest.mark.parametrize(
    ("status", "title", "line"),
    [
        (Status.ABSENT, "Samples never taken", "2 of 12 never taken"),
        (Status.ERROR, "Samples that errored, left out of every mean", "2 of 12 errored"),
        (Status.UNGRADED, "Ungraded samples", "2 of 12 ungraded"),
    ],
)
def test_samples_are_counted_by_model(status: Status, title: str, line: str) -> None:
    """With their denominator; models with the same text share a line."""
    made = at(alike(), status, (0, 1), (0, 2), (1, 0), (1, 5))
    assert lines_by_title(stored_board(made))[title] == (f"a, b: {line}",)


def test_a_missing_half_is_named() -> None:
    """A model with neither half has no composite."""
    gaps = lines_by_title(stored_board(halves()))
    assert gaps["No composite, so no rank"] == ("neither: no judge counts for it, and it has no G-Eval",)
    assert len(gaps["One half missing"]) == 2
    assert gaps["Judges left out for incomplete coverage"][0] == "j0 on by-geval: 0 of 12 answers marked"


def test_g_eval_that_did_not_return_is_counted() -> None:
    """Prompts without G-Eval, and metrics for fewer prompts; invalid answers need none."""
    made = at(alike(), Status.INVALID, (0, 3))
    geval = np.repeat(made.geval, 2, axis=2)
    geval[0, 3] = np.nan
    geval[0, 4] = np.nan
    geval[0, 5, 1] = np.nan
    gaps = lines_by_title(stored_board(replace(made, geval=geval, metrics=("plain", "two_words"))))
    assert gaps["Missing G-Eval"] == (
        "a: 1 of 11 answered prompts without G-Eval, two words on 9 of 10 prompts",
    )


def test_unknown_figures_are_listed() -> None:
    """What is unknown for all models is listed once."""
    made = alike()
    unknown = np.full(made.cost.shape, np.nan)
    gaps = lines_by_title(stored_board(replace(made, cost=unknown, tokens=unknown)))
    assert gaps["Unknown figures"] == ("all 3 models: cost of 12 of 12 answers, output tokens",)


def test_a_long_list_of_names_is_cut() -> None:
    """The first eight names and the number of further ones are shown."""
    made = at(alike(20), Status.ERROR, *((model, 0) for model in range(15)))
    line = lines_by_title(stored_board(made))["Samples that errored, left out of every mean"][0]
    assert line.endswith(" and 7 more: 1 of 12 errored")


def test_the_reason_of_a_stop_is_hidden_for_a_private_suite() -> None:
    """A provider's message can quote the prompt."""
    lines = ("run 7 stopped: 400 refused: 'Tell me the secret'", "j0 gave no readable mark 3 times")
    public = lines_by_title(stored_board(alike(), missing=lines))["From the runs"]
    private = lines_by_title(stored_board(alike(), missing=lines, visibility="private"))["From the runs"]
    assert public == lines
    assert private[0].startswith("run 7 stopped (") and "secret" not in private[0]
    assert private[1] == lines[1]
