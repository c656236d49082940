"""A keyed board: each model's share of right letters, overall and by part, and bundle consistency."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from assay.core.case import RUNGS
from assay.results.figure import Figure, Flat
from assay.results.ranking import ENDS, RANK, SAMPLES, AnswerUsage, BoardSamples, RankRange, between
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share of right answers with its interval; both are None without answers."""

    value: Annotated[float | None, Figure("accuracy", points=True, digits=1)]
    interval: Annotated[Interval | None, Flat("interval", ENDS)]


@dataclass(frozen=True, slots=True)
class Rights:
    """A model's accuracy over its visible answers, and over all questions that it was asked."""

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
    right: Annotated[int, Figure("right", meaning="answers with the right letter or number", of="ok")]
    unread: Annotated[
        int,
        Figure(
            "unread", meaning="answers without a readable letter or number, which count as wrong", of="ok"
        ),
    ]


@dataclass(frozen=True, slots=True)
class Chance:
    """A blind guesser's result on the same questions, and the exact p of at least as many right answers."""

    expected: Annotated[float, Figure("expected", meaning="a blind guesser's accuracy", least=0, most=1)]
    tested: Annotated[int, Figure("tested", meaning="questions with a visible answer")]
    right: Annotated[
        int, Figure("right", meaning="questions right at their first visible answer", of="tested")
    ]
    p: Annotated[
        float,
        Figure("p", meaning="probability that a blind guesser has at least as many right", least=0, most=1),
    ]
    above: Annotated[
        bool,
        Figure(
            "above chance",
            meaning="whether p is at most alpha and the accuracy's interval is above the guesser's accuracy",
        ),
    ]


@dataclass(frozen=True, slots=True)
class KRight:
    """The number of bundles with exactly `k` questions right, and the number expected at random."""

    k: Annotated[int, Figure("k", meaning="right answers in a bundle")]
    bundles: Annotated[int, Figure("bundles")]
    expected: Annotated[
        float,
        Figure("expected", meaning="bundles with k right if right answers were scattered at random"),
    ]


@dataclass(frozen=True, slots=True)
class Consistency:
    """The agreement between a model's answers to the questions of one bundle.

    A bundle counts once for each epoch in which all its questions were answered; invalid answers are not
    right. Expected figures assume that the model answers each question with its own accuracy on that variant,
    independently of the bundle. All figures are None without a bundle.
    """

    bundles: Annotated[int, Figure("of", meaning="bundles that were answered completely, once per epoch")]
    left_out: Annotated[
        int, Figure("left out", meaning="bundles with an error, an ungraded or a missing answer")
    ]
    spread: tuple[KRight, ...]
    mean: Annotated[float | None, Figure("mean", meaning="mean number right in a bundle", digits=2)]
    whole: Annotated[
        float | None,
        Figure("all right", meaning="share of bundles with every answer right", share=True, digits=1),
    ]
    whole_expected: Annotated[
        float | None,
        Figure(
            "if scattered",
            meaning="share of bundles with every answer right if right answers were scattered at random",
            share=True,
            digits=1,
        ),
    ]
    dispersion: Annotated[
        float | None,
        Figure(
            "dispersion",
            meaning="variance of k divided by its variance if right answers were scattered at random: 1 if "
            "they are, up to a bundle's size if each concept is known completely or not at all",
            digits=2,
        ),
    ]
    p: Annotated[
        float | None, Figure("p", meaning="one-sided p of a dispersion above 1", digits=3, least=0, most=1)
    ]


@dataclass(frozen=True, slots=True)
class KeyedGrouping:
    """A way to group the questions of a keyed board.

    `by` is the attribute of a question that names its group, and the value of `--by`. `field` is the field of
    a standing with the groups, `title` what they are called. `order` are the groups in their order, if it is
    not that of the questions.
    """

    by: str
    field: str
    title: str
    order: tuple[Any, ...] = ()

    def ordered(self, names: Iterable[Any]) -> list[Any]:
        """Return the names of groups in their order."""
        return [name for name in self.order if name in set(names)] if self.order else list(names)


KEYED_GROUPINGS: Final[Mapping[str, KeyedGrouping]] = {
    grouping.by: grouping
    for grouping in (
        KeyedGrouping("variant", "variants", "variant"),
        KeyedGrouping("concept", "concepts", "concept"),
        KeyedGrouping("rung", "rungs", "rung of causation", RUNGS),
        KeyedGrouping("level", "levels", "level of depth", (1, 2, 3, 4)),
    )
}
"""The groupings of a keyed board. A suite need not state rungs and levels."""


@dataclass(frozen=True, slots=True)
class Part:
    """A model's accuracy on one group, such as a variant or a concept, which has so many `questions`."""

    name: Annotated[str, Figure("name")]
    questions: Annotated[int, Figure("questions")]
    rights: Annotated[Rights, Flat()]


@dataclass(frozen=True, slots=True)
class KeyedStanding:
    """One model on a keyed board. `ranks` follow from `score`; None without it."""

    model: Annotated[str, Figure("model")]
    ranks: Annotated[RankRange | None, Flat("rank")]
    score: Annotated[
        float | None,
        Figure(
            "score",
            meaning="mean over questions of the share of right answers; invalid answers are not right, "
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
    rungs: tuple[Part, ...]
    levels: tuple[Part, ...]

    def parts(self, by: str) -> tuple[Part, ...]:
        """Return the groups of one of `KEYED_GROUPINGS`; empty if the suite does not state them."""
        parts: tuple[Part, ...] = getattr(self, KEYED_GROUPINGS[by].field)
        return parts


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
