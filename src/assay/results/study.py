"""Published correlations and comparisons of variants: `assay study correlate|prompting|variants`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final

from assay.results.figure import Figure, Flat, Listed
from assay.results.rank import between
from assay.results.ranking import ENDS
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

_P: Final = "two-sided p"


@dataclass(frozen=True, slots=True)
class StudySource:
    """What a study was made from."""

    source: Annotated[str, Figure("source", meaning="sources, as given to the command")]
    simulated: Annotated[bool, Figure("simulated", meaning="whether some models are simulated")]
    models: Annotated[int, Figure("models", meaning="models with a score")]
    notes: Annotated[tuple[str, ...], Figure("notes", meaning="what was left out, one line each")]


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """One model's two scores."""

    model: Annotated[str, Figure("model")]
    first: Annotated[float, Figure("first")]
    second: Annotated[float, Figure("second")]


@dataclass(frozen=True, slots=True)
class RankingCorrelation:
    """The correlation of two rankings of the models that both have; `reason` is None if it is known."""

    first: Annotated[str, Figure("first", meaning="one ranking")]
    second: Annotated[str, Figure("second", meaning="the other ranking")]
    n: Annotated[int, Figure("n", meaning="models with both scores")]
    rho: Annotated[float | None, Figure("rho", meaning="Spearman's rank correlation", digits=3)]
    rho_interval: Annotated[Interval | None, Flat("rho", ENDS)]
    p: Annotated[float | None, Figure("p", meaning=f"{_P} of a permutation test of rho", digits=3)]
    p_holm: Annotated[float | None, Figure("p Holm", meaning="p after Holm's correction", digits=3)]
    tau: Annotated[float | None, Figure("tau", meaning="Kendall's tau-b", digits=3)]
    tau_interval: Annotated[Interval | None, Flat("tau", ENDS)]
    tau_p: Annotated[float | None, Figure("tau p", meaning=f"{_P} of a permutation test of tau", digits=3)]
    exact: Annotated[bool, Figure("exact", meaning="whether all orders were counted")]
    least: Annotated[
        float | None,
        Figure("needed", meaning="smallest rho with p of at most 0.05 for these models", digits=3),
    ]
    first_reliability: Annotated[
        float | None,
        Figure("first reliability", meaning="share of the variance that is not error", share=True),
    ]
    second_reliability: Annotated[
        float | None,
        Figure("second reliability", meaning="share of the variance that is not error", share=True),
    ]
    corrected: Annotated[
        float | None,
        Figure(
            "corrected", meaning="rho divided by the root of the known reliabilities, at most 1", digits=3
        ),
    ]
    reason: Annotated[str | None, Figure("reason", meaning="why there is no correlation")]
    points: tuple[ScorePoint, ...]

    @property
    def sentence(self) -> str:
        """What the correlation allows to say, in one sentence."""
        pair = f"{self.first} and {self.second}"
        if self.rho is None or self.p is None or self.p_holm is None:
            return f"No correlation of {pair}: {self.reason}."
        if self.least is None:
            return f"{pair}: with {self.n} models no correlation is significant, whatever it is."
        ends = (
            ""
            if self.rho_interval is None
            else (f" (95 % interval {self.rho_interval.low:.2f} to {self.rho_interval.high:.2f})")
        )
        if self.p_holm <= 0.05:
            return f"{pair} rank the {self.n} models alike beyond chance: rho {self.rho:.3f}{ends}."
        return (
            f"{pair}: rho {self.rho:.3f}{ends} is not significant, but that does not show that the rankings "
            f"differ: with {self.n} models only a rho of at least {self.least:.3f} would be."
        )


@dataclass(frozen=True, slots=True)
class CorrelationStudy:
    """Correlations of one ranking of models with others."""

    source: Annotated[StudySource, Flat()]
    seed: Annotated[int, Figure("seed", meaning="seed of the random orders, for more than 9 models")]
    correlations: tuple[RankingCorrelation, ...]


def _ends(interval: Interval | None, digits: int = 2) -> str:
    return "" if interval is None else between(interval.low, interval.high, digits)


CORRELATIONS: Final = Table(
    RankingCorrelation,
    (
        *("first", "second", "n", "rho"),
        Column("95 %", lambda row: _ends(row.rho_interval)),
        *("p", "p_holm", "least", "tau", "corrected"),
    ),
    name="correlations",
)


