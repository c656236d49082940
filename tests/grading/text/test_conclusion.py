"""Where answers conclude."""

from __future__ import annotations

from every_row import every_row

from assay.grading.text.conclusion import conclusions


@every_row(
    "answer, where, part",
    [
        ("So it is 3.\n\nANSWER: 4", "the stated answer", "4"),
        ("The answer is 3. Later: the answer is 5.", "the stated answer", "5"),
        ("## Final Answer\n\n**7**\n\n## Notes\nnone", "the stated answer", "7"),
        ("Thus $\\boxed{8}$.", "the last box", "8"),
        ("Work.\n\nTherefore it is 9.\n\nCheck: 9 > 2.", "the closing line", "it is 9"),
        ("**9 trucks**\n\nEach holds ten.", "the opening line", "9 trucks"),
        ("The answer is 3. Wait, I forgot one. So it is 4.", "the last conclusion", "it is 4"),
        ("To sum up:\n\n- A: 1\n- B: 2", "the last conclusion", "B: 2"),
    ],
    ids=range(8),
)
def test_the_most_telling_place(answer: str, where: str, part: str) -> None:
    """A stated answer wins over a conclusion, the last over earlier ones, a change of mind over both."""
    first = conclusions(answer)[0]
    assert first.where == where
    assert part in first.words


def test_a_blank_answer_concludes_nothing() -> None:
    """There is no place at all."""
    assert conclusions(" \n") == ()


def test_an_obvious_but_wrong_answer_is_not_the_stated_one() -> None:
    """'The tempting answer is 10' does not conclude."""
    assert "5" in conclusions("The tempting answer is 10. So the ball costs 5.")[0].words
