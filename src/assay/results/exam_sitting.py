"""One sitting of an exam under one judge: its questions' standings, S, R, and implausible metering."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.exam import Prompting, SessionState
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

ENDS: Final = ("low", "high")
OF_SITTING: Final = (
    *("session", "draw", "draw_name", "revision", "n"),
    *("state", "void", "opened_at", "closed_at"),
)


class QuestionStanding(DocumentedStrEnum):
    """The standing of a question in a sitting: how it counts."""

    MARKED = (
        "marked",
        HelpText("""
            The answer has the judge's stars, 0 to 3.

            Only marks by a judge can be compared with experts and between judges. Zeros by rule (late,
            empty and so on) are counted apart.

            Nothing. The manifest of the session (`assay exam manifest`) lists every mark with its hash.
        """),
    )
    UNMARKED = (
        "unmarked",
        HelpText("""
            The answer arrived in time, and the judge has not been asked about it yet.

            The sitting has no score S until every such question is marked: a score over the marked part
            would depend on which part that is.

            Run `assay exam mark SESSION`. It asks only for what is missing and can be repeated after an
            interruption.
        """),
    )
    UNREAD = (
        "unread",
        HelpText("""
            The judge was asked and no mark could be read from its replies.

            The stars are missing, not 0. The candidate must not lose stars because the judge failed, so the
            sitting has no score yet.

            Run `assay exam mark SESSION` again: it repeats these requests. If one judge keeps failing on the
            same answer, mark with another judge.
        """),
    )
    EMPTY = (
        "empty",
        HelpText("""
            The candidate submitted an answer without any visible text. It gets 0 stars by rule.

            The model's reply was empty, was filtered, or was used up by hidden reasoning. A judge would
            have nothing to read.

            Most often the token limit ended the reply during hidden reasoning: give the model more tokens
            in the next sitting.
        """),
    )
    LATE = (
        "late",
        HelpText("""
            The answer came after the question's time. It gets 0 stars by rule and no judge reads it.

            The text is kept, so an operator can see what was submitted, but it does not count.

            Compare the number of late questions with the minutes per question. Many of them mean that the
            score measures speed more than knowledge.
        """),
    )
    TIMED_OUT = (
        "timed-out",
        HelpText("""
            The question was served and no answer came before its time was over. It gets 0 stars by rule.

            The candidate has seen the question, so it cannot be asked again.

            If several questions in a row are timed out, the client had probably stopped. The operator can
            declare the sitting void, with that reason, by `assay exam series void`.
        """),
    )
    UNANSWERED = (
        "unanswered",
        HelpText("""
            The question was never served, because the session ended before it. It gets 0 stars by rule in
            this sitting.

            Without this rule a candidate could stop after a lucky beginning. The question itself was not
            seen and can be drawn again.

            See how the session ended with `assay exam sessions`. A model with an expired or closed session in
            a series is not published yet.
        """),
    )
    EXCLUDED = (
        "excluded",
        HelpText("""
            The question was removed from this sitting, with a reason, because it is faulty.

            It counts neither in the stars nor in the number of questions. Its subject keeps its weight
            through the other questions.

            The reason is in the manifest. `assay exam exclude` adds an exclusion; results before and after
            it are not the same, so it stays on record.
        """),
    )


ZERO_BY_RULE: Final = frozenset(
    {
        QuestionStanding.EMPTY,
        QuestionStanding.LATE,
        QuestionStanding.TIMED_OUT,
        QuestionStanding.UNANSWERED,
    }
)
"""The standings that get 0 stars without a judge."""
LACKING: Final = frozenset({QuestionStanding.UNMARKED, QuestionStanding.UNREAD})
"""The standings without stars: a sitting with such questions is not fully marked."""


class ReferenceBasis(DocumentedStrEnum):
    """The basis on which a sitting was compared with the reference; the first that is possible counts."""

    ITSELF = (
        "itself",
        HelpText("""
            This is the reference model, which R compares all others with. Its R is 100 by definition.

            R has no interval here, because nothing is estimated.

            The reference is fixed for a series, so no participant can change the scale. To see R against
            another model, give `--reference` to `assay exam results`.
        """),
    )
    SAME_QUESTIONS = (
        "same questions",
        HelpText("""
            R compares both models on the same draw, question by question.

            It is the most precise basis: the difficulty of the questions cancels out, and the interval is
            narrow.

            Nothing. To get it for a new sitting, open the session with the draw that the reference sat
            (`assay exam open --draw`).
        """),
    )
    COMMON_QUESTIONS = (
        "common questions",
        HelpText("""
            R compares both models on the questions that their draws have in common, since they sat
            different draws.

            The common questions cover every subject, so the comparison is fair, but it uses only part of
            each sitting and its interval is wider.

            Look at the number of questions beside R. A sitting of the same draw would use all of them.
        """),
    )
    DIFFERENT_QUESTIONS = (
        "different questions",
        HelpText("""
            R divides the model's score by the reference's mean score, although both answered different
            questions.

            Both draws are random, so the ratio is right on average. A draw that happens to be easy still
            shifts it, which the wide interval covers.

            Do not rely on small differences. For a better comparison let both models sit the same draw.
        """),
    )


@dataclass(frozen=True, slots=True)
class CountedQuestion:
    """One question that counts in a sitting: its id, its subject, and the answer's stars, 0-3."""

    question: int
    subject: str
    stars: float


