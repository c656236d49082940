"""Expanding choices into statements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from banked import CHOICE, CHOICE_KEY, choice
from every_row import every_row

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.expand import (
    MadeStatement,
    Unexpanded,
    choose,
    statements,
    variant_uuid,
)
from assay.questions.validate import validate
from assay.results.expansion import StatementKeys, StatementTally


def made(question: Question = CHOICE, key: AnswerKey = CHOICE_KEY) -> tuple[MadeStatement, ...]:
    """Return statements of a choice that can be expanded."""
    found = statements(question, key)
    assert not isinstance(found, Unexpanded)
    return found


def truths(options: tuple[str, ...], key: str) -> list[bool]:
    """Return which statements of a choice are true."""
    return [each.true for each in made(replace(CHOICE, options=options), AnswerKey(tuple(key)))]


def test_the_seeds_example_gives_four_statements() -> None:
    """Figure 7: four options, of which the third is the key, give False, False, True, False."""
    assert [each.key.answers for each in made()] == [(FALSE,), (FALSE,), (TRUE,), (FALSE,)]


def test_a_statement_keeps_the_stem_and_asks_about_its_option() -> None:
    """The stem stands first, then the question whether this answer fits the blank."""
    stem = made()[2].question.stem
    assert stem == f'{CHOICE.stem}\n\nIs it correct to put the answer "111" in the blank?'


@pytest.mark.parametrize(
    ("stem", "language", "ending"),
    [
        ("How many nodes has the tree?", "en", 'Is it correct to give "39" as an answer?'),
        ("该树的结点数为（ ）", "zh", "在空白处填入“39”是否正确？"),
        ("该树有多少个结点？", "zh", "以“39”作答是否正确？"),
    ],
)
def test_wording_goes_by_language_and_blank(stem: str, language: str, ending: str) -> None:
    """English and Chinese, with and without an answer space, each have their words."""
    asked = replace(CHOICE, stem=stem, language=language)  # type: ignore[arg-type]
    assert made(asked)[0].question.stem.endswith(ending)


def test_a_statement_keeps_passage_discipline_and_parent() -> None:
    """What places the choice places its statements too."""
    whole = replace(CHOICE, passage="A tree is a graph.", secondary="computer-science")
    variant = made(whole)[0].question
    assert (variant.passage, variant.discipline, variant.secondary, variant.parent, variant.kind) == (
        "A tree is a graph.",
        "engineering",
        "computer-science",
        CHOICE.uuid,
        QuestionKind.TRUE_OR_FALSE,
    )


def test_the_explanation_comes_along_with_the_key_in_words() -> None:
    """Who marks a False must see what was right."""
    assert made()[0].key.explanation == "The original key: 111. Level six is full but for its last nodes."


def test_several_keys_make_several_true_statements() -> None:
    """Each option's statement is true just when the option is among the keys."""
    assert truths(("a", "b", "c", "d"), "BD") == [False, True, False, True]


def test_the_wording_does_not_tell_how_many_are_right() -> None:
    """Statements of one and of several keys read the same."""
    one, several = (made(CHOICE, AnswerKey(tuple(key))) for key in ("A", "ABC"))
    assert [each.question.stem for each in one] == [each.question.stem for each in several]


@pytest.mark.parametrize(
    ("last", "key", "right"),
    [
        ("All of the above", "D", [True, True, True]),
        ("None of the above", "D", [False, False, False]),
        ("Both A and B", "D", [True, True, False]),
        ("以上都是", "D", [True, True, True]),
        ("All of the above", "B", [False, True, False]),
        ("None of the above", "C", [False, False, True]),
    ],
)
def test_options_about_others_are_resolved_and_have_no_statement(
    last: str, key: str, right: list[bool]
) -> None:
    """As the key such an option says which others are right; as a wrong one it is left out."""
    assert truths(("red", "green", "blue", last), key) == right


def test_what_refers_unclearly_is_left_alone() -> None:
    """A choice with an option that is not understood makes no statements."""
    found = statements(replace(CHOICE, options=("red", "green", "either A or B")), AnswerKey(("A",)))
    assert isinstance(found, Unexpanded)


def test_a_choice_that_does_not_hold_together_is_left_alone() -> None:
    """Statements are not made of a key that names no option."""
    found = statements(CHOICE, AnswerKey(("F",)))
    assert found == Unexpanded("the question is not consistent: key-outside-options")


@pytest.mark.parametrize(
    ("stem", "language"),
    [
        ("Which of the following is the largest?", "en"),
        ("What is the best title for the text?", "en"),
        ("下列数中最大的是（ ）", "zh"),
    ],
)
def test_what_compares_options_shows_them(stem: str, language: str) -> None:
    """`The largest of these` cannot be judged without these."""
    asked = replace(CHOICE, stem=stem, language=language)  # type: ignore[arg-type]
    assert all(option in made(asked)[0].question.stem for option in CHOICE.options)


def test_options_that_are_sentences_are_listed_without_their_stops() -> None:
    """`A。；B。` would stop twice."""
    asked = replace(
        CHOICE, stem="以下哪项最能削弱上述论证？", language="zh", options=("甲。", "乙。", "丙", "丁。")
    )
    assert "可供比较的答案：甲；乙；丙；丁\n" in made(asked)[0].question.stem


def test_equal_choices_make_equal_uuids() -> None:
    """Expanding again gives the same statements, so that nothing is added twice."""
    assert [each.question.uuid for each in made()] == [variant_uuid(CHOICE.uuid, letter) for letter in "ABCD"]


@every_row("number", range(20))
def test_statements_are_sound(number: int) -> None:
    """What is made holds together by the same rules as what was imported."""
    for each in made(*choice(number, options=2 + number % 5)):
        assert validate(each.question, each.key) == ()


def chosen(seed: int, known: set[str] | None = None, key: str = "C") -> list[MadeStatement]:
    """Return the balanced choice of the example's statements."""
    all_of_them = made(CHOICE, AnswerKey(tuple(key)))
    return list(
        choose(all_of_them, StatementKeys.BALANCED, known=known or set(), rng=np.random.default_rng(seed))
    )


def test_balanced_keeps_as_many_false_as_true() -> None:
    """Of one true and three false statements one of each is kept."""
    assert sorted(each.true for each in chosen(1)) == [False, True]


def test_balanced_keeps_all_true_ones_where_false_ones_are_few() -> None:
    """Of three true and one false all are kept."""
    assert len(chosen(1, key="ABC")) == 4


def test_the_seed_decides_which_false_ones() -> None:
    """Different seeds choose different false statements, each of them sometimes."""
    picked = {each.question.uuid for seed in range(40) for each in chosen(seed) if not each.true}
    assert picked == {variant_uuid(CHOICE.uuid, letter) for letter in "ABD"}


def test_balancing_again_keeps_what_is_there() -> None:
    """A false statement that the bank has already is kept, whatever the seed."""
    known = {variant_uuid(CHOICE.uuid, "D")}
    assert {next(e for e in chosen(seed, known) if not e.true).question.uuid for seed in range(20)} == known


@pytest.mark.parametrize(("true", "false", "share"), [(1, 3, 0.75), (2, 2, 0.5), (3, 1, 0.75), (0, 0, None)])
def test_the_constant_answers_share(true: int, false: int, share: float | None) -> None:
    """Of four statements with one true, always saying False gets three."""
    assert StatementTally(true, false).constant_baseline == share
