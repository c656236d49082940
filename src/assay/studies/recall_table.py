"""Reading a table of recalled questions: one row for each model and source, such as the seed's table 4."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import TableRow, open_rows
from assay.results.contamination import RecallReport, SourceName, SourceRecall
from assay.stats.intervals import clopper_pearson
from assay.studies.contamination_figures import compared_with_control, leak_tests

COLUMNS: Final = ("model", "source", "kind", "n", "recalled")
KINDS: Final[dict[str, SourceName]] = {"public": "file", "private": "bank", "control": "control"}
MOST_PROBLEMS: Final = 20


def read_recalls(path: Path) -> RecallReport:
    """Read a table of counts and test public sources against private ones.

    The columns are `model`, `source`, `kind` (public, private or control), `n` and `recalled`. Raises
    NotFound without a file, and InvalidInput with the bad rows, for a model with two rows of one source or
    with two private ones, and if no model has a public and a private source.
    """
    reader = open_rows(path)
    missing = [name for name in COLUMNS if name not in reader.columns]
    if missing:
        raise InvalidInput(
            Problem(f"missing columns {', '.join(missing)}: write {', '.join(COLUMNS)}", str(path))
        )
    rows: list[SourceRecall] = []
    seen: set[tuple[str, str]] = set()
    for row in reader:
        parsed = _parse(row)
        if isinstance(parsed, str):
            reader.refuse(row.place, parsed)
            continue
        for key in ((parsed.model, parsed.source), *([(parsed.model, "")] if parsed.kind == "bank" else [])):
            if key in seen:
                what = f"second row of {key[1]!r}" if key[1] else "second private source"
                reader.refuse(row.place, f"{what} for the model {parsed.model!r}: give one")
            seen.add(key)
        rows.append(parsed)
    if reader.problems:
        raise InvalidInput(reader.problems[:MOST_PROBLEMS])
    tests = leak_tests(rows)
    if not tests:
        raise InvalidInput(
            Problem("no model has a public and a private source: give a row of each", str(path))
        )
    return RecallReport(str(path), compared_with_control(rows), tests)


def _parse(row: TableRow) -> SourceRecall | str:
    """Return the counts of a row, or the reason why there are none."""
    cells = {name: (row.cells.get(name) or "").strip() for name in COLUMNS}
    blank = next((name for name, cell in cells.items() if not cell), None)
    if blank is not None:
        return f"no {blank}: fill it in"
    kind = KINDS.get(cells["kind"].lower())
    if kind is None:
        return f"invalid kind {cells['kind']!r}: write public, private or control"
    counts = {}
    for name in ("n", "recalled"):
        if not (cells[name].isascii() and cells[name].isdigit()):
            return f"invalid {name} {cells[name]!r}: write a whole number"
        counts[name] = int(cells[name])
    n, recalled = counts["n"], counts["recalled"]
    if not 0 < n <= 10**9 or recalled > n:
        return f"{recalled:,} recalled of {n:,} questions: write 0 to n of at least one question"
    return SourceRecall(
        cells["model"], cells["source"], kind, n, recalled, 0, 0, clopper_pearson(recalled, n)
    )
