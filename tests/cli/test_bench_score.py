"""`assay bench-score`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay

GOOD = """\
sources: {card: {url: "https://example.org/card", date: "2026-01-31"}}
models:
  part: {mmlu_pro: {value: 0.9, source: card}}
  whole:
    lmarena_elo: {value: 1300, source: card}
    mmlu_pro: {value: 0.8, source: card}
    gpqa_diamond: {value: 0.6, source: card}
    swe_bench_verified: {value: 0.5, source: card}
    aime: {value: 0.9, source: card}
"""


def test_the_table_has_full_coverage_first(folder: Path, assay: Assay) -> None:
    """A model with fewer parts is not listed above one with all; the note explains why."""
    (folder / "results.yaml").write_text(GOOD)
    ended = assay("bench-score", "--file", "results.yaml")
    rows = [line.split() for line in ended.out.splitlines() if line.startswith(("whole", "part"))]
    assert rows == [
        ["whole", "59.0", "100%", "1300", "80.0%", "60.0%", "50.0%", "90.0%"],
        ["part", "90.0", "20%", "90.0%"],
    ]
    assert "not measured here" in ended.err


def test_the_document_cites_every_part(assay: Assay) -> None:
    """The shipped results, by hand: deepseek-r1 0.3 * 0.43133 + 0.2 * 2.047 + 0.0798 = 0.6186."""
    document = assay("bench-score", "--json").json
    (found,) = [model for model in document["models"] if model["model"] == "deepseek-r1"]
    assert found["bench_score"] == pytest.approx(61.86, abs=0.005)
    assert {part["date"] for part in found["parts"]} == {"2025-02-27", "2025-01-20"}


def test_a_wrong_file_is_refused(folder: Path, assay: Assay) -> None:
    """The message names the line, and the status is that of invalid input."""
    (folder / "results.yaml").write_text(GOOD.replace("0.9, source", "90, source", 1))
    ended = assay("bench-score", "--file", "results.yaml")
    assert ended.status == 2
    assert "results.yaml:3: 'models.part.mmlu_pro.value' is 90" in ended.err
