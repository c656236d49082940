"""Faults of a question's text."""

from __future__ import annotations

import pytest

from assay.core.question import Language, Question, QuestionKind
from assay.questions.text_faults import balanced, text_faults


def faults(stem: str, language: Language = "en", passage: str | None = None) -> list[str]:
    """Return the kinds of faults of a short-answer question."""
    question = Question("u", QuestionKind.SHORT_ANSWER, stem, "law", (), passage, None, language)
    return [each.kind for each in text_faults(question)]


@pytest.mark.parametrize(
    "text",
    [
        "f(x) = [a, b)",
        "1) one 2) two a) three",
        "（全角) 与半角",
        "《书》中“话”",
        "\\left( x \\right]",
        "no brackets",
        "he said (see below), then left",
    ],
)
def test_balanced_texts_pass(text: str) -> None:
    """Enumerations, intervals and mixed widths are no faults."""
    assert balanced(text)


@pytest.mark.parametrize("text", ["f(x = 2", "《书", "one] two", "((two) three"])
def test_unbalanced_texts_are_found(text: str) -> None:
    """A bracket without its partner is found."""
    assert not balanced(text)


@pytest.mark.parametrize(
    ("stem", "language", "kind"),
    [
        ("What is bene\x1dt?", "en", "odd-signs"),
        ("What is caf\ufffd?", "en", "odd-signs"),
        ("What is \ue012 here?", "en", "odd-signs"),
        ("What is <b>bold</b>?", "en", "markup"),
        ("As shown in the figure, what moves?", "en", "missing-figure"),
        ("如图所示，求面积", "zh", "missing-figure"),
        ("According to the passage, who left?", "en", "missing-passage"),
        ("根据材料，谁离开了", "zh", "missing-passage"),
        ("Who left the room?", "zh", "other-language"),
        ("谁离开了房间", "en", "other-language"),
    ],
)
def test_each_fault_is_found(stem: str, language: Language, kind: str) -> None:
    """Every kind of fault has an example that shows it."""
    assert kind in faults(stem, language)


@pytest.mark.parametrize(
    ("stem", "language"),
    [
        ("Who wrote “好” on the wall, and why did he?", "en"),
        ("求 $x^{2}$ 的值", "zh"),
        ("5 < 6 & 7 > 2?", "en"),
    ],
)
def test_sound_texts_have_none(stem: str, language: Language) -> None:
    """Quoted Chinese in English, formulas in Chinese and plain signs are sound."""
    assert faults(stem, language) == []


def test_a_passage_that_is_there_is_not_missed() -> None:
    """A question that speaks of its passage is sound when it has one."""
    assert faults("According to the passage, who left?", passage="He left.") == []
