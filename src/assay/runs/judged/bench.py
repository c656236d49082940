"""The bench: the judges of a run, ready to be asked, and how their marks on one answer come together."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from assay.calls.ask import Caller, KeyRefused
from assay.calls.circuit import CircuitOpen
from assay.calls.progress import add_reason
from assay.calls.record import Recorder
from assay.core.ask import CallStatus, ErrorKind, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.errors import AssayError
from assay.core.grade import Grade
from assay.core.judging import JudgedGrader, Mark, Panel, Shown
from assay.core.model import Model
from assay.grading.panel import metrics_grade, panel_grade
from assay.runs.judged.question import Fences, Question, digest_of
from assay.runs.judged.recall import Recall
from assay.runs.judged.seating import Judge, Seat, seated
from assay.store.ledger import MarkRow

T = TypeVar("T")

MOST_ASKS = 4
MOST_FAILURES = 8
MOST_ESSENCES = 4096
LONGEST_METRIC, LONGEST_MODE, LONGEST_PURPOSE = 32, 16, 16
"""What the store takes: of a grader's name for a metric, for how it was read, and for why a call was made."""
PRETENDED = ("simulated", "recorded")
NO_JUDGE = "no judge: name one with --judge, or `judges` in the workspace"

UNROUTED = (
    " (its pin must take every parameter: set those that it lacks to null in the judge's `parameters`, "
    "or pin another)"
)


class Judging(Protocol):
    """Puts one answer to judges: the grader's ordinal, case, spec and grader, the answer, its flags."""

    async def __call__(
        self,
        ordinal: int,
        case: Case,
        spec: GraderSpec,
        grader: JudgedGrader,
        answer: str,
        flags: tuple[str, ...],
        /,
    ) -> Grade: ...


class Sample(NamedTuple):
    """Where marks belong: the run's position, the grader's ordinal in its case, and whose answer it is."""

    position: int
    ordinal: int
    subject: Model


