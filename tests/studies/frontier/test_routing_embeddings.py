"""Reading embeddings from files: all formats, and the problems of bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from table_files import write_table

from assay.core.errors import InvalidInput, NotFound
from assay.studies.frontier.routing_embeddings import read_embeddings

PROMPTS = ("a", "b", "c")
VECTORS = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.5]]
LINES = """\
{"prompt": "c", "embedding": [5, 6.5]}
{"prompt": "a", "embedding": [1, 2]}
{"prompt": "x", "embedding": [9, 9]}
{"prompt": "b", "embedding": [3, 4]}
"""


def written(folder: Path, kind: str) -> Path:
    """Write the three embeddings, with one of another prompt in formats that name prompts."""
    path = folder / f"vectors.{kind}"
    if kind == "jsonl":
        path.write_text(LINES)
    elif kind == "csv":
        path.write_text("prompt,d1,d2\nc,5,6.5\na,1,2\nx,9,9\nb,3,4\n")
    elif kind == "parquet":
        rows = [("b", "[3, 4]"), ("c", "[5, 6.5]"), ("a", "[1, 2]")]
        write_table(path, {"prompt": "VARCHAR", "vector": "VARCHAR"}, rows)
    elif kind == "npz":
        np.savez(path, prompt=np.array(["b", "a", "c"]), embedding=np.array(VECTORS)[[1, 0, 2]])
    else:
        np.save(path, np.array(VECTORS))
    return path


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "npz", "npy"])
def test_all_formats_give_the_order_of_the_prompts(tmp_path: Path, kind: str) -> None:
    """The order in the file does not matter, and other prompts are ignored."""
    assert read_embeddings(written(tmp_path, kind), PROMPTS).tolist() == VECTORS


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"prompt": "a", "embedding": [1, 2]}', "2 of 3 prompts have no embedding: add 'b', 'c'"),
        (LINES + '{"prompt": "a", "embedding": [1, 2]}', "row 5: 'a' has a second embedding"),
        (LINES.replace("[3, 4]", "[3, 4, 5]"), "embeddings have the lengths 2, 3: give all the same length"),
        (LINES.replace("[3, 4]", '"x"'), "row 4: the embedding of 'b' is not a list of finite numbers"),
        (LINES.replace("[3, 4]", "[3, null]"), "row 4: the embedding of 'b' is not a list of finite numbers"),
        (LINES.replace('"prompt"', '"name"'), "missing column of prompts"),
    ],
)
def test_problems_are_reported(tmp_path: Path, lines: str, message: str) -> None:
    """The message has the row or the prompts."""
    path = tmp_path / "vectors.jsonl"
    path.write_text(lines)
    with pytest.raises(InvalidInput) as raised:
        read_embeddings(path, PROMPTS)
    assert any(message in str(problem) for problem in raised.value.problems)


def test_a_matrix_has_a_row_a_prompt_and_finite_numbers(tmp_path: Path) -> None:
    """A matrix of another size and a missing file are refused too."""
    path = tmp_path / "vectors.npy"
    np.save(path, np.ones((2, 4)))
    with pytest.raises(InvalidInput, match="give 3 rows"):
        read_embeddings(path, PROMPTS)
    np.save(path, np.array([[1.0], [np.nan], [2.0]]))
    with pytest.raises(InvalidInput, match="row 2 has a value that is not finite"):
        read_embeddings(path, PROMPTS)
    with pytest.raises(NotFound):
        read_embeddings(tmp_path / "no.csv", PROMPTS)
