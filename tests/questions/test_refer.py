"""Options that speak of other options."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.questions.refer import OptionReference, referring


@pytest.mark.parametrize(
    "option",
    [
        "All of the above",
        "all of these are correct",
        "以上都是",
        "以上各项都正确",
        "都对",
        "All of the above.",
    ],
)
def test_all_of_the_above_names_every_other(option: str) -> None:
    """However it is worded, it says that all the others are right."""
    assert referring(option, 3, 4) == OptionReference(frozenset({0, 1, 2}))


@pytest.mark.parametrize(
    "option",
    [
        "None of the above",
        "None of these",
        "Neither of these",
        "以上都不是",
        "以上都不对",
        "均不正确",
        "无正确答案",
    ],
)
def test_none_of_the_above_names_nobody(option: str) -> None:
    """However it is worded, it says that no other is right."""
    assert referring(option, 3, 4) == OptionReference(frozenset())


@pytest.mark.parametrize(
    "option", ["Both A and B", "A and B only", "(A) and (B)", "A和B", "A、B", "选项A和B都正确"]
)
def test_named_letters_are_read(option: str) -> None:
    """Letters of options that stand before are taken for those options."""
    assert referring(option, 2, 4) == OptionReference(frozenset({0, 1}))


@pytest.mark.parametrize("option", ["A and D", "B、C", "AB"])
def test_letters_that_come_later_are_plain_text(option: str) -> None:
    """As a first option such a text names vitamins, blood groups or points."""
    assert referring(option, 0, 4) is None


@pytest.mark.parametrize(
    "option", ["AB", "either A or B", "All but one of the above", "Only the above options", "除A以外都是"]
)
def test_what_is_not_understood_is_told(option: str) -> None:
    """Rather no statement than a wrong one."""
    assert referring(option, 3, 4) == OptionReference(None)


@every_row(
    "option",
    [
        "oxygen",
        "all cats",
        "None",
        "both hands",
        "以全体股东所持表决权的2/3以上通过",
        "县级以上人民政府",
        "A cat sat on the mat and all of it was above the floor, as everybody in the house could see",
        "四种元素的简单离子具有相同的电子层结构",
    ],
)
def test_plain_options_stand_for_themselves(option: str) -> None:
    """Words such as all and above do not make a reference by themselves."""
    assert referring(option, 3, 4) is None
