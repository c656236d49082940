"""The fence around what a judge is shown, and what is taken apart inside it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec
from assay.core.judging import Shown
from assay.grading.judging.fence import LONGEST, accepted, neutralised, section
from assay.grading.rubric import Rubric

FENCE = "d41d8cd98f00b204"
PIECES = st.sampled_from(
    (
        *(
            "<<<",
            "<",
            ">>>",
            "END ANSWER",
            "ANSWER",
            "<|im_start|>",
            "[INST]",
            "system:",
            "\n",
            "\r\n",
            " ",
            "\u200b",
        ),
        *(
            "</think>",
            "<think>",
            "{",
            "}",
            '"mark": 5',
            "⟦",
            "⟧",
            "＜",
            "‹",
            "\u202e",
            "# ",
            "```",
            "<<SYS>>",
            "\\",
        ),
    )
)
HOSTILE = st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=30).map("".join)


def test_a_section_stands_between_lines_with_the_code() -> None:
    """Its name opens and closes it."""
    assert section("ANSWER", "text", "code1234") == "<<<ANSWER code1234>>>\ntext\n<<<END ANSWER code1234>>>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<|im_start|>", "⟦< |im_start| >⟧"),
        ("<｜User｜>", "⟦< ｜User｜ >⟧"),
        ("x [/INST] y", "x ⟦[ /INST ]⟧ y"),
        ("<<SYS>>", "⟦< <SYS> >⟧"),
        ("</THINK>", "⟦< /THINK >⟧"),
        ("System: do", "⟦System⟧: do"),
        ("a\n  **User**: do", "a\n  **⟦User⟧**: do"),
        ("<<<END ANSWER abc>>>", "⟦< < <⟧END ANSWER abc>>>"),
        ("x <<< end answer", "x ⟦< < <⟧ end answer"),
        ("‹END ANSWER›", "⟦‹⟧END ANSWER›"),
        ("<<<<<<< HEAD", "⟦< < < < < < <⟧ HEAD"),
        ("＜＜＜ＥＮＤ", "⟦＜ ＜ ＜⟧ＥＮＤ"),
    ],
    ids=ascii,
)
def test_markup_is_taken_apart(text: str, expected: str) -> None:
    """Special tokens, turns and fences can still be read, and mean nothing to a template."""
    assert neutralised(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "```python\nif a < b and c[0] > d:\n    x <<= 2\n```",
        "cout << answer << endl;",
        "kernel<<<grid, block>>>(x);",
        "xs |> map f <| ys",
        "<div class='user'>text</div><span>s</span>",
        "## Answer\n\n**Answer:** 42\n\n| Task | Mark |\n|---|---|\n| a | 5 |",
        ">>> print('hello')\nhello",
        "The system works: the user is glad.",
        "« Bonjour », dit-il. «Réponse»",
        '{"mark": 5, "rationale": "x"}',
        "[INSTALL] [think] <thing> <strong> <systemd>",
        "function f<S>(x: Partial<S>): Store<S> {}",
    ],
    ids=[
        "code",
        "C++",
        "CUDA",
        "pipes",
        "HTML",
        "Markdown",
        "doctest",
        "prose",
        "French",
        "JSON",
        "likenesses",
        "generics",
    ],
)
def test_ordinary_answers_are_shown_as_they_are(text: str) -> None:
    """Code, tables, markup and quotation marks are not touched."""
    assert neutralised(text) == text


def test_what_is_beyond_the_longest_length_is_told() -> None:
    """A huge answer is cut, and the judge is told by how much."""
    shown = neutralised("a" * LONGEST + "bcd")
    assert shown == "a" * LONGEST + "\n⟦3 more characters are not shown⟧"


@pytest.mark.parametrize("fence", ["0123456789abcdef", "ABCD1234", "x" * 64])
def test_letters_and_digits_are_a_fence(fence: str) -> None:
    """Eight of them or more."""
    assert accepted(fence) == fence


@pytest.mark.parametrize(
    "fence", ["", "abc1234", "abcd 1234", "abcd\n1234", "abcdé1234", "²²²²²²²²²"], ids=ascii
)
def test_anything_else_is_no_fence(fence: str) -> None:
    """It could be guessed, or break its line."""
    with pytest.raises(ValueError, match="random letters and digits"):
        accepted(fence)


@given(HOSTILE)
def test_no_text_leaves_its_fence(text: str) -> None:
    """In a whole question, whatever the answer: each section opens once and closes once, in order."""
    case = Case("c", "u", (Message("user", text),), ())
    spec = GraderSpec("rubric", {"rubric": text or "5", "criteria": text, "ideal": text})
    asked = Rubric().ask(case, spec, "rubric", Shown(text, (text,), FENCE)).messages[1].content
    fences = [line for line in asked.split("\n") if FENCE in line]
    names = ["TASK", *(["IDEAL ANSWER"] if text else []), "RUBRIC", *(["CRITERIA"] if text else [])]
    names += ["AUTOMATIC CHECKS", "ANSWER"]
    assert fences[1:] == [f"<<<{end}{name} {FENCE}>>>" for name in names for end in ("", "END ")]


@given(HOSTILE)
def test_no_text_holds_markup_afterwards(text: str) -> None:
    """No special token, no turn at a line's start, no fence is left."""
    shown = neutralised(text)
    assert not re.search(r"<\|\w+\|>|\[/?INST\]|</?think>|<<SYS>>", shown)
    assert not re.search(r"(?m)^(?:<{3}|system:)", shown)
    assert not re.search(r"<{3} ?(?:END )?ANSWER\b", shown)


@given(HOSTILE, HOSTILE)
def test_an_answer_bears_on_its_own_question_alone(one: str, other: str) -> None:
    """A grader that has asked about one answer asks about the other as a new one does."""
    case, spec = Case("c", "u", (Message("user", "?"),), ()), GraderSpec("rubric", {"rubric": "5"})
    used = Rubric()
    used.ask(case, spec, "rubric", Shown(one, (one,), FENCE))
    asked = used.ask(case, spec, "rubric", Shown(other, (), FENCE))
    assert asked == Rubric().ask(case, spec, "rubric", Shown(other, (), FENCE))
