"""Reading a board from the store: the newest complete run of each model on a suite, and their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.ranking.board.judged import REPLICATES, Board, board
from assay.ranking.board.keyed import KeyedBoard, keyed_board
from assay.ranking.board.measured import MeasuredEpoch
from assay.results.board import JudgedScore
from assay.results.board_keyed import Rights
from assay.results.judge_panel import PanelIndependence
from assay.results.ranking import Excluded, NotRanked
from assay.runs.board.companion import Companion, Exclusions, judged_companion, keyed_companion
from assay.runs.board.judged_table import SampleTable
from assay.runs.board.keyed_table import read_answers
from assay.runs.board.kind import BoardKind, board_kind
from assay.runs.board.panel_marks import board_panel
from assay.runs.board.source import BoardSource, find_runs, find_suite

SEED = 20_260_101


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """The board of a suite by its name; without a version, of the one stored last.

    Only the `runs` are used, None for all. `judges` and `geval` name the judges whose marks make the board,
    by default those of most models. `beside` names a suite of the other kind to be shown as well: None is the
    usual one if it measured the same models, `none` is none. Models in `exclusions` do not count.
    """

    suite: str
    version: str | None = None
    runs: Sequence[int] | None = None
    judges: Sequence[str] = ()
    geval: str | None = None
    beside: str | None = None
    exclusions: Exclusions = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A judged board with its suite, its runs, and remarks about missing data.

    `geval` is the judge of G-Eval. `beside` has the results of a keyed suite for the same models. `panel` is
    how independent the judges are, None with one judge.
    """

    suite: Suite
    board: Board
    measured: tuple[MeasuredEpoch, ...]
    runs: tuple[int, ...]
    geval: str | None
    missing: tuple[str, ...]
    simulated: bool
    excluded: tuple[Excluded, ...] = ()
    not_ranked: tuple[NotRanked, ...] = ()
    beside: Companion[Rights] | None = None
    panel: PanelIndependence | None = None

    @property
    def private(self) -> bool:
        """Whether prompts, answers and rationales must not be shown."""
        return self.suite.visibility == "private"


@dataclass(frozen=True, slots=True)
class StoredKeyedBoard:
    """A keyed board with its suite, its runs, and remarks about missing data.

    `beside` has the results of a judged suite for the same models.
    """

    suite: Suite
    board: KeyedBoard
    runs: tuple[int, ...]
    missing: tuple[str, ...]
    simulated: bool
    excluded: tuple[Excluded, ...] = ()
    not_ranked: tuple[NotRanked, ...] = ()
    beside: Companion[JudgedScore] | None = None

    @property
    def private(self) -> bool:
        """Whether questions, options, keys and answers must not be shown."""
        return self.suite.visibility == "private"


def read_board(
    engine: Engine, request: BoardRequest, *, replicates: int = REPLICATES, seed: int = SEED
) -> StoredBoard | StoredKeyedBoard:
    """Return the board that is requested.

    Each model counts with its newest complete run under the board's conditions, which are those of most
    models; other models are listed as not ranked or excluded, with the reason. NotFound if nothing can be
    ranked, InvalidInput for a suite that has no board, a run of another suite, or a judge without marks.
    """
    suite = find_suite(engine, request.suite, request.version, request.runs)
    kind = board_kind(suite)
    if kind is BoardKind.KEYED and (request.judges or request.geval):
        raise InvalidInput(
            f"no judge marks suite {suite.name!r} {suite.version}, whose questions have one right letter: "
            "leave --judge and --geval-judge out"
        )
    source = find_runs(
        engine,
        suite,
        among=request.runs,
        exclude=request.exclusions.get(suite.name),
        judges=request.judges,
        geval=request.geval,
    )
    rng = np.random.default_rng(seed)
    if kind is BoardKind.KEYED:
        return _keyed_board(
            engine, source, request, keyed_board(read_answers(engine, source), rng, replicates=replicates)
        )
    table = SampleTable(engine, source)
    measured = table.measured()
    return StoredBoard(
        source.suite,
        board(measured, rng, replicates=replicates),
        measured,
        source.runs,
        table.geval,
        tuple(table.missing()),
        source.simulated,
        source.excluded,
        source.not_ranked,
        keyed_companion(engine, source, request.beside, request.exclusions),
        board_panel(table, np.random.default_rng(seed)),
    )


def _keyed_board(
    engine: Engine, source: BoardSource, request: BoardRequest, ranked: KeyedBoard
) -> StoredKeyedBoard:
    return StoredKeyedBoard(
        source.suite,
        ranked,
        source.runs,
        (*source.newer, *source.stopped(), *_not_asked(ranked)),
        source.simulated,
        source.excluded,
        source.not_ranked,
        judged_companion(engine, source, request.beside, request.exclusions),
    )


def _not_asked(ranked: KeyedBoard) -> Iterator[str]:
    """Yield a remark for each model that lacks samples which others have."""
    planned = ranked.questions * ranked.epochs
    for standing in ranked.standings:
        lacking = planned - standing.rights.samples.n
        if lacking:
            yield f"{standing.model}: {lacking:,} of {planned:,} samples never asked for"
