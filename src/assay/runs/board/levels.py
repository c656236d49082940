"""The calibration of a causal suite's levels from its finished runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.ranking.board.keyed import REPLICATES
from assay.ranking.board.levels import compare_levels
from assay.results.causal_calibration import LadderCalibration
from assay.results.runs import SuiteKey
from assay.runs.board.keyed_table import read_answers
from assay.runs.board.kind import BoardKind, board_kind
from assay.runs.board.source import find_runs
from assay.runs.board.stored import SEED
from assay.store.runs import StoredRun, read_run
from assay.store.suites import read_suite


def calibrate_runs(
    engine: Engine,
    numbers: Sequence[int],
    *,
    allow_simulated: bool = False,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> LadderCalibration:
    """Return the calibration of the levels of the suite of these runs.

    Each model counts with its newest complete run among them, under the conditions of most models. Raises
    NotFound for an unknown run, and InvalidInput for an unfinished one, runs of several suites, a suite
    without a board of right letters or without levels, fewer than two models, and for simulated runs unless
    they are allowed.
    """
    runs = [read_run(engine, number) for number in dict.fromkeys(numbers)]
    _check(runs, allow_simulated=allow_simulated)
    suite = read_suite(engine, runs[0].suite)
    if board_kind(suite) is not BoardKind.KEYED:
        raise InvalidInput(
            f"judges mark suite {suite.name!r} {suite.version}: give runs of a causal suite, whose questions "
            "have one right answer"
        )
    if not any(case.metadata.get("level") and not case.metadata.get("twin") for case in suite.cases):
        raise InvalidInput(
            f"run {runs[0].id} has no levels: no case of suite {suite.name!r} {suite.version} states its "
            "`level`; give runs of a suite that `assay causal generate --level` wrote"
        )
    source = find_runs(engine, suite, among=[run.id for run in runs])
    left_out = [f"{model.model} is left out: {model.reasons[0].reason}" for model in source.not_ranked]
    if len(source.rows) < 2:
        more = f" ({'; '.join(left_out)})" if left_out else ""
        raise InvalidInput(
            f"the runs have complete answers of one model only{more}: give runs of two or more models, since "
            "a level must tell models apart"
        )
    levels = compare_levels(read_answers(engine, source), np.random.default_rng(seed), replicates=replicates)
    notes = (*left_out, *source.newer)
    return LadderCalibration(SuiteKey.of(suite), source.runs, source.simulated, levels, notes)


def _check(runs: Sequence[StoredRun], *, allow_simulated: bool) -> None:
    first = runs[0]
    for run in runs:
        if run.suite != first.suite:
            raise InvalidInput(
                f"run {run.id} is of suite {run.suite_name!r} {run.suite_version}, run {first.id} of "
                f"{first.suite_name!r} {first.suite_version}: give runs of one suite"
            )
        if run.status != "finished":
            raise InvalidInput(
                f"run {run.id} is {run.status}, not finished: complete it with `assay resume {run.id}`, or "
                "leave it out"
            )
        if run.simulated and not allow_simulated:
            raise InvalidInput(
                f"the models of run {run.id} are simulated, and a level that suits them need not suit real "
                "ones: give runs of real models, or add --allow-simulated to try the command"
            )
