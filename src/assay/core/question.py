"""A question of the bank as anybody may see it: its key is a value of its own (`assay.core.sealed`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Language = Literal["en", "zh"]
TRUE, FALSE = "True", "False"


class QuestionKind(StrEnum):
    """The six kinds of seed 003, appendix A.1."""

    MULTIPLE_CHOICE = "multiple-choice"
    FILL_IN_THE_BLANK = "fill-in-the-blank"
    TRUE_OR_FALSE = "true-or-false"
    SHORT_ANSWER = "short-answer"
    TERM_EXPLANATION = "term-explanation"
    MATERIAL_ANALYSIS = "material-analysis"


class QuestionState(StrEnum):
    """How far a question is on its way into exams; only accepted ones that are not retired are drawn."""

    RAW = "raw"
    REVIEWED = "reviewed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class SourceKind(StrEnum):
    """Where questions come from, as in the seed's table 5; `other` for what is neither."""

    POSTGRADUATE = "postgraduate-entrance-exam"
    UNDERGRADUATE = "undergraduate-final-exam"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Question:
    """One question without its key.

    `options` are the texts of a choice's options, lettered A, B, C … in order; empty for other kinds.
    `passage` is the material that the question is about, shared by its siblings. `discipline` is the code of
    a primary discipline and `secondary` of one of its secondary ones (`questions.taxonomy`). `parent` is the
    uuid of the question it was made from, None for an original.
    """

    uuid: str
    kind: QuestionKind
    stem: str
    discipline: str
    options: tuple[str, ...] = ()
    passage: str | None = None
    secondary: str | None = None
    language: Language = "en"
    parent: str | None = None
