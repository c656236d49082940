"""Reading tables into tensors: all formats give the same tensor, and every row is accounted for."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from outcome_sources import balanced, read_csv
from table_files import write_table

import assay
from assay.core.errors import InvalidInput, NotFound
from assay.frontier.tensor import Tensor
from assay.studies.frontier.source import named_runs, read_tensor

LONG: dict[str, str] = {
    "prompt": "VARCHAR",
    "model": "VARCHAR",
    "generation": "BIGINT",
    "quality": "DOUBLE",
    "cost": "DOUBLE",
    "latency": "DOUBLE",
    "category": "VARCHAR",
}


def arranged(values: npt.NDArray[np.float64] | None, quality: npt.NDArray[np.float64]) -> list[list[float]]:
    """Return each cell's sorted values at the generations with a quality."""
    assert values is not None
    return [
        sorted(float(value) for value, score in zip(cell, scores, strict=True) if not np.isnan(score))
        for cell, scores in zip(
            values.reshape(-1, values.shape[2]), quality.reshape(-1, quality.shape[2]), strict=True
        )
    ]


@some.composite
def tensors(draw: some.DrawFn) -> Tensor:
    """Draw a small tensor with costs and latencies, in which every prompt and model has a quality."""
    number, width, most = draw(some.integers(1, 3)), draw(some.integers(1, 3)), draw(some.integers(1, 3))
    rng = np.random.default_rng(draw(some.integers(0, 2**32 - 1)))
    shape = (number, width, most)
    quality = rng.choice([0.0, 0.25, 1.0], size=shape)
    quality[rng.random(shape) < draw(some.sampled_from([0.0, 0.3]))] = np.nan
    quality[np.arange(number), :, 0] = 1.0
    missing = np.isnan(quality)
    amounts = [np.where(missing, np.nan, rng.integers(1, 10**6, size=shape) / 1e6) for _ in range(2)]
    names = [f"é '{suffix};,\"" for suffix in range(3)]
    return Tensor(
        tuple(names[:number]),
        tuple(f"model {column}" for column in range(width)),
        quality,
        cost=amounts[0],
        latency=amounts[1],
        categories=tuple(["law", "maths", "law"][:number]),
    )


@pytest.mark.slow
@settings(max_examples=5)
@given(tensors(), some.randoms(use_true_random=False))
def test_a_tensor_written_and_read_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, tensor: Tensor, order: Any
) -> None:
    """This holds in every format, with shuffled rows, with and without the numbers of the generations."""
    folder = tmp_path_factory.mktemp("formats")
    assert tensor.cost is not None and tensor.latency is not None and tensor.categories is not None
    rows = [
        (
            tensor.prompts[prompt],
            tensor.models[model],
            generation,
            float(tensor.quality[prompt, model, generation]),
            float(tensor.cost[prompt, model, generation]),
            float(tensor.latency[prompt, model, generation]),
            tensor.categories[prompt],
        )
        for prompt, model, generation in product(*map(range, tensor.quality.shape))
        if not np.isnan(tensor.quality[prompt, model, generation])
    ]
    order.shuffle(rows)
    for name in ("t.csv", "t.tsv", "t.jsonl", "t.parquet"):
        write_table(folder / name, LONG, rows)
        for columns in ({}, {"generation": ""})[: 1 + (name == "t.parquet")]:
            read = read_tensor(folder / name, columns=columns)
            assert (read.tensor.prompts, read.tensor.models) == (tensor.prompts, tensor.models)
            assert read.tensor.categories == tensor.categories
            for values, expected in (
                (read.tensor.quality, tensor.quality),
                (read.tensor.cost, tensor.cost),
                (read.tensor.latency, tensor.latency),
            ):
                assert arranged(values, read.tensor.quality) == arranged(expected, tensor.quality)
            assert balanced(read)
            assert read.rows.answers == len(rows)


@pytest.mark.slow
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
    """This holds for CSV and Parquet. A cell without answers is missing."""
    folder = tmp_path_factory.mktemp("counts")
    columns: dict[str, str] = {
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
        read = read_tensor(folder / name, least_coverage=0)
        tensor = read.tensor
        cells = {
            (prompt, model): (int(tensor.correct[row, column]), int(tensor.answers[row, column]))
            for row, prompt in enumerate(tensor.prompts)
            for column, model in enumerate(tensor.models)
            if tensor.answers[row, column]
        }
        assert cells == {(row[0], row[1]): row[2:4] for row in rows if row[3]}
        assert tensor.cost_by_cell
        assert tensor.cost is not None
        assert (np.isnan(tensor.cost) == np.isnan(tensor.quality)).all()
        assert balanced(read)
        assert read.rows.ungraded == sum(row[3] == 0 for row in rows)


def test_missing_generations_are_skipped(tmp_path: Path) -> None:
    """Errors and ungraded answers are counted, and later answers move up with their costs."""
    text = (
        "prompt,model,generation,quality,cost,status\n"
        "p,m,0,,9,error\np,m,1,1,2,\np,m,2,,9,ungraded\np,m,3,,3,invalid\np,n,0,0,1,\n"
    )
    read = read_csv(text, tmp_path)
    np.testing.assert_array_equal(read.tensor.quality, [[[1, 0], [0, np.nan]]])
    np.testing.assert_array_equal(read.tensor.cost, [[[2, 3], [1, np.nan]]])
    rows = read.rows
    assert (rows.read, rows.used, rows.invalid, rows.errors, rows.ungraded) == (5, 3, 1, 1, 1)
    assert balanced(read)


def test_a_tensor_too_large_for_memory_is_refused(tmp_path: Path) -> None:
    """One cell of a billion answers would need room for a billion answers in each cell."""
    with pytest.raises(InvalidInput, match=r"2 prompts by 1 models by up to 1,000,000,000 generations"):
        read_csv("prompt,model,n_correct,n_gen\np,m,1,2\nq,m,1,1000000000\n", tmp_path)


def test_the_source_has_all_options(tmp_path: Path) -> None:
    """`source` has every option of reading, quoted, and the digest is that of the file."""
    text = "task,agent,quality,kind\np,m,3,a b\np,n,1,a b\nq,m,1,c\n"
    read = read_csv(
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
    assert read.source == (
        f"{path} --column prompt=task --arm agent --where 'kind=a b' --null wrong --zero-cost free "
        "--quality-range 1 5 --least-coverage 0.25"
    )
    assert len(read.digest) == 64
    np.testing.assert_array_equal(read.tensor.quality, [[[0.5], [0.0]]])
    assert read.rows.skipped == 1


def test_a_source_is_a_file_or_runs(tmp_path: Path) -> None:
    """The error for anything else says how both are written."""
    assert named_runs("run:3,run:4") == named_runs("3,4") == (3, 4)
    assert named_runs("results.csv") is None
    with pytest.raises(NotFound, match="run:NUMBER"):
        read_tensor(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match="give the `engine`"):
        read_tensor("run:3")
    with pytest.raises(InvalidInput, match="are for tables"):
        read_tensor("run:3", arms=["a"])


def test_the_public_names() -> None:
    """`from assay import ...` gives the objects of the modules."""
    assert assay.read_tensor is read_tensor
    assert assay.Tensor is Tensor
