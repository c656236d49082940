"""What comes of sitting and marking an exam: receipts, stars, exclusions, manifests, experts' work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.core.exam import AnswerStatus
from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.runs import Spend
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

RowKind = Literal["answer", "mark", "replaced mark", "exclusion"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the examiner gave for an answer."""

    position: Annotated[int, Figure("position")]
    receipt: Annotated[str, Figure("receipt")]
    status: Annotated[str, Figure("status", meaning="answered, late or timed-out")]


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """How a session stands: its state, its quota, and how many questions are over and done with."""

    state: Annotated[str, Figure("state", meaning="the session's, as the examiner says it")]
    quota: Annotated[int, Figure("quota", meaning="questions of the session")]
    completed: Annotated[int, Figure("completed", meaning="questions that are done with", of="quota")]

    @property
    def open(self) -> bool:
        """Whether there is something left to answer, and leave to do it."""
        return self.state == "open" and self.completed < self.quota


@dataclass(slots=True)
class SittingTally:
    """What one call of `sit` did: answers bought and delivered from the ledger, and what was odd of them."""

    asked: Annotated[int, Figure("asked", meaning="answers that this call got from the model")] = 0
    reused: Annotated[int, Figure("reused", meaning="answers paid for earlier and handed in now")] = 0
    invalid: Annotated[int, Figure("invalid", meaning="answers that this call handed in empty")] = 0
    cut: Annotated[int, Figure("cut", meaning="answers cut to what the examiner takes")] = 0
    refused: Annotated[int, Figure("refused", meaning="answers that came too late to be taken")] = 0
    receipts: Annotated[dict[int, Receipt], Hidden()] = field(default_factory=dict)
    """All receipts known, by position."""


