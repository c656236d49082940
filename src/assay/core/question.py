"""A question of the bank without its answer key, which is a separate value (`assay.core.sealed`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from assay.core.documented import DocumentedStrEnum, HelpText

Language = Literal["en", "zh"]
TRUE, FALSE = "True", "False"


class QuestionKind(StrEnum):
    """The six kinds of questions in seed 003, appendix A.1."""

    MULTIPLE_CHOICE = "multiple-choice"
    FILL_IN_THE_BLANK = "fill-in-the-blank"
    TRUE_OR_FALSE = "true-or-false"
    SHORT_ANSWER = "short-answer"
    TERM_EXPLANATION = "term-explanation"
    MATERIAL_ANALYSIS = "material-analysis"


class QuestionState(DocumentedStrEnum):
    """The progress of a question towards exams.

    A `screened` one passed the mechanical screening but was not read by a person; an `accepted` one was read
    by a reviewer. Only these two are drawn, unless retired; official exams draw accepted ones.
    """

    RAW = (
        "raw",
        HelpText("""
            The question is in the bank, and nobody has looked at it: it was just imported, or was edited
            after a decision.

            It is not drawn for exams. Imported files contain typing mistakes, wrong keys and halves of
            questions, which would cost candidates stars.

            Run `assay bank screen`, which finds mechanical faults, and let a reviewer decide on the page of
            `assay serve`.
        """),
    )
    REVIEWED = (
        "reviewed",
        HelpText("""
            A reviewer has decided on the question, and one more reviewer has to.

            Two reviewers were asked for (`--second-review`), or they disagree. One person alone may
            overlook a wrong key.

            Let another reviewer decide: such questions are offered first on the review page. `assay bank
            screen` lists disputed ones.
        """),
    )
    SCREENED = (
        "screened",
        HelpText("""
            The mechanical screening found nothing wrong, and the question may be drawn. No person has read
            it.

            Its key can still be wrong, which only a reader notices. Official series therefore draw such
            questions only if their operator allows it.

            Nothing has to be done for unofficial exams. A reviewer can still accept or reject it.
        """),
    )
    ACCEPTED = (
        "accepted",
        HelpText("""
            A reviewer has read the question and found it sound, or two have if two were asked for.

            Accepted questions may be drawn for every exam, official series included.

            Nothing. If a fault is found later, edit the question: the new version is raw again and needs
            its own decision. `assay bank retire` takes it out for good.
        """),
    )
    REJECTED = (
        "rejected",
        HelpText("""
            A reviewer found the question unfit, and gave a reason. It is not drawn, and neither are its
            variants.

            It stays in the bank, so that the same question from another file is recognised and not reviewed
            again.

            The reason is in `assay bank show UUID`. If it can be mended, edit the question on the review
            page; the new version is raw.
        """),
    )


DRAWABLE = (QuestionState.SCREENED.value, QuestionState.ACCEPTED.value)
"""The states of questions that can be drawn."""


class SourceKind(StrEnum):
    """The origin of questions, as in the seed's table 5; `other` for everything else.

    `example` is the public example bank, which is for learning: no score over it may be published.
    """

    POSTGRADUATE = "postgraduate-entrance-exam"
    UNDERGRADUATE = "undergraduate-final-exam"
    OTHER = "other"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Question:
    """One question without its key.

    `options` are the texts of a choice's options, lettered A, B, C … in order; empty for other kinds.
    `passage` is the material that the question is about; several questions may share one. `discipline` is
    the code of a primary discipline and `secondary` that of one of its secondary ones
    (`questions.taxonomy`). `parent` is the uuid of the question it was made from, None for an original.
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
