"""True-or-false statements about material: one model writes them, and another verifies them without the keys.

Seed 003 varies the structure of questions so that they cannot be memorised. A statement counts only with the
piece of the material that decides it.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from assay.core.ask import Message, ModelAsk
from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.digest import folded
from assay.questions.expand import NAMESPACE, MadeStatement

EXPAND: Final = "expand"
SHORTEST, LONGEST = 4, 600
SHORTEST_SPAN, LONGEST_SPAN = 8, 400
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
VERIFY: Final = "verify"
_PART = re.compile(r"^%% (\w+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StatementDraft:
    """A statement written by a model: whether it is meant to be true, and the piece that decides it."""

    text: str
    true: bool = field(repr=False)
    span: str = field(repr=False)
    why: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class UnreadableStatement:
    """A reply that does not have the requested form, with the reason."""

    why: str


def material_of(question: Question) -> str:
    """Return the material that a question is about: its passage, or its stem without one."""
    return question.passage or question.stem


def statements_ask(
    model: str, question: Question, each: int, *, again: Sequence[tuple[str, str]] = ()
) -> ModelAsk:
    """Return the ask for `each` true and as many false statements about a question's material.

    `again` holds earlier replies and the reasons why they could not be read. The ask is sealed, as the reply
    contains keys.
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
        EXPAND,
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
    """Return a mark that an author cannot have put into the material, as it is a hash of all of it."""
    return hashlib.blake2b(material.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def read_statements(text: str, each: int) -> tuple[StatementDraft, ...] | UnreadableStatement:
    """Return the statements of a reply: `each` true and as many false ones, with all fields."""
    listed = entries(text, "statements")
    if isinstance(listed, UnreadableStatement):
        return listed
    drafts = []
    for number, entry in enumerate(listed, 1):
        if set(entry) != {"text", "correct", "span", "why"}:
            return UnreadableStatement(
                f"statement {number} does not have exactly the keys text, correct, span and why"
            )
        if not isinstance(entry["correct"], bool):
            return UnreadableStatement(f"`correct` of statement {number} is neither true nor false")
        if not all(isinstance(entry[name], str) for name in ("text", "span", "why")):
            return UnreadableStatement(f"a field of statement {number} is not text")
        text, span, why = (entry[name].strip() for name in ("text", "span", "why"))
        drafts.append(StatementDraft(text, entry["correct"], span, why))
    true = sum(draft.true for draft in drafts)
    if (true, len(drafts) - true) != (each, each):
        return UnreadableStatement(
            f"there are {true} true and {len(drafts) - true} false statements, not {each} of each"
        )
    return tuple(drafts)


def entries(text: str, name: str) -> list[dict[str, Any]] | UnreadableStatement:
    """Return the list of objects under the one key of a JSON object; a code fence around it is allowed."""
    fenced = _FENCE.match(text)
    try:
        document = json.loads(fenced[1] if fenced else text)
    except ValueError:
        return UnreadableStatement("it is not a JSON object")
    if not isinstance(document, dict) or set(document) != {name}:
        return UnreadableStatement(f"it is not an object with the one key {name!r}")
    listed = document[name]
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        return UnreadableStatement(f"{name!r} is not a list of objects")
    return listed


def sift(drafts: Sequence[StatementDraft], material: str) -> tuple[list[StatementDraft], Counter[str]]:
    """Return the statements to verify, and the number of dropped ones for each reason."""
    seen: dict[str, StatementDraft] = {}
    dropped: Counter[str] = Counter()
    for draft in drafts:
        why = _fault(draft, material)
        if why is None and folded(draft.text) in seen:
            why = "it repeats another statement"
        if why is None:
            seen[folded(draft.text)] = draft
        else:
            dropped[why] += 1
    return list(seen.values()), dropped


def _fault(draft: StatementDraft, material: str) -> str | None:
    if not SHORTEST <= len(draft.text) <= LONGEST:
        return "the statement is empty or too long"
    if not SHORTEST_SPAN <= len(draft.span) <= LONGEST_SPAN:
        return "the quoted piece is too short or too long"
    return None if folded(draft.span) in folded(material) else "the quoted piece is not in the material"


def statement_of(question: Question, draft: StatementDraft) -> MadeStatement:
    """Return a statement as a question. Equal statements about equal questions give the same question."""
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
    return MadeStatement(variant, AnswerKey((TRUE if draft.true else FALSE,), draft.why + quoted), draft.true)


class Backing(StrEnum):
    """The verifier's answer: the material says that a statement is true or false, or does not decide it."""

    TRUE = "true"
    FALSE = "false"
    UNCLEAR = "unclear"


def verify_ask(
    model: str, material: str, statements: Sequence[str], *, again: Sequence[tuple[str, str]] = ()
) -> ModelAsk:
    """Return the ask whether each statement follows from the material. It does not reveal the keys.

    Give the statements in an order that does not reveal them either (`blind_order`). `again` holds earlier
    replies and the reasons why they could not be read.
    """
    words = prompt_text("verify")
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(statements, 1))
    asked = filled(words.ask, code=fence(material), material=material, statements=listed)
    messages = [Message("system", words.system), Message("user", asked)]
    for reply, why in again:
        messages += [
            Message("assistant", reply or "(nothing)"),
            Message("user", filled(words.again, why=why, count=len(statements))),
        ]
    about = {"deed": "verify-statements", "statements": json.dumps(list(statements), ensure_ascii=False)}
    return ModelAsk(VERIFY, model, tuple(messages), sealed=True, about=about)


def read_answers(text: str, count: int) -> tuple[Backing, ...] | UnreadableStatement:
    """Return the answers of a reply, one for each of `count` statements, in their order."""
    listed = entries(text, "answers")
    if isinstance(listed, UnreadableStatement):
        return listed
    if [one.get("number") for one in listed] != list(range(1, count + 1)):
        return UnreadableStatement(f"the entries are not numbered 1 to {count} in order")
    known = {backing.value for backing in Backing}
    for entry in listed:
        if set(entry) != {"number", "answer"} or entry["answer"] not in known:
            return UnreadableStatement(f"the answer of entry {entry['number']} is not true, false or unclear")
    return tuple(Backing(entry["answer"]) for entry in listed)


def unverified(true: bool, answer: Backing) -> str | None:
    """Return the reason why a statement is dropped after the verifier's answer; None if they agree."""
    if answer is Backing.UNCLEAR:
        return "the verifier cannot tell from the material"
    return None if (answer is Backing.TRUE) is true else "the verifier says the opposite"


def blind_order(uuid: str, count: int) -> list[int]:
    """Return an order of a question's statements that does not reveal their keys, from its uuid."""
    seed = int.from_bytes(hashlib.blake2b(uuid.encode(), digest_size=8).digest())
    return [int(number) for number in np.random.default_rng(seed).permutation(count)]


@dataclass(frozen=True, slots=True)
class PromptText:
    """The wording of an ask: the system message, the ask, and the message after an unreadable reply."""

    version: str
    system: str
    ask: str
    again: str


@cache
def prompt_text(name: str) -> PromptText:
    """Return the wording in a file of `questions/prompts`."""
    text = (files("assay.questions") / "prompts" / f"{name}.md").read_text("utf-8")
    head, *parts = _PART.split(text)
    named = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    return PromptText(head.partition(":")[2].strip(), **named)


def filled(text: str, **values: object) -> str:
    """Return a text with its `{names}` replaced by values, in one pass: values are not searched again."""
    pattern = re.compile("|".join(re.escape(f"{{{name}}}") for name in values))
    return pattern.sub(lambda match: str(values[match[0][1:-1]]), text)
