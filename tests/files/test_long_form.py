"""Long-form tables are checked row by row and read in batches."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from table_files import write_table

from assay.core.ask import CallStatus
from assay.core.errors import InvalidInput
from assay.files.long_form import LongFormRow, RunRows, open_long_form

SHARE = "a number from 0 to 1 (per cent divided by 100, marks from 1 to 5 as (mark - 1) / 4)"
TIME = "a time such as 2026-03-31T06:00:00Z, or seconds (not milliseconds) since 1970"


def rows(text: str, folder: Path, **options: object) -> list[LongFormRow]:
    """The rows of a CSV table with this text."""
    path = folder / "t.csv"
    path.write_text(text)
    return [row for batch in open_long_form(path, **options).batches() for row in batch]  # type: ignore[arg-type]


def refused(text: str, folder: Path, **options: object) -> list[str]:
    """The problems of a CSV table with this text."""
    with pytest.raises(InvalidInput) as caught:
        rows(text, folder, **options)
    return [problem.text for problem in caught.value.problems]


def test_a_row_in_full(tmp_path: Path) -> None:
    """Every column arrives, typed."""
    text = (
        "prompt,model,generation,quality,cost,latency,at,use_case,status,provider,run\n"
        "p,m,2,0.5,0.01,1.5,2026-03-31T06:00:00Z,maths,OK,OpenAI,early\n"
    )
    assert rows(text, tmp_path) == [
        LongFormRow(1, "p", "m", 2, 0.5, CallStatus.OK, 0.01, 1.5, 1774936800.0, "maths", "OpenAI", "early")
    ]


def test_the_least_table(tmp_path: Path) -> None:
    """Prompt, model and an alias of quality are enough; names may be in capitals."""
    assert rows("Prompt,MODEL,Correct\np,m,true\nq,m,FALSE\n", tmp_path) == [
        LongFormRow(1, "p", "m", 0, 1.0, CallStatus.OK),
        LongFormRow(2, "q", "m", 0, 0.0, CallStatus.OK),
    ]


def test_statuses_stay_apart(tmp_path: Path) -> None:
    """Invalid scores 0, an error and an ungraded answer have no quality."""
    text = "prompt,model,score,status\na,m,,invalid\nb,m,,error\nc,m,0,error\nd,m,,ungraded\ne,m,1,\n"
    assert [(row.status, row.quality) for row in rows(text, tmp_path)] == [
        (CallStatus.INVALID, 0.0),
        (CallStatus.ERROR, None),
        (CallStatus.ERROR, None),
        (CallStatus.OK, None),
        (CallStatus.OK, 1.0),
    ]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-02-20", 1771545600.0),
        ("2026-02-20 10:00:00", 1771581600.0),
        ("2026-02-20T10:00:00Z", 1771581600.0),
        ("2026-02-20T10:00:00.5+02:00", 1771574400.5),
        ("1771581600", 1771581600.0),
        ("", None),
    ],
)
def test_times_become_utc(at: str, expected: float | None, tmp_path: Path) -> None:
    """A time without a zone is UTC, one with a zone is converted, a number is seconds."""
    assert rows(f"prompt,model,score,at\np,m,1,{at}\n", tmp_path)[0].at == expected


def test_parquet_with_its_own_types(tmp_path: Path) -> None:
    """Typed columns are read like text ones."""
    path = tmp_path / "t.parquet"
    columns = {"prompt": "BIGINT", "model": "VARCHAR", "correct": "BOOLEAN", "generation": "DOUBLE"}
    write_table(path, columns, [(7, "m", True, 3.0)])
    assert list(open_long_form(path).batches()) == [[LongFormRow(1, "7", "m", 3, 1.0, CallStatus.OK)]]


def test_columns_that_are_not_read_are_named(tmp_path: Path) -> None:
    """What a table holds beside ours is reported as ignored, and the rows are counted."""
    path = tmp_path / "t.csv"
    path.write_text("prompt,model,score,note\np,m,1,x\nq,m,1,x\n")
    table = open_long_form(path)
    assert (table.ignored, table.rows, table.columns["quality"]) == (("note",), 2, "score")


def test_batches(tmp_path: Path) -> None:
    """Rows come in their order, in batches of the size asked for."""
    path = tmp_path / "t.csv"
    path.write_text("prompt,model,score\n" + "".join(f"p{number},m,1\n" for number in range(25)))
    batches = list(open_long_form(path).batches(10))
    assert ([len(batch) for batch in batches], [row.row for batch in batches for row in batch]) == (
        [10, 10, 5],
        list(range(1, 26)),
    )


def test_run_by_run(tmp_path: Path) -> None:
    """Rows can be read day by day and run by run, and the table tells its runs and prompts."""
    path = tmp_path / "t.csv"
    path.write_text(
        "prompt,model,score,at,use_case,run\n"
        "p,m,1,2026-03-02T01:00:00Z,u,b\np,n,1,2026-03-02T02:00:00Z,u,a\np,m,1,2026-03-01T23:59:59Z,,b\n"
        "p,m,1,2026-03-02T03:00:00Z,u,b\n"
    )
    table = open_long_form(path, needs=("at",))
    (batch,) = table.batches(by_run=True)
    assert [row.row for row in batch] == [3, 2, 1, 4]
    assert table.runs() == [
        RunRows(20513, "b", ("m",)),
        RunRows(20514, "a", ("n",)),
        RunRows(20514, "b", ("m",)),
    ]
    ((prompt, use_cases, most),) = ((one.prompt, set(one.use_cases), one.most) for one in table.prompts())
    assert (prompt, use_cases, most) == ("p", {"u", None}, 2)


def test_missing_columns(tmp_path: Path) -> None:
    """Every missing column is reported at once, with what the table has."""
    assert refused("prompt,mdl\np,m\n", tmp_path, needs=("at",)) == [
        "missing column 'model': add it, or rename 'mdl' (the table has 'prompt', 'mdl')",
        "missing column 'quality' (or 'correct', 'score'): add it (the table has 'prompt', 'mdl')",
        "missing column 'at': add it (the table has 'prompt', 'mdl')",
    ]


def test_two_columns_for_one(tmp_path: Path) -> None:
    """Two names of the same thing are refused."""
    assert refused("prompt,model,score,correct\np,m,1,1\n", tmp_path) == [
        "the columns 'score' and 'correct' both mean 'quality': keep one of them"
    ]


@pytest.mark.parametrize(
    ("columns", "values", "expected"),
    [
        ("score", "87", f"'score' is '87': write {SHARE}"),
        ("score", "4", f"'score' is '4': write {SHARE}"),
        ("score", "-0.1", f"'score' is '-0.1': write {SHARE}"),
        ("score", "nan", f"'score' is 'nan': write {SHARE}"),
        ("score", "good", f"'score' is 'good': write {SHARE}"),
        ("score", "", "'score' is blank: write a number from 0 to 1, or a status (invalid, error, ungraded)"),
        (
            "score,status",
            "1,okay",
            "'status' is 'okay': write ok, invalid, error or ungraded",
        ),
        (
            "score,status",
            "0.5,error",
            "'score' is '0.5': write 0 or nothing, as the status is invalid or error",
        ),
        ("score,status", "0,ungraded", "'score' is '0': write nothing, as the status is ungraded"),
        (
            "score,cost",
            "1,-1",
            "'cost' is '-1': write US dollars as a number from 0 to 10,000, or leave it blank",
        ),
        (
            "score,cost",
            "1,1e308",
            "'cost' is '1e308': write US dollars as a number from 0 to 10,000, or leave it blank",
        ),
        ("score,latency", "1,inf", "'latency' is 'inf': write seconds as a number from 0, or leave it blank"),
        ("score,at", "1,yesterday", f"'at' is 'yesterday': write {TIME}"),
        ("score,at", "1,1760000000000", f"'at' is '1760000000000': write {TIME}"),
        ("score,at", "1,20260331", f"'at' is '20260331': write {TIME}"),
        ("score,generation", "1,1.5", "'generation' is '1.5': write a whole number from 0"),
        ("score,generation", "1,-1", "'generation' is '-1': write a whole number from 0"),
        ("score,generation", "1,first", "'generation' is 'first': write a whole number from 0"),
        ("score,generation", "1,", "'generation' is blank: write a whole number from 0"),
    ],
)
def test_what_a_row_refuses(columns: str, values: str, expected: str, tmp_path: Path) -> None:
    """Each bad value is reported with its row, the table's own name of the column, and what to write."""
    text = f"prompt,model,{columns}\np,m,{values}\n"
    assert refused(text, tmp_path) == [f"row 1: {expected}"]


