"""Replay: neither knowledge nor the rest tells what is hidden, and only the verbatim piece counts."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.question import Question, QuestionKind
from assay.questions.replay import GAP, Cloze, clozes, replay_messages, replay_version, restored, whole_text

PLAIN = "Which of the following statements about the matter is correct and which of them is not"


def make_question(stem: str, **parts: Any) -> Question:
    return Question("u", QuestionKind.SHORT_ANSWER, stem, "law", **parts)


def cloze_of(stem: str, *others: str, **parts: Any) -> Cloze:
    found = clozes([make_question(stem, **parts), *(make_question(other) for other in others)])[0]
    assert found is not None
    return found


def test_the_rarest_words_are_hidden() -> None:
    """What other questions say too is left in view; what only this one says is taken out."""
    rare = "Ludmilla Krantz weighed seventeen copper kettles"
    found = cloze_of(f"{PLAIN}. {rare}.", PLAIN, PLAIN)
    assert found.hidden == rare
    assert rare not in found.shown
    assert found.shown.count(GAP) == 1


def test_words_that_stand_elsewhere_in_the_text_are_not_worth_hiding() -> None:
    """A name that the text repeats could be copied, so that another piece is hidden."""
    found = cloze_of(
        f"Krantz Krantz Krantz Krantz Krantz Krantz. {PLAIN}. Five geese crossed a frozen canal slowly"
    )
    assert "krantz" not in found.hidden.casefold()


def test_a_piece_lies_within_one_option_and_spares_its_letter() -> None:
    """Letters of options stay, and no piece runs from one option into the next."""
    options = ("Zirconium plates sealed beneath orchard walls", "Quartz lamps hung above ferry landings")
    found = cloze_of(PLAIN, PLAIN, PLAIN, options=options)
    assert found.hidden in options
    assert "A. " in found.shown
    assert "B. " in found.shown


def test_chinese_is_hidden_by_characters() -> None:
    """Ten characters of a Chinese text are hidden, and their number is given."""
    found = cloze_of(
        "明代万历年间张居正推行一条鞭法，将田赋徭役合并折银征收，并由官府统一办理。", language="zh"
    )
    assert len([letter for letter in found.hidden if letter not in "，。"]) == 10
    assert "10个字" in replay_messages(found)[0].content


@pytest.mark.parametrize("stem", ["", "Too short to hide.", f"{PLAIN} {GAP}"])
def test_what_cannot_be_replayed_has_no_cloze(stem: str) -> None:
    """Nothing is hidden where too little would be left, or where the text has such a mark itself."""
    assert clozes([make_question(stem)]) == [None]


def test_the_question_of_the_model_holds_the_gap_and_not_the_piece() -> None:
    """One message: the request, then the text with its gap."""
    found = cloze_of(f"{PLAIN}. Seven green herons waited near Port Ambrose")
    (message,) = replay_messages(found)
    assert message.content.endswith(found.shown)
    assert found.hidden not in message.content
    assert "6 words" in message.content


CLOZE = Cloze("The old ferry sank near Port Ambrose in March of that year, they say.", 14, 36, "en")


@every_row(
    "reply, right",
    [
        ("sank near Port Ambrose", True),
        ("  “Sank near PORT Ambrose.”\n", True),
        ("ferry sank near Port Ambrose in March", True),
        ("The missing piece is:\nsank near Port Ambrose", True),
        ("sank near Port Ambrosia", False),
        ("sank near Port", False),
        ("sank near Port Ambrose or burned near Port Adelaide", False),
        ("I have not seen this. sank near Port Ambrose", False),
        ("", False),
    ],
)
def test_only_the_piece_itself_counts(reply: str, right: bool) -> None:
    """Case, quotes, punctuation do not matter, neighbouring words may be there, guesses do not pile up."""
    assert CLOZE.hidden == "sank near Port Ambrose"
    assert restored(reply, CLOZE) is right


WORDS = ("alpha", "beta", "gamma", "delta", "12", "中", "文", "试", "题", "éa", "ﬁx")


@given(st.lists(st.sampled_from(WORDS), min_size=16, max_size=40))
def test_whatever_is_hidden_is_restored_by_itself(words: list[str]) -> None:
    """The hidden piece is always accepted, and the shown text with it is the whole."""
    (found,) = clozes([make_question(" ".join(words))])
    if found is None:
        return
    assert restored(found.hidden, found)
    assert found.shown.replace(GAP, found.hidden) == whole_text(make_question(" ".join(words)))


def test_the_version_stands_in_the_data() -> None:
    """Both languages' wording has one."""
    assert replay_version() == "en 1, zh 1"
