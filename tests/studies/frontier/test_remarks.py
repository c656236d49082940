"""What a reader should know of a tensor is told in notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from outcome_sources import read_csv


def notes(text: str, folder: Path, **options: Any) -> str:
    """The notes of a table, in one text."""
    return "\n".join(read_csv(text, folder, **options).notes)


def test_notes_on_generations(tmp_path: Path) -> None:
    """One generation, one model, and unequal numbers are told; equal numbers need no note."""
    told = notes("prompt,model,quality\np,m,1\n", tmp_path)
    assert "one generation a cell (G = 1)" in told and "one model, 'm'" in told
    uneven = "prompt,model,n_correct,n_gen\np,a,1,1\np,b,2,4\n"
    assert notes(uneven, tmp_path).startswith(
        "cells hold 1 to 4 generations, in the middle 2.5; 1 cell has one"
    )
    assert notes("prompt,model,n_correct,n_gen\np,a,1,4\np,b,2,4\n", tmp_path) == ""


TWO = "prompt,model,generation,quality,cost\n"


def test_zero_costs(tmp_path: Path) -> None:
    """They are counted, with the models that have no other; they are free, or unknown, as asked."""
    text = TWO + "p,a,0,1,0\np,a,1,1,0\np,b,0,1,0\np,b,1,1,2\n"
    assert notes(text, tmp_path) == (
        "3 of 4 costs are 0, all of 'a': taken as free; --zero-cost unknown reads them as unknown"
    )
    assert notes(text, tmp_path, zero_cost="free") == ""
    unknown = read_csv(text, tmp_path, zero_cost="unknown")
    np.testing.assert_array_equal(unknown.tensor.cost, [[[np.nan, np.nan], [np.nan, 2]]])
    assert unknown.notes == (
        "3 of 4 answers have no cost, all of 'a': unknown, not 0",
        "3 costs of 0 are read as unknown",
    )


def test_costs_that_are_blank(tmp_path: Path) -> None:
    """A column of blanks is no cost; a missing cost is unknown."""
    found = read_csv(TWO + "p,a,0,1,\np,b,0,1,\n", tmp_path)
    assert found.tensor.cost is None
    assert "no cost is known: all are blank" in found.notes


def test_a_suspicion_of_two_units(tmp_path: Path) -> None:
    """Costs in two groups a thousand apart are told; costs that spread without a gap are not."""
    text = "prompt,model,n_correct,n_gen,cost\n"
    split = text + "p,a,1,2,0.001\np,b,1,2,0.002\np,c,1,2,2\n"
    assert notes(split, tmp_path) == (
        "the costs of 'c' are about 1,000 times those of all other models or more: are all in USD?"
    )
    assert notes(text + "p,a,1,2,0.001\np,b,1,2,0.1\np,c,1,2,10\n", tmp_path) == ""
