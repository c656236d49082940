"""Format validation of questions with their keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from every_row import every_row

from assay.core.question import FALSE, TRUE, Language, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.validate import balanced, blocks, count_blanks, validate
from assay.results.review import Severity

PLAIN = Question(
    "00000000-0000-0000-0000-000000000001",
    QuestionKind.MULTIPLE_CHOICE,
    "Which gas do green plants take in? ( )",
    "science",
    ("oxygen", "carbon dioxide", "helium", "neon"),
)
KEY = AnswerKey(("B",))


def found(key: AnswerKey = KEY, **changes: object) -> list[str]:
    """Return the kinds of what is found wrong with the plain choice after changes."""
    return [each.kind for each in validate(replace(PLAIN, **changes), key)]  # type: ignore[arg-type]


def test_a_whole_choice_has_no_finding() -> None:
    """A choice whose parts agree is clean."""
    assert found() == []


@every_row(
    "key, changes, kind",
    [
        (AnswerKey(("E",)), {}, "key-outside-options"),
        (AnswerKey(("carbon dioxide",)), {}, "key-outside-options"),
        (AnswerKey(("B", "B")), {}, "key-repeats"),
        (AnswerKey(()), {}, "no-answer"),
        (AnswerKey((" ",)), {}, "no-answer"),
        (KEY, {"options": ("oxygen",)}, "option-count"),
        (KEY, {"options": ()}, "option-count"),
        (KEY, {"options": tuple(str(number) for number in range(27))}, "option-count"),
        (KEY, {"options": tuple(str(number) for number in range(12))}, "many-options"),
        (KEY, {"options": ("oxygen", "", "helium")}, "empty-option"),
        (KEY, {"options": ("oxygen", "Neon", " Ｎｅｏｎ ")}, "same-option"),
        (KEY, {"options": ("oxygen B. carbon dioxide", "helium", "neon")}, "swallowed-option"),
        (KEY, {"stem": "  "}, "empty-stem"),
        (KEY, {"stem": "Which gas do green plants take in? (B)"}, "leaked-key"),
        (KEY, {"stem": "Which gas do plants take in?\nAnswer: the second"}, "leaked-key"),
        (KEY, {"stem": "植物吸收什么气体？【答案】B", "language": "zh"}, "leaked-key"),
        (KEY, {"options": ("oxygen", "neon", "helium\nExplanation: plants breathe")}, "leaked-key"),
        (
            AnswerKey(("A", "D")),
            {"options": ("one", "two", "three", "None of the above")},
            "contradictory-key",
        ),
        (KEY, {"options": ("one", "two", "Some of the above options")}, "unclear-reference"),
        (KEY, {"stem": "Which gas do plants take in?" + " again" * 1100}, "long-stem"),
        (KEY, {"stem": "Gas"}, "short-stem"),
    ],
)
def test_what_is_wrong_with_a_choice_is_told(key: AnswerKey, changes: dict[str, object], kind: str) -> None:
    """Each way in which a choice and its key do not hold together has its finding."""
    assert kind in found(key, **changes)


def test_options_that_differ_in_case_differ() -> None:
    """The genotypes TT and Tt are two answers."""
    assert found(options=("TT", "Tt", "tt")) == []


def test_all_of_the_above_beside_what_it_covers_is_no_contradiction() -> None:
    """A key that names every option and `all of the above` agrees with itself."""
    assert found(AnswerKey(("A", "B", "C")), options=("one", "two", "All of the above")) == []


@pytest.mark.parametrize(
    ("stem", "blanks"),
    [
        ("Water is ____ and ____.", 2),
        ("Water is __1__ and __(2)__.", 2),
        ("Water is ( ) and （　　）.", 2),
        ("f(x) = 2, and f() is wrong; 【 】 and [   ]", 3),
        ("则 $a=(\\quad)$, $b=($\\qquad$)", 2),
        ("What is snake_case?", 0),
        ("Read (1) and (a).", 0),
    ],
)
def test_answer_spaces_are_counted(stem: str, blanks: int) -> None:
    """Underscores and empty brackets, numbered or not, half- or full-width, are answer spaces."""
    assert count_blanks(stem) == blanks


@pytest.mark.parametrize(
    ("stem", "answers", "kinds"),
    [
        ("Water is ____ and ____.", ("wet", "cold"), []),
        ("Water is ____ and ____.", ("wet",), ["blanks-and-answers"]),
        ("Water is ____.", ("wet", "cold"), ["blanks-and-answers"]),
        ("What is water?", ("wet",), []),
        ("What is water?", ("wet", "cold"), ["blanks-and-answers"]),
        ("Water in the desert.", ("rare",), ["no-blank"]),
        ("Water is ____.", (" ",), ["no-answer"]),
    ],
)
def test_answer_spaces_agree_with_answers(stem: str, answers: tuple[str, ...], kinds: list[str]) -> None:
    """A fill-in has as many answers as spaces; a plain question without a space has one answer."""
    question = {"kind": QuestionKind.FILL_IN_THE_BLANK, "options": (), "stem": stem}
    assert found(AnswerKey(answers), **question) == kinds


@pytest.mark.parametrize(
    ("kind", "answers", "kinds"),
    [
        (QuestionKind.TRUE_OR_FALSE, (TRUE,), []),
        (QuestionKind.TRUE_OR_FALSE, (FALSE,), []),
        (QuestionKind.TRUE_OR_FALSE, ("yes",), ["key-not-true-or-false"]),
        (QuestionKind.TRUE_OR_FALSE, (TRUE, FALSE), ["key-not-true-or-false"]),
        (QuestionKind.SHORT_ANSWER, ("one", "two"), ["several-answers"]),
        (QuestionKind.MATERIAL_ANALYSIS, ("one",), ["no-material"]),
    ],
)
def test_the_key_fits_the_kind(kind: QuestionKind, answers: tuple[str, ...], kinds: list[str]) -> None:
    """A statement's key is True or False, an open question's one text, and material is there."""
    stem = "Green plants take in carbon dioxide by day."
    assert found(AnswerKey(answers), kind=kind, options=(), stem=stem) == kinds


def test_options_of_another_kind_are_told() -> None:
    """Only choices have options."""
    assert found(AnswerKey((TRUE,)), kind=QuestionKind.TRUE_OR_FALSE) == ["stray-options"]


def test_no_finding_shows_the_key() -> None:
    """Whatever is wrong, the key's text stands in no finding."""
    secret = "xq7-secret-answer"
    tried = (
        replace(PLAIN, options=("a", "a", "")),
        replace(PLAIN, kind=QuestionKind.TRUE_OR_FALSE),
        replace(PLAIN, kind=QuestionKind.FILL_IN_THE_BLANK, options=()),
        replace(PLAIN, kind=QuestionKind.SHORT_ANSWER, stem=""),
    )
    told = [each for question in tried for each in validate(question, AnswerKey((secret, secret)))]
    assert len(told) >= 5
    assert not any(secret in each.text for each in told)


def test_some_findings_block_and_some_warn() -> None:
    """A key outside the options blocks; many options only warn."""
    outside = validate(PLAIN, AnswerKey(("E",)))
    many = validate(replace(PLAIN, options=tuple(str(number) for number in range(12))), KEY)
    assert blocks(outside)
    assert not blocks(many)
    assert many[0].severity is Severity.WARNS


def faults(stem: str, language: Language = "en", passage: str | None = None) -> list[str]:
    """Return the signs of damaged or incomplete text in a short-answer question."""
    question = Question("u", QuestionKind.SHORT_ANSWER, stem, "law", (), passage, None, language)
    return [problem.kind for problem in validate(question, AnswerKey(("x",))) if problem.kind != "short-stem"]


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


@every_row(
    "stem, language, kind",
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
