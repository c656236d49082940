"""Boards as the pages show them: which there are, and two models prompt by prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.ranking.score_table import ScoreSource
from assay.runs.board.source import find_runs, find_suite
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard
from assay.store.overview import CaseSample, samples_of_model


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board in the list: its suite or series, the models in first place, and why there is none.

    `models` is the number of ranked models. A tie for first place has several `leaders`.
    """

    name: str
    title: str
    kind: Literal["judged", "multiple choice", "exam"]
    models: int
    leaders: tuple[str, ...]
    simulated: bool
    problem: str = ""


def board_line(stored: StoredBoard | StoredKeyedBoard) -> BoardLine:
    """Return a board's line in the list."""
    ranked = [standing for standing in stored.board.standings if standing.ranks is not None]
    leaders = tuple(
        standing.model for standing in ranked if standing.ranks is not None and standing.ranks.low == 1
    )
    kind: Literal["judged", "multiple choice"] = (
        "judged" if isinstance(stored, StoredBoard) else "multiple choice"
    )
    return BoardLine(stored.suite.name, stored.suite.title, kind, len(ranked), leaders, stored.simulated)


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


def compare_models(engine: Engine, source: ScoreSource, suite: str, names: Sequence[str]) -> ComparedModels:
    """Compare two models of a board prompt by prompt. Raises NotFound for a model that is not on it."""
    table = source.table
    for name in names:
        if name not in table.models:
            raise NotFound(f"model {name!r} is not on this board: it has {', '.join(table.models)}")
    stored = find_suite(engine, suite, None, None)
    chosen = find_runs(engine, stored)
    rows = {name: row for row, name in chosen.names.items()}
    ordinals = {case.id: ordinal for ordinal, case in enumerate(stored.cases)}
    of_case = []
    for name in names:
        row = rows[name]
        listed = samples_of_model(engine, [chosen.chosen[row]], row)
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
        suite,
        stored.title,
        stored.visibility == "private",
        source.about.simulated,
        (names[0], names[1]),
        tuple(pairs),
    )
