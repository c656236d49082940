"""Judged grading: the panel, what a judge is shown, its mark, and the protocol of a judged grader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeGuard

from assay.core.ask import ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec

Bench = Literal["panel", "geval"]


@dataclass(frozen=True, slots=True)
class Panel:
    """The judges of a run, by model names, and their rules.

    `judges` each mark every answer; `geval` is the judge of G-Eval, None for no G-Eval. A judge does not mark
    answers of its own model, or of its whole family (`exclude`). `substitute` replaces a single judge that is
    excluded; without one such a mark is flagged as self-judged. With `flags` judges see what the auto-checks
    flagged. `max_tokens` is a judge's output budget, reasoning included.
    """

    judges: tuple[str, ...] = ()
    geval: str | None = None
    exclude: Literal["self", "family"] = "self"
    substitute: str | None = None
    flags: bool = True
    max_tokens: int = 8192

    @property
    def names(self) -> tuple[str, ...]:
        """All models that judge, each once: the panel, the judge of G-Eval, the substitute."""
        named = (*self.judges, self.geval, self.substitute)
        return tuple(dict.fromkeys(name for name in named if name is not None))


@dataclass(frozen=True, slots=True)
class ShownToJudge:
    """The part of a sample that a judge sees: the answer, the auto-checks' flags in words, and a fence.

    `fence` is random letters and digits that the answer's author could not know.
    """

    answer: str
    flags: tuple[str, ...] = ()
    fence: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """One judge's mark on one answer. `value` is in the metric's own units (1-5, 0-3, 0-1).

    `value` is None if and only if no mark could be read; `reason` then says why. `mode` is the way in which
    it was read (`json`, `logprobs`, `integer`, ...).
    """

    value: float | None
    rationale: str = ""
    reason: str | None = None
    mode: str = ""


class JudgedGrader(Protocol):
    """A grader that asks judges. It is written for one judge; for a panel it is run once per judge.

    `bench` selects the judges: every judge of the panel, or the judge of G-Eval. `scale` holds the lowest and
    the highest mark. `metrics` are marked separately, with one ask each. `essence` is everything that can
    change a mark besides judge, answer and flags: equal essences make equal questions. `ask` writes the
    question (its `model` stays empty, since any judge may be asked); `read` turns the replies so far into a
    mark, or into one more ask after an unreadable reply.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    bench: ClassVar[Bench]
    scale: ClassVar[tuple[float, float]]

    def problems(self, spec: GraderSpec) -> tuple[str, ...]: ...

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]: ...

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str: ...

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge) -> ModelAsk: ...

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk: ...


def is_judged(grader: object) -> TypeGuard[JudgedGrader]:
    """Return whether a grader asks judges."""
    return hasattr(grader, "bench")
