"""The digest of a question's content."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.core.question import Question, QuestionKind
from assay.questions.digest import DIGEST_BYTES, content_digest

PLAIN = Question(
    uuid="u",
    kind=QuestionKind.MULTIPLE_CHOICE,
    stem="What is 2 + 2?",
    discipline="science",
    options=("Three", "Four"),
    passage="A sum.",
)


@pytest.mark.parametrize(
    "same",
    [
        replace(PLAIN, uuid="v", discipline="law", secondary="law", language="zh", parent="w"),
        replace(PLAIN, stem="  what IS\n2 +\u00a02？ "),
        replace(PLAIN, options=("ＴＨＲＥＥ", "four")),
    ],
)
def test_what_does_not_matter_does_not_change_it(same: Question) -> None:
    """Case, white space, widths, and what is no content."""
    assert content_digest(same) == content_digest(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, kind=QuestionKind.SHORT_ANSWER),
        replace(PLAIN, stem="What is 2 + 3?"),
        replace(PLAIN, options=("Four", "Three")),
        replace(PLAIN, options=("Three Four",)),
        replace(PLAIN, passage=None),
        replace(PLAIN, passage=None, stem="A sum. What is 2 + 2?"),
    ],
)
def test_other_content_has_another_digest(other: Question) -> None:
    """Kind, stem, options and their order, and the passage all count."""
    assert content_digest(other) != content_digest(PLAIN)


def test_a_power_is_not_a_digit() -> None:
    """x² and x2, H₂ and H2 stay apart, which NFKC alone would make equal."""
    texts = ["x²", "x2", "x₂", "x^3"]
    assert len({content_digest(replace(PLAIN, stem=text)) for text in texts}) == len(texts)


def test_it_has_sixteen_bytes() -> None:
    """The width that the bank's column and other digests rely on, lone surrogates included."""
    assert len(content_digest(replace(PLAIN, stem="\ud800"))) == DIGEST_BYTES == 16
