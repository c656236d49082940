"""Tables of comparisons: every way to write a verdict, and every bad row named."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.files.comparison_table import ComparisonTableOptions, holds_comparisons, read_comparison_table
from assay.files.outcome_table_columns import parse_conditions


def written(folder: Path, text: str, name: str = "verdicts.csv") -> Path:
    """Write a table and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("winner", "order", "points"),
    [
        ("x/one", "", 1.0),
        ("x/two", "AB", 0.0),
        ("a", "", 1.0),
        ("B", "", 0.0),
        ("model_a", "", 1.0),
        ("first", "", 1.0),
        ("first", "BA", 0.0),
        ("second", "ba", 1.0),
        ("tie", "", 0.5),
        ("tie (bothbad)", "", 0.5),
    ],
)
def test_verdicts_can_be_written_in_several_ways(
    tmp_path: Path, winner: str, order: str, points: float
) -> None:
    """By name, by side, by the position that was shown, or as a tie."""
    path = written(tmp_path, f"item,a,b,winner,order\np,x/one,x/two,{winner},{order}\n")
    (verdict,) = read_comparison_table(path).verdicts
    assert verdict.points == points


@pytest.mark.parametrize(
    ("preference", "options", "points"),
    [
        ("1", {}, 1.0),
        ("2.0", {}, 0.0),
        ("1.25", {}, 0.75),
        ("0", {"tie": 0.0}, 0.5),
        ("0.2", {"preferences": (1.0, 0.0)}, 0.2),
    ],
)
def test_preferences_are_shares(
    tmp_path: Path, preference: str, options: dict[str, object], points: float
) -> None:
    """From 1 (a won) to 2 (b won), or from other ends in any direction, with another number for ties."""
    path = written(tmp_path, f"item,a,b,preference\np,one,two,{preference}\n")
    read = ComparisonTableOptions(**options)  # type: ignore[arg-type]
    (verdict,) = read_comparison_table(path, read).verdicts
    assert verdict.points == pytest.approx(points)


def test_columns_are_mapped_and_rows_chosen(tmp_path: Path) -> None:
    """AlpacaEval's names are known; a mapping goes before them; blank verdicts are counted and left out."""
    text = (
        '{"instruction_id": 1, "generator_1": "ref", "generator_2": "x", "model": "y", "preference": 2.0, '
        '"set": "s", "n1": 10, "n2": 20}\n'
        '{"instruction_id": 2, "generator_1": "ref", "generator_2": "x", "model": "y", "preference": null, '
        '"set": "s", "n1": 10, "n2": 20}\n'
        '{"instruction_id": 3, "generator_1": "ref", "generator_2": "x", "model": "y", "preference": 1, '
        '"set": "t", "n1": 10, "n2": 20}\n'
    )
    path = written(tmp_path, text, "verdicts.jsonl")
    assert holds_comparisons(path)
    columns = {"b": "model", "length_a": "n1", "length_b": "n2"}
    table = read_comparison_table(path, ComparisonTableOptions(columns, parse_conditions(["set=s"])))
    (verdict,) = table.verdicts
    assert (verdict.a, verdict.b, verdict.points, verdict.lengths) == ("ref", "y", 0.0, (10.0, 20.0))
    assert (table.rows, table.unjudged, table.skipped) == (3, 1, 1)
    assert isnan(verdict.shown)


def test_every_bad_row_is_named(tmp_path: Path) -> None:
    """With its line, the value and what to write."""
    path = written(
        tmp_path,
        "item,a,b,winner,order,length_a,length_b\n"
        ",one,two,a,,,\n"
        "p,one,one,a,,,\n"
        "p,one,two,three,,,\n"
        "q,one,two,a,XY,,\n"
        "r,one,two,a,,-1,nan\n",
    )
    with pytest.raises(InvalidInput) as raised:
        read_comparison_table(path)
    lines = [(problem.line, problem.text) for problem in raised.value.problems]
    assert [line for line, _ in lines] == [2, 3, 4, 5, 6]
    texts = "\n".join(text for _, text in lines)
    for part in (
        "'item' is blank: write the item's name",
        "both sides are 'one': compare two different models",
        "'winner' is 'three': write 'one', 'two', a, b, first, second or tie",
        "'order' is 'XY': write AB if a was shown first, else BA",
        "'length_a' is '-1': write a number from 0, or leave it blank; 'length_b' is 'nan'",
    ):
        assert part in texts


def test_further_bad_rows_are_counted(tmp_path: Path) -> None:
    """The first 20 are shown."""
    path = written(tmp_path, "a,b,winner\n" + "one,two,none\n" * 25)
    with pytest.raises(InvalidInput) as raised:
        read_comparison_table(path)
    assert raised.value.problems[-1].text == "5 more rows of 25 have problems"


def test_contradictions_are_named_and_repetitions_count_once(tmp_path: Path) -> None:
    """Turned round a pair is the same one; another judge, order or generation is another verdict."""
    head = "item,a,b,winner,judge,order\n"
    path = written(tmp_path, f"{head}p,one,two,one,j,AB\np,two,one,one,j,BA\np,one,two,two,k,AB\n")
    table = read_comparison_table(path)
    assert (len(table.verdicts), table.repeated) == (2, 1)
    path = written(tmp_path, f"{head}p,one,two,one,j,AB\np,two,one,two,j,BA\n")
    with pytest.raises(
        InvalidInput, match="'two' and 'one' on item 'p' by judge 'j' have another verdict at line 2"
    ):
        read_comparison_table(path)
    path = written(tmp_path, f"{head}p,one,two,one,j,AB\np,two,one,two,j,AB\n")
    assert len(read_comparison_table(path).verdicts) == 2


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "item,a,winner\np,x,a\n",
            ComparisonTableOptions(),
            "missing column 'b': choose it by --column b=COLUMN",
        ),
        ("a,b\nx,y\n", ComparisonTableOptions(), "missing column 'winner' or 'preference'"),
        ("a,b,winner,preference\nx,y,a,1\n", ComparisonTableOptions(), "has both 'winner' and 'preference'"),
        ("a,model_a,b,winner\nx,x,y,a\n", ComparisonTableOptions({"a": "c"}), "unknown column 'c'"),
        (
            "x,model_a,generator_1,b,winner\nx,x,x,y,a\n",
            ComparisonTableOptions(),
            "'model_a' and 'generator_1' both mean 'a'",
        ),
        ("a,b,winner\nx,y,\n", ComparisonTableOptions(), "none of the 1 rows has a verdict that counts"),
        ("a,b,winner\nx,y,a\n", ComparisonTableOptions(judges=("j",)), "--judge needs a column 'judge'"),
        ("a,b,winner,judge\nx,y,a,k\n", ComparisonTableOptions(judges=("j",)), "no verdicts of judge 'j'"),
    ],
)
def test_tables_that_cannot_be_read(
    tmp_path: Path, text: str, options: ComparisonTableOptions, message: str
) -> None:
    """One message each, with what to do."""
    with pytest.raises(InvalidInput, match=message):
        read_comparison_table(written(tmp_path, text), options)


def test_an_unknown_name_in_a_mapping_is_refused() -> None:
    """The closest name is suggested."""
    with pytest.raises(InvalidInput, match=r"unknown column 'winer'.*winner"):
        ComparisonTableOptions({"winer": "x"})
    with pytest.raises(InvalidInput, match="invalid preference range 1 1"):
        ComparisonTableOptions(preferences=(1.0, 1.0))
