"""Groups of arms: those that share a model, or another column that names them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.core.errors import InvalidInput, Problem
from assay.files.outcome_table_columns import BETWEEN_ARMS

SETTINGS = re.compile(r" \([0-9a-f]{6}\)$")
"""What stands behind a run's model that was asked with several settings."""
MODEL = "model"


def groups_of(models: Sequence[str], arms: Sequence[str], column: str) -> dict[str, str]:
    """Return each arm's group: its part for this column of `arms`, which name it together.

    A run's arms, without columns, are grouped by `model` over their settings, where one has several.
    InvalidInput for another column, or where a name cannot be taken apart.
    """
    if not arms and column == MODEL:
        found = {name: SETTINGS.sub("", name) for name in models}
        if len(set(found.values())) < len(found):
            return found
    if column not in arms:
        there = f"give one of {', '.join(arms)}" if arms else "name such columns with --arm"
        raise InvalidInput(Problem(f"--group-by {column!r} groups nothing: {there}"))
    found = {}
    for name in models:
        parts = name.split(BETWEEN_ARMS)
        if len(parts) != len(arms):
            told = f"arm {name!r} cannot be taken apart at {BETWEEN_ARMS!r}: rename the values that hold it"
            raise InvalidInput(Problem(told))
        found[name] = parts[list(arms).index(column)]
    return found
