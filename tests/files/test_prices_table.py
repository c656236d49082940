"""Tests of reading new prices from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.files.prices_table import NewPrice, read_prices


def written(folder: Path, name: str, text: str) -> Path:
    """Return a file with that text."""
    path = folder / name
    path.write_text(text)
    return path


def test_yaml_gives_a_factor_or_a_cost_for_each_model(tmp_path: Path) -> None:
    """Models keep the file's order."""
    path = written(tmp_path, "prices.yaml", "b: {factor: 0.5}\na: {cost: 0.002}\n")
    assert list(read_prices(path).items()) == [("b", NewPrice(factor=0.5)), ("a", NewPrice(cost=0.002))]


def test_a_table_has_one_model_a_row(tmp_path: Path) -> None:
    """The kind that a row leaves blank is not given."""
    path = written(tmp_path, "prices.csv", "model,factor,cost\nx/y,2,\nz,,0\n")
    assert dict(read_prices(path)) == {"x/y": NewPrice(factor=2.0), "z": NewPrice(cost=0.0)}


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("a: {factor: -1}\n", 1, "factor of 'a' is -1"),
        ("a: {factor: 1}\nb: {cost: .nan}\n", 2, "cost of 'b' is '.nan'"),
        ("a: {factor: yes}\n", 1, "factor of 'a' is 'yes'"),
        ("a: {factor: 1, cost: 1}\n", 1, "both a factor and a cost"),
        ("a: {}\n", 1, "neither a factor nor a cost"),
        ("a: 3\n", 1, "price of 'a' is 3"),
        ("a: {factr: 3}\n", 1, "did you mean 'factor'"),
        ("- a\n", 1, "write a mapping"),
    ],
)
def test_a_wrong_price_in_yaml_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, told: str
) -> None:
    """The message says what to write."""
    with pytest.raises(InvalidInput, match=told) as caught:
        read_prices(written(tmp_path, "prices.yaml", text))
    assert caught.value.problems[0].line == line


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("a,-0.5", "factor of 'a' is '-0.5'"),
        ("a,cheap", "factor of 'a' is 'cheap'"),
        ("a,", "neither a factor nor a cost"),
        (",1", "'model' is blank"),
        ("b,2", "'b' already has a price at line 2"),
    ],
)
def test_a_wrong_row_is_named_with_its_line(tmp_path: Path, row: str, told: str) -> None:
    """The first row is good, the second is not."""
    with pytest.raises(InvalidInput, match=told) as caught:
        read_prices(written(tmp_path, "prices.csv", f"model,factor\nb,1\n{row}\n"))
    assert [problem.line for problem in caught.value.problems] == [3]


def test_a_table_without_prices_is_told_its_columns(tmp_path: Path) -> None:
    """Dollars for a million tokens are no kind of price here: the tensor has no tokens."""
    with pytest.raises(InvalidInput, match="the table has 'model', 'input'"):
        read_prices(written(tmp_path, "prices.csv", "model,input\na,3\n"))


def test_an_empty_file_names_no_model(tmp_path: Path) -> None:
    """Neither as YAML nor as a table."""
    with pytest.raises(InvalidInput, match="the file has no prices"):
        read_prices(written(tmp_path, "prices.yaml", ""))
    with pytest.raises(InvalidInput, match="the file has no prices"):
        read_prices(written(tmp_path, "prices.csv", "model,cost\n"))


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    """The message shows the path."""
    with pytest.raises(NotFound, match=r"none\.yaml"):
        read_prices(tmp_path / "none.yaml")
