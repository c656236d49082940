"""Where sentences end."""

from __future__ import annotations

from every_row import every_row

from assay.grading.constraint_kinds.sentences import sentences


@every_row(
    "answer, number",
    [
        ("", 0),
        ("no mark at the end", 1),
        ("One. Two! Three?", 3),
        ("Dr. Smith met Mr. J. R. Jones at 5 p.m. They talked.", 2),
        ("Apples, pears etc. are fruit.", 1),
        ("Plan B. It works!", 2),
        ("No. 5 lives. He said no. Then he left.", 3),
        ("It costs 3.50 euros. See e.g. Foo.", 2),
        ('He cried "Stop!" and left.', 1),
        ("“Why?” she asked. “Because.”", 2),
        ("Wait... what? Yes... Then.", 3),
        ("1. Wash it.\n2. Dry it.\nA. Done.", 3),
        ("**Really?** Yes. **", 2),
        ("A heading\n\nThen a sentence.", 1),
        ("今日は晴れ。明日は雨！", 2),
        ("यह एक है। यह दो है।", 2),
        ("U.S. Army units moved.", 1),
        ("What?! No!!!", 2),
    ],
)
def test_sentences_are_counted(answer: str, number: int) -> None:
    """Abbreviations, initials, list numbers, decimals and quoted marks end no sentence."""
    assert len(sentences(answer)) == number


def test_nothing_is_lost() -> None:
    """The sentences together hold all the text, in order."""
    answer = "One. Two (2.5 of them)! Three?"
    assert " ".join(sentences(answer)) == answer
