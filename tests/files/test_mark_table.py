"""Tables of judges' marks: columns, forms, verdicts, and what is wrong with a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.files.mark_table import MarkTable, read_mark_table


def table(tmp_path: Path, text: str, *judges: str) -> MarkTable:
    """Read a CSV table."""
    path = tmp_path / "marks.csv"
    path.write_text(text)
    return read_mark_table(path, judges)


def told(found: MarkTable) -> list[tuple[int | None, str]]:
    """Return the problems with their lines."""
    return [(problem.line, problem.text) for problem in found.problems]


def test_the_long_form(tmp_path: Path) -> None:
    """Item, judge, mark, model, generation, and the length or the words of the answer."""
    found = table(tmp_path, "Item,judge,score,model,generation,length\np,j,4,m,2,30\n")
    mark = found.marks[0]
    assert (mark.item, mark.judge, mark.mark, mark.model, mark.generation, mark.length) == (
        "p",
        "j",
        "4",
        "m",
        2,
        30.0,
    )
    answered = table(tmp_path, 'prompt,rater,label,answer\np,j,good,"three words\nhere"\n')
    assert (answered.marks[0].length, answered.marks[0].mark, answered.marks[0].model) == (3.0, "good", None)


def test_an_exact_name_goes_before_an_alias(tmp_path: Path) -> None:
    """The alias is then not read; two aliases of one column are refused."""
    found = table(tmp_path, "item,judge,mark,score\np,j,4,1\n")
    assert (found.marks[0].mark, found.ignored) == ("4", ("score",))
    with pytest.raises(InvalidInput, match="columns 'score' and 'label' both mean 'mark'"):
        table(tmp_path, "item,judge,score,label\np,j,4,1\n")


def test_a_blank_mark_is_none_given(tmp_path: Path) -> None:
    """It is a row like others."""
    found = table(tmp_path, "item,judge,mark\np,j,\n")
    assert (found.marks[0].mark, found.problems) == (None, ())


def test_wrong_rows_are_told_and_the_others_kept(tmp_path: Path) -> None:
    """Every problem of a row in one line."""
    found = table(
        tmp_path,
        "item,judge,mark,generation,length\n,,4,0,1\np,j,4,x,-1\np,j,4,0,1\np,j,5,0,1\np,j,5,1,1\n",
    )
    assert told(found) == [
        (2, "'item' is blank: write the item's name; 'judge' is blank: write the judge's name"),
        (
            3,
            "'generation' is 'x': write a whole number from 0; 'length' is '-1': write a number from 0, or "
            "leave it blank",
        ),
        (
            5,
            "judge 'j' already has a mark on item 'p' at line 4, which counts: number repeated "
            "answers in a column 'generation'",
        ),
    ]
    assert [(mark.mark, mark.generation) for mark in found.marks] == [("4", 0), ("5", 1)]
    assert found.rows == 5


def test_verdicts_name_a_place_or_a_side(tmp_path: Path) -> None:
    """Whatever stood first, the side that won comes out; names of the sides go before A and B."""
    lines = ["1,AB,first", "2,ba,first", "3,BA,second", "4,BA,A", "5,AB,Tie", "6,AB,y", "7,BA,"]
    text = "item,order,verdict,judge,a,b\n" + "".join(f"{line},j,x,y\n" for line in lines)
    found = table(tmp_path, text)
    assert [mark.mark for mark in found.marks] == ["A", "B", "A", "A", "tie", "B", None]
    assert [mark.order for mark in found.marks] == ["AB", "BA", "BA", "BA", "AB", "AB", "BA"]
    assert found.pairwise


def test_wrong_verdicts_and_orders_are_told(tmp_path: Path) -> None:
    """What to write stands in the message."""
    found = table(tmp_path, "item,judge,order,verdict\n1,j,AC,first\n1,j,AB,third\n")
    assert told(found) == [
        (2, "'order' is 'AC': write AB if A was shown first, else BA"),
        (3, "'verdict' is 'third': write first, second, tie, A or B"),
    ]


def test_the_wide_form(tmp_path: Path) -> None:
    """Each named column is a judge, whatever else its name could mean."""
    found = table(tmp_path, "item,label,j,k\np,x,1,2\n", "label", "j")
    assert [(mark.judge, mark.mark) for mark in found.marks] == [("label", "x"), ("j", "1")]
    assert found.ignored == ("k",)
    with pytest.raises(InvalidInput, match="missing column 'judge', and no column 'z'"):
        table(tmp_path, "item,j\np,1\n", "z")


def test_named_judges_are_kept(tmp_path: Path) -> None:
    """One that is not there is refused with those that are."""
    text = "item,judge,mark\np,j,1\np,k,2\n"
    assert [mark.judge for mark in table(tmp_path, text, "k").marks] == ["k"]
    with pytest.raises(InvalidInput, match="no marks of judge 'z': choose one of the table's judges"):
        table(tmp_path, text, "z")


def test_all_missing_columns_are_told_at_once(tmp_path: Path) -> None:
    """With the names that would do."""
    with pytest.raises(InvalidInput) as caught:
        table(tmp_path, "judge,x\nj,1\n")
    assert [problem.text.partition(":")[0] for problem in caught.value.problems] == [
        "missing column 'item' (or 'prompt', 'case')",
        "missing column 'mark' (or 'score', 'label', 'quality')",
    ]
