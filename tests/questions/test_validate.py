"""Format validation of questions with their keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.validate import Severity, blocks, count_blanks, validate

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


@pytest.mark.parametrize(
    ("key", "changes", "kind"),
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
