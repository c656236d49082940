"""Small inputs of a board, to be changed one field at a time."""

from typing import Any

import numpy as np

from assay.ranking.board.measured import MeasuredEpoch, PromptKind, Status


def measured(marks: Any, geval: Any = None, **changed: Any) -> MeasuredEpoch:
    """Return a board's input with these marks (models, prompts, judges): all answered, priced, unflagged.

    G-Eval (models, prompts, metrics) is missing unless given. Models are a, b, ..., prompts p00, p01, ...,
    judges j0, j1, ...; prompts alternate between two categories and three difficulties.
    """
    table = np.asarray(marks, dtype=float)
    models, prompts, judges = table.shape
    scores = np.full((models, prompts, 1), np.nan) if geval is None else np.asarray(geval, dtype=float)
    cells = (models, prompts)
    fields: dict[str, Any] = {
        "models": tuple(chr(ord("a") + place) if models <= 26 else f"m{place:03}" for place in range(models)),
        "prompts": tuple(
            PromptKind(f"p{n:02}", ("writing", "coding")[n % 2], "sub", ("easy", "medium", "hard")[n % 3])
            for n in range(prompts)
        ),
        "judges": tuple(f"j{place}" for place in range(judges)),
        "metrics": tuple(f"g{place}" for place in range(scores.shape[2])),
        "marks": table,
        "geval": scores,
        "status": np.full(cells, Status.OK),
        "truncated": np.zeros(cells, dtype=bool),
        "tokens": np.full(cells, 256.0),
        "latency": np.full(cells, 2.0),
        "cost": np.full(cells, 0.01),
        "flags": np.zeros(cells, dtype=int),
        "own": np.zeros((models, judges), dtype=bool),
    }
    return MeasuredEpoch(**{**fields, **changed})


def random_measured(
    rng: np.random.Generator, models: int = 4, prompts: int = 12, judges: int = 3
) -> MeasuredEpoch:
    """Return marks of equal models with some errors, invalid answers, own models and missing marks."""
    cells = (models, prompts)
    status = rng.choice([Status.OK, Status.INVALID, Status.ERROR], cells, p=[0.8, 0.1, 0.1])
    marks = rng.integers(1, 6, (*cells, judges)).astype(float)
    marks[rng.random(marks.shape) < 0.01] = np.nan
    own = np.zeros((models, judges), dtype=bool)
    own[0, 0] = True
    return measured(
        marks,
        rng.random((*cells, 2)).round(3),
        status=status,
        own=own,
        tokens=rng.integers(50, 900, cells).astype(float),
    )
