"""A judge's rates, measured from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.studies.frontier.judge_table import table_judge_rates


def written(folder: Path, *lines: str) -> Path:
    """Write a table."""
    path = folder / "verdicts.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_rates_of_a_table(tmp_path: Path) -> None:
    """Two of three right answers and one of two wrong ones are accepted; blank marks are left out."""
    rows = ("a,x,0,1,true", "a,y,0,1,false", "b,x,0,1,true", "b,y,0,0,true", "c,x,0,0,false", "c,y,0,1,")
    found = table_judge_rates(written(tmp_path, "prompt,model,generation,quality,judged", *rows), price=0.5)
    assert found.measured.judge().true_positive == pytest.approx(2 / 3)
    assert found.measured.judge().false_positive == 0.5
    assert found.left_out == {"no mark": 1}
    assert (found.price, found.judge) == (0.5, "verdicts")


def test_graded_marks_need_a_threshold_and_have_a_noise(tmp_path: Path) -> None:
    """Marks of 1 to 5 accept from 4 on, and the error of the marks is in the unit of quality."""
    rows = ("a,0.2,1.9", "b,0.4,2.5", "c,0.6,3.5", "d,0.8,4.1", "e,1.0,5.0")
    path = written(tmp_path, "prompt,quality,mark", *rows)
    with pytest.raises(InvalidInput, match="give the least mark"):
        table_judge_rates(path)
    found = table_judge_rates(path, accept=4.0, right=0.8)
    assert (found.measured.right_accepted, found.measured.wrong_accepted) == (2, 0)
    assert found.noise is not None and 0.0 < found.noise < 0.06


def test_one_of_several_judges_is_named(tmp_path: Path) -> None:
    """The rates of different judges are not mixed."""
    path = written(tmp_path, "item,judge,correct,verdict", "a,x,1,1", "b,x,0,0", "a,y,1,0", "b,y,0,1")
    with pytest.raises(InvalidInput, match="has 2 judges: name one of x, y"):
        table_judge_rates(path)
    with pytest.raises(InvalidInput, match="has no judge 'z': use one of x, y"):
        table_judge_rates(path, judge="z")
    assert table_judge_rates(path, judge="y").measured.judge().true_positive == 0.0


def test_bad_rows_are_reported_with_their_lines(tmp_path: Path) -> None:
    """Good rows count."""
    path = written(tmp_path, "prompt,quality,judged", "a,1,1", "b,maybe,1", "c,0,nan", "d,0,0")
    found = table_judge_rates(path)
    assert [problem.line for problem in found.problems] == [3, 4]
    assert found.price is None and any("the price of a judgement is unknown" in note for note in found.notes)
    assert (found.measured.right, found.measured.wrong) == (1, 1)


def test_a_table_without_marks_is_refused(tmp_path: Path) -> None:
    """The message names the column and its other names."""
    with pytest.raises(InvalidInput, match=r"missing column 'judged' \(or verdict, mark, accepted\)"):
        table_judge_rates(written(tmp_path, "prompt,quality", "a,1"))
    with pytest.raises(InvalidInput, match="has no row with quality and mark"):
        table_judge_rates(written(tmp_path, "prompt,quality,judged", "a,,1"))
    with pytest.raises(InvalidInput, match="no column 'judge', so judge 'x' is unknown"):
        table_judge_rates(written(tmp_path, "prompt,quality,judged", "a,1,1"), judge="x")
