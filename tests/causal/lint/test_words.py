"""Words of a text and its normal form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.lint.words import content, jaccard, normal, words


def test_single_capitals_keep_their_case() -> None:
    """Variables stay apart from words: A is a variable, the article is not."""
    assert words("Adjust for A, not for a proxy of X1.") == (
        *("adjust", "for", "A", "not", "for", "a", "proxy", "of", "x1"),
    )
    assert content(words("Adjust for A, not for a proxy.")) == {"adjust", "A", "not", "proxy"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("0.50", "50 %"), ("1/2", ".5"), ("Yes,  it IS.", "yes, it is"), ("`{X, Z}`", "{x, z}"), ("-5", "−5")],
)
def test_what_makes_no_difference(one: str, other: str) -> None:
    """Case, spaces, outer punctuation and the spelling of a number are taken out."""
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), [("0.5", "5"), ("{X}", "{X, Z}"), ("5 days", "5"), ("-5", "5")])
def test_what_makes_a_difference(one: str, other: str) -> None:
    """Other numbers, sets and units stay apart."""
    assert normal(one) != normal(other)


@given(st.text(max_size=40))
def test_the_normal_form_is_stable(text: str) -> None:
    """Normalising never fails."""
    assert isinstance(normal(text), str)


def test_the_share_of_common_words() -> None:
    """Two of four words in common make one half; two empty sets have nothing in common."""
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0
