"""Stored keyed boards for the report's tests, made from arrays without a database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from judged import judged_suite
from keyed_answers import answers, simulated, with_status
from keyed_suite import keyed_suite

from assay.ranking.board.keyed import keyed_board
from assay.ranking.board.keyed_answers import Answers
from assay.ranking.board.measured import Status
from assay.results.board import JudgedScore
from assay.results.board_judged import Score
from assay.results.ranking import BoardSamples, Excluded
from assay.runs.board.companion import Companion
from assay.runs.board.stored import StoredKeyedBoard


def stored_keyed(
    found: Answers, *, visibility: str = "public", title: str = "Keyed", **parts: Any
) -> StoredKeyedBoard:
    """Return the board of these arrays as if it had been read from runs 3 and 4."""
    suite = replace(keyed_suite(), visibility=visibility, title=title)  # type: ignore[arg-type]
    made = keyed_board(found, np.random.default_rng(1), replicates=200)
    return StoredKeyedBoard(suite, made, (3, 4), **{"missing": (), "simulated": False, **parts})


def full(models: int = 12, **parts: Any) -> StoredKeyedBoard:
    """Return a board with errors, invalid and unread answers, unknown costs, an exclusion, a suite beside."""
    rng = np.random.default_rng(4)
    made = simulated(rng, np.linspace(0.92, 0.27, models), alike=0.15)
    status = made.status.copy()
    status[0, 1, :6], status[0, 2, 10:13] = Status.ERROR, Status.INVALID
    cost = made.cost * np.geomspace(0.1, 50.0, models)[None, :, None]
    cost[0, 3, 0] = np.nan
    read = made.read.copy()
    read[0, 4] = made.right[0, 4]
    names = tuple(f"provider/vendor/model-{place:02}" for place in range(models))
    made = replace(with_status(made, status), models=names, cost=cost)
    made = replace(made, read=read & (made.status == int(Status.OK)))
    line = JudgedScore(Score(0.82, "judges only", 4.28, 2, None, 0, None), BoardSamples(80, 78, 2, 0, 0, 0))
    beside = Companion(
        replace(judged_suite(), name="generalist", title="The generalist suite"),
        (2,),
        {names[0]: line, names[3]: line},
        {names[1]: "paid tier only"},
        False,
    )
    excluded = (Excluded("provider/old", "retired API", (1,)), Excluded("provider/gone", "broken path", ()))
    return stored_keyed(made, **{"excluded": excluded, "beside": beside, "simulated": True, **parts})


def bare() -> StoredKeyedBoard:
    """Return one model that never answered."""
    return stored_keyed(with_status(answers(np.ones((1, 1, 20))), np.full(20, int(Status.ERROR))))
