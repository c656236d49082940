"""A judge's question about one answer, what never changes in it written once, and reading the replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import Mark, Shown
from assay.grading.judging import fence as fencing
from assay.grading.judging import verdict
from assay.grading.judging.prompt import prompt
from assay.grading.prepared import Prepared

MODE = "json"
MODE_AGAIN = "json, again"
PARAMETERS = {"temperature": 0}
MOST_ASKS = 2
MOST_FLAGS = 20
LONGEST_FLAG = 300

_CODE, _TOKEN = "\x00", "\x01"
"""Stand for the code and the token in what is written once: no neutralised text holds them."""
_MOST_CASES = 64

Sections = Sequence[tuple[str, str]]
Written = tuple[str, ...]


def task(case: Case) -> Sections:
    """Return the sections that show what the candidate was asked: one, or one for each turn."""
    turns = case.messages
    if len(turns) == 1 and turns[0].role == "user":
        return (("TASK", turns[0].content),)
    return tuple(
        (f"TASK TURN {number} OF {len(turns)} BY {turn.role.upper()}", turn.content)
        for number, turn in enumerate(turns, 1)
    )


class Questions:
    """Writes the asks of one judged grader and reads their replies.

    `sections` gives what a judge is shown before the answer: pairs of a name and an untrusted text. `sealed`
    asks carry an answer key. The prompt is the one that is called like the grader.
    """

    def __init__(
        self,
        grader: str,
        scale: tuple[int, int],
        sections: Callable[[Case, GraderSpec], Sections],
        *,
        sealed: bool = False,
    ) -> None:
        self._grader = grader
        self._low, self._high = scale
        self._sections = sections
        self._sealed = sealed
        self._prompt = prompt(grader)
        self._system = Message("system", self._prompt.system)
        self._closing = self._prompt.closing.replace("{token}", _TOKEN)
        self._schema = verdict.schema(self._low, self._high)
        self._fixed = repr(
            (grader, self._prompt.version, self._prompt.text, fencing.VERSION, self._schema, PARAMETERS)
        )
        self._written: Prepared[dict[int, tuple[Case, Written]]] = Prepared(lambda spec: {})

    def essence(self, case: Case, spec: GraderSpec) -> str:
        """Return all that bears on a mark besides judge, answer and flags, in parts with their lengths."""
        sections = [text for section in self._sections(case, spec) for text in section]
        return "".join(f"{len(part)}:{part}" for part in (self._fixed, *sections))

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: Shown) -> ModelAsk:
        """Return the question about one answer. Raises ValueError for a fence that could be guessed."""
        return self._ask(case, spec, metric, shown, "")

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: Shown, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the last reply's mark; after a first reply that cannot be read, the question once more.

        A call that failed was retried already: it gives no mark, and its reason.
        """
        reply = replies[-1]
        if reply.status is not CallStatus.OK:
            return Mark(None, reason=_failure(reply))
        wanted = verdict.token(shown.fence)
        found = verdict.read(reply.text or "", wanted, self._low, self._high)
        if isinstance(found, verdict.Verdict):
            return Mark(found.mark, found.rationale, mode=MODE if len(replies) == 1 else MODE_AGAIN)
        if len(replies) < MOST_ASKS:
            return self._ask(case, spec, metric, shown, found.why)
        return Mark(None, reason=f"unreadable after {len(replies)} replies: {found.why}")

    def _ask(self, case: Case, spec: GraderSpec, metric: str, shown: Shown, why: str) -> ModelAsk:
        code = fencing.accepted(shown.fence)
        token = verdict.token(code)
        parts = [
            code.join(self._head(case, spec)),
            fencing.section("ANSWER", fencing.neutralised(shown.answer), code),
            self._closing.replace(_TOKEN, token),
        ]
        if shown.flags:
            parts.insert(1, fencing.section("AUTOMATIC CHECKS", _flagged(shown.flags), code))
        if why:
            parts.append(self._prompt.again.replace("{token}", token).replace("{why}", why))
        about = {
            "case": case.id,
            "metric": metric,
            "grader": self._grader,
            "token": token,
            "low": str(self._low),
            "high": str(self._high),
        }
        messages = (self._system, Message("user", "\n\n".join(parts)))
        return ModelAsk("judge", "", messages, PARAMETERS, self._schema, self._sealed, about)

    def _head(self, case: Case, spec: GraderSpec) -> Written:
        """Return what stands before the answer, in the pieces that the code joins."""
        by_case = self._written(spec)
        kept = by_case.get(id(case))
        if kept is not None:
            return kept[1]
        sections = [
            fencing.section(name, fencing.neutralised(text), _CODE)
            for name, text in self._sections(case, spec)
        ]
        opening = self._prompt.opening.replace("{code}", _CODE)
        written = tuple("\n\n".join((opening, *sections)).split(_CODE))
        if len(by_case) >= _MOST_CASES:
            by_case.clear()
        by_case[id(case)] = (case, written)
        return written


def _flagged(flags: tuple[str, ...]) -> str:
    """Return the flags as a list, one line each: their words may quote the answer."""
    lines = [f"- {fencing.neutralised(_cut(' '.join(flag.split())))}" for flag in flags[:MOST_FLAGS]]
    if len(flags) > MOST_FLAGS:
        lines.append(f"- and {len(flags) - MOST_FLAGS} more")
    return "\n".join(("Automatic checks flagged the following. They are heuristics.", *lines))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_FLAG else f"{text[: LONGEST_FLAG - 1]}…"


def _failure(reply: ModelReply) -> str:
    """Return in words how a call failed; never the endpoint's words, which may quote what it was sent."""
    kind = "no reason is known" if reply.error is None else reply.error.value
    if reply.status is CallStatus.INVALID:
        return f"the judge's reply is invalid: {kind}"
    status = "" if reply.http_status is None else f" (HTTP {reply.http_status})"
    return f"the judge's call failed: {kind}{status}"
