"""The published boards: a judged board ranks by judges' marks and G-Eval, a keyed board by right letters.

Composites and accuracies are 0-1; tables show them out of 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.board_judged import JudgeLeniency, Score, Standing
from assay.results.board_keyed import KeyedStanding, Rights
from assay.results.board_twins import ModelTwins
from assay.results.figure import Figure, Flat
from assay.results.judge_panel import PanelIndependence
from assay.results.ranking import BoardSamples, RankedModels
from assay.results.runs import SuiteKey
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The suite, runs and settings of a board."""

    suite: Annotated[SuiteKey, Flat()]
    visibility: Annotated[Literal["public", "private", "sealed"], Figure("visibility")]
    simulated: Annotated[bool, Figure("simulated", meaning="whether some models are simulated")]
    runs: Annotated[tuple[int, ...], Figure("runs", meaning="runs that count")]
    epochs: Annotated[int, Figure("epochs", meaning="largest number of answers to one prompt")]
    replicates: Annotated[int, Figure("replicates", meaning="bootstrap replicates")]
    alpha: Annotated[float, Figure("alpha", meaning="level of the tests, over all pairs", least=0, most=1)]
    missing: Annotated[tuple[str, ...], Figure("missing", meaning="what is missing, one line each")]


@dataclass(frozen=True, slots=True)
class ExcludedBeside:
    """A model of the board that the workspace excludes from the suite beside it."""

    model: Annotated[str, Figure("model")]
    reason: Annotated[str, Figure("reason")]


@dataclass(frozen=True, slots=True)
class BesideSuite:
    """A suite of the other kind, which is shown beside the board and does not enter its scores."""

    suite: Annotated[SuiteKey, Flat()]
    simulated: Annotated[bool, Figure("simulated")]
    runs: Annotated[tuple[int, ...], Figure("runs")]
    excluded: tuple[ExcludedBeside, ...]


@dataclass(frozen=True, slots=True)
class KeyedLine:
    """One model's accuracy on a keyed suite that is shown beside a judged board."""

    model: Annotated[str, Figure("model")]
    rights: Annotated[Rights, Flat()]


@dataclass(frozen=True, slots=True)
class KeyedBeside:
    """The results of a judged board's models on a keyed suite."""

    beside: Annotated[BesideSuite, Flat()]
    models: tuple[KeyedLine, ...]


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """A model's composite and samples on a judged suite."""

    score: Annotated[Score, Flat(only=("composite", "basis"))]
    samples: Annotated[BoardSamples, Flat(only=("n", "ok", "invalid", "error", "ungraded"))]


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """One model on a judged suite that is shown beside a keyed board."""

    model: Annotated[str, Figure("model")]
    scored: Annotated[JudgedScore, Flat()]


@dataclass(frozen=True, slots=True)
class JudgedBeside:
    """The results of a keyed board's models on a judged suite."""

    beside: Annotated[BesideSuite, Flat()]
    models: tuple[JudgedLine, ...]


@dataclass(frozen=True, slots=True)
class JudgedBoardResult:
    """The board of a suite that judges mark."""

    kind: Annotated[Literal["judged"], Figure("kind")]
    head: Annotated[BoardHead, Flat()]
    prompts: Annotated[int, Figure("prompts")]
    geval_judge: Annotated[str | None, Figure("judge of G-Eval")]
    judges: tuple[JudgeLeniency, ...]
    panel: Annotated[
        PanelIndependence | None,
        Figure("panel", meaning="how independent the judges are; none with one judge"),
    ]
    models: tuple[Standing, ...]
    ranked: Annotated[RankedModels, Flat()]
    beside: KeyedBeside | None


@dataclass(frozen=True, slots=True)
class KeyedBoardResult:
    """The board of a suite whose questions have one right letter or number. Twins are only in `twins`."""

    kind: Annotated[Literal["keyed"], Figure("kind")]
    head: Annotated[BoardHead, Flat()]
    questions: Annotated[int, Figure("questions")]
    concepts: Annotated[int, Figure("concepts")]
    chance: Annotated[
        float, Figure("chance", meaning="accuracy of blind guessing on all questions", least=0, most=1)
    ]
    models: tuple[KeyedStanding, ...]
    twins: tuple[ModelTwins, ...]
    ranked: Annotated[RankedModels, Flat()]
    beside: JudgedBeside | None


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "board": (JudgedBoardResult, "assay board --json for a suite that judges mark"),
    "board-keyed": (KeyedBoardResult, "assay board --json for a suite whose questions have one right letter"),
}
