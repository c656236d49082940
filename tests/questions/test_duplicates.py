"""Near-duplicate questions."""

from __future__ import annotations

from itertools import count

import pytest
from every_row import every_row

from assay.questions.duplicates import AskedText, DuplicatePair, NearDuplicates
from assay.questions.near.words import option_pieces, option_words, pieces, stem_pieces, words

SHEEP = "A farmer keeps 30 sheep on the eastern meadow and sells 12 of the lambs. How many lambs are left?"
TREATY = "Which clause of the treaty of Westphalia ended the quarrel about the Rhine tolls?"
LOOM = "张明认为纺织机的改良对江南地区的棉布价格有怎样的影响？"
CLOTH = ("cotton", "linen", "silk", "wool")


def found(*asked: AskedText, after: int = 0, known: tuple[str, ...] = ()) -> list[DuplicatePair]:
    """Return the near-duplicates among questions in a bank with `known` questions before them."""
    comparison, numbers = NearDuplicates(), count(10_000)
    texts = {each.id: each for each in asked}
    for each in asked:
        comparison.add(each)
    for stem in known:
        number = next(numbers)
        comparison.add(AskedText(number, number, None, stem))
    pairs = [pair for some in comparison.candidates(after) for pair in some.tolist()]
    compared = [
        comparison.compare(texts[one], texts[other]) for one, other in pairs if {one, other} <= texts.keys()
    ]
    return [pair for pair in compared if pair is not None]


def same(one: str, other: str, *, known: tuple[str, ...] = ()) -> bool:
    """Whether two stems of different families are near-duplicates."""
    return bool(found(AskedText(1, 1, None, one), AskedText(2, 2, None, other), known=known))


@every_row(
    "copy",
    [
        SHEEP.upper(),
        SHEEP.replace(" ", "  ").replace(".", " ."),
        SHEEP.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
        SHEEP.replace("meadow", "maedow"),
        SHEEP.replace("farmer", "farmr").replace("eastern", "easttern"),
        "Please answer the following question: " + SHEEP,
        "Question 7. " + SHEEP,
        SHEEP.replace("the lambs", "lambs").replace("A farmer", "The farmer"),
        SHEEP.replace("sells", "quickly sells"),
        SHEEP.replace("eastern ", "the the eastern "),
    ],
)
def test_the_same_question_written_a_little_differently_is_found(copy: str) -> None:
    """Case, spaces, widths, two slips, preambles, small words and one added word make no other question."""
    assert same(SHEEP, copy)


@pytest.mark.parametrize(
    "other",
    [
        SHEEP.replace("30", "31"),
        SHEEP.replace("30", "12").replace(" 12 of", " 30 of"),
        SHEEP.replace("are left", "are not left"),
        SHEEP.replace("sheep", "goats"),
        SHEEP.replace("the eastern", "the western"),
        SHEEP.replace("How many lambs", "How many more lambs"),
        SHEEP.replace("30", "three").replace("12", "four"),
    ],
)
def test_what_asks_another_thing_in_nearly_the_same_words_is_left_alone(other: str) -> None:
    """Other numbers, the same in another order, a negation, another entity, a comparison: other questions."""
    assert not same(SHEEP, other)


def test_numbers_may_be_spelled_out() -> None:
    """Up to twenty, 3 and three are the same number."""
    assert same(SHEEP.replace("30", "3"), SHEEP.replace("30", "three"))


def test_two_known_words_are_never_a_slip() -> None:
    """Adsorption is no misspelt absorption once the bank holds both words."""
    one, other = (
        f"Explain how {word} of gases by charcoal is measured." for word in ("absorption", "adsorption")
    )
    known = tuple(f"Define {word} case {n}" for n in "abc" for word in ("absorption", "adsorption"))
    assert same(one, other)
    assert not same(one, other, known=known)


