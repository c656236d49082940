"""Conclusions about significance."""

from __future__ import annotations

from every_row import every_row

from assay.grading.text.prose import prose
from assay.grading.text.significance import conclusion, statements


@every_row(
    "answer, significant",
    [
        ("The difference is statistically significant.", True),
        ("It isn't significant.", False),
        ("Significant at 5 %, though of no practical use.", True),
        ("We reject the null hypothesis.", True),
        ("We fail to reject H0.", False),
        ("This is likely noise.", False),
        (
            "It is significant in isolation. After correction it is not. Therefore: not significant.",
            False,
        ),
        ("It could be practically significant.", None),
        ("Is it significant?", None),
        ("It would be significant if n were larger.", None),
        ("The significance level is 0.05.", None),
    ],
    ids=range(11),
)
def test_what_is_concluded(answer: str, significant: bool | None) -> None:
    """Negations count; conditions, questions, levels and practical significance do not."""
    found = conclusion(prose(answer))
    assert (None if found is None else found.significant) is significant


def test_every_statement_is_found_in_order() -> None:
    """Both statements of an answer are told, with what they say."""
    found = statements(prose("A is significant. B is not significant."))
    assert [each.significant for each in found] == [True, False]
