"""Sources for tests: tables written as CSV and read into tensors, and whether their rows balance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.studies.frontier.source import read_tensor
from assay.studies.frontier.tensor_source import TensorSource


def read_csv(text: str, folder: Path, **options: Any) -> TensorSource:
    """A CSV table with this text."""
    path = folder / "t.csv"
    path.write_text(text)
    return read_tensor(path, **options)


def balanced(found: TensorSource) -> bool:
    """Whether every row that was read is accounted for, and left-out rows by name."""
    rows = found.rows
    by_name = sum(each.rows for each in found.left_out)
    return rows.read == rows.used + rows.errors + rows.ungraded + rows.left_out and by_name == rows.left_out
