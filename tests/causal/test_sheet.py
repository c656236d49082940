"""The layout of a question, written and read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.item import Item
from assay.causal.sheet import parse, prompt, read
from assay.core.errors import InvalidInput
from assay.grading.text.letters import chosen_letter
from assay.studies.causal.library import instructions

END = "Write `Answer: X`."
ITEM = Item("c-1", "confounding", "base", "Why?\n\nTwo lines.", ("One.", "Two.", "Three.", "Four."), 2)
LINE = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=30).map(str.strip)
OPTION = LINE.filter(lambda text: text.splitlines() == [text])
STEM = st.lists(st.one_of(LINE, st.sampled_from(["", "A) x", "B) y", "Answer: A"])), min_size=1, max_size=6)


def test_the_layout_is_as_documented() -> None:
    """The stem, a blank line, the lettered options, a blank line, and one line that asks for the letter."""
    lines = prompt(ITEM, END).split("\n")
    assert lines == ["Why?", "", "Two lines.", "", "A) One.", "B) Two.", "C) Three.", "D) Four.", "", END]


@given(STEM.map("\n".join), st.lists(OPTION, min_size=2, max_size=6), st.text(max_size=8))
def test_what_is_written_is_read_back(stem: str, options: list[str], name: str) -> None:
    """Whatever the stem looks like, even lines like options, stem and options come back unchanged."""
    written = prompt(Item(name, "any", "base", stem, tuple(options), 0), END)
    assert parse(written) == (stem, tuple(options))


@pytest.mark.parametrize("text", instructions()["choice"])
def test_every_instruction_asks_for_what_the_grader_reads(text: str) -> None:
    """A reply that ends as the instruction asks is read as its letter."""
    assert "`Answer: X`" in text
    assert chosen_letter("It follows that a set blocks it.\nAnswer: C", "ABCD", "ANSWER:").letter == "C"


@pytest.mark.parametrize(
    "text", ["No options here.", "Q\n\nA) x", "Q\n\nB) x\nA) y\n\nGo.", "Q\n\nA) x\nC) y\n\nGo."]
)
def test_a_prompt_without_options_in_order_is_refused(text: str) -> None:
    """Strict reading wants at least two options, lettered from A without a gap."""
    with pytest.raises(InvalidInput, match="lettered"):
        parse(text)


def test_lenient_reading_keeps_wrong_letters() -> None:
    """Letters in the wrong order, other brackets and blank lines between are read as written."""
    sheet = read("Q\n\n(b) x\n\nA. y\n\nD) z\nPick one.")
    assert (sheet.stem, sheet.letters, sheet.options) == ("Q\n\n(b) x", ("A", "D"), ("y", "z"))
    assert read("Q\n\nB) x\n\nC) z\n\nPick.").letters == ("B", "C")
    assert read("Q\n\nB) x\nA) y\nC) z\nPick.").letters == ("B", "A", "C")


@pytest.mark.parametrize("options", [("a\nb", "c"), (" a", "b"), ("", "b"), ("a",)])
def test_options_that_would_not_be_read_back_are_refused(options: tuple[str, ...]) -> None:
    """An option that is empty, on two lines or padded, or stands alone cannot be laid out."""
    with pytest.raises(InvalidInput):
        prompt(Item("x", "c", "base", "Q", options, 0), END)
