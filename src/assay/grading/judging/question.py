"""Asking a judge about one answer with a fixed prompt, and reading the replies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import ClassVar

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.documented import HelpText
from assay.core.judging import Bench, Mark, ShownToJudge
from assay.grading.judging import fence as fencing
from assay.grading.judging import verdict
from assay.grading.parameters import Parameters, PreparedSpecs

MODE = "json"
MODE_AGAIN = "json, again"
PARAMETERS = {"temperature": 0}
MOST_ASKS = 2
MOST_FLAGS = 20
LONGEST_FLAG = 300

_CODE, _TOKEN = "\x00", "\x01"
"""Placeholders for the code and the token in texts that are kept: no neutralised text contains them."""
_MOST_CASES = 64

Sections = Sequence[tuple[str, str]]
"""Names and untrusted texts that a judge is shown."""


def task(case: Case) -> Sections:
    """Return the sections with the candidate's prompt: one, or one for each turn."""
    turns = case.messages
    if len(turns) == 1 and turns[0].role == "user":
        return (("TASK", turns[0].content),)
    return tuple(
        (f"TASK TURN {number} OF {len(turns)} BY {turn.role.upper()}", turn.content)
        for number, turn in enumerate(turns, 1)
    )


class PromptGrader:
    """A judged grader that asks one question by a fixed prompt, and reads a whole mark.

    Subclasses declare the name, which is also that of the prompt, and the parameters, which are all texts.
    `required` maps each required parameter to what its author should give; `optional` lists the others.
    `parameter_sections` pairs the names of sections with the parameters that they show; the parameter
    `question` replaces the case's prompt. The questions of `sealed` graders contain an answer key.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    help: ClassVar[HelpText]
    bench: ClassVar[Bench] = "panel"
    scale: ClassVar[tuple[float, float]]
    required: ClassVar[Mapping[str, str]]
    optional: ClassVar[tuple[str, ...]]
    parameter_sections: ClassVar[Sections]
    sealed: ClassVar[bool] = False

    def __init__(self) -> None:
        self._low, self._high = map(int, self.scale)
        self._prompt = prompt(self.name)
        self._system = Message("system", self._prompt.system)
        self._closing = self._prompt.closing.replace("{token}", _TOKEN)
        self._schema = verdict.schema(self._low, self._high)
        self._fixed = repr(
            (self.name, self._prompt.version, self._prompt.text, fencing.VERSION, self._schema, PARAMETERS)
        )
        self._heads: PreparedSpecs[dict[int, tuple[Case, tuple[str, ...]]]] = PreparedSpecs(lambda spec: {})

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the problems of the parameters."""
        return text_problems(spec.parameters, self.required, self.optional)

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the name of the only metric."""
        return (self.name,)

    def sections(self, case: Case, spec: GraderSpec) -> Sections:
        """Return the sections before the answer."""
        texts = spec.parameters
        asked: Sections = (("TASK", str(texts["question"])),) if texts.get("question") else task(case)
        return (*asked, *((name, str(texts[key])) for name, key in self.parameter_sections if texts.get(key)))

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str:
        """Return everything that affects a mark except judge, answer and flags, in parts with lengths."""
        sections = [text for section in self.sections(case, spec) for text in section]
        return "".join(f"{len(part)}:{part}" for part in (self._fixed, *sections))

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge) -> ModelAsk:
        """Return the question about one answer. Raises ValueError for a fence that could be guessed."""
        return self._ask(case, spec, metric, shown, "")

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the mark in the last reply; after an unreadable first reply, the question once more.

        A failed call was already retried: it gives no mark, and its reason.
        """
        reply = replies[-1]
        if reply.status is not CallStatus.OK:
            return Mark(None, reason=explain_failure(reply))
        token = verdict.token(shown.fence)
        result = verdict.read(reply.text or "", token, self._low, self._high)
        if isinstance(result, verdict.JudgeVerdict):
            return Mark(result.mark, result.rationale, mode=MODE if len(replies) == 1 else MODE_AGAIN)
        if len(replies) < MOST_ASKS:
            return self._ask(case, spec, metric, shown, result.why)
        return Mark(None, reason=f"unreadable after {len(replies)} replies: {result.why}")

    def _ask(self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge, why: str) -> ModelAsk:
        code = fencing.checked_fence(shown.fence)
        token = verdict.token(code)
        parts = [
            code.join(self._head(case, spec)),
            fencing.section("ANSWER", fencing.neutralise(shown.answer), code),
            self._closing.replace(_TOKEN, token),
        ]
        if shown.flags:
            parts.insert(1, fencing.section("AUTOMATIC CHECKS", _flagged(shown.flags), code))
        if why:
            parts.append(self._prompt.again.replace("{token}", token).replace("{why}", why))
        about = {
            "case": case.id,
            "metric": metric,
            "grader": self.name,
            "token": token,
            "low": str(self._low),
            "high": str(self._high),
        }
        messages = (self._system, Message("user", "\n\n".join(parts)))
        return ModelAsk("judge", "", messages, PARAMETERS, self._schema, self.sealed, about)

    def _head(self, case: Case, spec: GraderSpec) -> tuple[str, ...]:
        """Return the text before the answer, in pieces to be joined by the code."""
        by_case = self._heads(spec)
        entry = by_case.get(id(case))
        if entry is not None:
            return entry[1]
        sections = [
            fencing.section(name, fencing.neutralise(text), _CODE) for name, text in self.sections(case, spec)
        ]
        opening = self._prompt.opening.replace("{code}", _CODE)
        pieces = tuple("\n\n".join((opening, *sections)).split(_CODE))
        if len(by_case) >= _MOST_CASES:
            by_case.clear()
        by_case[id(case)] = (case, pieces)
        return pieces


