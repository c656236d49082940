"""Words as hashes: the same words have the same hashes, whatever their case, width and punctuation."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.questions.text_tokens import ngram_hashes, text_tokens

WORD = re.compile(r"[一-鿿㐀-䶿ぁ-ヿ]|[^\W_一-鿿㐀-䶿ぁ-ヿ]+")
LETTERS = st.text(alphabet="abAB é中国.,-_ \n9ﬁ", max_size=60)


@given(LETTERS)
def test_the_words_are_those_of_a_regular_expression(text: str) -> None:
    """The places of the words are those that a plain scan of the normalised text finds."""
    tokens = text_tokens(text)
    normal = unicodedata.normalize("NFKC", text)
    expected = [(match.start(), match.end()) for match in WORD.finditer(normal)]
    assert list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)) == expected
    assert tokens.lines.tolist() == [normal.count("\n", 0, start) for start, _ in expected]


@given(LETTERS, LETTERS)
def test_equal_words_and_only_these_have_equal_hashes(one: str, other: str) -> None:
    """Hashes depend on the letters regardless of case, and not on the place in the text."""
    tokens = text_tokens(f"{one} {other}")
    words = [tokens.text[start:end].lower() for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    for word, code in zip(words, tokens.hashes.tolist(), strict=True):
        same = [value for text, value in zip(words, tokens.hashes.tolist(), strict=True) if text == word]
        assert set(same) == {code}
    assert len(set(words)) == len(set(tokens.hashes.tolist()))


def test_width_case_and_punctuation_do_not_count() -> None:
    """Full-width letters, capitals and dashes make no difference; another order of letters does."""
    plain = text_tokens("the law of 1848").hashes
    assert np.array_equal(text_tokens("THE - ｌａｗ, of: １８４８!").hashes, plain)
    assert not np.array_equal(text_tokens("the wal of 1848").hashes, plain)


def test_an_n_gram_depends_on_the_order_of_its_words() -> None:
    """`a b a b` has two different 2-grams; fewer words than n have none."""
    hashes = text_tokens("a b a b").hashes
    first, second, third = ngram_hashes(hashes, 2).tolist()
    assert first == third != second
    assert len(ngram_hashes(hashes, 5)) == 0
