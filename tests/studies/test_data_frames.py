"""Every reader of tables takes a DataFrame in place of a file."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from assay.core.errors import InvalidInput
from assay.studies.frontier.source import read_tensor
from assay.studies.rank.comparisons import read_comparisons
from assay.studies.rank.source import read_scores
from assay.studies.reference_marks import read_reference_marks

OUTCOMES = "prompt,model,quality,cost\np,a,1,0.5\np,b,0,\nq,a,0.25,2\nq,b,1,1\n"
COUNTS = "prompt,model,n_correct,n_gen\np,a,3,10\np,b,0,4\nq,a,1,1\nq,b,2,2\n"
MARKS = "item,judge,model,mark\np,human,a,1\np,j,a,2\nq,human,a,5\nq,j,a,4\nr,human,b,1\nr,j,b,1\n"
VERDICTS = "item,a,b,winner\np,x,y,x\nq,x,y,tie\n"


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_tensor, OUTCOMES),
        (read_tensor, COUNTS),
        (read_scores, OUTCOMES),
        (read_scores, MARKS),
        (read_comparisons, VERDICTS),
        (read_comparisons, OUTCOMES),
        (read_reference_marks, MARKS),
    ],
)
def test_it_is_read_like_the_file(tmp_path: Path, read: Callable[[Any], Any], text: str) -> None:
    """Only the name of the source differs, and the digest of the file."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    frame = pandas.read_csv(io.StringIO(text))
    from_file, from_frame = read(path), read(frame)
    if read is read_tensor:
        from_frame = replace(from_frame, source=str(path), digest=from_file.digest)
    else:
        assert from_frame.about.source == "DataFrame"
        from_frame = replace(from_frame, about=replace(from_frame.about, source=str(path)))
    np.testing.assert_equal(plain(from_frame), plain(from_file))


def plain(result: Any) -> Any:
    """Return the fields of a result, of its parts and theirs, so that arrays can be compared."""
    names = getattr(result, "__dataclass_fields__", None)
    return result if names is None else {name: plain(getattr(result, name)) for name in names}


def test_a_bad_row_is_named_by_its_number() -> None:
    """There is no file to name."""
    frame = pandas.DataFrame({"prompt": ["p"], "model": ["m"], "quality": ["good"]})
    with pytest.raises(InvalidInput, match="DataFrame: row 1: 'quality' is 'good'"):
        read_scores(frame)
