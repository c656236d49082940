"""How far judges agree, and what each of them favours; never a prompt, an answer or a rationale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Protocol

from assay.core.errors import Problem
from assay.results.figure import Figure, Flat, Listed
from assay.results.table import Table
from assay.stats.agreement import Alpha
from assay.stats.agreement import Scale as Distance
from assay.stats.intervals import Interval
from assay.stats.judge_bias import PositionBias, Preference, Verbosity
from assay.stats.resample import RatioEstimate

MarkKind = Literal["numbers", "booleans", "names"]
_ENDS: Final = Flat(only=("low", "high"))


class _Estimated(Protocol):
    @property
    def value(self) -> float | None: ...
    @property
    def interval(self) -> Interval | None: ...


@dataclass(frozen=True, slots=True)
class AgreementFigure:
    """A figure with its interval."""

    value: Annotated[float | None, Figure("value", digits=3)]
    interval: Annotated[Interval | None, _ENDS]

    @classmethod
    def of(cls, figure: _Estimated | None) -> AgreementFigure | None:
        """Return a statistic as it is published; None stays None."""
        return None if figure is None else cls(figure.value, figure.interval)


@dataclass(frozen=True, slots=True)
class AnswersFigure:
    """A figure in marks, with its interval and the answers that it rests on."""

    value: Annotated[float | None, Figure("value", digits=2)]
    interval: Annotated[Interval | None, _ENDS]
    n: Annotated[int, Figure("answers", meaning="answers it rests on")]

    @classmethod
    def of(cls, figure: RatioEstimate) -> AnswersFigure:
        """Return a statistic as it is published."""
        return cls(figure.value, figure.interval, figure.n)


@dataclass(frozen=True, slots=True)
class OwnPreference:
    """A judge's marks above the other judges', on answers of its own models and of others."""

    excess: Annotated[AnswersFigure, Figure("excess", meaning="own less other, in marks")]
    own: Annotated[AnswersFigure, Figure("own", meaning="above the other judges on own answers")]
    other: Annotated[AnswersFigure, Figure("other", meaning="above the other judges on others' answers")]
    above: Annotated[
        int,
        Figure(
            "above",
            meaning="other models on which this judge's excess is at least as large",
            of="models",
        ),
    ]
    models: Annotated[int, Figure("models", meaning="other models with marks enough to be compared")]

    @classmethod
    def of(cls, preference: Preference | None) -> OwnPreference | None:
        """Return a preference as it is published; None stays None."""
        if preference is None:
            return None
        excess, own, other = map(AnswersFigure.of, (preference.excess, preference.own, preference.other))
        return cls(excess, own, other, preference.above, preference.models)


@dataclass(frozen=True, slots=True)
class LengthPreference:
    """A judge's liking for length within prompts."""

    slope: Annotated[
        AnswersFigure,
        Figure("slope", meaning="marks for each doubling of the length, above the other judges"),
    ]
    partial: Annotated[
        AgreementFigure,
        Figure("partial correlation", meaning="of mark and log length, the others' mean held fixed"),
    ]

    @classmethod
    def of(cls, verbosity: Verbosity | None) -> LengthPreference | None:
        """Return a judge's verbosity as it is published; None stays None."""
        if verbosity is None:
            return None
        partial = AgreementFigure(verbosity.partial, verbosity.partial_interval)
        return cls(AnswersFigure.of(verbosity.slope), partial)


