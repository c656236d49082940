"""Where scores come from: tables of outcomes and of judges' marks, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.studies.rank.source import SourceOptions, read_scores


def written(folder: Path, text: str) -> str:
    """Write a table and return its name."""
    path = folder / "scores.csv"
    path.write_text(text)
    return str(path)


def test_a_long_form_table(tmp_path: Path) -> None:
    """Generations are averaged; a model without some item is noted."""
    source = written(tmp_path, "prompt,model,generation,quality\np,a,0,1\np,a,1,0\np,b,0,1\nq,a,0,1\n")
    read = read_scores(source)
    assert (read.table.models, read.table.items) == (("a", "b"), ("p", "q"))
    assert np.array_equal(read.table.scores, [[0.5, 1.0], [1.0, np.nan]], equal_nan=True)
    assert read.about.notes == ("b has a score on 1 of 2 items",)


def test_a_table_of_marks(tmp_path: Path) -> None:
    """Judges are averaged on the scale that the marks show, 1 to 5."""
    source = written(tmp_path, "item,judge,model,mark\np,j,a,5\np,k,a,3\np,j,b,1\np,k,b,\nq,j,a,2\nq,j,b,4\n")
    read = read_scores(source)
    assert read.table.scores.tolist() == [[0.75, 0.25], [0.0, 0.75]]
    assert read.about.notes[0] == "scores are means over 2 judges: j, k"
    one = read_scores(source, SourceOptions(judges=("j",), value_range=(0.0, 5.0)))
    assert one.table.scores.tolist() == [[1.0, 0.4], [0.2, 0.8]]


def test_marks_of_one_value_need_a_range(tmp_path: Path) -> None:
    """Constant marks do not show their scale."""
    source = written(tmp_path, "item,judge,model,mark\np,j,a,3\np,j,b,3\n")
    with pytest.raises(InvalidInput, match="every mark is 3: give the ends of the scale with --range"):
        read_scores(source)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    """A missing file says what a source can be; a run needs a database."""
    with pytest.raises(NotFound, match=r"no file 'none.csv': give a table, or run:NUMBER"):
        read_scores("none.csv")
    with pytest.raises(InvalidInput, match="'run:3' names a run"):
        read_scores("run:3")
