"""Reading a board from the store: the newest run of each model on a suite, and what they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.ranking.board import REPLICATES, Board, board
from assay.ranking.keyed.accuracy import Rights
from assay.ranking.measured import Measured
from assay.runs.board_table import Table
from assay.runs.boards.beside import Beside, Exclusions, keyed_beside
from assay.runs.boards.keyed import StoredKeyedBoard, read_keyed
from assay.runs.boards.kind import BoardKind, board_kind
from assay.runs.boards.source import Excluded, NotRanked, Source, find_runs, find_suite

SEED = 20_260_101


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A judged board with where it comes from: the suite, the runs, and what is missing, one line each.

    `private` says that prompts, answers and rationales must not be shown. `geval` is the judge of G-Eval.
    `beside` is what a keyed suite says of the same models.
    """

    suite: Suite
    board: Board
    measured: tuple[Measured, ...]
    runs: tuple[int, ...]
    geval: str | None
    missing: tuple[str, ...]
    simulated: bool
    excluded: tuple[Excluded, ...] = ()
    not_ranked: tuple[NotRanked, ...] = ()
    beside: Beside[Rights] | None = None

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
    geval: str | None = None,
    exclusions: Exclusions | None = None,
    beside: str | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> StoredBoard | StoredKeyedBoard:
    """Return the board of a suite, by its name; without a version, of the one stored last.

    Each model counts with its newest complete run under the board's conditions, which are those of most
    models; the others are listed as not ranked. `among` keeps these runs. `judges` and `geval` name the
    judges whose marks make the board. Models in `exclusions` do not count; they are listed with the reason.
    `beside` names a suite of the other kind; None is the usual one where it measured the same models, `none`
    is none. NotFound when nothing can be ranked, InvalidInput for a suite that makes no board, a run of
    another suite, a judge without marks.
    """
    reasons = exclusions or {}
    suite = find_suite(engine, name, version, among)
    kind = board_kind(suite)
    if kind is BoardKind.KEYED and (judges or geval):
        raise InvalidInput(
            f"no judge marks suite {suite.name!r} {suite.version}, whose questions have one right letter: "
            "leave --judge and --geval-judge out"
        )
    source = find_runs(
        engine, suite, among=among, exclude=reasons.get(suite.name), judges=judges, geval=geval
    )
    if kind is BoardKind.KEYED:
        return read_keyed(engine, source, beside=beside, exclusions=reasons, replicates=replicates, seed=seed)
    return _judged(engine, source, beside, reasons, replicates, seed)


def _judged(
    engine: Engine,
    source: Source,
    beside: str | None,
    exclusions: Exclusions,
    replicates: int,
    seed: int,
) -> StoredBoard:
    table = Table(engine, source)
    measured = table.measured()
    found = board(measured, np.random.default_rng(seed), replicates=replicates)
    return StoredBoard(
        source.suite,
        found,
        measured,
        source.runs,
        table.geval,
        tuple(table.missing()),
        source.simulated,
        source.excluded,
        source.not_ranked,
        keyed_beside(engine, source, beside, exclusions),
    )
