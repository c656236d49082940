"""The fence around what a judge is shown, and what is taken apart inside it."""

from __future__ import annotations

import re

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec
from assay.core.judging import ShownToJudge
from assay.grading.judging import fence
from assay.grading.judging.fence import LONGEST, checked_fence, neutralise, section
from assay.grading.marks import Rubric

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


@every_row(
    "text, expected",
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
    assert neutralise(text) == expected


@every_row(
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
    assert neutralise(text) == text


def test_what_is_beyond_the_longest_length_is_told() -> None:
    """A huge answer is cut, and the judge is told by how much."""
    shown = neutralise("a" * LONGEST + "bcd")
    assert shown == "a" * LONGEST + "\n⟦3 more characters are not shown⟧"


@pytest.mark.parametrize("fence", ["0123456789abcdef", "ABCD1234", "x" * 64])
def test_letters_and_digits_are_a_fence(fence: str) -> None:
    """Eight of them or more."""
    assert checked_fence(fence) == fence


@pytest.mark.parametrize(
    "fence", ["", "abc1234", "abcd 1234", "abcd\n1234", "abcdé1234", "²²²²²²²²²"], ids=ascii
)
def test_anything_else_is_no_fence(fence: str) -> None:
    """It could be guessed, or break its line."""
    with pytest.raises(ValueError, match="random letters and digits"):
        checked_fence(fence)


@given(HOSTILE)
def test_no_text_leaves_its_fence(text: str) -> None:
    """In a whole question, whatever the answer: each section opens once and closes once, in order."""
    case = Case("c", "u", (Message("user", text),), ())
    spec = GraderSpec("rubric", {"rubric": text or "5", "criteria": text, "ideal": text})
    asked = Rubric().ask(case, spec, "rubric", ShownToJudge(text, (text,), FENCE)).messages[1].content
    fences = [line for line in asked.split("\n") if FENCE in line]
    names = ["TASK", *(["IDEAL ANSWER"] if text else []), "RUBRIC", *(["CRITERIA"] if text else [])]
    names += ["AUTOMATIC CHECKS", "ANSWER"]
    assert fences[1:] == [f"<<<{end}{name} {FENCE}>>>" for name in names for end in ("", "END ")]


@given(HOSTILE)
def test_no_text_holds_markup_afterwards(text: str) -> None:
    """No special token, no turn at a line's start, no fence is left."""
    shown = neutralise(text)
    assert not re.search(r"<\|\w+\|>|\[/?INST\]|</?think>|<<SYS>>", shown)
    assert not re.search(r"(?m)^(?:<{3}|system:)", shown)
    assert not re.search(r"<{3} ?(?:END )?ANSWER\b", shown)


@given(HOSTILE, HOSTILE)
def test_an_answer_bears_on_its_own_question_alone(one: str, other: str) -> None:
    """A grader that has asked about one answer asks about the other as a new one does."""
    case, spec = Case("c", "u", (Message("user", "?"),), ()), GraderSpec("rubric", {"rubric": "5"})
    used = Rubric()
    used.ask(case, spec, "rubric", ShownToJudge(one, (one,), FENCE))
    asked = used.ask(case, spec, "rubric", ShownToJudge(other, (), FENCE))
    assert asked == Rubric().ask(case, spec, "rubric", ShownToJudge(other, (), FENCE))


@every_row(
    "text, expected",
    [
        ("a\u200bb", "a⟦U+200B⟧b"),
        ("a\x00\x1bb", "a⟦U+0000 U+001B⟧b"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a" + "\U000e0041" * 9, "a⟦U+E0041 and 8 more hidden characters⟧"),
        ("a\ud800b", "a⟦U+D800⟧b"),
        ("a\rb", "a⟦U+000D⟧b"),
        ("a\u2028b", "a⟦U+2028⟧b"),
        ("⟦U+200B⟧", "⟦U+27E6⟧U+200B⟦U+27E7⟧"),
        ("é\ufe00\ufe01", "é⟦U+FE00 U+FE01⟧"),
        ("a\u200db", "a⟦U+200D⟧b"),
        ("a\u200dé", "a⟦U+200D⟧é"),
        ("\u200d", "⟦U+200D⟧"),
    ],
    ids=ascii,
)
def test_hidden_characters_are_written_as_code_points(text: str, expected: str) -> None:
    """One by its number, a long run by its first and how many follow; our own signs are told apart."""
    assert fence.reveal_hidden(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "plain text\n\twith a tab",
        "naïve – “quoted” 日本語 العربية עברית",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3",
        "می\u200cخواهم क्\u200dष",
        "non-breaking\u00a0space",
    ],
    ids=["prose", "scripts", "emoji", "joiners", "space"],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    """Text that hides nothing is shown as it was written."""
    assert fence.reveal_hidden(text) == text


def test_a_line_break_is_one_newline() -> None:
    """Windows line ends are no hidden characters."""
    assert fence.reveal_hidden("a\r\nb\n") == "a\nb\n"


def test_a_rationale_is_one_clean_line() -> None:
    """Control characters and line breaks become spaces, half surrogates go."""
    assert fence.one_line(" a\n\tb\x00c\ud800\u202ed \u2764\ufe0f") == "a b c d \u2764\ufe0f"


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_can_be_sent_and_printed(text: str) -> None:
    """What is shown encodes, and holds no control, bidirectional or tag character."""
    shown = fence.reveal_hidden(text)
    shown.encode()
    assert not set(shown) & (set(map(chr, (*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x200B))))
    assert not any(0xE0000 <= ord(sign) <= 0xE0FFF for sign in shown)


@given(st.text(st.characters(codec=None), max_size=60))
def test_nothing_else_is_changed(text: str) -> None:
    """Apart from code points between our signs, letters and digits stay as they are, in order."""
    shown = re.sub(r"⟦U\+[^⟧]*⟧", "", fence.reveal_hidden(text))
    assert re.findall(r"[a-zA-Z0-9é-ÿ一-龥]", shown) == re.findall(r"[a-zA-Z0-9é-ÿ一-龥]", text)
