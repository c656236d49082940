"""Which lettered option an answer chooses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.text.letters import chosen


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(b)", "B"),
        ("B.", "B"),
        ("**B**", "B"),
        ("B) Paris", "B"),
        ("B. Paris is the capital", "B"),
        ("B - the second", "B"),
        ("A, because C is false", "A"),
        ("A is the most defensible reading.", "A"),
        ("A\n\nExplanation: B is wrong", "A"),
        ("ANSWER: c", "C"),
        ("ANSWER: C) the dog", "C"),
        ("ANSWER: A because it is", "A"),
        ("ANSWER: B because C is wrong", "B"),
        ("ANSWER: Option B", "B"),
        ("ANSWER: \\text{B}", "B"),
        ("ANSWER: The correct answer is B", "B"),
        ("The answer is B.", "B"),
        ("Answer: **(C)**", "C"),
        ("The correct option is C.", "C"),
        ("The final answer is $\\boxed{D}$", "D"),
        ("The answer is A.\nWait.\nThe answer is B.", "B"),
        ("Option D is wrong, option B is right", "B"),
        ("Both A and B fail.\n\n**D**", "D"),
        ("I would go with option C because", "C"),
        ("I choose B", "B"),
        ("<think>A</think>B", "B"),
    ],
)
def test_a_clear_choice_is_found(answer: str, letter: str) -> None:
    """Bare letters, markers, boxes and stated answers give the letter."""
    assert chosen(answer, "ABCD", "ANSWER:").letter == letter


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "A dog is what I think of.",
        "I think a is best",
        "ANSWER: A dog",
        "The answer is a good one",
        "The answer is A good thing to do is",
        "The answer is not A",
        "Because of a confounder, the effect is biased.",
        "E",
        "Both A and D could hold.",
        "Option A has merit, and so has option B.",
    ],
)
def test_an_article_or_a_mention_is_no_choice(answer: str) -> None:
    """The article 'a', a letter outside the options and letters merely named choose nothing."""
    assert chosen(answer, "ABCD", "ANSWER:").letter is None


@pytest.mark.parametrize(
    "answer",
    [
        "A or B",
        "ANSWER: A or B",
        "ANSWER: A, B",
        "ANSWER: A and B",
        "ANSWER: A\nANSWER: B",
        "The answer is A. No, the answer is B.",
        "The answer is A or B.",
        "$\\boxed{A}$ or $\\boxed{B}$",
        "A.\nThat was wrong.\nB",
    ],
)
def test_contradictory_letters_are_invalid(answer: str) -> None:
    """Two letters in one breath are no choice, even where one of them is right."""
    found = chosen(answer, "ABCD", "ANSWER:")
    assert found.letter is None
    assert found.problem


DRESSES = ["{}", "({})", "**{}**", "{}.", "{})text", "ANSWER:{}", "\\boxed{{{}}}"]
SENTENCES = ["The answer is {}.", "Well...\n\n{}", "{}, because it follows."]


@given(
    st.sampled_from("ABCD"),
    st.sampled_from(
        [
            "{}",
            "({})",
            "**{}**",
            "{}.",
            "{}) text",
            "ANSWER: {}",
            "The answer is {}.",
            "Well...\n\n{}",
            "\\boxed{{{}}}",
        ]
    ),
)
def test_every_letter_in_every_dress_is_read(letter: str, dress: str) -> None:
    """No dress favours a letter."""
    assert chosen(dress.format(letter), "ABCD", "ANSWER:").letter == letter
