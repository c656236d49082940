"""What a run came to: the score of every use case for every model, with its denominators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.store.runs import StoredRun
from assay.store.scores import count_samples


@dataclass(frozen=True, slots=True)
class UseCaseScore:
    """One use case of one model in one run.

    `score` is 0-100, the mean over cases of the mean over their scored samples; None without one. An
    `invalid` sample scores 0; errored and ungraded ones are left out and counted: n = ok + invalid + error +
    ungraded. `cases` were scored.
    """

    model: str
    use_case: str
    score: float | None
    cases: int
    n: int
    ok: int
    invalid: int
    error: int
    ungraded: int


def score_run(engine: Engine, run: StoredRun, suite: Suite) -> tuple[UseCaseScore, ...]:
    """Return the scores of a run, model by model, for the use cases that have samples."""
    counts = count_samples(engine, [run.id], base={})
    of_case = np.array(
        [place for place, use_case in enumerate(suite.use_cases) for _ in use_case.cases], dtype=np.int64
    )
    found = []
    for row, model in run.models:
        for place, use_case in enumerate(suite.use_cases):
            here = (counts.model == row) & (of_case[counts.case] == place)
            if not here.any():
                continue
            scored = np.zeros(len(of_case))
            total = np.zeros(len(of_case))
            np.add.at(scored, counts.case[here], (counts.ok + counts.invalid)[here])
            np.add.at(total, counts.case[here], counts.total[here])
            means = total[scored > 0] / scored[scored > 0]
            ok, invalid, error, ungraded = (
                int(column[here].sum())
                for column in (counts.ok, counts.invalid, counts.error, counts.ungraded)
            )
            found.append(
                UseCaseScore(
                    model.name,
                    use_case.name,
                    float(means.mean()) if means.size else None,
                    int(means.size),
                    ok + invalid + error + ungraded,
                    ok,
                    invalid,
                    error,
                    ungraded,
                )
            )
    return tuple(found)
