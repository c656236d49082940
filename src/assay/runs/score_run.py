"""The scores of a run: one for each model and use case, with its denominators."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.results.run_pages import UseCaseScore
from assay.store.runs import StoredRun
from assay.store.scores import count_samples


def score_run(engine: Engine, run: StoredRun, suite: Suite) -> tuple[UseCaseScore, ...]:
    """Return the scores of a run, model by model, for the use cases that have samples."""
    counts = count_samples(engine, [run.id], base={})
    use_case_of = np.array(
        [ordinal for ordinal, use_case in enumerate(suite.use_cases) for _ in use_case.cases], dtype=np.int64
    )
    scores = []
    for row, model in run.models:
        for ordinal, use_case in enumerate(suite.use_cases):
            chosen = (counts.model == row) & (use_case_of[counts.case] == ordinal)
            if not chosen.any():
                continue
            scored, total = counts.sums(chosen, len(use_case_of))
            means = total[scored > 0] / scored[scored > 0]
            scores.append(
                UseCaseScore(
                    model.name,
                    use_case.name,
                    float(means.mean()) if means.size else None,
                    int(means.size),
                    counts.statuses(chosen),
                )
            )
    return tuple(scores)