def test_blank_names(tmp_path: Path) -> None:
    """A row without prompt or model is refused."""
    assert refused("prompt,model,score\n,m,1\np, ,1\n", tmp_path) == [
        "row 1: 'prompt' is blank: write the prompt's name or text",
        "row 2: 'model' is blank: write the model's name or text",
    ]


def test_a_needed_column_needs_a_value_in_every_row(tmp_path: Path) -> None:
    """What an import needs may not be blank."""
    assert refused("prompt,model,score,at\np,m,1,\n", tmp_path, needs=("at",)) == [
        "row 1: 'at' is blank: write a value: this import needs one in every row"
    ]


def test_many_problems_are_counted(tmp_path: Path) -> None:
    """The first twenty bad rows are reported one by one, the rest as a number."""
    text = "prompt,model,score\n" + "".join(f"p{number},m,2.5\n" for number in range(30)) + "p,m,1\n"
    told = refused(text, tmp_path)
    assert (len(told), told[-1]) == (21, "10 more rows of 31 have problems")


def test_duplicates_without_generations(tmp_path: Path) -> None:
    """Repeated answers without numbers are refused: averaging them silently would hide a mistake."""
    assert refused("prompt,model,score\np,m,1\nq,m,1\np,m,0\n", tmp_path) == [
        "rows 1 to 3: 2 rows have prompt 'p', model 'm', generation 0: keep one, or add a column "
        "`generation` with their numbers"
    ]


