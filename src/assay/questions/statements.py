"""Asking a model for true-or-false statements about material, and reading what it writes.

Seed 003 varies the structure of questions so that they cannot be known by heart; a statement counts only with
the piece of the material that decides it.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from assay.core.ask import Message, ModelAsk
from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.digest import folded
from assay.questions.expand import NAMESPACE, Statement
from assay.questions.prompt_text import filled, prompt_text

PURPOSE: Final = "expand"
SHORTEST, LONGEST = 4, 600
SHORTEST_SPAN, LONGEST_SPAN = 8, 400
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement as a model wrote it: whether it says that it is true, and the piece that decides it."""

    text: str
    true: bool = field(repr=False)
    span: str = field(repr=False)
    why: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply that does not have the form asked for, and why."""

    why: str


def material_of(question: Question) -> str:
    """Return the material that a question is about: its passage, or its stem where that holds it."""
    return question.passage or question.stem


def statements_ask(
    model: str, question: Question, each: int, *, again: Sequence[tuple[str, str]] = ()
) -> ModelAsk:
    """Return the ask for `each` true and as many false statements about a question's material.

    `again` holds earlier replies with why they could not be read. The ask is sealed: the reply holds keys.
    """
    words, material = prompt_text("statements"), material_of(question)
    asked = filled(words.ask, each=each, code=fence(material), question=question.stem, material=material)
    messages = [Message("system", words.system), Message("user", asked)]
    for reply, why in again:
        messages += [
            Message("assistant", reply or "(nothing)"),
            Message("user", filled(words.again, why=why, each=each)),
        ]
    return ModelAsk(
        PURPOSE,
        model,
        tuple(messages),
        sealed=True,
        about={
            "deed": "write-statements",
            "material": material,
            "each": str(each),
            "language": question.language,
        },
    )


def fence(material: str) -> str:
    """Return a mark that the material cannot hold by design: it follows from the whole of it."""
    return hashlib.blake2b(material.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def read_statements(text: str, each: int) -> tuple[Draft, ...] | Unreadable:
    """Return the statements of a reply: `each` true and as many false ones, every field there."""
    listed = entries(text, "statements")
    if isinstance(listed, Unreadable):
        return listed
    drafts = []
    for number, one in enumerate(listed, 1):
        if set(one) != {"text", "correct", "span", "why"}:
            return Unreadable(f"statement {number} has not the keys text, correct, span and why")
        if not isinstance(one["correct"], bool):
            return Unreadable(f"`correct` of statement {number} is neither true nor false")
        if not all(isinstance(one[name], str) for name in ("text", "span", "why")):
            return Unreadable(f"a field of statement {number} is no text")
        drafts.append(Draft(one["text"].strip(), one["correct"], one["span"].strip(), one["why"].strip()))
    true = sum(draft.true for draft in drafts)
    if (true, len(drafts) - true) != (each, each):
        return Unreadable(
            f"there are {true} true and {len(drafts) - true} false statements, not {each} of each"
        )
    return tuple(drafts)


def entries(text: str, name: str) -> list[dict[str, Any]] | Unreadable:
    """Return the list of objects under the one key of a JSON object; a code fence around it is allowed."""
    fenced = _FENCE.match(text)
    try:
        document = json.loads(fenced[1] if fenced else text)
    except ValueError:
        return Unreadable("it is no JSON object")
    if not isinstance(document, dict) or set(document) != {name}:
        return Unreadable(f"it is no object with the one key {name!r}")
    listed = document[name]
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return Unreadable(f"{name!r} is no list of objects")
    return listed


def sift(drafts: Sequence[Draft], material: str) -> tuple[list[Draft], Counter[str]]:
    """Return the statements that may be verified, and how many of the others there are for each reason."""
    seen: dict[str, Draft] = {}
    dropped: Counter[str] = Counter()
    for draft in drafts:
        why = _faulty(draft, material)
        if why is None and folded(draft.text) in seen:
            why = "it repeats another statement"
        if why is None:
            seen[folded(draft.text)] = draft
        else:
            dropped[why] += 1
    return list(seen.values()), dropped


def _faulty(draft: Draft, material: str) -> str | None:
    if not SHORTEST <= len(draft.text) <= LONGEST:
        return "the statement is empty or too long"
    if not SHORTEST_SPAN <= len(draft.span) <= LONGEST_SPAN:
        return "the quoted piece is too short or too long"
    return None if folded(draft.span) in folded(material) else "the quoted piece is not in the material"


def statement_of(question: Question, draft: Draft) -> Statement:
    """Return the question that a statement makes; equal statements about equal questions are the same one."""
    made = uuid.uuid5(NAMESPACE, f"{question.uuid}/{folded(draft.text)}")
    quoted = (
        f"（材料原文：“{draft.span}”）" if question.language == "zh" else f" (The material: “{draft.span}”)"
    )
    variant = Question(
        str(made),
        QuestionKind.TRUE_OR_FALSE,
        draft.text,
        question.discipline,
        (),
        material_of(question),
        question.secondary,
        question.language,
        question.uuid,
    )
    return Statement(variant, AnswerKey((TRUE if draft.true else FALSE,), draft.why + quoted), draft.true)
