"""The bench: the judges of a run, ready to be asked, and how their marks on one answer become a grade."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Engine

from assay.calls.ask import KeyRefused
from assay.calls.circuit import CircuitOpen
from assay.calls.progress import add_reason
from assay.calls.subjects import RunCalls
from assay.core.ask import CallStatus, ErrorKind, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.errors import AssayError
from assay.core.grade import Grade
from assay.core.judging import JudgedGrader, Mark, Panel, ShownToJudge
from assay.core.model import Model
from assay.grading.composite import metrics_grade, panel_grade
from assay.grading.geval_library import CannotAsk, library
from assay.runs.judging.judges import AssignedJudge, Judge, assign_judges, ready_judges
from assay.runs.judging.recall import Lookup, Recall
from assay.runs.plan import Plan
from assay.store.marks import any_marks, marks_by_key
from assay.store.rows import MarkRow
from assay.store.runs import StoredRun

T = TypeVar("T")

MOST_ASKS = 4
MOST_FAILURES = 8
MOST_CACHED = 4096
LONGEST_METRIC, LONGEST_MODE, LONGEST_PURPOSE = 32, 16, 16
"""The column widths of a metric's name, of the way in which a mark was read, and of a call's purpose."""
STAND_INS = ("simulated", "recorded")
NO_JUDGE = "no judge: name one with --judge, or `judges` in the workspace"

UNROUTED = (
    " (its pin must take every parameter: set those that it lacks to null in the judge's `parameters`, "
    "or pin another)"
)


class AnswerToJudge(NamedTuple):
    """An answer that judges are to mark: by which grader of its case, and what the auto-checks flagged.

    `ordinal` is the grader's position in the case.
    """

    ordinal: int
    case: Case
    spec: GraderSpec
    grader: JudgedGrader
    text: str
    flags: tuple[str, ...]


Judging = Callable[[AnswerToJudge], Coroutine[Any, Any, Grade]]
"""A function that has an answer marked by judges and returns the grade."""


class _Sample(NamedTuple):
    """The sample that marks belong to: its position in the run, and the model that answered."""

    position: int
    subject: Model


class _Question:
    """A question about one answer for one metric, the same for every judge.

    `digest` identifies everything in it that can change a mark.
    """

    __slots__ = ("_opening", "answer", "digest", "metric", "shown")

    def __init__(self, answer: AnswerToJudge, metric: str, shown: ShownToJudge) -> None:
        self.answer, self.metric, self.shown = answer, metric, shown
        self.digest = b""
        self._opening: ModelAsk | None = None

    def opening(self) -> ModelAsk:
        """Return the first ask."""
        if self._opening is None:
            answer = self.answer
            self._opening = answer.grader.ask(answer.case, answer.spec, self.metric, self.shown)
        return self._opening

    def read(self, replies: tuple[ModelReply, ...]) -> Mark | ModelAsk:
        """Return the mark, or one more ask."""
        answer = self.answer
        return answer.grader.read(answer.case, answer.spec, self.metric, self.shown, replies)


class _Fences:
    """A source of unpredictable texts, faster than asking the operating system for each of them."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._drawn = 0

    def draw(self) -> str:
        """Return 16 hexadecimal digits."""
        self._drawn += 1
        drawn = self._drawn.to_bytes(8, "big")
        return hashlib.blake2b(drawn, key=self._secret, digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges of a run. Each judge is asked once for each metric, and each mark is recorded when read.

    `recall` is None if no earlier marks may be used. `day` (ISO) is part of the keys of a watch's marks, so
    that answers are judged anew every day. `purpose` replaces the graders' purpose of calls in the ledger.
    `unread` counts the missing marks, by judge and reason.
    """

    run: int
    calls: RunCalls
    panel: Panel
    judges: Mapping[str, Judge]
    recall: Recall | None
    day: str | None = None
    purpose: str | None = None
    unread: Counter[str] = field(default_factory=Counter)
    _assigned: dict[tuple[str, int], tuple[Model, tuple[AssignedJudge, ...], dict[str, str]]] = field(
        default_factory=dict
    )
    _essences: dict[tuple[int, int, str], tuple[Case, GraderSpec, bytes]] = field(default_factory=dict)
    _judge_digests: dict[int, bytes] = field(default_factory=dict)
    _fences: _Fences = field(default_factory=_Fences)
    _parameters: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = field(default_factory=dict)

    @property
    def refusals(self) -> tuple[str, ...]:
        """Sentences about the parameters that the judges' endpoints refused."""
        subjects = [judge.subject for judge in self.judges.values() if judge.subject is not None]
        return tuple(
            f"judge {subject.model.name} was {subject.learned}" for subject in subjects if subject.learned
        )

    def on(self, position: int, subject: Model) -> Judging:
        """Return the function that has the subject's answer at a position marked."""
        return partial(self._grade, _Sample(position, subject))

    async def _grade(self, sample: _Sample, answer: AnswerToJudge) -> Grade:
        """Return the grade that the judges' marks on an answer make; ungraded if none gives a mark."""
        try:
            return await self._combine_marks(sample, answer)
        except AssayError:
            raise
        except Exception as error:  # noqa: BLE001 - a grader's fault is recorded; the run goes on
            return Grade.ungraded(f"grader {answer.spec.name!r} failed: {type(error).__name__}: {error}")

    async def _combine_marks(self, sample: _Sample, answer: AnswerToJudge) -> Grade:
        grader = answer.grader
        assigned, left_out = self._assign(grader.bench, sample.subject)
        if not assigned:
            reason = "; ".join(f"{name} {conflict}" for name, conflict in left_out.items())
            return Grade.ungraded(reason or NO_JUDGE)
        shown = ShownToJudge(answer.text, answer.flags if self.panel.flags else (), self._fences.draw())
        metrics = grader.metrics(answer.spec)
        if any(len(metric) > LONGEST_METRIC for metric in metrics):
            raise ValueError(f"a metric's name has more than {LONGEST_METRIC} characters: {metrics!r}")
        questions = [_Question(answer, metric, shown) for metric in metrics]
        if self.recall is not None:
            self._set_digests(questions, shown)
        marks = await gather_all(
            [self._mark(sample, question, member.judge) for member in assigned for question in questions]
        )
        if grader.bench == "geval":
            grade = metrics_grade(grader.scale, list(zip(metrics, marks, strict=True)))
        else:
            named = [(member.judge.model.name, mark) for member, mark in zip(assigned, marks, strict=True)]
            grade = panel_grade(grader.scale, named)
        evidence = dict(grade.evidence)
        if grader.bench == "geval":
            evidence["judge"] = assigned[0].judge.model.name
        if left_out:
            evidence["left_out"] = left_out
        conflicts = {member.judge.model.name: member.conflict for member in assigned if member.conflict}
        if conflicts:
            evidence["self_judged"] = conflicts
        return replace(grade, evidence=evidence)

    def _assign(self, bench: str, subject: Model) -> tuple[tuple[AssignedJudge, ...], dict[str, str]]:
        """Return the judges of a subject's answers, and the reasons why others do not mark them."""
        cached = self._assigned.get((bench, id(subject)))
        if cached is None or cached[0] is not subject:
            assigned, left_out = assign_judges(self.panel, self.judges, bench, subject)
            cached = self._assigned[bench, id(subject)] = (subject, assigned, left_out)
        return cached[1], cached[2]

    async def _mark(self, sample: _Sample, question: _Question, judge: Judge) -> Mark:
        if self.recall is None:
            return await self._converse(sample, question, judge, None)
        key = _digest(question.digest, self._judge_digest(judge), size=16)
        recalled = await self.recall.mark(key, lambda: self._converse(sample, question, judge, key))
        if recalled.reused:
            self._record(sample, question, judge, recalled.mark, key, reused=True)
        return recalled.mark

    async def _converse(self, sample: _Sample, question: _Question, judge: Judge, key: bytes | None) -> Mark:
        """Ask a judge until it has given a mark or cannot, and record the mark with its last call."""
        replies: tuple[ModelReply, ...] = ()
        mark: Mark | None = None
        name = question.answer.spec.name
        try:
            ask = question.opening()
            for _ in range(MOST_ASKS):
                if judge.subject is None or judge.absent is not None:
                    mark = Mark(None, reason=judge.absent or NO_JUDGE)
                    break
                try:
                    addressed = self._address(ask, sample, judge, question.shown)
                    reply = await self.calls.caller.ask(judge.subject, addressed, sample.position)
                except (KeyRefused, CircuitOpen) as error:
                    judge.absent = str(error)
                    continue
                self._count_failures(judge, reply)
                replies = (*replies, reply)
                read = question.read(replies)
                if isinstance(read, Mark):
                    mark = within_scale(read, question.answer.grader.scale, name)
                    break
                ask = read
        except AssayError:
            raise
        except Exception as error:  # noqa: BLE001 - if a grader cannot ask or read, the mark is missing
            mark = Mark(None, reason=f"{error}" or type(error).__name__)
        mark = mark or Mark(None, reason=f"grader {name!r} asked more than {MOST_ASKS} times")
        self._record(sample, question, judge, mark, key, reused=False)
        return mark

    def _record(
        self,
        sample: _Sample,
        question: _Question,
        judge: Judge,
        mark: Mark,
        key: bytes | None,
        *,
        reused: bool,
    ) -> None:
        if mark.value is None:
            add_reason(self.unread, f"{judge.model.name}: {mark.reason}")
        self.calls.recorder.mark(
            MarkRow(
                self.run,
                sample.position,
                question.answer.ordinal,
                judge.row,
                question.metric,
                mark.value,
                None if mark.reason is None else storable(mark.reason),
                storable(mark.rationale),
                storable(mark.mode[:LONGEST_MODE]),
                key,
                int(reused),
                self.calls.context.clock(),
            )
        )

    def _count_failures(self, judge: Judge, reply: ModelReply) -> None:
        """Put a judge aside after `MOST_FAILURES` failures in a row, since its retries would take hours."""
        judge.failures = judge.failures + 1 if reply.status is CallStatus.ERROR else 0
        if judge.failures >= MOST_FAILURES:
            cure = UNROUTED if reply.error is ErrorKind.NO_ROUTE and judge.model.pin is not None else ""
            detail = "" if reply.detail is None else f": {reply.detail}"
            last = f"{reply.error}{cure}{detail}"
            judge.absent = f"put aside after {MOST_FAILURES} failed calls in a row, the last one: {last}"

    def _address(self, ask: ModelAsk, sample: _Sample, judge: Judge, shown: ShownToJudge) -> ModelAsk:
        """Return an ask with the panel's output budget, and its subject for simulated and recorded judges."""
        cached = self._parameters.get(id(ask.parameters))
        if cached is None or cached[0] is not ask.parameters:
            cached = (ask.parameters, {**ask.parameters, "max_tokens": self.panel.max_tokens})
            if len(self._parameters) > 64:
                self._parameters.clear()
            self._parameters[id(ask.parameters)] = cached
        about: Mapping[str, str] = {}
        assert judge.subject is not None
        if judge.subject.provider.endpoint.provider.dialect in STAND_INS:
            answer = hashlib.sha256(shown.answer.encode("utf-8", "surrogatepass")).hexdigest()
            about = {**ask.about, "subject": sample.subject.name, "answer": answer}
        return ModelAsk(
            (self.purpose or ask.purpose)[:LONGEST_PURPOSE],
            judge.model.name,
            ask.messages,
            cached[1],
            ask.response_schema,
            ask.sealed,
            about,
        )

    def _set_digests(self, questions: Sequence[_Question], shown: ShownToJudge) -> None:
        """Set the questions' digests: equal exactly if only the judge can make the marks differ."""
        answered = _digest("\0".join((*shown.flags, "", shown.answer)))
        for question in questions:
            case, spec, metric = question.answer.case, question.answer.spec, question.metric
            cached = self._essences.get((id(case), id(spec), metric))
            if cached is None or cached[0] is not case or cached[1] is not spec:
                grader = question.answer.grader
                essence = f"{grader.name}\n{grader.version}\n{metric}\n{grader.essence(case, spec, metric)}"
                if len(self._essences) >= MOST_CACHED:
                    self._essences.clear()
                cached = self._essences[id(case), id(spec), metric] = (case, spec, _digest(essence))
            question.digest = cached[2] + answered

    def _judge_digest(self, judge: Judge) -> bytes:
        """Return the digest of a judge as it marks in this run: its settings, the day, its output budget."""
        digest = self._judge_digests.get(judge.row)
        if digest is None:
            parts = (judge.model.fingerprint, self.day or "", str(self.panel.max_tokens))
            digest = self._judge_digests[judge.row] = _digest("\0".join(parts))
        return digest


def open_bench(
    stored: StoredRun, plan: Plan, calls: RunCalls, *, unread: Counter[str], shared: bool = False
) -> Bench:
    """Return the bench of a run. Marks of a watch are used again on their day only, recorded ones never.

    `unread` receives the missing marks, by reason. With `shared`, other processes mark for the same run.
    """
    judges = ready_judges(plan.judges, calls)
    recorded = any(
        judge.subject is not None and judge.subject.provider.endpoint.provider.dialect == "recorded"
        for judge in judges.values()
    )
    return Bench(
        stored.id,
        calls,
        plan.panel,
        judges,
        None if recorded else Recall(_lookup(calls.context.engine, judges, shared=shared)),
        stored.day if stored.kind == "watch" else None,
        unread=unread,
    )


def _lookup(engine: Engine, judges: Mapping[str, Judge], *, shared: bool) -> Lookup | None:
    """Return the function that reads marks by key from the store; None if it holds none of these judges."""
    if not shared and not any_marks(engine, {judge.row for judge in judges.values()}):
        return None

    def lookup(keys: list[bytes]) -> dict[bytes, Mark]:
        rows = marks_by_key(engine, keys)
        return {key: Mark(row.value, row.rationale, row.reason, row.mode) for key, row in rows.items()}

    return lookup


def load_geval() -> None:
    """Import the library of G-Eval, which takes a second; errors are reported when it is used."""
    with suppress(CannotAsk):
        library()


def within_scale(mark: Mark, scale: tuple[float, float], name: str) -> Mark:
    """Return a mark, without its value if that lies outside the scale."""
    if mark.value is None or scale[0] <= mark.value <= scale[1]:
        return mark
    return replace(mark, value=None, reason=f"grader {name!r} read {mark.value!r}, outside {scale}")


def storable(text: str) -> str:
    """Return a text without NUL and half surrogate pairs, which not every database accepts."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\ufffd")


def _digest(*parts: str | bytes, size: int = 32) -> bytes:
    """Return the BLAKE2b digest of texts and bytes, concatenated; `size` in bytes."""
    whole = hashlib.blake2b(digest_size=size)
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
    return whole.digest()


async def gather_all(jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run jobs concurrently; a failure is raised after all have ended, so that none keeps running."""
    if len(jobs) == 1:
        return [await jobs[0]]
    ended = await asyncio.gather(*jobs, return_exceptions=True)
    for result in ended:
        if isinstance(result, BaseException):
            raise result
    return [result for result in ended if not isinstance(result, BaseException)]
