"""The taxonomy of disciplines."""

from __future__ import annotations

import re

import pytest
from every_row import every_row

from assay.core.errors import InvalidInput
from assay.questions.taxonomy import disciplines, find_discipline, find_secondary

CODES = [
    "philosophy",
    "economics",
    "law",
    "education",
    "literature",
    "history",
    "science",
    "engineering",
    "agronomy",
    "medicine",
    "military",
    "management",
    "arts",
]
SEED = {
    "Eng.": "engineering",
    "Econ.": "economics",
    "Edu.": "education",
    "Law": "law",
    "Lit.": "literature",
    "Mgmt.": "management",
    "Sci.": "science",
    "Hist.": "history",
    "Med.": "medicine",
    "Mil.": "military",
    "Philosophical Sciences": "philosophy",
    "Economic Sciences": "economics",
    "Management Sciences": "management",
    "Military Science": "military",
    "Sciences": "science",
    "Agronomy": "agronomy",
    "Arts": "arts",
}


def test_there_are_thirteen_with_over_fifty_below() -> None:
    """The codes are those the rest of the program relies on, numbered 01-13; 111 stand below them."""
    assert [one.code for one in disciplines()] == CODES
    assert [one.number for one in disciplines()] == [f"{number:02}" for number in range(1, 14)]
    assert sum(len(one.secondary) for one in disciplines()) == 111


def test_secondary_numbers_begin_with_the_primary_one() -> None:
    """Each has four digits, its primary's first, and a code and a Chinese name of its own."""
    below = [(one, each) for one in disciplines() for each in one.secondary]
    assert all(each.number[:2] == one.number and each.primary == one.code for one, each in below)
    assert len({each.code for _, each in below}) == len({each.number for _, each in below}) == 111
    assert all(re.fullmatch(r"[一-鿿]+", each.chinese) for _, each in below)


@every_row("text, code", SEED.items())
def test_the_seed_s_spellings_are_found(text: str, code: str) -> None:
    """The names of tables 6 and 7, abbreviations too, are known in any case."""
    assert find_discipline(text).code == find_discipline(text.upper()).code == code


@pytest.mark.parametrize("text", ["medicine", "10", "医学", " Medicine ", "ｍｅｄ"])
def test_a_primary_discipline_is_found_by_every_name(text: str) -> None:
    """Code, number, English and Chinese name, full-width letters."""
    assert find_discipline(text).code == "medicine"


@pytest.mark.parametrize(
    "text", ["computer-science-and-technology", "计算机科学与技术", "Computer Science", "0812 "]
)
def test_a_secondary_discipline_is_found_by_every_name(text: str) -> None:
    """Code, Chinese name, the name in the seed's figure 8, number."""
    assert find_secondary(text, "engineering").number == "0812"


def test_no_two_disciplines_answer_to_one_name() -> None:
    """No name, code, number or alias stands for two disciplines of one level."""
    for level in (disciplines(), [below for one in disciplines() for below in one.secondary]):
        names = [
            name.casefold().rstrip(".")
            for one in level
            for name in {one.code, one.number, one.english, one.chinese, *one.aliases}
            if name.casefold() != one.code or name == one.code
        ]
        assert len(names) == len(set(names))


def test_an_unknown_name_is_told_with_what_there_is() -> None:
    """The message holds the text given and the codes to choose from."""
    with pytest.raises(InvalidInput, match=r"'alchemy'.*philosophy, economics"):
        find_discipline("alchemy")
    with pytest.raises(InvalidInput, match=r"'alchemy' of law.*sociology"):
        find_secondary("alchemy", "law")


def test_a_secondary_under_another_primary_is_refused() -> None:
    """Physics is no part of law."""
    with pytest.raises(InvalidInput, match=r"'Physics' belongs to science, not to law"):
        find_secondary("Physics", "law")
