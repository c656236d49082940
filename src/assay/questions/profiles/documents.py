"""The profile of a document: how its questions are numbered, lettered, answered and grouped."""

from __future__ import annotations

from typing import Literal

from assay.core.question import QuestionKind
from assay.questions.profiles.records import Closed, Names


class KindWords(Closed):
    """Words by which a heading, or a value, names a kind of question.

    `single` means one key; `material` that a text before the questions is what they are about.
    """

    kind: QuestionKind | None
    words: Names
    single: bool = False
    material: bool = False


class DocumentProfile(Closed):
    """How a document is laid out.

    In `numbers`, `options`, `headings` and `chapters` a place holder stands for what counts on: `{1}` for a
    number, `{一}` for a Chinese one, `{I}` for a Roman one, `{A}` for a letter; full-width signs count as
    half-width ones.
    `answers` and `explanations` are the words that open an answer or an explanation, `answer_sections` those
    of a heading with all answers below it, `materials` those that open a text for the questions after it.
    `chapters` are headings that tell no kind.
    """

    name: str
    title: str = ""
    format: Literal["document"]
    numbers: Names
    options: Names
    headings: Names = ()
    chapters: Names = ()
    answers: Names
    explanations: Names = ()
    answer_sections: Names = ()
    materials: Names = ()
    kinds: tuple[KindWords, ...] = ()