def test_duplicates_with_generations(tmp_path: Path) -> None:
    """The same generation twice is refused, however its number is written."""
    text = "prompt,model,score,generation,at\np,m,1,1,2026-01-01\np,m,0,1.0,2026-01-01T00:00:00Z\n"
    [told] = refused(text, tmp_path)
    assert told.startswith("rows 1 to 2: 2 rows have prompt 'p', model 'm', generation 1, at 2026-01-01")


def test_the_same_generation_on_another_day_is_no_duplicate(tmp_path: Path) -> None:
    """History repeats its prompts day after day."""
    text = "prompt,model,score,at\np,m,1,2026-01-01\np,m,0,2026-01-02\n"
    assert len(rows(text, tmp_path)) == 2


def test_no_rows(tmp_path: Path) -> None:
    """A header alone is no table."""
    assert refused("prompt,model,score\n", tmp_path) == ["the table has no rows: add one below the header"]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(
    qualities=some.lists(some.floats(0, 1), min_size=1, max_size=5),
    prompt=some.text(some.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=1),
)
def test_qualities_survive_every_format(
    qualities: list[float], prompt: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A fraction is read back to the last bit, and any prompt as it was, from each format."""
    folder = tmp_path_factory.mktemp("formats")
    found = []
    for ending in ("csv", "jsonl", "parquet"):
        path = folder / f"t.{ending}"
        columns = {"prompt": "VARCHAR", "model": "VARCHAR", "generation": "BIGINT", "quality": "DOUBLE"}
        given_rows = [(prompt, "m", number, quality) for number, quality in enumerate(qualities)]
        write_table(path, columns, given_rows)
        [batch] = open_long_form(path).batches()
        found.append([(row.prompt, row.quality) for row in batch])
    assert found == [[(prompt, quality) for quality in qualities]] * 3
