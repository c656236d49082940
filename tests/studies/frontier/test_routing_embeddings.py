"""Embeddings from files: every way to write them, and everything that is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from table_files import write_table

from assay.core.errors import InvalidInput, NotFound
from assay.studies.frontier.routing_embeddings import read_embeddings

PROMPTS = ("a", "b", "c")
WANTED = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.5]]
LINES = """\
{"prompt": "c", "embedding": [5, 6.5]}
{"prompt": "a", "embedding": [1, 2]}
{"prompt": "x", "embedding": [9, 9]}
{"prompt": "b", "embedding": [3, 4]}
"""


def written(folder: Path, kind: str) -> Path:
    """Write the three embeddings, and one of another prompt where prompts are named."""
    path = folder / f"vectors.{kind}"
    if kind == "jsonl":
        path.write_text(LINES)
    elif kind == "csv":
        path.write_text("prompt,d1,d2\nc,5,6.5\na,1,2\nx,9,9\nb,3,4\n")
    elif kind == "parquet":
        rows = [("b", "[3, 4]"), ("c", "[5, 6.5]"), ("a", "[1, 2]")]
        write_table(path, {"prompt": "VARCHAR", "vector": "VARCHAR"}, rows)
    elif kind == "npz":
        np.savez(path, prompt=np.array(["b", "a", "c"]), embedding=np.array(WANTED)[[1, 0, 2]])
    else:
        np.save(path, np.array(WANTED))
    return path


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "npz", "npy"])
def test_every_kind_of_file_gives_the_prompts_order(tmp_path: Path, kind: str) -> None:
    """Whatever the order in the file; other prompts are passed over."""
    assert read_embeddings(written(tmp_path, kind), PROMPTS).tolist() == WANTED


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"prompt": "a", "embedding": [1, 2]}', "2 of 3 prompts have no embedding: 'b', 'c'"),
        (LINES + '{"prompt": "a", "embedding": [1, 2]}', "row 5: 'a' has a second embedding"),
        (LINES.replace("[3, 4]", "[3, 4, 5]"), "embeddings are of lengths 2, 3: give one length"),
        (LINES.replace("[3, 4]", '"x"'), "row 4: the embedding of 'b' is no list of finite numbers"),
        (LINES.replace("[3, 4]", "[3, null]"), "row 4: the embedding of 'b' is no list of finite numbers"),
        (LINES.replace('"prompt"', '"name"'), "has no column of prompts"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, line: str, told: str) -> None:
    """With its row."""
    path = tmp_path / "vectors.jsonl"
    path.write_text(line)
    with pytest.raises(InvalidInput) as raised:
        read_embeddings(path, PROMPTS)
    assert any(told in str(problem) for problem in raised.value.problems)


def test_a_matrix_has_a_row_a_prompt_and_finite_numbers(tmp_path: Path) -> None:
    """Without names nothing else can be checked; a file that is not there is not found."""
    path = tmp_path / "vectors.npy"
    np.save(path, np.ones((2, 4)))
    with pytest.raises(InvalidInput, match="give 3 rows"):
        read_embeddings(path, PROMPTS)
    np.save(path, np.array([[1.0], [np.nan], [2.0]]))
    with pytest.raises(InvalidInput, match="row 2 is not finite"):
        read_embeddings(path, PROMPTS)
    with pytest.raises(NotFound):
        read_embeddings(tmp_path / "no.csv", PROMPTS)
