"""Significant differences on the board's page."""

from stored_boards import alike, apart, halves, stored_board

from assay.report.board.differences import MOST, differences, rank_rows


def test_the_matrix_is_that_of_the_comparisons() -> None:
    """Cells are row minus column in whole points."""
    board = stored_board(apart()).board
    shown = differences(board)
    assert shown.names == ("a", "b", "c")
    pair = board.comparisons.between("a", "b")
    assert pair.difference is not None
    assert shown.matrix[0][1].text == f"+{100 * pair.difference:.0f}"
    assert [[cell.kind for cell in line] for line in shown.matrix] == [
        ["self", "better", "better"],
        ["worse", "self", "better"],
        ["worse", "worse", "self"],
    ]
    assert (shown.pairs, shown.significant, shown.leading) == (3, 3, ("a",))


def test_a_tooltip_has_the_interval_and_both_p_values() -> None:
    """It begins with the names of the two models."""
    board = stored_board(apart()).board
    lines = differences(board).matrix[0][1].tooltip.splitlines()
    pair = board.comparisons.between("a", "b")
    assert lines[:2] == ["a is better than", "b"]
    assert pair.low is not None and pair.high is not None
    assert f"95 % +{100 * pair.low:.1f} to +{100 * pair.high:.1f}" in lines[2]
    assert lines[3].startswith("p ") and ", corrected " in lines[3]


def test_models_that_differ_by_chance_do_not_differ_significantly() -> None:
    """All of them tie for first place."""
    shown = differences(stored_board(alike()).board)
    assert {cell.kind for line in shown.matrix for cell in line} == {"self", "same"}
    assert (shown.significant, len(shown.leading)) == (0, 3)


def test_models_of_different_halves_are_not_compared() -> None:
    """A model without a composite is left out; a model with one half has only crosses."""
    shown = differences(stored_board(halves()).board)
    assert set(shown.names) == {"whole", "whole-too", "by-judges", "by-geval"}
    assert shown.incomparable
    assert shown.pairs == 1
    row = shown.matrix[shown.names.index("by-judges")]
    assert {cell.kind for cell in row} == {"none", "self"}


def test_the_matrix_ends_at_the_first_forty() -> None:
    """The chart of rank ranges has all models."""
    board = stored_board(alike(50, 4), replicates=50).board
    shown = differences(board)
    assert (len(shown.matrix), shown.ranked, len(rank_rows(board))) == (MOST, 50, 50)
    assert shown.names == tuple(standing.model for standing in board.standings[:MOST])


def test_a_single_model_has_no_pairs() -> None:
    """It has rank 1."""
    board = stored_board(alike(1)).board
    assert differences(board).matrix == ()
    assert [(row["low"], row["high"]) for row in rank_rows(board)] == [(1, 1)]


def test_rank_rows_have_range_and_place() -> None:
    """They are in the order of the board; tooltips count the significantly better and worse models."""
    rows = rank_rows(stored_board(apart()).board)
    assert [(row["label"], row["place"], row["low"], row["high"], row["leads"]) for row in rows] == [
        ("a", 1, 1, 1, True),
        ("b", 2, 2, 2, False),
        ("c", 3, 3, 3, False),
    ]
    assert "significantly better: 1 model, significantly worse: 1 model" in rows[1]["text"]


def test_only_the_corrected_p_is_significant() -> None:
    """A pair is not significant if only its uncorrected p is small."""
    board = stored_board(alike(20)).board
    shown = differences(board)
    pairs = [
        (board.comparisons.between(row, column), cell.kind)
        for row, line in zip(shown.names, shown.matrix, strict=True)
        for column, cell in zip(shown.names, line, strict=True)
        if row != column
    ]
    lucky = [kind for pair, kind in pairs if pair.p <= board.alpha < pair.p_holm]
    assert lucky
    assert set(lucky) == {"same"}
    assert shown.significant == sum(kind == "better" for _, kind in pairs)
