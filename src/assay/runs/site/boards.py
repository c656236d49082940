"""Boards as the pages show them: which there are, and two models prompt by prompt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.ranking.score_table import ScoreSource
from assay.results.exam import ExamResults, SeriesResult
from assay.runs.board.source import BoardSource
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard
from assay.store.overview import CaseSample, last_ended, samples_of_model


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board in the list: its suite or series, the models in first place, and why there is none.

    `models` is the number of ranked models, `priced` that of those whose total cost is known. A tie for
    first place has several `leaders`. `ended` is when the last run or sitting ended. `example` is whether
    questions of an exam came from the public example bank.
    """

    name: str
    title: str
    kind: Literal["judged", "multiple choice", "exam"]
    models: int = 0
    leaders: tuple[str, ...] = ()
    simulated: bool = False
    priced: int = 0
    ended: datetime | None = None
    example: bool = False
    problem: str = ""


def board_line(engine: Engine, stored: StoredBoard | StoredKeyedBoard) -> BoardLine:
    """Return a board's line in the list."""
    ranked = [standing for standing in stored.board.standings if standing.ranks is not None]
    leaders = [standing.model for standing in ranked if standing.ranks and standing.ranks.low == 1]
    return BoardLine(
        stored.suite.name,
        stored.suite.title,
        "judged" if isinstance(stored, StoredBoard) else "multiple choice",
        len(ranked),
        tuple(leaders),
        stored.simulated,
        sum(standing.usage.cost is not None for standing in ranked),
        _time(last_ended(engine, stored.runs)),
    )


def exam_line(results: ExamResults, series: SeriesResult) -> BoardLine:
    """Return the line of an exam's series in the list."""
    ends = [
        result.sitting.closed_at
        for model in series.models
        for result in model.sittings
        if result.sitting.closed_at is not None
    ]
    return BoardLine(
        series.series.name,
        series.series.name,
        "exam",
        series.ranked,
        tuple(str(model.identity) for model in series.models if model.rank and model.rank.ranks.low == 1),
        results.judge_simulated or any(model.simulated for model in series.models),
        ended=_time(max(ends, default=None)),
        example=bool(results.example_questions),
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


class PromptPair(NamedTuple):
    """One prompt of two models: their scores (0-100), and their samples, None without one."""

    item: str
    group: str
    first: float
    second: float
    samples: tuple[CaseSample | None, CaseSample | None]

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.first - self.second


@dataclass(frozen=True, slots=True)
class ComparedModels:
    """Two models on the prompts that both have a score on, the largest differences first."""

    suite: str
    title: str
    private: bool
    simulated: bool
    models: tuple[str, str]
    pairs: tuple[PromptPair, ...]

    @property
    def better(self) -> tuple[int, int]:
        """Numbers of prompts on which the first and the second model have the higher score."""
        return (
            sum(pair.difference > 0 for pair in self.pairs),
            sum(pair.difference < 0 for pair in self.pairs),
        )


def compare_models(
    engine: Engine, source: BoardSource, scores: ScoreSource, names: tuple[str, str]
) -> ComparedModels:
    """Compare two models of a board prompt by prompt.

    Raises NotFound for a model that is not on the board, and InvalidInput for the same model twice.
    """
    table, suite = scores.table, source.suite
    for name in names:
        if name not in table.models:
            raise NotFound(f"model {name!r} is not on this board: choose two of its models there")
    if names[0] == names[1]:
        raise InvalidInput(f"both models are {names[0]!r}: choose two different ones")
    rows = {name: row for row, name in source.names.items()}
    ordinals = {case.id: ordinal for ordinal, case in enumerate(suite.cases)}
    of_case = []
    for name in names:
        row = rows[name]
        listed = samples_of_model(engine, [source.chosen[row]], row)
        of_case.append({sample.case_ordinal: sample for sample in reversed(listed)})
    first, second = (table.scores[table.models.index(name)] for name in names)
    pairs = [
        PromptPair(
            table.items[place],
            table.strata[place],
            100.0 * float(first[place]),
            100.0 * float(second[place]),
            (
                of_case[0].get(ordinals.get(table.items[place], -1)),
                of_case[1].get(ordinals.get(table.items[place], -1)),
            ),
        )
        for place in np.flatnonzero(~np.isnan(first) & ~np.isnan(second)).tolist()
    ]
    pairs.sort(key=lambda pair: (-abs(pair.difference), pair.item))
    return ComparedModels(
        suite.name, suite.title, suite.visibility == "private", source.simulated, names, tuple(pairs)
    )
