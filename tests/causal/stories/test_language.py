"""The grammar: agreement, lists, sentences."""

from __future__ import annotations

import pytest

from assay.causal.stories.language import Noun, fill, joined, listed, sentence, slots
from assay.core.errors import InvalidInput


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        (Noun("leaf cover"), "leaf cover is on the list and has an effect"),
        (Noun("working hours", plural=True), "working hours are on the list and have an effect"),
    ],
)
def test_verbs_agree_with_their_noun(noun: Noun, text: str) -> None:
    """A plural noun takes a plural verb."""
    assert fill("{a} {a:is|are} on the list and {a:has|have} an effect", {"a": noun}) == text


def test_a_slot_without_a_word_is_refused() -> None:
    """The message names the phrase and the slot."""
    with pytest.raises(InvalidInput, match="slot 'b'"):
        fill("{a} affects {b}", {"a": Noun("x")})


def test_lists_have_commas_and_one_last_word() -> None:
    """One, two and three items."""
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")] == ["a", "a and b", "a, b or c"]


def test_nouns_joined_by_and_are_plural() -> None:
    """With `or` the last noun decides."""
    one, two = Noun("noise"), Noun("tips", plural=True)
    assert joined([one, one]).plural
    assert not joined([one]).plural
    assert joined([one, two], "or").plural
    assert not joined([two, one], "or").plural


def test_sentences_begin_with_a_capital_and_end_with_a_stop() -> None:
    """The rest is left as it is."""
    assert sentence("the Monday sheet lists noise") == "The Monday sheet lists noise."


def test_slots_are_named_once_in_order() -> None:
    """Agreement is not another slot."""
    assert slots("{b} {b:is|are} like {a}") == ("b", "a")