@dataclass(frozen=True, slots=True)
class Bench:
    """Judges' marks on answers, one ask each judge and metric, each recorded as it is read.

    `recall` is None where nothing is to be used again. `day` (ISO) enters the keys of a watch's marks,
    so that they are judged anew every day. `purpose` stands in the ledger in the place of what graders say.
    `clock` gives UTC seconds since 1970. `unread` counts the marks that are missing, by judge and reason.
    """

    run: int
    caller: Caller
    recorder: Recorder
    panel: Panel
    judges: Mapping[str, Judge]
    recall: Recall | None
    clock: Callable[[], float]
    day: str | None = None
    purpose: str | None = None
    unread: Counter[str] = field(default_factory=Counter)
    _seats: dict[tuple[str, int], tuple[Model, tuple[Seat, ...], dict[str, str]]] = field(
        default_factory=dict
    )
    _essences: dict[tuple[int, int, str], tuple[Case, GraderSpec, bytes]] = field(default_factory=dict)
    _instances: dict[int, bytes] = field(default_factory=dict)
    _fences: Fences = field(default_factory=Fences)
    _parameters: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = field(default_factory=dict)

    @property
    def refusals(self) -> tuple[str, ...]:
        """Say which parameters the judges' endpoints turned out to refuse."""
        seats = [judge.subject for judge in self.judges.values() if judge.subject is not None]
        return tuple(f"judge {seat.model.name} was {seat.learned}" for seat in seats if seat.learned)

    def on(self, position: int, subject: Model) -> Judging:
        """Return what puts the answer at a position, which a subject gave, to the judges."""

        async def judging(
            ordinal: int,
            case: Case,
            spec: GraderSpec,
            grader: JudgedGrader,
            answer: str,
            flags: tuple[str, ...],
        ) -> Grade:
            return await self.grade(Sample(position, ordinal, subject), case, spec, grader, answer, flags)

        return judging

    async def grade(
        self,
        at: Sample,
        case: Case,
        spec: GraderSpec,
        grader: JudgedGrader,
        answer: str,
        flags: tuple[str, ...],
    ) -> Grade:
        """Return the grade that the judges' marks on an answer make; ungraded when none gives one."""
        try:
            return await self._grade(at, case, spec, grader, answer, flags)
        except AssayError:
            raise
        except Exception as error:  # noqa: BLE001 - a grader's fault is recorded; the run goes on
            return Grade.ungraded(f"grader {spec.name!r} failed: {type(error).__name__}: {error}")

    async def _grade(
        self,
        at: Sample,
        case: Case,
        spec: GraderSpec,
        grader: JudgedGrader,
        answer: str,
        flags: tuple[str, ...],
    ) -> Grade:
        seats, left_out = self._seated(grader.bench, at.subject)
        if not seats:
            reason = "; ".join(f"{name} {why}" for name, why in left_out.items())
            return Grade.ungraded(reason or NO_JUDGE)
        shown = Shown(answer, flags if self.panel.flags else (), self._fences.draw())
        metrics = grader.metrics(spec)
        if any(len(metric) > LONGEST_METRIC for metric in metrics):
            raise ValueError(f"a metric's name has more than {LONGEST_METRIC} characters: {metrics!r}")
        questions = [Question(case, spec, grader, metric, shown) for metric in metrics]
        if self.recall is not None:
            self._identify(questions, shown)
        found = await together(
            [self._mark(at, question, seat.judge) for seat in seats for question in questions]
        )
        if grader.bench == "geval":
            grade = metrics_grade(grader.scale, list(zip(metrics, found, strict=True)))
        else:
            named = [(seat.judge.model.name, mark) for seat, mark in zip(seats, found, strict=True)]
            grade = panel_grade(grader.scale, named)
        evidence = dict(grade.evidence)
        if grader.bench == "geval":
            evidence["judge"] = seats[0].judge.model.name
        if left_out:
            evidence["left_out"] = left_out
        own = {seat.judge.model.name: seat.own for seat in seats if seat.own}
        if own:
            evidence["self_judged"] = own
        return replace(grade, evidence=evidence)

    def _seated(self, bench: str, subject: Model) -> tuple[tuple[Seat, ...], dict[str, str]]:
        """Return who marks a subject's answers, and why the others do not."""
        known = self._seats.get((bench, id(subject)))
        if known is None or known[0] is not subject:
            seats, left_out = seated(self.panel, self.judges, bench, subject)
            known = self._seats[bench, id(subject)] = (subject, seats, left_out)
        return known[1], known[2]

    async def _mark(self, at: Sample, question: Question, judge: Judge) -> Mark:
        if self.recall is None:
            return await self._converse(at, question, judge, None)
        key = digest_of(question.digest, self._instance(judge), size=16)
        found = await self.recall.mark(key, lambda: self._converse(at, question, judge, key))
        if found.reused:
            self._record(at, question.metric, judge, found.mark, key, reused=True)
        return found.mark

    async def _converse(self, at: Sample, question: Question, judge: Judge, key: bytes | None) -> Mark:
        """Ask a judge until it has given a mark or cannot, and record that together with its last call."""
        replies: tuple[ModelReply, ...] = ()
        mark: Mark | None = None
        try:
            ask = question.opening()
            for _ in range(MOST_ASKS):
                if judge.subject is None or judge.absent is not None:
                    mark = Mark(None, reason=judge.absent or NO_JUDGE)
                    break
                try:
                    addressed = self._addressed(ask, at, judge, question.shown)
                    reply = await self.caller.model(judge.subject, addressed, at.position)
                except (KeyRefused, CircuitOpen) as error:
                    judge.absent = str(error)
                    continue
                self._watch(judge, reply)
                replies = (*replies, reply)
                read = question.read(replies)
                if isinstance(read, Mark):
                    mark = checked(read, question.grader.scale, question.spec.name)
                    break
                ask = read
        except AssayError:
            raise
        except Exception as error:  # noqa: BLE001 - what a grader cannot ask or read is a mark that is missing
            mark = Mark(None, reason=f"{error}" or type(error).__name__)
        name = question.spec.name
        mark = mark or Mark(None, reason=f"grader {name!r} asked more than {MOST_ASKS} times")
        return self._record(at, question.metric, judge, mark, key, reused=False)

    def _record(
        self, at: Sample, metric: str, judge: Judge, mark: Mark, key: bytes | None, *, reused: bool
    ) -> Mark:
        """Record a mark and return it."""
        if mark.value is None:
            add_reason(self.unread, f"{judge.model.name}: {mark.reason}")
        self.recorder.mark(
            MarkRow(
                self.run,
                at.position,
                at.ordinal,
                judge.row,
                metric,
                mark.value,
                None if mark.reason is None else storable(mark.reason),
                storable(mark.rationale),
                storable(mark.mode[:LONGEST_MODE]),
                key,
                int(reused),
                self.clock(),
            )
        )
        return mark

    def _watch(self, judge: Judge, reply: ModelReply) -> None:
        """Put a judge aside that fails again and again: what it would fail at costs hours of retries."""
        judge.failures = judge.failures + 1 if reply.status is CallStatus.ERROR else 0
        if judge.failures >= MOST_FAILURES:
            cure = UNROUTED if reply.error is ErrorKind.NO_ROUTE and judge.model.pin is not None else ""
            detail = "" if reply.detail is None else f": {reply.detail}"
            told = f"{reply.error}{cure}{detail}"
            judge.absent = f"put aside after {MOST_FAILURES} failed calls in a row, the last one: {told}"

    def _addressed(self, ask: ModelAsk, at: Sample, judge: Judge, shown: Shown) -> ModelAsk:
        """Return the ask with the panel's output budget; for our own stand-ins also with what it is about."""
        known = self._parameters.get(id(ask.parameters))
        if known is None or known[0] is not ask.parameters:
            known = (ask.parameters, {**ask.parameters, "max_tokens": self.panel.max_tokens})
            if len(self._parameters) > 64:
                self._parameters.clear()
            self._parameters[id(ask.parameters)] = known
        about: Mapping[str, str] = {}
        assert judge.subject is not None
        if judge.subject.lane.endpoint.provider.dialect in PRETENDED:
            answer = hashlib.sha256(shown.answer.encode("utf-8", "surrogatepass")).hexdigest()
            about = {**ask.about, "subject": at.subject.name, "answer": answer}
        return ModelAsk(
            (self.purpose or ask.purpose)[:LONGEST_PURPOSE],
            judge.model.name,
            ask.messages,
            known[1],
            ask.response_schema,
            ask.sealed,
            about,
        )

    def _identify(self, questions: Sequence[Question], shown: Shown) -> None:
        """Give questions what names them: equal exactly when nothing but the judge bears on the mark."""
        answered = digest_of("\0".join((*shown.flags, "", shown.answer)))
        for question in questions:
            case, spec, metric = question.case, question.spec, question.metric
            known = self._essences.get((id(case), id(spec), metric))
            if known is None or known[0] is not case or known[1] is not spec:
                grader = question.grader
                essence = f"{grader.name}\n{grader.version}\n{metric}\n{grader.essence(case, spec, metric)}"
                if len(self._essences) >= MOST_ESSENCES:
                    self._essences.clear()
                known = self._essences[id(case), id(spec), metric] = (case, spec, digest_of(essence))
            question.digest = known[2] + answered

    def _instance(self, judge: Judge) -> bytes:
        """Return what names a judge as it judges in this run: its settings, the day, its output budget."""
        known = self._instances.get(judge.row)
        if known is None:
            parts = (judge.model.fingerprint, self.day or "", str(self.panel.max_tokens))
            known = self._instances[judge.row] = digest_of("\0".join(parts))
        return known


def checked(mark: Mark, scale: tuple[float, float], name: str) -> Mark:
    """Return a mark, without its value where that lies outside the scale."""
    if mark.value is None or scale[0] <= mark.value <= scale[1]:
        return mark
    return replace(mark, value=None, reason=f"grader {name!r} read {mark.value!r}, outside {scale}")


def storable(text: str) -> str:
    """Return a text that every database takes: it may quote an answer, NUL and half surrogates included."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\ufffd")


async def together(jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Carry out jobs side by side; a failure is raised when all have ended, so that none is left alone."""
    if len(jobs) == 1:
        return [await jobs[0]]
    ended = await asyncio.gather(*jobs, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return [each for each in ended if not isinstance(each, BaseException)]
