"""Significant differences, as the page shows them."""

from stored_boards import alike, apart, halves, stored_board

from assay.report.board.differences import MOST, differences, rank_rows


def test_the_matrix_is_that_of_the_comparisons() -> None:
    """Row less column in whole points, better above the diagonal and worse below it."""
    found = stored_board(apart()).board
    shown = differences(found)
    assert shown.names == ("a", "b", "c")
    pair = found.comparisons.between("a", "b")
    assert pair.difference is not None
    assert shown.matrix[0][1].text == f"+{100 * pair.difference:.0f}"
    assert [[cell.kind for cell in line] for line in shown.matrix] == [
        ["self", "better", "better"],
        ["worse", "self", "better"],
        ["worse", "worse", "self"],
    ]
    assert (shown.pairs, shown.significant, shown.leading) == (3, 3, ("a",))


def test_a_cell_tells_interval_and_both_p() -> None:
    """Who against whom, by how much, from where to where."""
    found = stored_board(apart()).board
    lines = differences(found).matrix[0][1].tooltip.splitlines()
    pair = found.comparisons.between("a", "b")
    assert lines[:2] == ["a is better than", "b"]
    assert pair.low is not None and pair.high is not None
    assert f"95 % +{100 * pair.low:.1f} to +{100 * pair.high:.1f}" in lines[2]
    assert lines[3].startswith("p ") and ", corrected " in lines[3]


def test_models_that_differ_by_luck_do_not_differ_significantly() -> None:
    """None is better, and first place is open between all of them."""
    shown = differences(stored_board(alike()).board)
    assert {cell.kind for line in shown.matrix for cell in line} == {"self", "same"}
    assert (shown.significant, len(shown.leading)) == (0, 3)


def test_models_of_different_halves_are_not_compared() -> None:
    """A model without a composite is left out, one with a single half is a cross against all."""
    shown = differences(stored_board(halves()).board)
    assert set(shown.names) == {"whole", "whole-too", "by-judges", "by-geval"}
    assert shown.incomparable
    assert shown.pairs == 1
    row = shown.matrix[shown.names.index("by-judges")]
    assert {cell.kind for cell in row} == {"none", "self"}


def test_the_matrix_ends_at_the_first_forty() -> None:
    """The picture of rank ranges has them all."""
    found = stored_board(alike(50, 4), replicates=50).board
    shown = differences(found)
    assert (len(shown.matrix), shown.ranked, len(rank_rows(found))) == (MOST, 50, 50)
    assert shown.names == tuple(each.model for each in found.standings[:MOST])


def test_a_single_model_has_nobody_beside_it() -> None:
    """No matrix, and rank 1."""
    found = stored_board(alike(1)).board
    assert differences(found).matrix == ()
    assert [(row["low"], row["high"]) for row in rank_rows(found)] == [(1, 1)]


def test_rank_rows_tell_range_and_place() -> None:
    """In the order of the board, with how many are shown to be better or worse."""
    rows = rank_rows(stored_board(apart()).board)
    assert [(row["label"], row["place"], row["low"], row["high"], row["leads"]) for row in rows] == [
        ("a", 1, 1, 1, True),
        ("b", 2, 2, 2, False),
        ("c", 3, 3, 3, False),
    ]
    assert "significantly better: 1 model, significantly worse: 1 model" in rows[1]["text"]


def test_only_the_corrected_p_is_significant() -> None:
    """A pair that looks different until all the other pairs are counted is not significant."""
    found = stored_board(alike(20)).board
    shown = differences(found)
    pairs = [
        (found.comparisons.between(row, column), cell.kind)
        for row, line in zip(shown.names, shown.matrix, strict=True)
        for column, cell in zip(shown.names, line, strict=True)
        if row != column
    ]
    lucky = [kind for pair, kind in pairs if pair.p <= found.alpha < pair.p_holm]
    assert lucky
    assert set(lucky) == {"same"}
    assert shown.significant == sum(kind == "better" for _, kind in pairs)
