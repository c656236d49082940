"""Expansion of a choice into true-or-false statements, one for each option, as in seed 003, figure 7.

A statement keeps stem and passage, and does not reveal how many options are right.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.refer import referring
from assay.questions.validate import LETTERS, count_blanks, validate
from assay.results.expansion import StatementKeys
from assay.results.review import Severity

if TYPE_CHECKING:
    import numpy as np

VERSION: Final = "choices/2"
NAMESPACE: Final = uuid.UUID("5d3d0c4e-4b0c-5f7e-9d0a-6c1f6f0b8a11")


@dataclass(frozen=True, slots=True)
class MadeStatement:
    """A statement made from an option: the question, its key, and whether the key is True."""

    question: Question
    key: AnswerKey = field(repr=False)
    true: bool = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unexpanded:
    """A choice from which no statements can be made, with a reason by which such choices are counted."""

    why: str


def statements(question: Question, key: AnswerKey) -> tuple[MadeStatement, ...] | Unexpanded:
    """Return a choice's statements, one for each option that does not refer to others.

    If an option that refers to others is the key ("all of the above"), the options that it refers to are
    right. If such an option is not understood, the choice is not expanded. Equal questions give equal
    statements with equal uuids.
    """
    problems = [problem for problem in validate(question, key) if problem.severity is Severity.BLOCKS]
    if problems:
        return Unexpanded(f"the question is not consistent: {problems[0].kind}")
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
        MadeStatement(
            _variant(question, LETTERS[place], asked.about(options[place])),
            AnswerKey((TRUE if place in right else FALSE,), explanation),
            place in right,
        )
        for place in plain
    )


def choose(
    made: Sequence[MadeStatement], keys: StatementKeys, *, known: Collection[str], rng: np.random.Generator
) -> tuple[MadeStatement, ...]:
    """Return the statements to keep of one choice, in their order.

    A balanced choice keeps all true ones and the same number of false ones, first those with a `known` uuid,
    so that a repetition gives the same choice.
    """
    if keys is StatementKeys.ALL:
        return tuple(made)
    false = [statement for statement in made if not statement.true]
    wanted = min(len(made) - len(false), len(false))
    kept = [statement for statement in false if statement.question.uuid in known][:wanted]
    if len(kept) < wanted:
        rest = [statement for statement in false if statement.question.uuid not in known]
        kept += [rest[place] for place in rng.permutation(len(rest))[: wanted - len(kept)]]
    chosen = {statement.question.uuid for statement in kept}
    return tuple(statement for statement in made if statement.true or statement.question.uuid in chosen)


def variant_uuid(parent: str, letter: str) -> str:
    """Return the uuid of the statement about an option, which depends only on the parent and the letter."""
    return str(uuid.uuid5(NAMESPACE, f"{parent}/{letter}"))


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
    """The texts before and after an option in its statement."""

    before: str
    after: str

    @classmethod
    def of(cls, question: Question) -> _Asked:
        stem, chinese = question.stem.rstrip(), question.language == "zh"
        if _COMPARES.search(stem):
            introduction = "可供比较的答案：" if chinese else "Among these answers: "
            mark = "；" if chinese else "; "
            shown = (option.strip().rstrip(".。;；") for option in question.options)
            stem = f"{stem}\n\n{introduction}{mark.join(shown)}"
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
    """Return the explanation with the right options in words, for a judge who sees only one statement."""
    words = "; ".join(question.options[LETTERS.index(letter)].strip() for letter in key.answers)
    original = f"原题答案：{words}。" if question.language == "zh" else f"The original key: {words}."
    return f"{original} {key.explanation}".strip()
