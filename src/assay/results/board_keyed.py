"""A keyed board: each model's share of right letters, overall and by part, and bundle consistency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.ranking import ENDS, RANK, SAMPLES, AnswerUsage, BoardSamples, RankRange, between
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share of right answers with its interval; both None when there is nothing to divide by."""

    value: Annotated[float | None, Figure("accuracy", points=True, digits=1)]
    interval: Annotated[Interval | None, Flat("interval", ENDS)]


@dataclass(frozen=True, slots=True)
class Rights:
    """How often a model is right over its visible answers, and over all that it was asked."""

    valid: Annotated[
        Accuracy,
        Flat("accuracy_valid"),
        Figure("valid", meaning="share of right answers", of="ok", points=True, digits=1),
    ]
    overall: Annotated[
        Accuracy,
        Flat("accuracy_all"),
        Figure("all", meaning="share of right answers", of="n", points=True, digits=1),
    ]
    samples: Annotated[BoardSamples, Flat()]
    right: Annotated[int, Figure("right", meaning="answers that chose the right letter", of="ok")]
    unread: Annotated[
        int,
        Figure("unread", meaning="answers that chose no letter that could be read, counted wrong", of="ok"),
    ]


@dataclass(frozen=True, slots=True)
class Chance:
    """What a blind guesser would reach on the same questions, and the exact p of this many rights or more."""

    expected: Annotated[float, Figure("expected", meaning="a blind guesser's accuracy", least=0, most=1)]
    tested: Annotated[int, Figure("tested", meaning="questions with a visible answer")]
    right: Annotated[
        int, Figure("right", meaning="questions right at their first visible answer", of="tested")
    ]
    p: Annotated[float, Figure("p", meaning="chance that a blind guesser has as many right", least=0, most=1)]
    above: Annotated[
        bool,
        Figure(
            "above chance", meaning="p is at most alpha and the accuracy's interval lies above the guesser's"
        ),
    ]


@dataclass(frozen=True, slots=True)
class KRight:
    """How many bundles have exactly `k` questions right, and how many would if rights were scattered."""

    k: Annotated[int, Figure("k", meaning="questions right of a bundle")]
    bundles: Annotated[int, Figure("bundles")]
    expected: Annotated[float, Figure("expected", meaning="bundles with k right if rights were scattered")]


@dataclass(frozen=True, slots=True)
class Consistency:
    """How many questions of a bundle a model has right together.

    A bundle counts once for each epoch in which all its questions were answered; invalid answers are not
    right. Expected figures suppose that the model is right on each question with its own accuracy on that
    variant, independently of the bundle. All are None without a bundle.
    """

    bundles: Annotated[int, Figure("of", meaning="bundles that were answered whole, once an epoch")]
    left_out: Annotated[
        int, Figure("left out", meaning="bundles with an error, an ungraded or absent answer")
    ]
    spread: tuple[KRight, ...]
    mean: Annotated[float | None, Figure("mean", meaning="mean number right in a bundle", digits=2)]
    whole: Annotated[
        float | None, Figure("all right", meaning="share of bundles that are all right", share=True, digits=1)
    ]
    whole_expected: Annotated[
        float | None,
        Figure(
            "if scattered",
            meaning="share of bundles all right if rights were scattered",
            share=True,
            digits=1,
        ),
    ]
    dispersion: Annotated[
        float | None,
        Figure(
            "dispersion",
            meaning="variance of k over that of scattered rights: 1 for scattered, up to a bundle's size "
            "where concepts are known whole or not at all",
            digits=2,
        ),
    ]
    p: Annotated[
        float | None, Figure("p", meaning="one-sided p of a dispersion above 1", digits=3, least=0, most=1)
    ]


@dataclass(frozen=True, slots=True)
class Part:
    """A model's rights on one variant or one concept, by its name; `questions` belong to it."""

    name: Annotated[str, Figure("name")]
    questions: Annotated[int, Figure("questions")]
    rights: Annotated[Rights, Flat()]


@dataclass(frozen=True, slots=True)
class KeyedStanding:
    """One model on a keyed board. `ranks` follow from `score`, None without it."""

    model: Annotated[str, Figure("model")]
    ranks: Annotated[RankRange | None, Flat("rank")]
    score: Annotated[
        float | None,
        Figure(
            "score",
            meaning="mean over questions of how often answers were right; invalid ones are not, "
            "errors are left out",
            least=0,
            most=1,
        ),
    ]
    rights: Annotated[Rights, Flat()]
    chance: Chance | None
    consistency: Consistency
    usage: Annotated[AnswerUsage, Flat()]
    variants: tuple[Part, ...]
    concepts: tuple[Part, ...]


def _samples(standing: KeyedStanding) -> str:
    rights = standing.rights
    return f"{rights.samples}, {rights.unread} unread" if rights.unread else str(rights.samples)


KEYED_STANDINGS: Final = Table(
    KeyedStanding,
    (
        RANK,
        "model",
        "accuracy_valid",
        Column("95 %", lambda standing: between(standing.rights.valid.interval, 0)),
        "accuracy_all",
        Column("95 %", lambda standing: between(standing.rights.overall.interval, 0)),
        Column(SAMPLES, _samples, legend=legend_of(BoardSamples, "n")),
        "latency",
        "tokens",
        "cost",
    ),
)
CONSISTENCY: Final = Table(Consistency, ("bundles", "mean", "whole", "whole_expected", "dispersion", "p"))