@dataclass(frozen=True, slots=True)
class SittingProgress:
    """How a sitting stands after one call of `sit`: no question and no answer is in it.

    `error` is what stopped it, None for a user.
    """

    run: Annotated[int, Figure("run")]
    session: Annotated[str, Figure("session")]
    model: Annotated[str, Figure("model")]
    simulated: Annotated[bool, Figure("simulated")]
    status: Annotated[Literal["finished", "stopped"], Figure("status", meaning="finished: nothing is left")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    error: Annotated[AssayError | None, Hidden()]
    standing: Annotated[SessionProgress, Flat()]
    tally: Annotated[SittingTally, Flat()]
    spend: Annotated[Spend, Flat()]
    """Of the whole run."""
    again: Annotated[
        str | None, Figure("again", meaning="the command that goes on; none when nothing is left")
    ]

    @property
    def receipts(self) -> Annotated[tuple[Receipt, ...], Figure("receipts", meaning="all that are known")]:
        """All receipts that are known, by position."""
        return tuple(receipt for _, receipt in sorted(self.tally.receipts.items()))


@dataclass(frozen=True, slots=True)
class Marking:
    """What a marking came to. Counts are over all judges."""

    session: Annotated[str, Figure("session")]
    judges: Annotated[tuple[str, ...], Figure("judges")]
    run: Annotated[int | None, Figure("run", meaning="none where no answer had to be put to a judge")]
    marked: Annotated[int, Figure("marked", meaning="answers that got stars")]
    unread: Annotated[
        Mapping[str, int],
        Listed("reason", "n"),
        Figure("unread", meaning="answers that a judge gave no stars, by reason"),
    ]
    left: Annotated[int, Figure("left", meaning="answers that were not asked about")]
    spend: Annotated[Spend, Flat(only=("cost", "unknown_costs"))]
    simulated: Annotated[bool, Figure("simulated", meaning="whether a judge is simulated")]
    stopped: Annotated[str | None, Figure("stopped", meaning="why it ended early")] = None


@dataclass(frozen=True, slots=True)
class QuestionExclusion:
    """One question of one session that does not count; `at` is UTC seconds since 1970."""

    session: Annotated[str, Figure("session")]
    position: Annotated[int, Figure("position")]
    reason: Annotated[str, Figure("reason")]
    by: Annotated[str, Figure("by")]
    at: Annotated[float, Hidden()]


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """An answer, a mark, a replaced mark or an exclusion; what does not apply is None."""

    row: Annotated[RowKind, Figure("row")]
    position: Annotated[int, Figure("position")]
    question: Annotated[str, Figure("question", meaning="its UUID")]
    version: Annotated[int, Figure("version", meaning="the question's version that was served")]
    discipline: Annotated[str, Figure("discipline")]
    status: Annotated[AnswerStatus | None, Figure("status")] = None
    stars: Annotated[
        int | None,
        Figure("stars", meaning="an answer's are 0 where a rule gives them; a mark's are the judge's",
               least=0, most=3),
    ] = None  # fmt: skip
    why: Annotated[
        str | None, Figure("why", meaning="the rule that gives 0 stars, or why a judge gave none")
    ] = None
    judge: Annotated[str | None, Figure("judge")] = None
    run: Annotated[int | None, Figure("run")] = None
    prompt: Annotated[str | None, Figure("prompt", meaning="versions of the judge's prompt")] = None
    reason: Annotated[str | None, Figure("reason", meaning="why it was marked again, or excluded")] = None
    by: Annotated[str | None, Figure("by")] = None
    served_at: Annotated[float | None, Figure("served", unit="UTC seconds since 1970")] = None
    at: Annotated[
        float | None, Figure("at", meaning="when the row came to be", unit="UTC seconds since 1970")
    ] = None
    replaced_at: Annotated[float | None, Figure("replaced", unit="UTC seconds since 1970")] = None
    prompt_tokens: Annotated[int | None, Figure("prompt tokens")] = None
    completion_tokens: Annotated[int | None, Figure("completion tokens")] = None
    seconds: Annotated[float | None, Figure("seconds", meaning="time that the candidate declared")] = None
    rationale: Annotated[str | None, Figure("rationale", meaning="written to files only")] = None


@dataclass(frozen=True, slots=True)
class SessionManifest:
    """Every answer, mark, replaced mark and exclusion of a session, position after position; no keys."""

    session: Annotated[str, Figure("session")]
    rows: tuple[ManifestRow, ...]


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """One question of one sitting of a series."""

    organisation: Annotated[str, Figure("organisation")]
    model: Annotated[str, Figure("model")]
    session: Annotated[str, Figure("session")]
    draw: Annotated[int, Figure("draw")]
    state: Annotated[str, Figure("state", meaning="the session's")]
    void: Annotated[str | None, Figure("void", meaning="why the operator declared the sitting void")]
    position: Annotated[int, Figure("position")]
    question: Annotated[str, Figure("question", meaning="its UUID")]
    version: Annotated[int, Figure("version")]
    discipline: Annotated[str, Figure("discipline")]
    standing: Annotated[str, Figure("standing", meaning="what the question counts as")]
    stars: Annotated[int | None, Figure("stars", meaning="none where it has none or is excluded")]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A discipline whose target cannot be reached: experts or answers that are missing."""

    discipline: Annotated[str, Figure("discipline")]
    experts: Annotated[int, Figure("experts", meaning="experts that are missing")]
    answers: Annotated[int, Figure("answers", meaning="answers that are missing")]


@dataclass(frozen=True, slots=True)
class AnswersAssigned:
    """How many answers experts were given, and the disciplines whose target cannot be reached."""

    assigned: Annotated[int, Figure("assigned", meaning="answers given to experts")]
    short: tuple[Shortfall, ...]


@dataclass(frozen=True, slots=True)
class ToMark:
    """What an expert sees of one answer.

    It does not tell whose answer it is, in which session, or what a judge gave. `left` and `today` count
    what the expert still has, and may still mark today.
    """

    code: Annotated[str, Figure("code")]
    discipline: Annotated[str, Figure("discipline")]
    question: Annotated[str, Figure("question")]
    key: Annotated[str, Figure("key", meaning="the key in words")]
    answer: Annotated[str, Figure("answer")]
    left: Annotated[int, Hidden()]
    today: Annotated[int, Hidden()]


@dataclass(frozen=True, slots=True)
class NextToMark:
    """An expert's next answer; None when everything is marked."""

    next: ToMark | None

    @property
    def left(self) -> Annotated[int, Figure("left", meaning="answers that the expert still has to mark")]:
        """How many answers the expert still has to mark."""
        return 0 if self.next is None else self.next.left

    @property
    def today(self) -> Annotated[int | None, Figure("today", meaning="answers that may still be marked")]:
        """How many answers the expert may still mark today."""
        return None if self.next is None else self.next.today


@dataclass(frozen=True, slots=True)
class StarsGiven:
    """The stars that an expert gave an answer."""

    code: Annotated[str, Figure("code")]
    reviewer: Annotated[str, Figure("reviewer")]
    stars: Annotated[int, Figure("stars", least=0, most=3)]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Cohen's kappa of two raters on the answers of one model, or of `all`.

    `kappa` takes the four stars as they are, as seed 003's table 10 does; `weighted_kappa` counts a near miss
    as half a hit by quadratic weights. An answer that two experts marked gives two pairs of marks.
    """

    rater: Annotated[str, Figure("rater")]
    model: Annotated[str, Figure("model", meaning="all: over all models")]
    n: Annotated[int, Figure("n", meaning="pairs of marks")]
    kappa: Annotated[float | None, Figure("kappa", digits=3, meaning="none where it is not defined")]
    interval: Annotated[Interval | None, Flat(only=("low", "high")), Figure("95 %", meaning="of kappa")]
    observed: Annotated[
        float | None, Figure("same stars", digits=3, meaning="share of pairs with the same stars", of="n")
    ]
    weighted_kappa: Annotated[
        float | None, Figure("weighted", digits=3, meaning="kappa with quadratic weights")
    ]


@dataclass(frozen=True, slots=True)
class Covered:
    """How far a discipline is marked."""

    discipline: Annotated[str, Figure("discipline")]
    experts: Annotated[int, Figure("experts", meaning="experts who have marked in it")]
    answers: Annotated[int, Figure("answers", meaning="answers that are marked")]
    twice: Annotated[int, Figure("twice", meaning="answers that are marked twice", of="answers")]
    waiting: Annotated[int, Figure("waiting", meaning="marks that are still to be given")]


@dataclass(frozen=True, slots=True)
class ExpertWork:
    """What one expert has done."""

    reviewer: Annotated[str, Figure("expert")]
    assigned: Annotated[int, Figure("given", meaning="answers given to the expert")]
    marked: Annotated[int, Figure("marked", of="assigned")]
    hours: Annotated[float, Figure("hours", digits=2)]
    untimed: Annotated[int, Figure("without time", meaning="marks without a time", of="marked")]
    cost: Annotated[
        float | None,
        Figure("cost", unit="USD", meaning="unknown where rate or times are", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class ExpertAgreement:
    """How far judges agree with experts, what experts have covered, and what they have done."""

    agreement: tuple[Agreed, ...]
    coverage: tuple[Covered, ...]
    work: tuple[ExpertWork, ...]


def _kappa_interval(agreed: Agreed) -> str:
    return "-" if agreed.interval is None else f"{agreed.interval.low:.3f} to {agreed.interval.high:.3f}"


MARKINGS: Final = Table(Marking, name="sessions")
EXCLUSIONS: Final = Table(QuestionExclusion, name="excluded")
AGREEMENTS: Final = Table(
    Agreed, ("rater", "model", "n", "kappa", Column("95 %", _kappa_interval), "observed", "weighted_kappa")
)
COVERAGE: Final = Table(Covered)
EXPERT_WORK: Final = Table(ExpertWork)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "exam-exclude": (EXCLUSIONS, "assay exam exclude --json: questions newly excluded"),
    "exam-experts-agreement": (ExpertAgreement, "assay exam experts agreement --json"),
    "exam-experts-assign": (AnswersAssigned, "assay exam experts assign --json"),
    "exam-experts-mark": (StarsGiven, "assay exam experts mark --json"),
    "exam-experts-next": (NextToMark, "assay exam experts next --json"),
    "exam-manifest": (SessionManifest, "assay exam manifest --json"),
    "exam-mark": (MARKINGS, "assay exam mark --json"),
    "sit": (SittingProgress, "assay sit --json: how a sitting stands; no question and no answer is in it"),
}
