"""Agreement and biases of judges. No prompt, answer or rationale is in it."""

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
from assay.stats.judge_bias import OrderAccuracy, PositionBias, Preference, Verbosity
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
        """Return the published form of a statistic; None stays None."""
        return None if figure is None else cls(figure.value, figure.interval)


@dataclass(frozen=True, slots=True)
class AnswersFigure:
    """A figure in marks, with its interval and its number of answers."""

    value: Annotated[float | None, Figure("value", digits=2)]
    interval: Annotated[Interval | None, _ENDS]
    n: Annotated[int, Figure("answers", meaning="answers that it is computed from")]

    @classmethod
    def of(cls, figure: RatioEstimate) -> AnswersFigure:
        """Return the published form of a statistic."""
        return cls(figure.value, figure.interval, figure.n)


@dataclass(frozen=True, slots=True)
class OwnPreference:
    """A judge's marks above those of the other judges, on answers of its own models and of others."""

    excess: Annotated[AnswersFigure, Figure("excess", meaning="own minus other, in marks")]
    own: Annotated[
        AnswersFigure, Figure("own", meaning="marks above the other judges on its own models' answers")
    ]
    other: Annotated[
        AnswersFigure, Figure("other", meaning="marks above the other judges on other models' answers")
    ]
    above: Annotated[
        int,
        Figure(
            "above",
            meaning="other models on which this judge's excess is at least as large",
            of="models",
        ),
    ]
    models: Annotated[int, Figure("models", meaning="other models with enough marks to be compared")]

    @classmethod
    def of(cls, preference: Preference | None) -> OwnPreference | None:
        """Return the published form of a preference; None stays None."""
        if preference is None:
            return None
        excess, own, other = map(AnswersFigure.of, (preference.excess, preference.own, preference.other))
        return cls(excess, own, other, preference.above, preference.models)


@dataclass(frozen=True, slots=True)
class LengthPreference:
    """A judge's preference for long answers to the same prompt."""

    slope: Annotated[
        AnswersFigure,
        Figure("slope", meaning="marks for each doubling of the length, above the other judges"),
    ]
    partial: Annotated[
        AgreementFigure,
        Figure("partial correlation", meaning="of mark and log length, given the other judges' mean"),
    ]

    @classmethod
    def of(cls, verbosity: Verbosity | None) -> LengthPreference | None:
        """Return the published form of a judge's verbosity bias; None stays None."""
        if verbosity is None:
            return None
        partial = AgreementFigure(verbosity.partial, verbosity.partial_interval)
        return cls(AnswersFigure.of(verbosity.slope), partial)


