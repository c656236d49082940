"""The difference of two texts: word by word, without chance matches, and fast for hostile texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.report.site.difference import MOST_WORDS, TextPiece, compare_texts


def test_only_the_other_word_is_marked() -> None:
    """The words around it are common to both."""
    first, second = compare_texts(
        "The total is 42 euros today, no more.", "The total is 45 euros today, no more."
    )
    assert [piece.text for piece in first if piece.changed] == ["42"]
    assert [piece.text for piece in second if piece.changed] == ["45"]


@given(st.text(), st.text())
def test_the_pieces_are_the_texts(first: str, second: str) -> None:
    """Nothing is lost or added, and equal texts have no marks."""
    left, right = compare_texts(first, second)
    assert "".join(piece.text for piece in left) == first
    assert "".join(piece.text for piece in right) == second
    assert not any(piece.changed for piece in compare_texts(first, first)[0])


def test_a_few_equal_words_between_changes_are_no_common_text() -> None:
    """Two other sentences that share small words are marked as a whole."""
    first, second = compare_texts("alpha of the beta gamma", "delta of the epsilon zeta")
    assert first == [TextPiece("alpha of the beta gamma", changed=True)]
    assert second == [TextPiece("delta of the epsilon zeta", changed=True)]


def test_long_texts_are_compared_by_lines() -> None:
    """And if there are too many lines, everything is marked."""
    lines = [f"line {number} with some words" for number in range(MOST_WORDS // 2)]
    first, second = compare_texts("\n".join(lines), "\n".join([*lines[:-1], "another"]))
    assert [piece.text for piece in second if piece.changed] == ["another"]
    assert [piece.changed for piece in first] == [False, True]
    many = "a\n" * (MOST_WORDS + 1)
    assert compare_texts(many, many + "x") == (
        [TextPiece(many, changed=True)],
        [TextPiece(many + "x", changed=True)],
    )