@dataclass(frozen=True, slots=True)
class PositionPreference:
    """A judge's verdicts on pairs that it was shown in both orders."""

    items: Annotated[int, Figure("pairs", meaning="pairs read in both orders")]
    unreadable: Annotated[int, Figure("not read", meaning="pairs that were not")]
    flips: Annotated[
        int, Figure("flips", meaning="pairs with another verdict in the other order", of="items")
    ]
    flip_share: AgreementFigure
    kept_first: Annotated[int, Figure("first twice", meaning="pairs of which it chose the first both times")]
    kept_second: Annotated[
        int, Figure("second twice", meaning="pairs of which it chose the second both times")
    ]
    first_share: Annotated[AgreementFigure, Figure("first", meaning="the first among these two")]
    p: Annotated[
        float, Figure("p", meaning="exact two-sided p if neither position is preferred", least=0, most=1)
    ]

    @classmethod
    def of(cls, bias: PositionBias | None) -> PositionPreference | None:
        """Return a judge's position bias as it is published; None stays None."""
        if bias is None:
            return None
        return cls(
            items=bias.items,
            unreadable=bias.unreadable,
            flips=bias.flips,
            flip_share=AgreementFigure(bias.flip_share, bias.flip_interval),
            kept_first=bias.kept_first,
            kept_second=bias.kept_second,
            first_share=AgreementFigure(bias.first_share, bias.first_interval),
            p=bias.p,
        )


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """One judge. What does not apply is None.

    That is numbers for unordered names, own models where it marked none, verbosity without lengths, position
    without verdicts in both orders.
    """

    judge: Annotated[str, Figure("judge")]
    family: Annotated[str | None, Figure("family", missing="unknown")]
    marks: Annotated[int, Figure("marks", meaning="marks that it gave")]
    unread: Annotated[int, Figure("no mark", meaning="answers without a mark that can be read")]
    mean: Annotated[float | None, Figure("mean", meaning="of all its marks", digits=2)]
    above_others: Annotated[
        AnswersFigure | None,
        Figure("above others", meaning="marks above the other judges on the same answers"),
    ]
    own_model: OwnPreference | None
    own_family: Annotated[OwnPreference | None, Figure("own family", meaning="its own model included")]
    verbosity: LengthPreference | None
    position: PositionPreference | None


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two judges on the `n` answers that both marked, or why they cannot be compared.

    Weighted kappas need an order, all kappas categories. None for what does not apply, and everything of a
    refused pair.
    """

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    n: Annotated[int, Figure("n", meaning="answers that both marked")]
    agreement: Annotated[
        float | None,
        Figure("agree", meaning="share with the same mark", of="n", digits=3, least=0, most=1),
    ] = None
    interval: Annotated[Interval | None, _ENDS, Figure("95 %", meaning="of the agreement, exact")] = None
    within_one: Annotated[
        float | None,
        Figure("within 1", meaning="share of marks at most 1 apart", of="n", digits=3, least=0, most=1),
    ] = None
    kappa: AgreementFigure | None = None
    linear: AgreementFigure | None = None
    quadratic: AgreementFigure | None = None
    refused: Annotated[
        str | None, Figure("refused", meaning="why the two are not compared; then all else is none")
    ] = None


@dataclass(frozen=True, slots=True)
class DistanceAlpha:
    """Krippendorff's alpha by the distance that it uses."""

    distance: Annotated[Distance, Figure("distance")]
    value: Annotated[float | None, Figure("alpha", digits=3, most=1)]
    interval: Annotated[Interval | None, _ENDS]
    answers: Annotated[int, Figure("answers", meaning="answers with at least two marks")]
    marks: Annotated[int, Figure("marks", meaning="marks of these answers")]

    @classmethod
    def of(cls, distance: Distance, alpha: Alpha) -> DistanceAlpha:
        """Return alpha as it is published."""
        return cls(distance, alpha.value, alpha.interval, alpha.items, alpha.marks)


@dataclass(frozen=True, slots=True)
class AgreementFigures:
    """What marks say about their judges."""

    kind: Annotated[MarkKind, Figure("marks are", name="marks_are")]
    ordered: Annotated[bool, Figure("ordered", meaning="whether the categories have an order")]
    categories: Annotated[
        tuple[str, ...],
        Listed("category"),
        Figure("categories", meaning="in order; none where there are too many different marks"),
    ]
    pairwise: Annotated[bool, Figure("pairwise", meaning="whether marks are verdicts between two sides")]
    judges: tuple[JudgeFigures, ...]
    pairs: tuple[PairFigures, ...]
    alphas: Annotated[tuple[DistanceAlpha, ...], Figure("alpha", name="alpha")]
    answers: Annotated[int, Figure("answers", meaning="answers with a mark")]
    shared: Annotated[int, Figure("shared", meaning="answers with marks of two judges or more", of="answers")]
    replicates: Annotated[int, Figure("replicates", meaning="fewest draws of a bootstrap; 0: no intervals")]
    remarks: Annotated[
        tuple[str, ...], Listed("text"), Figure("remarks", meaning="what could not be measured, and why")
    ]
    level: Annotated[float, Figure("level", meaning="of all intervals")] = 0.95


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far judges agree, with where their marks come from: a run and a metric, or a file."""

    figures: Annotated[AgreementFigures, Flat()]
    run: Annotated[int | None, Figure("run", meaning="none for a table")] = None
    suite: Annotated[str | None, Figure("suite")] = None
    version: Annotated[str | None, Figure("version")] = None
    metric: Annotated[str | None, Figure("metric", meaning="what the judges of a run marked")] = None
    others: Annotated[
        tuple[str, ...],
        Listed("metric"),
        Figure("other metrics", name="other_metrics", meaning="metrics of the run that were not meant"),
    ] = ()
    simulated: Annotated[bool, Figure("simulated")] = False
    file: Annotated[Path | None, Figure("file", meaning="none for a run")] = None
    rows: Annotated[int | None, Figure("rows", meaning="all rows of the table")] = None
    problems: Annotated[
        tuple[Problem, ...],
        Figure("problems", meaning="rows that were wrong, with their lines where the file has lines"),
    ] = ()
    ignored: Annotated[
        tuple[str, ...], Listed("column"), Figure("ignored", meaning="columns that were not read")
    ] = ()

    @property
    def refused(self) -> Annotated[int, Figure("refused", meaning="rows that were wrong; the others count")]:
        """Rows that were wrong."""
        return len(self.problems)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-agreement": (
        Agreement,
        "assay judge agreement --json: how far judges agree, and what each of them favours",
    )
}
