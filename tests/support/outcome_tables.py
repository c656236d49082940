"""Tables of outcomes for tests: written as CSV, read, or refused with their problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.core.errors import InvalidInput
from assay.files.outcome_table import Outcomes, read_outcomes
from assay.files.outcome_table_columns import OutcomeOptions, parse_conditions

HEAD = "prompt,model,generation,quality,cost,latency"


def read(text: str, folder: Path, *, where: Any = (), columns: Any = None, **options: Any) -> Outcomes:
    """The outcomes of a CSV table with this text."""
    path = folder / "t.csv"
    path.write_text(text)
    return read_outcomes(
        path, OutcomeOptions(columns=columns or {}, where=parse_conditions(where), **options)
    )


def refused(text: str, folder: Path, **options: Any) -> list[str]:
    """The problems of a CSV table with this text, each with the table's name."""
    with pytest.raises(InvalidInput) as caught:
        read(text, folder, **options)
    assert {problem.file for problem in caught.value.problems} == {str(folder / "t.csv")}
    return [problem.text for problem in caught.value.problems]


def cells(found: Outcomes) -> list[tuple[str, str, float]]:
    """Each row's prompt, model and quality."""
    assert found.quality is not None
    triples = zip(found.prompt, found.model, found.quality.tolist(), strict=True)
    return [(found.prompts[prompt], found.models[model], quality) for prompt, model, quality in triples]
