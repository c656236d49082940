"""Results of sitting and marking an exam: receipts, stars, exclusions, manifests and experts' work."""

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
    """The examiner's receipt for an answer."""

    position: Annotated[int, Figure("position")]
    receipt: Annotated[str, Figure("receipt")]
    status: Annotated[str, Figure("status", meaning="answered, late or timed-out")]


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """The progress of a session: its state, its quota, and the number of completed questions."""

    state: Annotated[str, Figure("state", meaning="state of the session, in the examiner's word")]
    quota: Annotated[int, Figure("quota", meaning="questions of the session")]
    completed: Annotated[int, Figure("completed", meaning="questions that are completed", of="quota")]

    @property
    def open(self) -> bool:
        """Whether questions are left, and the session accepts answers."""
        return self.state == "open" and self.completed < self.quota


@dataclass(slots=True)
class SittingTally:
    """The counts of one `assay sit` command: new and reused answers, and answers with a problem."""

    asked: Annotated[int, Figure("asked", meaning="answers that this command got from the model")] = 0
    reused: Annotated[int, Figure("reused", meaning="answers paid for earlier and submitted now")] = 0
    invalid: Annotated[int, Figure("invalid", meaning="empty answers that this command submitted")] = 0
    cut: Annotated[int, Figure("cut", meaning="answers cut to the length that the examiner accepts")] = 0
    refused: Annotated[int, Figure("refused", meaning="answers that came too late to be accepted")] = 0
    receipts: Annotated[dict[int, Receipt], Hidden()] = field(default_factory=dict)
    """All receipts known, by position."""


@dataclass(frozen=True, slots=True)
class SittingProgress:
    """The progress of a sitting after one `assay sit` command. It holds no question and no answer.

    `error` is the error that stopped it; None if the user stopped it.
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
        str | None, Figure("again", meaning="the command that continues; none when nothing is left")
    ]

    @property
    def receipts(self) -> Annotated[tuple[Receipt, ...], Figure("receipts", meaning="all that are known")]:
        """All receipts that are known, by position."""
        return tuple(receipt for _, receipt in sorted(self.tally.receipts.items()))


@dataclass(frozen=True, slots=True)
class Marking:
    """The result of a marking. Counts are over all judges."""

    session: Annotated[str, Figure("session")]
    judges: Annotated[tuple[str, ...], Figure("judges")]
    run: Annotated[int | None, Figure("run", meaning="none if no answer had to be marked by a judge")]
    marked: Annotated[int, Figure("marked", meaning="answers that got stars")]
    unread: Annotated[
        Mapping[str, int],
        Listed("reason", "n"),
        Figure("unread", meaning="answers to which a judge gave no readable stars, by reason"),
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
    """An answer, a mark, a replaced mark or an exclusion; fields that do not apply are None."""

    row: Annotated[RowKind, Figure("row")]
    position: Annotated[int, Figure("position")]
    question: Annotated[str, Figure("question", meaning="its UUID")]
    version: Annotated[int, Figure("version", meaning="the question's version that was served")]
    discipline: Annotated[str, Figure("discipline")]
    status: Annotated[AnswerStatus | None, Figure("status")] = None
    stars: Annotated[
        int | None,
        Figure(
            "stars", meaning="of an answer: 0 if a rule gives them; of a mark: the judge's", least=0, most=3
        ),
    ] = None
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
        float | None, Figure("at", meaning="when the row was made", unit="UTC seconds since 1970")
    ] = None
    replaced_at: Annotated[float | None, Figure("replaced", unit="UTC seconds since 1970")] = None
    prompt_tokens: Annotated[int | None, Figure("prompt tokens")] = None
    completion_tokens: Annotated[int | None, Figure("completion tokens")] = None
    seconds: Annotated[float | None, Figure("seconds", meaning="time that the candidate declared")] = None
    rationale: Annotated[str | None, Figure("rationale", meaning="written to files only")] = None


@dataclass(frozen=True, slots=True)
class SessionManifest:
    """Every answer, mark, replaced mark and exclusion of a session, by position, without keys."""

    session: Annotated[str, Figure("session")]
    rows: tuple[ManifestRow, ...]


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """One question of one sitting of a series."""

    organisation: Annotated[str, Figure("organisation")]
    model: Annotated[str, Figure("model")]
    session: Annotated[str, Figure("session")]
    draw: Annotated[int, Figure("draw")]
    state: Annotated[str, Figure("state", meaning="state of the session")]
    void: Annotated[str | None, Figure("void", meaning="why the operator declared the sitting void")]
    position: Annotated[int, Figure("position")]
    question: Annotated[str, Figure("question", meaning="its UUID")]
    version: Annotated[int, Figure("version")]
    discipline: Annotated[str, Figure("discipline")]
    standing: Annotated[str, Figure("standing", meaning="what the question counts as")]
    stars: Annotated[int | None, Figure("stars", meaning="none if it is not marked or is excluded")]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A discipline whose target cannot be reached: experts or answers that are missing."""

    discipline: Annotated[str, Figure("discipline")]
    experts: Annotated[int, Figure("experts", meaning="experts that are missing")]
    answers: Annotated[int, Figure("answers", meaning="answers that are missing")]


