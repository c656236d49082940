"""Tables of outcomes are recognised by their columns and read whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import duckdb
import numpy as np
import pytest
import zstandard
from outcome_tables import HEAD, cells, read, refused

from assay.core.errors import InvalidInput
from assay.files.outcome_table import read_outcomes
from assay.files.outcome_table_columns import OutcomeOptions, parse_columns, parse_conditions


def test_a_long_form_table(tmp_path: Path) -> None:
    """Rows arrive in the file's order with numbered names, costs and latencies; a blank one is NaN."""
    found = read(f"{HEAD}\nq,m,1,0.5,0.01,1.5\np,m,0,1,,\np,a,0,true,0.02,2\n", tmp_path)
    assert (found.prompts, found.models) == (("p", "q"), ("a", "m"))
    assert cells(found) == [("q", "m", 0.5), ("p", "m", 1.0), ("p", "a", 1.0)]
    assert found.generation is not None and found.generation.tolist() == [1, 0, 0]
    np.testing.assert_array_equal(found.cost, [0.01, np.nan, 0.02])
    np.testing.assert_array_equal(found.latency, [1.5, np.nan, 2.0])
    assert (found.skipped, found.unit, found.correct) == (0, "USD", None)


def test_statuses_stay_apart(tmp_path: Path) -> None:
    """Invalid scores 0; an error and an ungraded answer have no quality, and are told apart."""
    text = "prompt,model,score,status\na,m,,invalid\nb,m,,error\nc,m,0,error\nd,m,,ungraded\ne,m,1,\n"
    found = read(text, tmp_path)
    assert found.status is not None and found.status.tolist() == [1, 2, 2, 3, 0]
    np.testing.assert_array_equal(found.quality, [0.0, np.nan, np.nan, np.nan, 1.0])


def test_a_table_of_counts(tmp_path: Path) -> None:
    """Counts are told by their columns; cost and latency are a cell's means."""
    found = read("prompt,model,n_correct,n_gen,cost\np,m,3,10,0.5\np,n,0,4,\n", tmp_path)
    assert found.correct is not None and found.answers is not None
    assert (found.correct.tolist(), found.answers.tolist(), found.quality) == ([3, 0], [10, 4], None)
    np.testing.assert_array_equal(found.cost, [0.5, np.nan])


def test_routerbench_wide_table(tmp_path: Path) -> None:
    """One column a model with its quality and one with its cost; the sample's name is the prompt."""
    text = (
        "sample_id,prompt,eval_name,gpt-4,tiny,gpt-4|model_response,gpt-4|total_cost,tiny|total_cost,"
        "oracle_model_to_route_to\nmmlu.1,What?,mmlu,1.0,0.25,B,0.02,0.0001,gpt-4\narc.7,Why?,arc,0,1,A,0.03,,tiny\n"
    )
    found = read(text, tmp_path)
    assert sorted(cells(found)) == [
        ("arc.7", "gpt-4", 0.0),
        ("arc.7", "tiny", 1.0),
        ("mmlu.1", "gpt-4", 1.0),
        ("mmlu.1", "tiny", 0.25),
    ]
    assert (found.categories, found.texts) == (("arc", "mmlu"), ("Why?", "What?"))
    assert found.cost is not None
    assert sorted(found.cost[~np.isnan(found.cost)].tolist()) == [0.0001, 0.02, 0.03]


def test_columns_of_other_names(tmp_path: Path) -> None:
    """Any column can be ours; what is named goes before what is matched, and "" reads none."""
    text = "task,score,is_resolved,usd,difficulty,q,model,status\n1,0.2,true,0.1,easy,Why?,m,fine\n"
    columns = parse_columns(
        ["prompt=task", "quality=is_resolved", "cost=usd", "category=difficulty", "text=q", "status="]
    )
    found = read(text, tmp_path, columns=columns)
    assert cells(found) == [("1", "m", 1.0)]
    assert (found.categories, found.texts, found.cost) == (("easy",), ("Why?",), [0.1])


def test_nested_fields(tmp_path: Path) -> None:
    """A dot reads a field of a nested column, also where its name holds a dot or a quote."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"prompt": "p", "model": "m", "judges": {"gpt-4.1": 5, "it\'s": 1}}\n')
    for field, quality in (("judges.gpt-4.1", 1.0), ("judges.it's", 0.0)):
        options = OutcomeOptions(columns={"quality": field}, quality_range=(1, 5))
        assert cells(read_outcomes(path, options)) == [("p", "m", quality)]


def test_arms(tmp_path: Path) -> None:
    """Several columns name one model; a blank part is a dash."""
    text = "prompt,model,agent,effort,quality\np,gpt,swe,high,1\np,gpt,swe,,0\n"
    found = read(text, tmp_path, arms=("model", "agent", "effort"))
    assert found.models == ("gpt + swe + -", "gpt + swe + high")
    assert refused("prompt,a,b,quality\np,,,1\n", tmp_path, arms=("a", "b")) == [
        "row 1: 'a + b' is blank: write the model's name or text"
    ]


def test_conditions(tmp_path: Path) -> None:
    """Equal, not equal, blank, numbers however written, booleans in any case; several values are either's."""
    text = "prompt,model,quality,n,ok,note\na,m,1,10.0,True,\nb,m,1,10,false,x\nc,m,1,1,TRUE,it's\n"

    def kept(*where: str) -> tuple[str, ...]:
        return read(text, tmp_path, where=where).prompts

    assert kept("n=10") == ("a", "b")
    assert kept("n=10", "ok=true") == ("a",)
    assert kept("note=x", "note=it's") == ("b", "c")
    assert kept("note!=x") == ("a", "c")
    assert kept("note=") == ("a",)
    assert read(text, tmp_path, where={"ok": True}).skipped == 1


def test_a_condition_is_never_sql(tmp_path: Path) -> None:
    """Quotes and statements in a condition are text."""
    text = "prompt,model,quality\np,m,1\n"
    (told,) = refused(text, tmp_path, where=["model=x' OR '1'='1"])
    assert told == "no row meets all conditions: choose among their values ('model' has 'm')"
    (told,) = refused(text, tmp_path, where=['model" IS NULL OR "model=x'])
    assert "unknown column" in told


def test_rows_are_numbered_as_in_the_file(tmp_path: Path) -> None:
    """A condition does not renumber them, in CSV or Parquet."""
    text = "prompt,model,quality,part\na,m,1,train\nb,m,7,test\n"
    expected = "row 2: 'quality' is '7': write a number from 0 to 1 (per cent divided by 100"
    (told,) = refused(text, tmp_path, where=["part=test"])
    assert told.startswith(expected)
    duckdb.sql(f"COPY (FROM read_csv('{tmp_path / 't.csv'}')) TO '{tmp_path / 't.parquet'}'")
    with pytest.raises(InvalidInput) as caught:
        read_outcomes(tmp_path / "t.parquet", OutcomeOptions({}, where=parse_conditions(["part=test"])))
    assert expected.partition(" is '")[0] in str(caught.value)


def test_packed_files(tmp_path: Path) -> None:
    """The same table, packed by gzip and zstandard, as CSV and JSON lines."""
    for name, text in (
        ("t.csv", "prompt,model,quality\np,m,1\n"),
        ("t.jsonl", '{"prompt":"p","model":"m","score":1}\n'),
    ):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        (tmp_path / f"{name}.zst").write_bytes(zstandard.compress(text.encode()))
        for packed in (f"{name}.gz", f"{name}.zst"):
            assert cells(read_outcomes(tmp_path / packed, OutcomeOptions({}))) == [("p", "m", 1.0)]