def test_a_known_word_is_a_slip_for_one_that_is_far_more_common() -> None:
    """Where 2,500 originals say many and 4 say may, that is a misspelt many; where 31 do, it is not."""
    said = tuple(f"How many pebbles lie in heap {n}?" for n in range(100, 2600))
    asked = "Count how many geese the miller saw at dawn."
    for copies, wanted in ((3, True), (30, False)):
        known = (*said, *(f"It may rain on ridge {n}" for n in range(copies)))
        assert same(asked, asked.replace("many", "may"), known=known) is wanted


def test_substances_are_told_apart_even_where_the_bank_knows_neither() -> None:
    """Nitrate and nitrite differ in one letter, and are two things."""
    stem = "How is sodium {} dissolved in the brine of the factory?"
    assert not same(stem.format("nitrate"), stem.format("nitrite"))


@pytest.mark.parametrize(
    "copy",
    [
        "请回答：" + LOOM,
        LOOM.replace("，", "").replace("？", "?"),
        LOOM.replace("怎样", "如何"),
        LOOM.replace("改良", "改改良"),
    ],
)
def test_chinese_questions_written_a_little_differently_are_found(copy: str) -> None:
    """Preambles, punctuation, synonymous small words and doubled characters make no other question."""
    assert same(LOOM, copy)


def test_a_wrong_chinese_character_is_a_slip_where_the_bank_knows_the_right_one() -> None:
    """纺织机 is known and 纺枝机 is not; 明朝 and 清朝 both are."""
    known = tuple(f"{word}与{word}的{n}" for n in "史志论" for word in ("纺织机", "明朝时", "清朝时"))
    assert same(LOOM, LOOM.replace("纺织机", "纺枝机"), known=known)
    dynasty = "简述在明朝时江南地区的纺织机改良"
    assert not same(dynasty, dynasty.replace("明", "清"), known=known)


def test_a_chinese_negation_makes_another_question() -> None:
    """One character is enough where it is 不."""
    assert not same(LOOM, LOOM.replace("有怎样", "没有怎样"))


def test_chinese_opposites_are_never_slips() -> None:
    """弱 and 非 exchanged make another question even where the bank knows neither reading."""
    known = tuple(f"物质属于非电解质的是{n}" for n in "史志论")
    assert not same("下列物质在水溶液中属于弱电解质的是", "下列物质在水溶液中属于非电解质的是", known=known)


def test_options_may_come_in_another_order() -> None:
    """Reordered options, with other letters, ask the same."""
    turned = tuple(f"({letter}) {text}" for letter, text in zip("ABCD", CLOTH[::-1], strict=True))
    assert found(AskedText(1, 1, None, TREATY, CLOTH), AskedText(2, 2, None, TREATY, turned))


def test_other_options_make_another_question() -> None:
    """The same stem with two other options is left alone."""
    assert not found(
        AskedText(1, 1, None, TREATY, CLOTH),
        AskedText(2, 2, None, TREATY, ("cotton", "linen", "felt", "jute")),
    )


def test_an_option_may_have_a_slip_but_no_word_more() -> None:
    """What is added to an option may be what makes it right or wrong."""
    options = ("the clause on the free navigation of rivers", *CLOTH[1:])
    slip, more = options[0].replace("clause", "clasue"), options[0].replace("rivers", "rivers and lakes")
    asked = AskedText(1, 1, None, TREATY, options)
    assert found(asked, AskedText(2, 2, None, TREATY, (slip, *CLOTH[1:])))
    assert not found(asked, AskedText(2, 2, None, TREATY, (more, *CLOTH[1:])))


def test_one_option_may_be_missing() -> None:
    """Three of four options are enough, two of three are not."""
    assert found(AskedText(1, 1, None, TREATY, CLOTH), AskedText(2, 2, None, TREATY, CLOTH[:3]))
    assert not found(AskedText(1, 1, None, TREATY, CLOTH[:3]), AskedText(2, 2, None, TREATY, CLOTH[:2]))