@dataclass(frozen=True, slots=True)
class AnswersAssigned:
    """The number of answers that experts were given, and the disciplines whose target cannot be reached."""

    assigned: Annotated[int, Figure("assigned", meaning="answers given to experts")]
    short: tuple[Shortfall, ...]


@dataclass(frozen=True, slots=True)
class ToMark:
    """One answer as an expert sees it.

    It does not show the model, the session or a judge's mark. `left` counts the answers that the expert still
    has to mark, and `today` those that the expert may still mark today.
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
        """The number of answers that the expert still has to mark."""
        return 0 if self.next is None else self.next.left

    @property
    def today(
        self,
    ) -> Annotated[int | None, Figure("today", meaning="answers that the expert may still mark today")]:
        """The number of answers that the expert may still mark today."""
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

    `kappa` has no weights, as in seed 003's table 10; `weighted_kappa` gives partial credit for near misses
    by quadratic weights. An answer that two experts marked gives two pairs of marks.
    """

    rater: Annotated[str, Figure("rater")]
    model: Annotated[str, Figure("model", meaning="`all` is over all models")]
    n: Annotated[int, Figure("n", meaning="pairs of marks")]
    kappa: Annotated[float | None, Figure("kappa", digits=3, meaning="none if it is not defined")]
    interval: Annotated[Interval | None, Flat(only=("low", "high")), Figure("95 %", meaning="of kappa")]
    observed: Annotated[
        float | None, Figure("same stars", digits=3, meaning="share of pairs with the same stars", of="n")
    ]
    weighted_kappa: Annotated[
        float | None, Figure("weighted", digits=3, meaning="kappa with quadratic weights")
    ]


@dataclass(frozen=True, slots=True)
class Covered:
    """The number of marked answers in a discipline."""

    discipline: Annotated[str, Figure("discipline")]
    experts: Annotated[int, Figure("experts", meaning="experts who have marked in it")]
    answers: Annotated[int, Figure("answers", meaning="answers that are marked")]
    twice: Annotated[int, Figure("twice", meaning="answers with two marks", of="answers")]
    waiting: Annotated[int, Figure("waiting", meaning="marks that experts still have to give")]


@dataclass(frozen=True, slots=True)
class ExpertWork:
    """The work of one expert."""

    reviewer: Annotated[str, Figure("expert")]
    assigned: Annotated[int, Figure("given", meaning="answers given to the expert")]
    marked: Annotated[int, Figure("marked", of="assigned")]
    hours: Annotated[float, Figure("hours", digits=2)]
    untimed: Annotated[int, Figure("without time", meaning="marks without a time", of="marked")]
    cost: Annotated[
        float | None,
        Figure("cost", unit="USD", meaning="unknown if rate or times are unknown", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class ExpertAgreement:
    """The agreement of judges with experts, the marked answers by discipline, and each expert's work."""

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
    "sit": (SittingProgress, "assay sit --json: the progress of a sitting, without questions and answers"),
}