@dataclass(frozen=True, slots=True)
class SubjectScore:
    """One subject of a sitting; None without a question that counts."""

    code: Annotated[str, Figure("subject", name="subject")]
    n: Annotated[int, Figure("n", meaning="questions that count")]
    score: Annotated[float | None, Figure("score", digits=2, least=0, most=10)]


@dataclass(frozen=True, slots=True)
class SittingScore:
    """The score of a sitting.

    `value` (S) is the mean of the subjects' scores, weighted by their shares of the draw; `plain` is equation
    1 over the `n` questions that count. `error` is the standard error of `value` over other draws of
    questions. `empty` are the subjects without a question left, whose weight goes to the others.
    """

    value: Annotated[
        float,
        Figure(
            "S", name="score", meaning="share of all stars, 0-100; none while answers lack stars", digits=2
        ),
    ]
    plain: Annotated[
        float,
        Figure(
            "equation 1",
            name="equation_1",
            meaning="over all questions that count; equals score unless questions were excluded",
        ),
    ]
    n: Annotated[int, Hidden()]
    subjects: Annotated[tuple[SubjectScore, ...], Hidden()]
    error: Annotated[float, Hidden()]
    interval: Annotated[Interval, Flat(only=ENDS)]
    empty: Annotated[tuple[str, ...], Hidden()] = ()


@dataclass(frozen=True, slots=True)
class Relative:
    """R of a sitting; the reference itself has 100.

    The reference itself has no interval. There is also none if the two sittings differ by the same ratio on
    every question, because nothing then indicates how other questions would differ.
    """

    value: Annotated[float, Figure("R", digits=2, meaning="S in per cent of the reference's S")]
    basis: Annotated[ReferenceBasis, Figure("basis of R")]
    n: Annotated[int, Figure("n", meaning="questions that both answered; 0 for different questions")]
    interval: Annotated[Interval | None, Flat(only=ENDS)]


@dataclass(frozen=True, slots=True)
class MeteringFlag:
    """An implausible figure in the metering that a sitting reports, which is a reason to look at it."""

    kind: Annotated[str, Figure("implausible metering")]
    count: Annotated[int, Figure("answers", of="n")]
    n: Annotated[int, Figure("of", meaning="answers of the sitting")]
    bound: Annotated[str, Figure("bound", meaning="the bound that the answers exceed")]


@dataclass(frozen=True, slots=True)
class SittingRow:
    """The facts of one session that results use; `drawn` counts the draw's questions by subject.

    `series` is None for an unofficial sitting.
    """

    session: Annotated[str, Figure("session")]
    organisation: int
    organisation_name: str
    model: str
    prompting: Prompting
    draw: Annotated[int, Figure("draw", meaning="the draw's number")]
    draw_name: Annotated[str | None, Figure("draw's name")]
    revision: Annotated[int, Figure("revision", meaning="the bank's revision when it was drawn")]
    n: Annotated[int, Figure("n", meaning="questions of the session")]
    drawn: Mapping[str, int]
    state: Annotated[SessionState, Figure("state")]
    simulated: bool
    opened_at: Annotated[Timestamp, Figure("opened")]
    started_at: float | None
    closed_at: Annotated[Timestamp | None, Figure("closed")]
    deadline: float
    series: int | None
    void: Annotated[str | None, Figure("void", meaning="why the operator declared the sitting void")]


