"""The calibration of a causal suite's levels: where models are neither at the floor nor at the ceiling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from assay.results.figure import NOTHING, Figure, Flat, Listed
from assay.results.ranking import ENDS, between
from assay.results.runs import SuiteKey
from assay.results.table import Column, Table, record
from assay.stats.intervals import Interval

LOWEST, HIGHEST = 0.30, 0.80
"""The accuracies between which a level can be of use to a model."""


@dataclass(frozen=True, slots=True)
class LevelScore:
    """One model's accuracy on the questions of a level; None without an answer."""

    model: Annotated[str, Figure("model")]
    right: Annotated[int, Figure("right", of="n")]
    n: Annotated[int, Figure("n", meaning="answers; those without visible text count as wrong")]
    accuracy: Annotated[float | None, Figure("accuracy", of="n", points=True, digits=1, least=0, most=1)]
    interval: Annotated[Interval | None, Flat("accuracy", ENDS)]

    @property
    def within(self) -> Annotated[bool, Figure("within", meaning="whether the accuracy is 30 to 80 %")]:
        """Whether the model is neither near guessing nor near the ceiling."""
        return self.accuracy is not None and LOWEST <= self.accuracy <= HIGHEST


@dataclass(frozen=True, slots=True)
class LevelItem:
    """One question of a level: how many answers are right, and how well it separates models."""

    question: Annotated[str, Figure("question")]
    accuracy: Annotated[
        float | None, Figure("accuracy", meaning="mean over models", points=True, digits=1, least=0, most=1)
    ]
    discrimination: Annotated[
        float | None,
        Figure(
            "discr.",
            meaning="correlation with the models' mean on all other questions; unknown if constant or with "
            "fewer than 3 models",
            digits=2,
        ),
    ]


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The models' results on one level."""

    level: Annotated[int, Figure("level", least=1, most=4)]
    questions: Annotated[int, Figure("questions")]
    models: tuple[LevelScore, ...]
    mean: Annotated[
        float | None, Figure("mean", meaning="mean accuracy of the models", points=True, digits=1)
    ]
    pairs: Annotated[int, Figure("pairs", meaning="pairs of models that can be compared")]
    different: Annotated[
        int,
        Figure(
            "different",
            meaning="pairs that differ significantly (paired test over concepts, Holm's correction)",
            of="pairs",
        ),
    ]
    discrimination: Annotated[
        float | None, Figure("discr.", meaning="mean discrimination of the questions that have one", digits=2)
    ]
    constant: Annotated[int, Figure("constant", meaning="questions on which all models score alike")]
    reversed: Annotated[
        int, Figure("reversed", meaning="questions on which better models do worse (discrimination below 0)")
    ]
    items: tuple[LevelItem, ...]

    @property
    def models_within(
        self,
    ) -> Annotated[int, Figure("30-80 %", meaning="models with an accuracy of 30 to 80 %")]:
        """The number of models that are neither near guessing nor near the ceiling."""
        return sum(model.within for model in self.models)

    @property
    def lacks(
        self,
    ) -> Annotated[
        tuple[str, ...],
        Figure("lacks", meaning="why the level is not proposed; nothing if it fits", missing="nothing"),
        Listed("text"),
    ]:
        """The reasons why the level does not fit; empty if it does."""
        reasons = []
        if 2 * self.models_within <= len(self.models):
            reasons.append(f"only {self.models_within} of {len(self.models)} models score 30 to 80 %")
        if not self.different:
            reasons.append("no pair of models differs significantly")
        return tuple(reasons)


@dataclass(frozen=True, slots=True)
class LadderCalibration:
    """The levels of a causal suite, judged by finished runs, and the level that is proposed."""

    suite: Annotated[SuiteKey, Flat()]
    runs: Annotated[tuple[int, ...], Figure("runs", meaning="runs that count")]
    simulated: Annotated[
        bool,
        Figure("simulated", meaning="some models are simulated: the proposal says nothing about real ones"),
    ]
    levels: tuple[LevelResult, ...]
    notes: Annotated[tuple[str, ...], Figure("notes", meaning="what was left out, one line each")]

    @property
    def proposed(
        self,
    ) -> Annotated[
        int | None,
        Figure(
            "proposed level",
            meaning="of the levels on which most models score 30 to 80 % and some differ significantly, the "
            "one with the most different pairs, then the most models within, then the higher discrimination",
        ),
    ]:
        """The proposed level; None if none fits."""
        fitting = [level for level in self.levels if not level.lacks]

        def merit(level: LevelResult) -> tuple[float, ...]:
            discrimination = -1.0 if level.discrimination is None else level.discrimination
            return level.different, level.models_within, discrimination, -level.level

        return max(fitting, key=merit).level if fitting else None

    def records(self) -> list[dict[str, Any]]:
        """Return one flat record for each level and model, for CSV."""
        return [
            {
                "simulated": self.simulated,
                **record(level),
                **record(score),
                "proposed": level.level == self.proposed,
            }
            for level in self.levels
            for score in level.models
        ]


def level_table(levels: tuple[LevelResult, ...]) -> Table:
    """Return the table of models (rows of one level) with a column for each level."""
    return Table(LevelScore, ("model", *map(_column, levels)))


def _column(level: LevelResult) -> Column:
    of = {score.model: score for score in level.models}

    def cell(row: LevelScore) -> str:
        score = of[row.model]
        if score.accuracy is None:
            return NOTHING
        return f"{100 * score.accuracy:.1f} ({between(score.interval, 0)})"

    return Column(f"level {level.level}", cell, right=True)


LEVELS: Final = Table(
    LevelResult,
    (
        *("level", "questions", "mean", "models_within"),
        Column("different pairs", lambda level: f"{level.different} of {level.pairs}", right=True),
        *("discrimination", "constant", "reversed"),
        Column("lacks", lambda level: "; ".join(level.lacks)),
    ),
    name="levels",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "causal-calibrate": (LadderCalibration, "assay causal calibrate --json"),
}
