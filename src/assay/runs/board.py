"""Reading a board from the store: the newest run of each model on a suite, its marks, and what they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.ranking.board import REPLICATES, Board, board
from assay.ranking.measured import Measured
from assay.runs.board_table import Table, is_judged_case
from assay.store.boards import latest_runs
from assay.store.runs import read_run
from assay.store.suites import find_digest, read_suite

KINDS = ("run", "import", "watch")
SEED = 20_260_101


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board with where it comes from: the suite, the runs, and what is missing, one line each.

    `private` says that prompts, answers and rationales must not be shown. `geval` is the judge of G-Eval.
    """

    suite: Suite
    board: Board
    measured: tuple[Measured, ...]
    runs: tuple[int, ...]
    geval: str | None
    missing: tuple[str, ...]
    simulated: bool

    @property
    def private(self) -> bool:
        """Whether only scores may be shown."""
        return self.suite.visibility == "private"


def read_board(
    engine: Engine,
    name: str,
    version: str | None = None,
    *,
    among: Sequence[int] | None = None,
    judges: Sequence[str] = (),
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> StoredBoard:
    """Return the board of a suite, by its name; without a version, of the one stored last.

    Each model counts with its newest run, a finished one before others; `among` keeps these runs. `judges`
    keeps these judges' marks. NotFound when nothing was measured, InvalidInput for a run of another
    suite or a judge without marks.
    """
    digest = find_digest(engine, name, version)
    suite = read_suite(engine, digest)
    for number in among or ():
        if read_run(engine, number).suite != digest:
            raise InvalidInput(f"run {number} is not one of suite {suite.name!r} {suite.version}")
    if not any(is_judged_case(case) for case in suite.cases):
        raise InvalidInput(
            f"no judge marks any case of suite {suite.name!r} {suite.version}, and a board is made of "
            "judges' marks: `assay show RUN` has the scores of a run"
        )
    chosen = latest_runs(engine, digest, KINDS, among=among)
    if not chosen:
        raise NotFound(
            f"nothing was measured with suite {suite.name!r} {suite.version} yet: "
            f"`assay run {name} --model PROVIDER/MODEL` begins"
        )
    numbers = tuple(sorted(set(chosen.values())))
    stored = [read_run(engine, number) for number in numbers]
    table = Table(engine, suite, chosen, stored, judges)
    measured = table.measured()
    found = board(measured, np.random.default_rng(seed), replicates=replicates)
    simulated = any(run.simulated for run in stored)
    return StoredBoard(suite, found, measured, numbers, table.geval, tuple(table.missing()), simulated)