@dataclass(frozen=True, slots=True)
class VariantDifference:
    """One variant of a model less another on the questions that both answered, as a whole or in one group."""

    model: Annotated[str, Figure("model", meaning="model of the variant")]
    base: Annotated[str, Figure("base", meaning="the variant that is subtracted")]
    variant: Annotated[str, Figure("variant")]
    group: Annotated[str, Figure("group", meaning="discipline or category; `all` for the whole")]
    n: Annotated[int, Figure("n", meaning="questions that both answered")]
    base_score: Annotated[float | None, Figure("base S", meaning="score of the base, 0-100", digits=2)]
    score: Annotated[float | None, Figure("S", meaning="score of the variant, 0-100", digits=2)]
    difference: Annotated[float | None, Figure("difference", unit="points", digits=2)]
    interval: Annotated[Interval | None, Flat("difference", ENDS)]
    p: Annotated[float | None, Figure("p", meaning=f"{_P} of the paired test", digits=4)]
    p_holm: Annotated[
        float | None,
        Figure("p Holm", meaning="p after Holm's correction over all wholes, or over all groups", digits=4),
    ]
    reason: Annotated[str | None, Figure("reason", meaning="why there is no test")]

    @property
    def significant(self) -> bool:
        """Whether the corrected p is at most 0.05."""
        return self.p_holm is not None and self.p_holm <= 0.05


DIFFERENCES: Final = Table(
    VariantDifference,
    (
        *("model", "base", "variant", "group", "n", "base_score", "score"),
        Column(
            "difference", lambda row: "-" if row.difference is None else f"{row.difference:+.2f}", right=True
        ),
        Column("95 %", lambda row: _ends(row.interval)),
        *("p_holm",),
    ),
    name="differences",
)


@dataclass(frozen=True, slots=True)
class VariantStudy:
    """Variants of models compared with a base, as a whole and by group."""

    source: Annotated[StudySource, Flat()]
    base: Annotated[str, Figure("base", meaning="the variant that the others are compared with")]
    differences: tuple[VariantDifference, ...]

    @property
    def wholes(self) -> tuple[VariantDifference, ...]:
        """The differences over all questions."""
        return tuple(row for row in self.differences if row.group == WHOLE)

    @property
    def groups(self) -> tuple[VariantDifference, ...]:
        """The differences within groups."""
        return tuple(row for row in self.differences if row.group != WHOLE)


WHOLE: Final = "all"
"""The group of all questions."""


@dataclass(frozen=True, slots=True)
class PromptedModel:
    """A model's scores under several promptings (seed 003, tables 2 and 8)."""

    model: Annotated[str, Figure("model")]
    scores: Annotated[
        Mapping[str, float | None], Listed("prompting", "score"), Figure("scores", meaning="S, 0-100")
    ]
    n: Annotated[int | None, Figure("n", meaning="questions with a score under every prompting")]
    mean: Annotated[
        float | None, Figure("mean", digits=2, meaning="mean of the scores; none if one is missing")
    ]
    variance: Annotated[
        float | None, Figure("variance", digits=2, meaning="variance of the scores, with divisor n")
    ]
    chance: Annotated[
        float | None,
        Figure("by chance", digits=2, meaning="variance to expect if the prompting made no difference"),
    ]


def prompting_table(promptings: Sequence[str]) -> Table:
    """Return the columns of models by prompting, as in seed 003's table 8."""
    columns = [Column(name, partial(_score, name), right=True) for name in promptings]
    return Table(PromptedModel, ("model", *columns, "mean", "variance", "chance", "n"), name="models")


def _score(prompting: str, row: PromptedModel) -> str:
    score = row.scores.get(prompting)
    return "-" if score is None else f"{score:.2f}"


@dataclass(frozen=True, slots=True)
class PromptingStudy:
    """Scores of models by prompting, and paired tests of all pairs of promptings within each model."""

    source: Annotated[StudySource, Flat()]
    promptings: Annotated[tuple[str, ...], Listed("prompting"), Figure("promptings")]
    models: tuple[PromptedModel, ...]
    differences: tuple[VariantDifference, ...]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-correlate": (CorrelationStudy, "assay study correlate --json"),
    "study-variants": (VariantStudy, "assay study variants --json"),
    "study-prompting": (PromptingStudy, "assay study prompting --json"),
}
