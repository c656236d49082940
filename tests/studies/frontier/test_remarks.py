"""Notes on a tensor for its readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from outcome_sources import read_csv


def notes(text: str, folder: Path, **options: Any) -> str:
    """Return the notes of a table as one text."""
    return "\n".join(read_csv(text, folder, **options).notes)


def test_notes_on_generations(tmp_path: Path) -> None:
    """There are notes on one generation, on one model and on unequal numbers, but not on equal numbers."""
    single = notes("prompt,model,quality\np,m,1\n", tmp_path)
    assert "one generation a cell (G = 1)" in single and "one model, 'm'" in single
    uneven = "prompt,model,n_correct,n_gen\np,a,1,1\np,b,2,4\n"
    assert notes(uneven, tmp_path).startswith(
        "cells have 1 to 4 generations, with a median of 2.5; 1 cell has only one"
    )
    assert notes("prompt,model,n_correct,n_gen\np,a,1,4\np,b,2,4\n", tmp_path) == ""


TWO = "prompt,model,generation,quality,cost\n"


def test_zero_costs(tmp_path: Path) -> None:
    """They are counted, with the models that have no other costs, and are free or unknown as requested."""
    text = TWO + "p,a,0,1,0\np,a,1,1,0\np,b,0,1,0\np,b,1,1,2\n"
    assert notes(text, tmp_path) == (
        "3 of 4 costs are 0, including all of 'a': they count as free (--zero-cost unknown treats them as "
        "unknown)"
    )
    assert notes(text, tmp_path, zero_cost="free") == ""
    unknown = read_csv(text, tmp_path, zero_cost="unknown")
    np.testing.assert_array_equal(unknown.tensor.cost, [[[np.nan, np.nan], [np.nan, 2]]])
    assert unknown.notes == (
        "3 of 4 answers have no cost, including all of 'a': it is unknown, not 0",
        "3 costs of 0 count as unknown",
    )


def test_costs_that_are_blank(tmp_path: Path) -> None:
    """A column of blanks means that there are no costs."""
    found = read_csv(TWO + "p,a,0,1,\np,b,0,1,\n", tmp_path)
    assert found.tensor.cost is None
    assert "no cost is known: all are blank" in found.notes


def test_a_suspicion_of_two_units(tmp_path: Path) -> None:
    """Costs in two groups that differ a thousandfold have a note; a spread without a gap has none."""
    text = "prompt,model,n_correct,n_gen,cost\n"
    split = text + "p,a,1,2,0.001\np,b,1,2,0.002\np,c,1,2,2\n"
    assert notes(split, tmp_path) == (
        "the costs of 'c' are at least about 1,000 times those of all other models: check that all are in USD"
    )
    assert notes(text + "p,a,1,2,0.001\np,b,1,2,0.1\np,c,1,2,10\n", tmp_path) == ""
