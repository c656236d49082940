"""DataFrames in place of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import pytest

from assay.core.errors import InvalidInput
from assay.files.data_frame import table_file
from assay.files.rows import open_rows


def test_a_data_frame_is_read_like_a_file() -> None:
    """Its rows are those of a file, and the file is gone afterwards."""
    frame = pandas.DataFrame({"item": ["p", "q"], "n": [1, 2], "right": [True, False]})
    with table_file(frame) as file:
        rows = [dict(row.cells) for row in open_rows(file.path)]
        assert file.name == "DataFrame"
    assert rows == [{"item": "p", "n": "1", "right": "true"}, {"item": "q", "n": "2", "right": "false"}]
    assert not file.path.exists()


def test_a_table_that_writes_parquet_itself_is_asked_to() -> None:
    """As polars does."""

    class Written:
        columns = ("item",)

        def write_parquet(self, path: Path) -> None:
            path.write_bytes(b"PAR1")

    with table_file(Written()) as file:
        assert file.path.read_bytes() == b"PAR1"


def test_a_path_is_kept(tmp_path: Path) -> None:
    """It is named as it was given."""
    with table_file(tmp_path / "a.csv") as file:
        assert (file.path, file.name) == (tmp_path / "a.csv", str(tmp_path / "a.csv"))


def test_messages_name_the_data_frame_and_not_its_file() -> None:
    """In the place of a problem and in its text."""
    with pytest.raises(InvalidInput) as refused, table_file(pandas.DataFrame({"a": [1]})) as file:
        rows = open_rows(file.path)
        rows.refuse(next(iter(rows)).place, f"bad row of {file.path}")
        raise InvalidInput(rows.problems)
    assert str(refused.value) == "DataFrame: row 1: bad row of DataFrame"


@pytest.mark.parametrize("source", [3, [("a", 1)], None])
def test_other_objects_are_refused(source: Any) -> None:
    """The message says what is possible."""
    with pytest.raises(InvalidInput, match="is not a table: give a path or a DataFrame"), table_file(source):
        pass
