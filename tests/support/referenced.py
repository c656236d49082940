"""Marks of judges beside those of people, made for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.ranking.reference_marks import ReferencedAnswer, ReferenceMarks


def referenced(
    judges: Mapping[str, Sequence[float]],
    human: Sequence[float],
    *,
    models: str = "",
    rounds: str = "",
    categories: tuple[float, ...] = (0.0, 1.0),
    costs: Mapping[str, float | None] | None = None,
) -> ReferenceMarks:
    """Return marks on answers 0, 1, ...; `models` and `rounds` have a letter per answer."""
    answers = tuple(
        ReferencedAnswer(
            str(place),
            models[place] if models else None,
            round=rounds[place] if rounds else None,
        )
        for place in range(len(human))
    )
    return ReferenceMarks(
        judges=tuple(judges),
        answers=answers,
        marks=np.array(list(judges.values()), dtype=np.float64),
        reference=np.array(human, dtype=np.float64),
        categories=categories,
        names=tuple(f"{value:g}" for value in categories),
        ordered=True,
        weights=np.ones(len(answers)),
        costs=costs or {},
    )


def noisy(rng: np.random.Generator, human: np.ndarray, right: float) -> np.ndarray:
    """Return yes-or-no marks of which this share, exactly, is as the human marks."""
    wrong = rng.permutation(len(human)) >= round(right * len(human))
    return np.where(wrong, 1.0 - human, human)
