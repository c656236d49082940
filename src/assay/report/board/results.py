"""A stored board as a published result and as flat records, without prompts, answers or keys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from assay.ranking.board.judged import Board
from assay.ranking.board.keyed import KeyedBoard
from assay.report.board.differences import ranked_models
from assay.results.board import (
    BesideSuite,
    BoardHead,
    ExcludedBeside,
    JudgedBeside,
    JudgedBoardResult,
    JudgedLine,
    KeyedBeside,
    KeyedBoardResult,
    KeyedLine,
)
from assay.results.board_keyed import KEYED_GROUPINGS
from assay.results.board_twins import TWINS, ModelTwins
from assay.results.ranking import ComparedPair, RankedModels
from assay.results.runs import SuiteKey
from assay.results.table import record
from assay.runs.board.companion import Companion
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard


def _judged_result(stored: StoredBoard) -> JudgedBoardResult:
    """Return a judged board as it is published."""
    board, beside = stored.board, stored.beside
    return JudgedBoardResult(
        kind="judged",
        head=_head(stored),
        prompts=board.prompts,
        geval_judge=stored.geval,
        judges=board.judges,
        panel=stored.panel,
        models=board.standings,
        ranked=_ranked(stored),
        beside=None
        if beside is None
        else KeyedBeside(
            _beside(beside),
            tuple(KeyedLine(model, rights) for model, rights in sorted(beside.lines.items())),
        ),
    )


def _keyed_result(stored: StoredKeyedBoard) -> KeyedBoardResult:
    """Return a keyed board as it is published."""
    board, beside = stored.board, stored.beside
    return KeyedBoardResult(
        kind="keyed",
        head=_head(stored),
        questions=board.questions,
        concepts=len(board.concepts),
        chance=board.chance,
        models=board.standings,
        twins=board.twins,
        ranked=_ranked(stored),
        beside=None
        if beside is None
        else JudgedBeside(
            _beside(beside),
            tuple(JudgedLine(model, scored) for model, scored in sorted(beside.lines.items())),
        ),
    )


def board_result(stored: StoredBoard | StoredKeyedBoard) -> JudgedBoardResult | KeyedBoardResult:
    """Return a board of either kind as it is published."""
    return _judged_result(stored) if isinstance(stored, StoredBoard) else _keyed_result(stored)


def board_records(stored: StoredBoard | StoredKeyedBoard) -> Iterator[dict[str, Any]]:
    """Return one flat record for each model of a board of either kind."""
    return _judged_records(stored) if isinstance(stored, StoredBoard) else _keyed_records(stored)


def group_records(stored: StoredBoard | StoredKeyedBoard, by: str) -> list[dict[str, Any]]:
    """Return one flat record for each model and group of prompts of the dimension `by`."""
    if isinstance(stored, StoredBoard):
        return [
            {"model": standing.model, **record(score)}
            for standing in stored.board.standings
            for score in standing.groups
            if score.group.by == by
        ]
    return [
        {"model": standing.model, "by": by, **record(part)}
        for standing in stored.board.standings
        for part in standing.parts(by)
    ]


def compared_pairs(board: Board | KeyedBoard) -> tuple[ComparedPair, ...]:
    """Return each pair of ranked models once; the model with the better place comes first."""
    pairs = combinations([model.model for model in ranked_models(board)], 2)
    compared = [board.comparisons.between(first, second) for first, second in pairs]
    return tuple(
        ComparedPair(pair, pair.difference is not None and pair.p_holm <= board.alpha) for pair in compared
    )


def _judged_records(stored: StoredBoard) -> Iterator[dict[str, Any]]:
    """Yield one record for each model: its standing, the means by judge and metric, and the second suite.

    A model that is not ranked has only its name and, in `not_ranked`, the reason.
    """
    for standing in stored.board.standings:
        beside = {}
        if stored.beside is not None:
            line, name = stored.beside.lines.get(standing.model), stored.beside.suite.name
            beside = {
                f"beside:{name}:valid": None if line is None else line.valid.value,
                f"beside:{name}:all": None if line is None else line.overall.value,
            }
        yield {
            **record(standing),
            **{f"judge:{judge.judge}": judge.mean for judge in standing.judges},
            **{f"geval:{metric.metric}": metric.mean for metric in standing.metrics},
            **beside,
        }
    yield from _not_ranked(stored)


def _keyed_records(stored: StoredKeyedBoard) -> Iterator[dict[str, Any]]:
    """Yield one record for each model: its standing, accuracy by group, twins, and the second suite's score.

    Concepts are too many for columns.
    """
    twins = {line.model: line for line in stored.board.twins}
    groupings = [by for by in KEYED_GROUPINGS if by != "concept"]
    for standing in stored.board.standings:
        beside = {}
        if stored.beside is not None:
            line = stored.beside.lines.get(standing.model)
            beside = {f"beside:{stored.beside.suite.name}": None if line is None else line.score.composite}
        yield {
            **record(standing),
            **{
                f"{by}:{part.name}": part.rights.valid.value
                for by in groupings
                for part in standing.parts(by)
            },
            **(_twin_record(twins[standing.model]) if twins else {}),
            **beside,
        }
    yield from _not_ranked(stored)


def _twin_record(twins: ModelTwins) -> dict[str, Any]:
    """Return the figures of the kinds of twins that the suite has, as `twins:renamed:pairs`."""
    kinds = {name: getattr(twins, name) for name in TWINS}
    return {
        f"twins:{name}:{figure}": value
        for name, part in kinds.items()
        if part is not None
        for figure, value in record(part).items()
    }


def _not_ranked(stored: StoredBoard | StoredKeyedBoard) -> Iterator[dict[str, Any]]:
    for model in stored.not_ranked:
        yield {"model": model.model, "not_ranked": "; ".join(reason.reason for reason in model.reasons)}


def _head(stored: StoredBoard | StoredKeyedBoard) -> BoardHead:
    board = stored.board
    return BoardHead(
        suite=SuiteKey.of(stored.suite),
        visibility=stored.suite.visibility,
        simulated=stored.simulated,
        runs=stored.runs,
        epochs=board.epochs,
        replicates=board.replicates,
        alpha=board.alpha,
        missing=stored.missing,
    )


def _ranked(stored: StoredBoard | StoredKeyedBoard) -> RankedModels:
    return RankedModels(compared_pairs(stored.board), stored.excluded, stored.not_ranked)


def _beside(beside: Companion[Any]) -> BesideSuite:
    excluded = tuple(ExcludedBeside(model, reason) for model, reason in sorted(beside.excluded.items()))
    return BesideSuite(SuiteKey.of(beside.suite), beside.simulated, beside.runs, excluded)
