"""Expanding a choice into true-or-false statements, one for each option, as in seed 003, figure 7.

Stem and passage are kept. Nothing in a statement tells how many options are right.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.refer import referring
from assay.questions.validate import LETTERS, Severity, count_blanks, validate

if TYPE_CHECKING:
    import numpy as np

VERSION: Final = "choices/2"
NAMESPACE: Final = uuid.UUID("5d3d0c4e-4b0c-5f7e-9d0a-6c1f6f0b8a11")


class Keys(StrEnum):
    """Which statements are made: all of them, or all true ones with as many false ones."""

    ALL = "all"
    BALANCED = "balanced"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement made from an option: the question, its key, and whether that is True."""

    question: Question
    key: AnswerKey = field(repr=False)
    true: bool = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unexpanded:
    """A choice from which no statements can be made, and why, in words to count by."""

    why: str


def statements(question: Question, key: AnswerKey) -> tuple[Statement, ...] | Unexpanded:
    """Return a choice's statements, one for each option that stands for itself.

    An option that speaks of the others has none. Where it is the key, it says which of the others are right
    ("all of the above": all of them), and their statements go by that; where it is not understood, the choice
    is left as it is. Equal questions give equal statements with equal uuids.
    """
    wrong = [each for each in validate(question, key) if each.severity is Severity.BLOCKS]
    if wrong:
        return Unexpanded(f"it does not hold together: {wrong[0].kind}")
    options = question.options
    references = [referring(option, place, len(options)) for place, option in enumerate(options)]
    plain = [place for place, reference in enumerate(references) if reference is None]
    right = {LETTERS.index(letter) for letter in key.answers}
    for place, reference in enumerate(references):
        if reference is None:
            continue
        if reference.places is None:
            return Unexpanded("an option refers to others in a way that is not understood")
        if place in right:
            right = (right | reference.places) - {place}
    if not plain:
        return Unexpanded("every option refers to others")
    asked = _Asked.of(question)
    explanation = _explanation(question, key)
    return tuple(
        Statement(
            _variant(question, LETTERS[place], asked.about(options[place])),
            AnswerKey((TRUE if place in right else FALSE,), explanation),
            place in right,
        )
        for place in plain
    )


def choose(
    made: Sequence[Statement], keys: Keys, *, known: Collection[str], rng: np.random.Generator
) -> tuple[Statement, ...]:
    """Return the statements to keep of one choice, in their order.

    Balanced keeps all true ones and as many false ones, those with a `known` uuid first, so that choosing
    again chooses the same.
    """
    if keys is Keys.ALL:
        return tuple(made)
    false = [each for each in made if not each.true]
    wanted = min(len(made) - len(false), len(false))
    kept = [each for each in false if each.question.uuid in known][:wanted]
    if len(kept) < wanted:
        rest = [each for each in false if each.question.uuid not in known]
        kept += [rest[place] for place in rng.permutation(len(rest))[: wanted - len(kept)]]
    chosen = {each.question.uuid for each in kept}
    return tuple(each for each in made if each.true or each.question.uuid in chosen)


def variant_uuid(parent: str, letter: str) -> str:
    """Return the uuid of the statement about an option of a parent: always the same."""
    return str(uuid.uuid5(NAMESPACE, f"{parent}/{letter}"))


def constant_baseline(true: int, false: int) -> float | None:
    """Return the share that somebody who always gives the same answer gets right; None without statements."""
    return max(true, false) / (true + false) if true + false else None


_COMPARES = re.compile(
    r"\b(?:most|least|best|worst|closest|nearest|farthest|furthest|\w{3,}(?:iest|gest|test|rest|lest|dest|hest)"
    r"|first|last|main|primary|only one)\b.{0,80}\b(?:following|these|below|options|choices)\b"
    r"|\b(?:following|these|below|options|choices)\b.{0,80}\b(?:most|least|best|worst|closest|nearest|greatest"
    r"|largest|smallest|highest|lowest|longest|shortest|strongest|weakest|first|last|main|primary)\b"
    r"|\bwhich\b.{0,60}\b(?:most|least|best|worst|closest|nearest)\b|\bbest (?:title|summary|headline)\b"
    r"|(?:下列|以下|下面|选项|四个|哪).{0,40}(?:最|首先|首选)|最.{0,30}(?:[（(]\s*[)）]|哪)|首选",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words before and after an option in its statement."""

    before: str
    after: str

    @classmethod
    def of(cls, question: Question) -> _Asked:
        stem, chinese = question.stem.rstrip(), question.language == "zh"
        if _COMPARES.search(stem):
            told = "可供比较的答案：" if chinese else "Among these answers: "
            mark = "；" if chinese else "; "
            shown = (option.strip().rstrip(".。;；") for option in question.options)
            stem = f"{stem}\n\n{told}{mark.join(shown)}"
        if count_blanks(question.stem):
            if chinese:
                return cls(f"{stem}\n\n在空白处填入“", "”是否正确？")
            return cls(f'{stem}\n\nIs it correct to put the answer "', '" in the blank?')
        if chinese:
            return cls(f"{stem}\n\n以“", "”作答是否正确？")
        return cls(f'{stem}\n\nIs it correct to give "', '" as an answer?')

    def about(self, option: str) -> str:
        return f"{self.before}{option.strip()}{self.after}"


def _variant(parent: Question, letter: str, stem: str) -> Question:
    return Question(
        variant_uuid(parent.uuid, letter),
        QuestionKind.TRUE_OR_FALSE,
        stem,
        parent.discipline,
        (),
        parent.passage,
        parent.secondary,
        parent.language,
        parent.uuid,
    )


def _explanation(question: Question, key: AnswerKey) -> str:
    """Return the explanation with the keyed options in words: a judge sees a statement without the others."""
    words = "; ".join(question.options[LETTERS.index(letter)].strip() for letter in key.answers)
    told = f"原题答案：{words}。" if question.language == "zh" else f"The original key: {words}."
    return f"{told} {key.explanation}".strip()
