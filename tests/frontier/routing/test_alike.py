"""Prompts that read alike: which are, and which are not."""

from __future__ import annotations

import numpy as np

from assay.frontier.routing.folds import alike


def test_texts_that_differ_in_case_marks_spaces_or_digits_are_alike() -> None:
    """Another word makes another prompt, and blank texts are like none."""
    texts = ("What is 3 + 4?", "what is 12+5", "What was 3 + 4?", "", " ")
    groups = alike(texts, 5)
    assert groups[0] == groups[1]
    assert len(set(groups.tolist())) == 4


def test_a_long_text_with_one_other_word_is_alike() -> None:
    """40 words, one of them changed: 35 of 41 runs are shared. With five changed they are two prompts."""
    words = [f"word{chr(97 + place % 26)}{chr(97 + place // 26)}" for place in range(40)]
    one, five = list(words), list(words)
    one[20] = "other"
    five[3:40:8] = ["other"] * 5
    groups = alike([" ".join(each) for each in (words, one, five)], 3)
    assert groups[0] == groups[1] != groups[2]


def test_what_many_prompts_share_makes_none_of_them_alike() -> None:
    """A long instruction before every short question tells nothing."""
    instruction = " ".join(f"rule{chr(97 + place % 26)}{place // 26 * 'x'}" for place in range(60))
    rng = np.random.default_rng(0)
    texts = [
        instruction + " " + " ".join("".join(rng.choice(list("abcdefgh"), 5)) for _ in range(8))
        for _ in range(60)
    ]
    assert len(set(alike(texts, 60).tolist())) == 60


def test_likeness_goes_from_text_to_text() -> None:
    """The first and the last are alike over the one between; without texts every prompt is its own."""
    words = [f"w{chr(97 + place % 26)}{chr(97 + place // 26)}" for place in range(60)]
    chain = [" ".join(words), " ".join(words[5:]), " ".join(words[10:])]
    assert len(set(alike(chain, 3).tolist())) == 1
    assert alike(None, 3).tolist() == [0, 1, 2]
