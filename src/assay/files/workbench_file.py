"""Reading workbench results, in whichever of their two layouts a file is."""

from __future__ import annotations

from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.workbench import Workbench
from assay.files.workbench_layout import read_layout
from assay.files.workbench_rows import read_rows

READERS = {".json": read_layout, ".jsonl": read_rows, ".ndjson": read_rows}
PACKED = (".gz", ".zst")


def read_workbench(path: Path) -> Workbench:
    """Read rows (.jsonl) or one model's own layout (.json), packed or not; wrong rows are told, not taken.

    Raises NotFound without a file and InvalidInput for one that cannot be read at all.
    """
    reader = READERS.get(path.with_suffix("").suffix if path.suffix in PACKED else path.suffix)
    if reader is None:
        text = f"ends in {path.suffix!r}: give rows as .jsonl, or a model's own .json (also .gz or .zst)"
        raise InvalidInput(Problem(text, str(path)))
    return reader(path)