def _flagged(flags: tuple[str, ...]) -> str:
    """Return the flags as a list with one line each; they may quote the answer."""
    lines = [f"- {fencing.neutralise(_cut(' '.join(flag.split())))}" for flag in flags[:MOST_FLAGS]]
    if len(flags) > MOST_FLAGS:
        lines.append(f"- and {len(flags) - MOST_FLAGS} more")
    return "\n".join(("Automatic checks flagged the following. They are heuristics.", *lines))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_FLAG else f"{text[: LONGEST_FLAG - 1]}…"


def explain_failure(reply: ModelReply) -> str:
    """Return the reason of a failed call, without the endpoint's words, which may quote the question."""
    kind = "no reason is known" if reply.error is None else reply.error.value
    if reply.status is CallStatus.INVALID:
        return f"the judge's reply is invalid: {kind}"
    status = "" if reply.http_status is None else f" (HTTP {reply.http_status})"
    return f"the judge's call failed: {kind}{status}"


_PART = re.compile(r"^%% (\w+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """The fixed text of a judge's question. `version` and the whole `text` are part of the essence.

    `system` is the system message. `opening` gives the message's code (`{code}`), `closing` requests the
    verdict (`{token}`), `again` repeats the request after an unreadable reply (`{why}`, `{token}`).
    """

    version: str
    text: str
    system: str
    opening: str
    closing: str
    again: str


@cache
def prompt(name: str) -> JudgePrompt:
    """Return the prompt of that name."""
    folder = files("assay.grading") / "prompts"
    text = (folder / f"{name}.md").read_text("utf-8")
    for shared in ("fenced", "sections"):
        text = text.replace(f"{{{shared}}}", (folder / f"{shared}.md").read_text("utf-8").strip())
    head, *parts = _PART.split(text)
    named = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    return JudgePrompt(head.partition(":")[2].strip(), text, **named)


def text_problems(
    parameters: Parameters, required: Mapping[str, str], optional: Sequence[str]
) -> tuple[str, ...]:
    """Return the problems of parameters that are all texts. `required` maps names to what to give."""
    known = (*required, *optional)
    problems = [
        f"unknown parameter {name!r}: write one of {sorted(known)}"
        for name in sorted(set(parameters) - set(known))
    ]
    for name in known:
        value = parameters.get(name)
        if name in required and (value is None or (isinstance(value, str) and not value.strip())):
            problems.append(f"no {name}: {required[name]}")
        elif name in parameters and not isinstance(value, str):
            problems.append(f"{name!r} is {value!r}: write a text")
        elif name in parameters and name in optional and not str(value).strip():
            problems.append(f"{name!r} is empty: write a text or leave it out")
    return tuple(problems)
