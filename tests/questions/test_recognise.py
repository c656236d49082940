"""Deciding what a draft is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from every_row import every_row

from assay.core.question import QuestionKind
from assay.questions.recognise import KIND_CORRECTED, OPTION, QuestionDraft, Recognised, recognise
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair

CHOICE = QuestionDraft("Which?", "A", ("x", "y"))
OPEN = QuestionDraft("Why?", "Because.")


def good(draft: QuestionDraft) -> Recognised:
    """The question that a draft is."""
    found = recognise(draft)
    assert isinstance(found, Recognised), found
    return found


@every_row(
    "draft, kind",
    [
        (CHOICE, QuestionKind.MULTIPLE_CHOICE),
        (OPEN, QuestionKind.SHORT_ANSWER),
        (replace(OPEN, passage="A text."), QuestionKind.MATERIAL_ANALYSIS),
        (QuestionDraft("The capital is ____.", "Paris"), QuestionKind.FILL_IN_THE_BLANK),
        (QuestionDraft("Paris is the capital.", "True"), QuestionKind.TRUE_OR_FALSE),
        (QuestionDraft("Is Paris the capital?", "True"), QuestionKind.SHORT_ANSWER),
        (QuestionDraft("名词解释：法治", "……"), QuestionKind.TERM_EXPLANATION),
        (QuestionDraft("Explain the term inertia.", "…"), QuestionKind.TERM_EXPLANATION),
    ],
)
def test_the_kind_is_told_by_what_is_there(draft: QuestionDraft, kind: QuestionKind) -> None:
    """Where nothing says it: options, blanks, a truth as the key, a passage, a term."""
    assert good(draft).kind is kind


def test_a_wrong_kind_is_corrected_and_told() -> None:
    """Said to be a short answer, but it has options; said to be a blank, but it is asked as a question."""
    for draft in (
        replace(CHOICE, kind=QuestionKind.SHORT_ANSWER),
        replace(OPEN, kind=QuestionKind.FILL_IN_THE_BLANK),
    ):
        assert good(draft).repairs == (KIND_CORRECTED,)


def test_a_choice_between_true_and_false_is_a_statement() -> None:
    """Where it is said to be one: the key may be a letter."""
    draft = QuestionDraft("2 is even.", "B", ("False", "True"), kind=QuestionKind.TRUE_OR_FALSE)
    found = good(draft)
    assert (found.kind, found.key.answers, found.options) == (QuestionKind.TRUE_OR_FALSE, ("True",), ())


def test_every_text_is_repaired_and_each_repair_told_once() -> None:
    """Stem, options, passage, key and explanation."""
    draft = QuestionDraft("Ａ？", "ｂ", ("ａ", "ｂ"), explanation="ｃ", passage="ｄ１")
    found = good(draft)
    assert (found.stem, found.options, found.key.answers) == ("A?", ("a", "b"), ("B",))
    assert (found.passage, found.key.explanation) == ("d1", "c")
    assert found.repairs == (Repair.WIDTHS, Repair.PUNCTUATION)


def test_the_language_is_that_of_the_question() -> None:
    """Chinese or English."""
    assert (good(OPEN).language, good(QuestionDraft("何故？", "无")).language) == ("en", "zh")


@every_row(
    "change, reason",
    [
        ({"stem": " "}, Reason.NO_STEM),
        ({"key": None}, Reason.NO_KEY),
        ({"key": []}, Reason.NO_KEY),
        ({"key": ["A", " "]}, Reason.NO_KEY),
        ({"options": ("x",)}, Reason.ONE_OPTION),
        ({"options": ("x", " ")}, Reason.EMPTY_OPTION),
        ({"options": ("x y", "x  y")}, Reason.SAME_OPTIONS),
        ({"options": tuple(map(str, range(27)))}, Reason.MANY_OPTIONS),
        ({"options": ("x" * (OPTION + 1), "y")}, Reason.TOO_LONG),
        ({"options": ("x", "\ufffd")}, Reason.LOST),
        ({"passage": "\ufffd"}, Reason.LOST),
        ({"key": "AB", "single": True}, Reason.SEVERAL_KEYS),
        ({"key": "C"}, Reason.KEY_BEYOND),
    ],
)
def test_each_defect_has_its_reason(change: dict[str, Any], reason: Reason) -> None:
    """Empty, alike, too long, lost, or a key that does not fit."""
    found = recognise(replace(CHOICE, **change))
    assert isinstance(found, RefusedRecord)
    assert found.reason is reason
