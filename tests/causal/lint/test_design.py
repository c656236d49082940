"""What trained attacks see."""

from __future__ import annotations

import numpy as np
from causal_items import form, item

from assay.causal.lint.design import crossed, keywords, option_only
from assay.causal.lint.reading import read_all

QUESTIONS = read_all(
    [
        item(("red dog", "blue cat"), stem="A red bus.", id="a"),
        item(("red cat", "green dog", "blue"), stem="A cat.", id="b"),
    ]
)


def test_words_are_marked_where_they_stand() -> None:
    """Words of two questions have a column, in the order of the alphabet; no option, no words."""
    design = keywords(QUESTIONS)
    assert design.matrix.toarray().tolist() == [
        [0, 0, 1, 1],
        [1, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 1, 0, 1],
        [0, 0, 1, 0],
        [1, 0, 0, 0],
    ]
    assert design.there.tolist() == [[True, True, False], [True, True, True]]


def test_option_only_attacks_never_see_the_stem() -> None:
    """Other stems give the same features; the attack that crosses with the stem sees others."""
    items = form(1, concepts=4)
    moved = [item(one.options, stem="Red bus 0.5.", id=one.id, key=one.key) for one in items]
    before, after = read_all(items), read_all(moved)
    assert np.array_equal(option_only(before).matrix.toarray(), option_only(after).matrix.toarray())
    assert crossed(before).matrix.shape != crossed(after).matrix.shape


def test_no_feature_knows_the_key_or_the_position() -> None:
    """Other keys change nothing, and options in reverse order have their features in reverse order."""
    items = form(2, concepts=4)
    turned = [item(one.options[::-1], stem=one.stem, id=one.id, key=3 - one.key) for one in items]
    before = crossed(read_all(items)).matrix.toarray().reshape(len(items), 4, -1)
    after = crossed(read_all(turned)).matrix.toarray().reshape(len(items), 4, -1)
    assert np.allclose(before, after[:, ::-1])


def test_questions_are_taken_with_their_options() -> None:
    """A part of a design has the rows of its questions."""
    part = keywords(QUESTIONS).take(np.array([1]))
    assert part.matrix.toarray().tolist() == keywords(QUESTIONS).matrix.toarray()[3:].tolist()
