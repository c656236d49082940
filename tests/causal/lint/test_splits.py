"""How questions are split for training and testing."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.lint.splits import by_bundle, by_cell, by_form


@given(st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=30), st.integers(0, 99))
def test_no_concept_is_on_both_sides(concepts: list[str], seed: int) -> None:
    """Every split has whole concepts on either side, and leaves no question out."""
    for block in by_bundle(concepts, np.random.default_rng(seed), 3).blocks:
        for train, test in block.splits:
            sides = [{concepts[row] for row in rows.tolist()} for rows in (train, test)]
            assert not sides[0] & sides[1]
            assert len(train) + len(test) == len(concepts)
            assert 0 <= len(sides[0]) - len(sides[1]) <= 1


def test_a_single_concept_cannot_be_split() -> None:
    """One concept, or one form, gives nothing to be tested on."""
    assert by_bundle(["a", "a"], np.random.default_rng(0), 5).blocks == ()
    assert by_form([1, 1], np.random.default_rng(0), 5).blocks == ()


def test_a_cell_is_split_within_itself() -> None:
    """Training and testing stay in one cell, on different forms; a cell of one form is left out."""
    found = by_cell(["x", "y", "x", "y", "z"], [1, 1, 2, 2, 1], np.random.default_rng(0), 2)
    assert [block.rows.tolist() for block in found.blocks] == [[0, 2], [1, 3]]
    assert all(len(train) == len(test) == 1 for block in found.blocks for train, test in block.splits)


def test_the_seed_settles_the_splits() -> None:
    """The same generator draws the same splits, and its seeds differ from each other."""
    concepts = [str(number) for number in range(12)]
    one, other = (by_bundle(concepts, np.random.default_rng(7), 4).blocks[0] for _ in range(2))
    assert [train.tolist() for train, _ in one.splits] == [train.tolist() for train, _ in other.splits]
    assert len({tuple(train.tolist()) for train, _ in one.splits}) > 1
