"""Comparing two answers to one task: the question to a judge, and the verdict in its replies."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.case import Case
from assay.core.judging import Mark
from assay.grading.judging import fence as fencing
from assay.grading.judging import verdict
from assay.grading.judging.question import (
    MODE,
    MODE_AGAIN,
    MOST_ASKS,
    PARAMETERS,
    PromptGrader,
    Sections,
    explain_failure,
    prompt,
    task,
)
from assay.grading.registry import grader

PAIRS = "pairs"
"""The name of this way of judging: of its prompt, its metric and the kind of its runs."""
VERSION = "1"
CHOICES = ("A", "B", "tie")
SHARES = (1.0, 0.0, 0.5)
"""What each choice gives the answer that was shown as A."""
FAILED = "failed"
"""The mode of a verdict that is missing because the call failed; it may be asked for again."""


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Two answers as a judge is shown them: as A and as B, and a fence that their authors could not know."""

    first: str
    second: str
    fence: str


def ask_pair(case: Case, shown: ShownPair, why: str = "") -> ModelAsk:
    """Return the question which of two answers is better; after an unreadable reply, with the reason `why`.

    A judge sees the task, both answers, and what a judged grader of the case would show: ideal or correct
    answer, rubric and criteria. A question with a correct answer is sealed. The model of the ask is empty,
    since any judge may be asked. Raises ValueError for a fence that could be guessed.
    """
    code = fencing.checked_fence(shown.fence)
    token = verdict.token(code)
    sections, sealed = _material(case)
    texts = prompt(PAIRS)
    answers = (("ANSWER A", shown.first), ("ANSWER B", shown.second))
    parts = [
        texts.opening.replace("{code}", code),
        *(fencing.section(name, fencing.neutralise(text), code) for name, text in (*sections, *answers)),
        texts.closing.replace("{token}", token),
    ]
    if why:
        parts.append(texts.again.replace("{token}", token).replace("{why}", why))
    messages = (Message("system", texts.system), Message("user", "\n\n".join(parts)))
    about = {"case": case.id, "metric": PAIRS, "grader": PAIRS, "token": token}
    return ModelAsk("judge", "", messages, PARAMETERS, verdict.choice_schema(CHOICES), sealed, about)


def read_pair(case: Case, shown: ShownPair, replies: tuple[ModelReply, ...]) -> Mark | ModelAsk:
    """Return the verdict in the last reply as the share of a win of the answer shown as A: 1, 0.5 or 0.

    After an unreadable first reply the question is put once more. Without a readable verdict the value is
    None; if the call failed, which was retried already, the mode is `FAILED`.
    """
    reply = replies[-1]
    if reply.status is CallStatus.ERROR:
        return Mark(None, reason=explain_failure(reply), mode=FAILED)
    if reply.status is not CallStatus.OK:
        return Mark(None, reason=explain_failure(reply))
    outcome = verdict.read_choice(reply.text or "", verdict.token(shown.fence), CHOICES)
    if isinstance(outcome, verdict.JudgeVerdict):
        mode = MODE if len(replies) == 1 else MODE_AGAIN
        return Mark(SHARES[outcome.mark], outcome.rationale, mode=mode)
    if len(replies) < MOST_ASKS:
        return ask_pair(case, shown, outcome.why)
    return Mark(None, reason=f"unreadable after {len(replies)} replies: {outcome.why}")


def pair_essence(case: Case) -> str:
    """Return everything that affects a verdict except judge and answers, in parts with their lengths."""
    fixed = repr((PAIRS, VERSION, prompt(PAIRS).text, fencing.VERSION, PARAMETERS))
    parts = (fixed, *(text for section in _material(case)[0] for text in section))
    return "".join(f"{len(part)}:{part}" for part in parts)


def _material(case: Case) -> tuple[Sections, bool]:
    """Return the sections before the answers, and whether they hold a key."""
    for spec in case.graders:
        judged = grader(spec.name)
        if isinstance(judged, PromptGrader):
            return judged.sections(case, spec), judged.sealed
    return task(case), False
