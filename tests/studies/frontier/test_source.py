"""Tables become tensors: every format alike, models and prompts left out by name, rows accounted for."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import assay
from assay.core.errors import InvalidInput, NotFound
from assay.files.tables import SqlType, write_table
from assay.frontier.tensor import Tensor
from assay.studies.frontier.source import Read, named_runs, read_tensor

LONG: dict[str, SqlType] = {
    "prompt": "VARCHAR",
    "model": "VARCHAR",
    "generation": "BIGINT",
    "quality": "DOUBLE",
    "cost": "DOUBLE",
    "latency": "DOUBLE",
    "category": "VARCHAR",
}


def read(text: str, folder: Path, **options: Any) -> Read:
    """A CSV table with this text."""
    path = folder / "t.csv"
    path.write_text(text)
    return read_tensor(path, **options)


def balanced(found: Read) -> bool:
    """Whether every row that was read is accounted for, and left-out rows by name."""
    rows = found.rows
    by_name = sum(each.rows for each in found.left_out)
    return rows.read == rows.used + rows.errors + rows.ungraded + rows.left_out and by_name == rows.left_out


def arranged(values: npt.NDArray[np.float64] | None, quality: npt.NDArray[np.float64]) -> list[list[float]]:
    """Each cell's values in order, of places that hold a quality: what a cell holds, whatever the places."""
    assert values is not None
    return [
        sorted(float(value) for value, mark in zip(cell, marks, strict=True) if not np.isnan(mark))
        for cell, marks in zip(
            values.reshape(-1, values.shape[2]), quality.reshape(-1, quality.shape[2]), strict=True
        )
    ]


@some.composite
def tensors(draw: some.DrawFn) -> Tensor:
    """A small tensor in which every prompt and model has at least one quality; costs and latencies known."""
    number, width, most = draw(some.integers(1, 3)), draw(some.integers(1, 3)), draw(some.integers(1, 3))
    rng = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    shape = (number, width, most)
    quality = rng.choice([0.0, 0.25, 1.0], size=shape)
    quality[rng.random(shape) < draw(some.sampled_from([0.0, 0.3]))] = np.nan
    quality[np.arange(number), :, 0] = 1.0
    missing = np.isnan(quality)
    amounts = [np.where(missing, np.nan, rng.integers(1, 10**6, size=shape) / 1e6) for _ in range(2)]
    names = [f"é '{place};,\"" for place in range(3)]
    return Tensor(
        tuple(names[:number]),
        tuple(f"model {place}" for place in range(width)),
        quality,
        cost=amounts[0],
        latency=amounts[1],
        categories=tuple(["law", "maths", "law"][:number]),
    )


@settings(max_examples=5)
@given(tensors(), some.randoms(use_true_random=False))
def test_a_tensor_written_and_read_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, tensor: Tensor, order: Any
) -> None:
    """In every format, its rows shuffled, with and without the numbers of the generations."""
    folder = tmp_path_factory.mktemp("formats")
    assert tensor.cost is not None and tensor.latency is not None and tensor.categories is not None
    rows = [
        (
            tensor.prompts[prompt],
            tensor.models[model],
            place,
            float(tensor.quality[prompt, model, place]),
            float(tensor.cost[prompt, model, place]),
            float(tensor.latency[prompt, model, place]),
            tensor.categories[prompt],
        )
        for prompt, model, place in product(*map(range, tensor.quality.shape))
        if not np.isnan(tensor.quality[prompt, model, place])
    ]
    order.shuffle(rows)
    for name in ("t.csv", "t.tsv", "t.jsonl", "t.parquet"):
        write_table(folder / name, LONG, rows)
        for columns in ({}, {"generation": ""})[: 1 + (name == "t.parquet")]:
            found = read_tensor(folder / name, columns=columns)
            assert (found.tensor.prompts, found.tensor.models) == (tensor.prompts, tensor.models)
            assert found.tensor.categories == tensor.categories
            for values, expected in (
                (found.tensor.quality, tensor.quality),
                (found.tensor.cost, tensor.cost),
                (found.tensor.latency, tensor.latency),
            ):
                assert arranged(values, found.tensor.quality) == arranged(expected, tensor.quality)
            assert balanced(found)
            assert found.rows.answers == len(rows)


@settings(max_examples=8)
@given(
    some.lists(
        some.lists(some.tuples(some.integers(0, 4), some.integers(0, 4)), min_size=2, max_size=2),
        min_size=1,
        max_size=3,
    )
)
def test_counts_written_and_read_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[tuple[int, int]]]
) -> None:
    """As CSV and Parquet; a cell without answers is a missing one."""
    folder = tmp_path_factory.mktemp("counts")
    columns: dict[str, SqlType] = {
        "prompt": "VARCHAR",
        "model": "VARCHAR",
        "n_correct": "BIGINT",
        "n_gen": "BIGINT",
        "cost": "DOUBLE",
    }
    rows: list[tuple[str, str, int, int, float]] = [
        (f"p{prompt}", f"m{model}", min(cell), max(cell), 0.1 + prompt)
        for prompt, cells in enumerate(table)
        for model, cell in enumerate(cells)
    ]
    if all(row[3] == 0 for row in rows):
        return
    for name in ("t.csv", "t.parquet"):
        write_table(folder / name, columns, rows)
        found = read_tensor(folder / name, least_coverage=0)
        tensor = found.tensor
        cells = {
            (prompt, model): (int(tensor.correct[at, place]), int(tensor.given[at, place]))
            for at, prompt in enumerate(tensor.prompts)
            for place, model in enumerate(tensor.models)
            if tensor.given[at, place]
        }
        assert cells == {(row[0], row[1]): row[2:4] for row in rows if row[3]}
        assert tensor.cost_by_cell
        assert tensor.cost is not None
        assert (np.isnan(tensor.cost) == np.isnan(tensor.quality)).all()
        assert balanced(found)
        assert found.rows.ungraded == sum(row[3] == 0 for row in rows)


