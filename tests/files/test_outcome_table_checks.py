"""What is wrong with a table of outcomes is told by row, with what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from outcome_tables import HEAD, read, refused

from assay.core.errors import InvalidInput, NotFound
from assay.files.long_form import open_long_form
from assay.files.outcome_table import read_outcomes
from assay.files.outcome_table_columns import OutcomeOptions, parse_columns, parse_conditions

VALUES = some.sampled_from(["", "0", "1", "0.5", "true", "2", "-1", "nan", "inf", "x", " 1 ", "1e-3"])
STATUSES = some.sampled_from(["", "ok", "invalid", "error", "ungraded", "done"])


def test_blank_qualities_need_a_meaning(tmp_path: Path) -> None:
    """Without --null the message names both choices and the rows; with it they are missing, or wrong."""
    text = "prompt,model,quality,cost\np,m,1,1\nq,m,,1\nr,m,,1\n"
    assert refused(text, tmp_path) == [
        "2 of 3 rows have a blank 'quality' (rows 2, 3): --null missing leaves them out as never graded, "
        "--null wrong counts them as 0"
    ]
    np.testing.assert_array_equal(read(text, tmp_path, null="missing").quality, [1.0, np.nan, np.nan])
    np.testing.assert_array_equal(read(text, tmp_path, null="wrong").quality, [1.0, 0.0, 0.0])
    (told,) = refused(text.replace("q,m,,1", "q,m,,-1"), tmp_path, null="wrong")
    assert told.startswith("row 2: 'cost' is '-1'")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("p,m,0,1,-0.5,", "row 1: 'cost' is '-0.5': write US dollars as a number from 0, or leave it blank"),
        ("p,m,0,1,nan,", "row 1: 'cost' is 'nan'"),
        ("p,m,0,1,inf,", "row 1: 'cost' is 'inf'"),
        ("p,m,0,1,cheap,", "row 1: 'cost' is 'cheap'"),
        ("p,m,0,1,,-1", "row 1: 'latency' is '-1'"),
        ("p,m,0,nan,,", "row 1: 'quality' is 'nan': write a number from 0 to 1"),
        ("p,m,0,1.5,,", "give another range by --quality-range LOW HIGH"),
        ("p,m,0.5,1,,", "row 1: 'generation' is '0.5': write a whole number from 0"),
        ("p,m,-1,1,,", "row 1: 'generation' is '-1'"),
        (",m,0,1,,", "row 1: 'prompt' is blank"),
        ("p,,0,1,,", "row 1: 'model' is blank"),
    ],
)
def test_bad_rows(rows: str, told: str, tmp_path: Path) -> None:
    """Each is named by its row, with its value and what to write."""
    assert any(told in text for text in refused(f"{HEAD}\n{rows}\n", tmp_path))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("p,m,5,4,", "row 1: 'n_correct' is '5': write at most 'n_gen'"),
        ("p,m,1.5,4,", "row 1: 'n_correct' is '1.5': write a whole number from 0"),
        ("p,m,1,2.5,", "row 1: 'n_gen' is '2.5': write a whole number from 0"),
        ("p,m,-1,4,", "row 1: 'n_correct' is '-1'"),
        ("p,m,,4,", "row 1: 'n_correct' is blank: write a whole number from 0"),
        ("p,m,inf,inf,", "row 1: 'n_correct' is 'inf'"),
        ("p,m,1,4,-1", "row 1: 'cost' is '-1': write the mean cost of an answer as a number from 0"),
    ],
)
def test_bad_counts(row: str, told: str, tmp_path: Path) -> None:
    """Each is named by its row, with its value and what to write."""
    assert refused(f"prompt,model,n_correct,n_gen,cost\n{row}\n", tmp_path)[0].startswith(told)


def test_bad_numbers_in_parquet(tmp_path: Path) -> None:
    """Columns of numbers, which are not read by way of text, keep every check."""
    path = tmp_path / "t.parquet"
    rows = "('p', 'm', 1, 1.0, -0.5), ('q', 'm', 1, 2.0, 'nan'::DOUBLE), ('r', 'm', 0, 'nan'::DOUBLE, 0)"
    duckdb.sql(
        f"COPY (SELECT * FROM (VALUES {rows}) t(prompt, model, generation, quality, cost)) TO '{path}'"
    )
    with pytest.raises(InvalidInput) as caught:
        read_outcomes(path, OutcomeOptions({}))
    told = [
        problem.text.partition(":")[0] + problem.text.partition(":")[2][:10]
        for problem in caught.value.problems
    ]
    assert told == ["row 1 'cost' is", "row 2 'quality'", "row 2 'cost' is", "row 3 'quality'"]


def test_the_first_twenty_bad_rows_are_told(tmp_path: Path) -> None:
    """The others are counted."""
    told = refused("prompt,model,quality\n" + "p,m,2\n" * 25, tmp_path)
    assert len(told) == 21
    assert told[-1] == "5 more rows of 25 have problems"


def test_repeated_answers_are_refused(tmp_path: Path) -> None:
    """Rows of one prompt, model and generation, and of one cell in counts, by their numbers."""
    assert refused(f"{HEAD}\np,m,0,1,,\nq,m,0,1,,\np,m,0,0,,\n", tmp_path) == [
        "rows 1, 3 have prompt 'p', model 'm', generation 0: keep one, or number them all in order by "
        "--column generation="
    ]
    assert refused("prompt,model,n_correct,n_gen\np,m,1,2\np,m,2,2\n", tmp_path) == [
        "rows 1, 2 have prompt 'p', model 'm': keep one, add their counts, or choose by --where"
    ]
    found = read(f"{HEAD}\np,m,0,1,,\np,m,0,0,,\n", tmp_path, columns={"generation": ""})
    assert len(found.row) == 2


def test_copies_of_rows_are_refused(tmp_path: Path) -> None:
    """Without generations, equal rows are copies where a column tells all others apart, or cells have one."""
    trials = "prompt,model,quality,trial\np,m,1,a\np,m,1,b\np,m,0,c\np,m,1,b\n"
    assert refused(trials, tmp_path) == [
        "rows 2, 4 are equal in every column: 'trial' has its own value for every other answer; "
        "keep one of each, or add a column `generation` with their numbers"
    ]
    plain = "prompt,model,quality\np,m,1\nq,m,1\nr,m,0\np,m,1\n"
    assert "rows 1, 4 are equal in every column: most cells have one row" in refused(plain, tmp_path)[0]


def test_equal_answers_are_no_copies(tmp_path: Path) -> None:
    """Where cells have several rows and nothing tells them apart, equal rows count, with a note."""
    found = read("prompt,model,quality,cost\np,m,1,2\np,m,1,2\np,m,0,2\nq,m,1,2\nq,m,1,2\n", tmp_path)
    assert len(found.row) == 5
    assert found.notes == ("2 rows are equal to another in every column: they count as more generations",)


def test_units_of_cost(tmp_path: Path) -> None:
    """One unit is kept; several are refused by name."""
    assert read("prompt,model,quality,cost,currency\np,m,1,2,EUR\n", tmp_path).unit == "EUR"
    (told,) = refused("prompt,model,quality,cost,unit\np,m,1,2,USD\nq,m,1,2,cents\n", tmp_path)
    assert told == "'unit' has several units of cost, 'USD', 'cents': use one, or choose by --where"


def test_milliseconds_are_told_by_a_name(tmp_path: Path) -> None:
    """Seconds are made of them, with a note."""
    found = read(
        "prompt,model,quality,duration_ms\np,m,1,1500\n", tmp_path, columns={"latency": "duration_ms"}
    )
    np.testing.assert_array_equal(found.latency, [1.5])
    assert found.notes == ("the latency 'duration_ms' is divided by 1,000, as its name says",)


def test_failures_that_are_not_read_are_told(tmp_path: Path) -> None:
    """A column that tells of failures by its name is counted in a note, unless it is read or says nothing."""
    text = "prompt,model,quality,error,success\np,m,1,,true\nq,m,0,timeout,true\n"
    (note,) = read(text, tmp_path).notes
    assert note == "the column 'error' was not read (blank 1, 'timeout' 1): choose rows by --where error=..."
    assert read(text, tmp_path, where=["error="]).notes == ()


def test_one_category_a_prompt(tmp_path: Path) -> None:
    """Two are refused by name."""
    (told,) = refused("prompt,model,quality,use_case\np,m,1,maths\np,n,1,law\n", tmp_path)
    assert told == "1 prompts have several categories ('p' is 'law' and 'maths'): give each prompt one"


def test_columns_that_are_missing_or_double(tmp_path: Path) -> None:
    """What is there is named, the nearest first; two that mean the same must be chosen from."""
    (told,) = refused("promt,model,quality\np,m,1\n", tmp_path)
    assert told == (
        "missing column 'prompt': choose it by --column prompt=promt "
        "(the table has 'promt', 'model', 'quality')"
    )
    (told,) = refused("prompt,model,quality\np,m,1\n", tmp_path, columns={"cost": "qualitty"})
    assert "unknown column 'qualitty': did you mean 'quality'?" in told
    (told,) = refused("prompt,model,correct,score\np,m,1,1\n", tmp_path)
    assert "the columns 'correct' and 'score' both mean 'quality'" in told
    (told,) = refused("prompt,model,score,n_correct,n_gen\np,m,1,1,1\n", tmp_path)
    assert told == (
        "the table has both counts and 'score': leave one out by --column quality= or --column n_correct="
    )


def test_empty_tables(tmp_path: Path) -> None:
    """No rows, no file: each says so."""
    assert refused("prompt,model,quality\n", tmp_path) == ["the table has no rows: add one below the header"]
    with pytest.raises(NotFound):
        read_outcomes(tmp_path / "none.csv", OutcomeOptions({}))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"columns": {"modle": "x"}}, "unknown column 'modle': did you mean 'model'"),
        ({"columns": {"model": "m"}, "arms": ("a",)}, "give one of them"),
        ({"columns": {}, "quality_range": (5, 1)}, "lower end first"),
        ({"columns": {}, "null": "zero"}, "use wrong or missing"),
        ({"columns": {}, "zero_cost": "none"}, "use unknown or free"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], told: str) -> None:
    """They are refused before a file is opened."""
    with pytest.raises(InvalidInput, match=told):
        OutcomeOptions(**options)


def test_written_wishes() -> None:
    """Pairs without a sign, and one column named twice, are refused."""
    with pytest.raises(InvalidInput, match="NAME=COLUMN"):
        parse_columns(["quality"])
    with pytest.raises(InvalidInput, match="two columns for 'cost', 'a' and 'b'"):
        parse_columns(["cost=a", "cost=b"])
    with pytest.raises(InvalidInput, match="COLUMN=VALUE"):
        parse_conditions(["release"])


@settings(max_examples=10)
@given(some.lists(some.tuples(VALUES, VALUES, VALUES, STATUSES), min_size=1, max_size=3))
def test_the_rules_are_those_of_long_form(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, str]]
) -> None:
    """A table is refused exactly where the long-form reader refuses it."""
    folder = tmp_path_factory.mktemp("rules")
    lines = [f"p,m,{place},{','.join(row)}" for place, row in enumerate(rows)]
    text = "prompt,model,generation,quality,cost,latency,status\n" + "\n".join(lines) + "\n"
    path = folder / "t.csv"
    path.write_text(text)

    def outcome(read: Any) -> bool:
        try:
            read()
        except InvalidInput:
            return False
        return True

    assert outcome(lambda: read_outcomes(path, OutcomeOptions({}))) == outcome(lambda: open_long_form(path))
