"""Heat maps of composites by kind of prompt."""

from dataclasses import replace

import numpy as np
from stored_boards import apart, stored_board

from assay.ranking.board.measured import MeasuredEpoch, PromptKind, Status
from assay.report.board.differences import MOST
from assay.report.board.groups import groups_view

TITLES = {"writing": "Writing well"}


def kinds(made: MeasuredEpoch, **changed: str) -> MeasuredEpoch:
    """Return the same marks on prompts of these kinds."""
    return replace(made, prompts=tuple(replace(prompt, **changed) for prompt in made.prompts))


def test_categories_come_before_difficulties() -> None:
    """Categories have the suite's titles; difficulties go from easy to hard."""
    heat = groups_view(stored_board(apart()).board, TITLES).heat
    assert [(column.title, column.prompts) for column in heat.categories] == [
        ("coding", 12),
        ("Writing well", 12),
    ]
    assert [column.title for column in heat.difficulties] == ["easy", "medium", "hard"]


def test_cells_are_the_composites_of_the_groups() -> None:
    """They are in points, in the order of the columns; the highest is the darkest."""
    board = stored_board(apart()).board
    heat = groups_view(board, {}).heat
    standing, cells = heat.rows[0]
    easy = next(
        score for score in standing.groups if (score.group.by, score.group.name) == ("difficulty", "easy")
    )
    assert easy.score.composite is not None
    assert cells[2].value == 100 * easy.score.composite
    assert "n 8: 8 ok" in cells[2].tooltip
    shades = [cell.shade for _, line in heat.rows for cell in line]
    values = [cell.value for _, line in heat.rows for cell in line]
    assert shades[int(np.argmax(values))] == 8  # type: ignore[arg-type]
    assert min(shades) == 0


def test_a_group_with_errors_says_how_many_count() -> None:
    """The cell has its denominator."""
    made = apart()
    status = made.status.copy()
    status[0, 1] = Status.ERROR
    heat = groups_view(stored_board(replace(made, status=status)).board, {}).heat
    cells = next(line for standing, line in heat.rows if standing.model == "a")
    assert cells[0].part == "n 11 of 12"
    assert cells[1].part == ""


def test_a_suite_of_one_category_says_so() -> None:
    """It has no columns of categories, only of difficulties."""
    view = groups_view(stored_board(kinds(apart(), category="writing")).board, TITLES)
    assert (view.only, view.heat.categories, len(view.heat.difficulties)) == ("Writing well", (), 3)


def test_a_suite_without_kinds_has_no_cells() -> None:
    """One category, one difficulty, one subcategory."""
    view = groups_view(stored_board(kinds(apart(), category="x", difficulty="", subcategory="")).board, {})
    assert view.heat.difficulties == view.fine == ()


def test_subcategories_belong_to_their_category() -> None:
    """A name in two categories has two rows."""
    made = apart()
    prompts = tuple(
        PromptKind(prompt.id, prompt.category, ("trap", "plain_facts")[place % 4 // 2], prompt.difficulty)
        for place, prompt in enumerate(made.prompts)
    )
    rows = groups_view(stored_board(replace(made, prompts=prompts)).board, {}).fine
    assert [(row.category, row.title, row.prompts) for row in rows] == [
        ("coding", "plain facts", 6),
        ("coding", "trap", 6),
        ("writing", "plain facts", 6),
        ("writing", "trap", 6),
    ]


def test_subcategories_show_the_first_forty_models() -> None:
    """A row has as many cells as there are names."""
    made = apart(45, 6)
    prompts = tuple(replace(prompt, subcategory=prompt.id) for prompt in made.prompts)
    view = groups_view(stored_board(replace(made, prompts=prompts), replicates=20).board, {})
    assert len(view.models) == MOST
    assert {len(row.cells) for row in view.fine} == {MOST}
    assert len(view.heat.rows) == 45