@dataclass(frozen=True, slots=True)
class PositionPreference:
    """A judge's verdicts on pairs that it was shown in both orders."""

    items: Annotated[int, Figure("pairs", meaning="pairs with a readable verdict in both orders")]
    unreadable: Annotated[int, Figure("not read", meaning="pairs without a readable verdict in both orders")]
    flips: Annotated[
        int, Figure("flips", meaning="pairs with another verdict in the other order", of="items")
    ]
    flip_share: AgreementFigure
    kept_first: Annotated[
        int, Figure("first twice", meaning="pairs in which it chose the answer shown first both times")
    ]
    kept_second: Annotated[
        int, Figure("second twice", meaning="pairs in which it chose the answer shown second both times")
    ]
    first_share: Annotated[
        AgreementFigure, Figure("first", meaning="share of kept_first in kept_first + kept_second")
    ]
    p: Annotated[
        float, Figure("p", meaning="exact two-sided p if neither position is preferred", least=0, most=1)
    ]

    @classmethod
    def of(cls, bias: PositionBias | None) -> PositionPreference | None:
        """Return the published form of a judge's position bias; None stays None."""
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
class ReferenceAccuracy:
    """A judge's verdicts in both orders against those of a reference, on pairs that the reference judged."""

    n: Annotated[int, Figure("pairs", meaning="pairs that the reference judged; a missing verdict is wrong")]
    right: Annotated[int, Figure("right", meaning="pairs judged like the reference, A first", of="n")]
    right_share: AgreementFigure
    swapped: Annotated[int, Figure("swapped", meaning="pairs judged like the reference, B first", of="n")]
    swapped_share: AgreementFigure
    both: Annotated[int, Figure("both", meaning="pairs judged like the reference in both orders", of="n")]
    both_share: AgreementFigure
    equal: Annotated[int, Figure("equal", meaning="pairs with the same verdict in both orders", of="n")]
    kappa: Annotated[
        float | None,
        Figure("kappa", meaning="of the verdicts with A first and the reference", digits=3, most=1),
    ]
    kappa_swapped: Annotated[
        float | None, Figure("kappa of orders", meaning="of the two orders", digits=3, most=1)
    ]

    @classmethod
    def of(cls, accuracy: OrderAccuracy | None) -> ReferenceAccuracy | None:
        """Return the published form of an accuracy; None stays None."""
        if accuracy is None:
            return None
        n = accuracy.n
        return cls(
            n=n,
            right=accuracy.right,
            right_share=AgreementFigure(accuracy.right / n, accuracy.right_interval),
            swapped=accuracy.swapped,
            swapped_share=AgreementFigure(accuracy.swapped / n, accuracy.swapped_interval),
            both=accuracy.both,
            both_share=AgreementFigure(accuracy.both / n, accuracy.both_interval),
            equal=accuracy.equal,
            kappa=accuracy.kappa,
            kappa_swapped=accuracy.kappa_swapped,
        )


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """One judge. Figures that do not apply are None.

    Unordered names have no numbers. A judge that marked no model of its own has no own preference, without
    lengths there is no verbosity, and without verdicts in both orders there is no position bias.
    """

    judge: Annotated[str, Figure("judge")]
    family: Annotated[str | None, Figure("family", missing="unknown")]
    marks: Annotated[int, Figure("marks", meaning="marks that it gave")]
    unread: Annotated[int, Figure("no mark", meaning="answers without a readable mark")]
    mean: Annotated[float | None, Figure("mean", meaning="of all its marks", digits=2)]
    above_others: Annotated[
        AnswersFigure | None,
        Figure("above others", meaning="marks above the other judges on the same answers"),
    ]
    own_model: OwnPreference | None
    own_family: Annotated[OwnPreference | None, Figure("own family", meaning="its own model included")]
    verbosity: LengthPreference | None
    position: PositionPreference | None
    accuracy: Annotated[
        ReferenceAccuracy | None, Figure("accuracy", meaning="against --reference, for pairwise verdicts")
    ] = None


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two judges on the `n` answers that both marked, or the reason why they cannot be compared.

    Weighted kappas need ordered categories, and all kappas need categories. Figures that do not apply are
    None; a refused pair has none at all.
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
        str | None, Figure("refused", meaning="why the two are not compared; then the other figures are none")
    ] = None


@dataclass(frozen=True, slots=True)
class DistanceAlpha:
    """Krippendorff's alpha with one distance."""

    distance: Annotated[Distance, Figure("distance")]
    value: Annotated[float | None, Figure("alpha", digits=3, most=1)]
    interval: Annotated[Interval | None, _ENDS]
    answers: Annotated[int, Figure("answers", meaning="answers with at least two marks")]
    marks: Annotated[int, Figure("marks", meaning="marks of these answers")]

    @classmethod
    def of(cls, distance: Distance, alpha: Alpha) -> DistanceAlpha:
        """Return the published form of alpha."""
        return cls(distance, alpha.value, alpha.interval, alpha.items, alpha.marks)


@dataclass(frozen=True, slots=True)
class AgreementFigures:
    """The figures about judges that a set of marks gives."""

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
    replicates: Annotated[
        int, Figure("replicates", meaning="smallest number of bootstrap draws; 0: no intervals")
    ]
    remarks: Annotated[
        tuple[str, ...], Listed("text"), Figure("remarks", meaning="what could not be measured, and why")
    ]
    level: Annotated[float, Figure("level", meaning="of all intervals")] = 0.95


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of judges with the source of their marks: a run and a metric, or a file."""

    figures: Annotated[AgreementFigures, Flat()]
    run: Annotated[int | None, Figure("run", meaning="none for a table")] = None
    suite: Annotated[str | None, Figure("suite")] = None
    version: Annotated[str | None, Figure("version")] = None
    metric: Annotated[str | None, Figure("metric", meaning="what the judges of a run marked")] = None
    others: Annotated[
        tuple[str, ...],
        Listed("metric"),
        Figure("other metrics", name="other_metrics", meaning="metrics of the run that were not chosen"),
    ] = ()
    simulated: Annotated[bool, Figure("simulated")] = False
    file: Annotated[Path | None, Figure("file", meaning="none for a run")] = None
    rows: Annotated[int | None, Figure("rows", meaning="all rows of the table")] = None
    problems: Annotated[
        tuple[Problem, ...],
        Figure("problems", meaning="invalid rows, with line numbers if the file has lines"),
    ] = ()
    ignored: Annotated[
        tuple[str, ...], Listed("column"), Figure("ignored", meaning="columns that were not read")
    ] = ()

    @property
    def refused(self) -> Annotated[int, Figure("refused", meaning="invalid rows; the others count")]:
        """The number of invalid rows."""
        return len(self.problems)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-agreement": (
        Agreement,
        "assay judge agreement --json: agreement and biases of judges",
    )
}
