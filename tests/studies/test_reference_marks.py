"""Reading judges' and people's marks from tables: rounds, costs, weights, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.studies.reference_marks import ReferenceOptions, read_reference_marks

LONG = """item,model,judge,mark,wave,price,weight
1,m,human,3,one,,2
1,m,j,2,one,0.01,
1,m,k,3,one,0.02,
2,m,human,,two,,
2,m,j,0,two,0.03,
"""


def written(folder: Path, text: str = LONG) -> str:
    """Write a table and return its name."""
    (folder / "marks.csv").write_text(text)
    return str(folder / "marks.csv")


def test_a_long_table(tmp_path: Path) -> None:
    """The reference is taken out; rounds, mean costs and weights belong to answers and judges."""
    options = ReferenceOptions(renamed={"round": "wave", "cost": "price"})
    marks = read_reference_marks(written(tmp_path), options).marks
    assert (marks.judges, marks.rounds, marks.models) == (("j", "k"), ("one", "two"), ("m",))
    assert np.array_equal(marks.marks, [[2.0, 0.0], [3.0, np.nan]], equal_nan=True)
    assert np.array_equal(marks.reference, [3.0, np.nan], equal_nan=True)
    assert marks.costs == {"j": pytest.approx(0.02), "k": pytest.approx(0.02)}
    assert marks.weights.tolist() == [2.0, 1.0]


def test_a_wide_table(tmp_path: Path) -> None:
    """Judges and the reference are columns."""
    source = written(tmp_path, "item,j,people\n1,5,4\n2,1,1\n")
    marks = read_reference_marks(source, ReferenceOptions(reference="people", judges=("j",))).marks
    assert (marks.judges, marks.reference.tolist()) == (("j",), [4.0, 1.0])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (LONG, ReferenceOptions(reference="people"), r"'people' gave no marks: .*'human', 'j', 'k'"),
        (LONG, ReferenceOptions(renamed={"round": "none"}), "no column 'none' for the round"),
        ("item,judge,mark\n1,human,1\n2,human,0\n", ReferenceOptions(), "there are marks of 'human' alone"),
        (
            "item,judge,mark,round\n1,human,1,one\n1,j,1,two\n",
            ReferenceOptions(),
            "item '1' has the rounds 'one' and 'two'",
        ),
        ("item,judge,mark,cost\n1,human,1,-2\n", ReferenceOptions(), "'cost' is '-2': write a number from 0"),
    ],
)
def test_bad_tables_are_named(tmp_path: Path, text: str, options: ReferenceOptions, message: str) -> None:
    """One message: the value, and what to do."""
    with pytest.raises(InvalidInput, match=message):
        read_reference_marks(written(tmp_path, text), options)


def test_a_source_that_is_not_there() -> None:
    """A file, or a database without one."""
    with pytest.raises(NotFound, match=r"no file 'none.csv'"):
        read_reference_marks("none.csv")
    with pytest.raises(InvalidInput, match="'exam:spring' is in the database"):
        read_reference_marks("exam:spring")
