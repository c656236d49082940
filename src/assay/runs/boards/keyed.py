"""A keyed board with where it comes from, as it is read from the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.ranking.keyed.board import KeyedBoard, keyed_board
from assay.runs.boards.beside import Beside, Exclusions, JudgedLine, judged_beside
from assay.runs.boards.keyed_table import read_answers
from assay.runs.boards.source import Excluded, NotRanked, Source


@dataclass(frozen=True, slots=True)
class StoredKeyedBoard:
    """A keyed board, its suite and runs, what is missing (one line each), and who is excluded.

    `private` says that questions, options, keys and answers must not be shown. `beside` is what a judged
    suite says of the same models.
    """

    suite: Suite
    board: KeyedBoard
    runs: tuple[int, ...]
    missing: tuple[str, ...]
    simulated: bool
    excluded: tuple[Excluded, ...] = ()
    not_ranked: tuple[NotRanked, ...] = ()
    beside: Beside[JudgedLine] | None = None

    @property
    def private(self) -> bool:
        """Whether only scores may be shown."""
        return self.suite.visibility == "private"


def read_keyed(
    engine: Engine,
    source: Source,
    *,
    beside: str | None,
    exclusions: Exclusions,
    replicates: int,
    seed: int,
) -> StoredKeyedBoard:
    """Return the board of a keyed suite's runs."""
    answers = read_answers(engine, source)
    found = keyed_board(answers, np.random.default_rng(seed), replicates=replicates)
    return StoredKeyedBoard(
        source.suite,
        found,
        source.runs,
        (*source.newer, *source.stopped(), *_never_asked(found)),
        source.simulated,
        source.excluded,
        source.not_ranked,
        judged_beside(engine, source, beside, exclusions),
    )


def _never_asked(found: KeyedBoard) -> Iterator[str]:
    """Say which models lack samples that others have."""
    whole = found.questions * found.epochs
    for each in found.standings:
        lacking = whole - each.rights.counts.n
        if lacking:
            yield f"{each.model}: {lacking:,} of {whole:,} samples never asked for"