@dataclass(frozen=True, slots=True)
class SittingState:
    """The facts that decide whether a sitting can be published.

    They are the state of its session, the number of answers without stars, and whether the operator declared
    it void.
    """

    state: SessionState
    lacking: int
    void: bool = False

    @property
    def counts(self) -> bool:
        """Whether the sitting enters the model's mean: finished, fully marked and not void."""
        return self.state is SessionState.FINISHED and self.lacking == 0 and not self.void

    @property
    def abandoned(self) -> bool:
        """Whether it ended before all questions were answered."""
        return self.state in (SessionState.EXPIRED, SessionState.CLOSED) and not self.void


@dataclass(frozen=True, slots=True)
class SittingResult:
    """One sitting under one judge. `score` is None while answers lack stars, or the session is open."""

    sitting: Annotated[SittingRow, Flat(only=OF_SITTING)]
    standings: Annotated[
        Mapping[QuestionStanding, int],
        Listed("standing", "n"),
        Figure("standings", meaning="questions by standing"),
    ]
    lacking: Annotated[int, Hidden()]
    questions: Annotated[tuple[CountedQuestion, ...], Hidden()]
    """The questions that count."""
    score: Annotated[SittingScore | None, Flat()]
    relative: Relative | None
    flags: tuple[MeteringFlag, ...]

    @property
    def state(self) -> SittingState:
        """The facts that decide whether it can be published."""
        return SittingState(self.sitting.state, self.lacking, self.sitting.void is not None)

    @property
    def counts(
        self,
    ) -> Annotated[
        bool,
        Figure("counts", meaning="whether it enters the mean: it is finished, fully marked and not void"),
    ]:
        """Whether it enters its model's mean."""
        return self.state.counts and self.score is not None

    @property
    def counted(self) -> Annotated[int, Figure("counted", meaning="questions that count", of="n")]:
        """The number of questions that count."""
        return len(self.questions)

    @property
    def subjects(self) -> Annotated[tuple[SubjectScore, ...], Figure("subjects")]:
        """The scores of its subjects; none without a score."""
        return () if self.score is None else self.score.subjects


@dataclass(frozen=True, slots=True)
class FlaggedSitting:
    """A flag with its session."""

    session: Annotated[str, Figure("session")]
    flag: Annotated[MeteringFlag, Flat()]


class ScoreEstimate(Protocol):
    """A value that may have an interval."""

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval; None without one."""


def two_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def bounds(estimate: ScoreEstimate | None) -> str:
    interval = None if estimate is None else estimate.interval
    return "-" if interval is None else f"{interval.low:.1f} to {interval.high:.1f}"


def _basis(sitting: SittingResult) -> str:
    relative = sitting.relative
    return "-" if relative is None else f"{relative.basis}{f', {relative.n}' if relative.n else ''}"


def number_column(heading: str, cell: Callable[[Any], object], legend: str = "") -> Column:
    return Column(heading, cell, right=True, legend=legend)


def _standings_column(heading: str, standings: Collection[QuestionStanding]) -> Column:
    def count(sitting: SittingResult) -> int:
        return sum(sitting.standings.get(standing, 0) for standing in standings)

    return number_column(heading, count)


S_BOUNDS: Final = Column("S 95 %", lambda row: bounds(row.score))
SITTINGS: Final = Table(
    SittingResult,
    (
        "session",
        Column("organisation", lambda sitting: sitting.sitting.organisation_name),
        Column("model", lambda sitting: sitting.sitting.model),
        Column("state", lambda sitting: "void" if sitting.state.void else sitting.sitting.state),
        "n",
        _standings_column("0 by rule", ZERO_BY_RULE),
        _standings_column("excluded", {QuestionStanding.EXCLUDED}),
        _standings_column("unmarked", LACKING),
        "score",
        S_BOUNDS,
        number_column(
            "R",
            lambda sitting: two_digits(sitting.relative and sitting.relative.value),
            legend_of(Relative, "value"),
        ),
        Column("basis of R", _basis),
        number_column("flags", lambda sitting: len(sitting.flags) or ""),
    ),
)
FLAGS: Final = Table(FlaggedSitting)
