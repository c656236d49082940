"""Stored boards for the report's tests, made from arrays without a database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from boards import measured
from judged import judged_suite

from assay.ranking.board.judged import board
from assay.ranking.board.measured import MeasuredEpoch
from assay.runs.board.stored import StoredBoard


def stored_board(
    found: MeasuredEpoch | tuple[MeasuredEpoch, ...],
    *,
    visibility: str = "public",
    simulated: bool = False,
    missing: tuple[str, ...] = (),
    geval: str | None = "j0",
    title: str = "Judged",
    replicates: int = 200,
) -> StoredBoard:
    """Return the board of these arrays as if it had been read from runs 3 and 4."""
    epochs = found if isinstance(found, tuple) else (found,)
    suite = replace(judged_suite(), visibility=visibility, title=title)  # type: ignore[arg-type]
    made = board(epochs, np.random.default_rng(1), replicates=replicates)
    return StoredBoard(suite, made, epochs, (3, 4), geval, missing, simulated)


def apart(models: int = 3, prompts: int = 24, judges: int = 2, /, **changed: Any) -> MeasuredEpoch:
    """Return models of which each is clearly better than the next, with G-Eval, on two categories."""
    rng = np.random.default_rng(5)
    step = 3.0 / max(models - 1, 1)
    level = 5.0 - step * np.arange(models)
    marks = np.clip(np.round(level[:, None, None] + rng.normal(0, 0.3, (models, prompts, judges))), 1, 5)
    geval = np.clip((level[:, None, None] - 1) / 4 + rng.normal(0, 0.03, (models, prompts, 1)), 0, 1)
    return measured(marks, geval.round(3), **changed)


def alike(models: int = 3, prompts: int = 12, judges: int = 2, /, **changed: Any) -> MeasuredEpoch:
    """Return models that differ by luck only, with G-Eval."""
    rng = np.random.default_rng(6)
    marks = rng.integers(3, 6, (models, prompts, judges)).astype(float)
    return measured(marks, rng.random((models, prompts, 1)).round(3), **changed)


def halves() -> MeasuredEpoch:
    """Return five models: two whole, one with judges only, one with G-Eval only, one with neither."""
    found = alike(5)
    marks, geval = found.marks.copy(), found.geval.copy()
    geval[1], marks[2], marks[3], geval[3] = np.nan, np.nan, np.nan, np.nan
    names = ("whole", "by-judges", "by-geval", "neither", "whole-too")
    return replace(found, models=names, marks=marks, geval=geval)