def test_missing_generations_take_no_place(tmp_path: Path) -> None:
    """Errors and ungraded answers are counted; what follows them moves up, with its own cost."""
    text = (
        "prompt,model,generation,quality,cost,status\n"
        "p,m,0,,9,error\np,m,1,1,2,\np,m,2,,9,ungraded\np,m,3,,3,invalid\np,n,0,0,1,\n"
    )
    found = read(text, tmp_path)
    np.testing.assert_array_equal(found.tensor.quality, [[[1, 0], [0, np.nan]]])
    np.testing.assert_array_equal(found.tensor.cost, [[[2, 3], [1, np.nan]]])
    rows = found.rows
    assert (rows.read, rows.used, rows.invalid, rows.errors, rows.ungraded) == (5, 3, 1, 1, 1)
    assert balanced(found)


def test_a_model_missing_on_more_than_half_is_left_out(tmp_path: Path) -> None:
    """It is named with its prompts; one on half stays and is told; a prompt of its own goes with it."""
    full = "".join(f"p{place},full,1\n" for place in range(4))
    text = "prompt,model,quality\n" + full + "p0,half,1\np1,half,1\np2,half,0\np0,rare,1\nq,rare,1\nz,none,\n"
    found = read(text, tmp_path, null="missing")
    assert found.tensor.models == ("full", "half")
    assert found.tensor.prompts == ("p0", "p1", "p2", "p3")
    assert [(each.kind, each.name, each.reason, each.rows) for each in found.left_out] == [
        ("model", "none", "has no quality on any prompt", 0),
        ("model", "rare", "has a quality on 2 of 5 prompts, less than 50%", 2),
        ("prompt", "q", "has a quality of left-out models only", 0),
        ("prompt", "z", "has no quality of any model", 0),
    ]
    assert balanced(found)
    assert "not every model is on all 4 prompts: 'half' on 3" in found.notes
    assert found.notes[0].startswith("2 models left out: 'none' has no quality on any prompt; 'rare' has")
    kept = read(text, tmp_path, null="missing", least_coverage=0.4)
    assert kept.tensor.models == ("full", "half", "rare")
    assert "2 of 5 prompts have answers of fewer than half of the 3 models: there an oracle" in str(
        kept.notes
    )


def test_nothing_may_be_left(tmp_path: Path) -> None:
    """Rows without any quality, and models that are all too rare, are refused."""
    with pytest.raises(InvalidInput, match="no row has a quality"):
        read("prompt,model,quality,status\np,m,,error\n", tmp_path)
    with pytest.raises(InvalidInput, match=r"lacks more than 50% of the 3 prompts \('a' has 1\)"):
        read("prompt,model,quality\np,a,1\nq,b,1\nr,c,1\n", tmp_path)
    with pytest.raises(InvalidInput, match="a share of the prompts"):
        read("prompt,model,quality\np,a,1\n", tmp_path, least_coverage=2)


def notes(text: str, folder: Path, **options: Any) -> str:
    """The notes of a table, in one text."""
    return "\n".join(read(text, folder, **options).notes)


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
    unknown = read(text, tmp_path, zero_cost="unknown")
    np.testing.assert_array_equal(unknown.tensor.cost, [[[np.nan, np.nan], [np.nan, 2]]])
    assert unknown.notes == (
        "3 of 4 answers have no cost, all of 'a': unknown, not 0",
        "3 costs of 0 are read as unknown",
    )


def test_costs_that_are_blank(tmp_path: Path) -> None:
    """A column of blanks is no cost; a missing cost is unknown."""
    found = read(TWO + "p,a,0,1,\np,b,0,1,\n", tmp_path)
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


def test_the_source_is_told_as_it_was_asked_for(tmp_path: Path) -> None:
    """Every choice made in reading stands in `source`, quoted; the digest is the file's."""
    text = "task,agent,quality,kind\np,m,3,a b\np,n,1,a b\nq,m,1,c\n"
    found = read(
        text,
        tmp_path,
        columns={"prompt": "task"},
        arms=["agent"],
        where=["kind=a b"],
        null="wrong",
        zero_cost="free",
        quality_range=(1, 5),
        least_coverage=0.25,
    )
    path = tmp_path / "t.csv"
    assert found.source == (
        f"{path} --column prompt=task --arm agent --where 'kind=a b' --null wrong --zero-cost free "
        "--quality-range 1 5 --least-coverage 0.25"
    )
    assert len(found.digest) == 64
    np.testing.assert_array_equal(found.tensor.quality, [[[0.5], [0.0]]])
    assert found.rows.skipped == 1


def test_what_a_source_can_be(tmp_path: Path) -> None:
    """A file, or runs; what is neither says how each is written."""
    assert named_runs("run:3,run:4") == named_runs("3,4") == (3, 4)
    assert named_runs("results.csv") is None
    with pytest.raises(NotFound, match="run:NUMBER"):
        read_tensor(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match="give the engine"):
        read_tensor("run:3")
    with pytest.raises(InvalidInput, match="are for tables"):
        read_tensor("run:3", arms=["a"])


def test_the_public_names() -> None:
    """`from assay import ...` gives what the modules hold."""
    assert assay.read_tensor is read_tensor
    assert assay.Tensor is Tensor