def test_siblings_are_exempt_among_themselves_but_not_against_another_family() -> None:
    """Two variants of one original are left alone; a variant that reads like a third question is found."""
    copy = SHEEP.replace("farmer", "farmr")
    pairs = found(
        AskedText(1, 1, None, "Unlike."),
        AskedText(2, 1, None, SHEEP),
        AskedText(3, 1, None, copy),
        AskedText(4, 4, None, copy),
    )
    assert [(pair.question, pair.other) for pair in pairs] == [(2, 4), (3, 4)]


def test_questions_over_one_shared_passage_are_exempt() -> None:
    """They are left alone over one passage and found over none."""
    one, other = AskedText(1, 1, 7, SHEEP, (), "A tale."), AskedText(2, 2, 7, SHEEP + "?", (), "A tale.")
    assert not found(one, other)
    assert found(one._replace(passage=None, material=""), other._replace(passage=None, material=""))


def test_the_same_short_question_about_two_passages_is_two_questions() -> None:
    """What a passage says tells them apart; a passage with a slip in it is still the same one."""
    tale = "The miller's daughter crossed the frozen river at night with nothing but a lantern and her dog."
    fable = "Copper prices rose sharply when the northern smelters closed during the long strike of miners."
    asked = AskedText(1, 1, 7, "What is the main idea?", (), tale)
    assert not found(asked, AskedText(2, 2, 8, asked.stem, (), fable))
    assert found(asked, AskedText(2, 2, 8, asked.stem, (), tale.replace("lantern", "lantrn")))


def test_a_longer_question_about_two_passages_is_two_questions_too() -> None:
    """The same words ask about another text; where one of the two has no passage they are the same."""
    asked = AskedText(1, 1, 7, SHEEP, (), "Old Tom's ledger of the year of the flood.")
    assert not found(
        asked, AskedText(2, 2, 8, SHEEP, (), "A letter that the shepherd's widow wrote in spring.")
    )
    assert found(asked, AskedText(2, 2, None, SHEEP))


def test_only_pairs_with_something_new_are_looked_at() -> None:
    """After a number, pairs of older questions are left out and pairs with a newer one are not."""
    three = [AskedText(n, n, None, SHEEP + "?" * n) for n in (1, 2, 3)]
    assert [(pair.question, pair.other) for pair in found(*three, after=2)] == [(1, 3), (2, 3)]


def test_long_texts_may_differ_in_more() -> None:
    """A long question retyped with a slip in every sentence is found by its sketch."""
    words = [
        f"{first}{second}"
        for first in ("bar", "kel", "mor", "tan")
        for second in ("onda", "ilfe", "ustro", "eppin")
    ]
    long = ". ".join(f"The {a} of {b} met a {a}{b} there" for a in words for b in words[:3]) + "?"
    copy = long
    for word in words[3:7]:
        copy = copy.replace(f"met a {word}", f"met a {word[0]}{word[2]}{word[1]}{word[3:]}", 1)
    assert same(long, copy)


def test_questions_come_in_order() -> None:
    """An id that is not greater than the last one is refused."""
    comparison = NearDuplicates()
    comparison.add(AskedText(2, 2, None, SHEEP))
    with pytest.raises(ValueError, match="order of ids"):
        comparison.add(AskedText(2, 2, None, TREATY))


def test_an_empty_bank_has_no_candidates() -> None:
    """Nothing and one question have no pairs, and a question of no words has none either."""
    assert found() == []
    assert found(AskedText(1, 1, None, SHEEP)) == []
    assert found(AskedText(1, 1, None, "?"), AskedText(2, 2, None, "!")) == []


@pytest.mark.parametrize(
    "text", [SHEEP, TREATY, LOOM, "3. 已知 f(x)=2x+1,000，则下列说法的目的是 don't?", "", "甲"]
)
def test_the_fast_pieces_are_those_of_the_words(text: str) -> None:
    """What texts are indexed by is what they are compared by."""
    assert stem_pieces(text) == pieces(words(text))
    assert option_pieces(text) == pieces(option_words(text))
