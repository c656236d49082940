"""Reading keys as written in exams and tables: letters, true or false, one text for each blank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from assay.core.question import FALSE, TRUE
from assay.questions.refusal import Reason, RefusedRecord

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SAYS_TRUE: Final = frozenset(["true", "correct", "√", "✓", "✔", "对", "正确"])
SAYS_FALSE: Final = frozenset(["false", "incorrect", "×", "✗", "✘", "╳", "错", "错误", "不正确"])
"""The words that answer a statement even if its kind is not given."""

TRUE_WORDS: Final = SAYS_TRUE | {"t", "yes", "y", "right", "是", "真", "1"}
FALSE_WORDS: Final = SAYS_FALSE | {"f", "no", "n", "wrong", "x", "否", "非", "假", "不对", "0"}

_LETTERS_ONLY = re.compile(
    r"[\[(（【]?\s*([A-Z](?:(?:\s|[,，、;；/&+.]|and|AND|和)*[A-Z])*)\s*[\])）】]?[\s,，、;；]*[.。]?"
)
_LABELLED = re.compile(r"[\[(（【]?\s*([A-Z])\s*[\])）】.．、:：]+\s*(.+)", re.DOTALL)
_SEPARATORS: Final = ("\n", ";；", "|｜", "、", ",，", "\t")
_NUMBERED = re.compile(r"(?:^|\s)[(（]?(\d{1,2}|[①-⑳])(?!\d)[)）.、]?\s*(?=\S)")


def read_letters(text: str, options: Sequence[str]) -> tuple[str, ...] | RefusedRecord:
    """Return the letters of a choice's key in order, read from letters or from the text of an option."""
    given = text.strip()
    match = _LETTERS_ONLY.fullmatch(given.upper() if len(given) == 1 else given)
    if match is None:
        if given in options:
            return (LETTERS[options.index(given)],)
        labelled = _LABELLED.fullmatch(given)
        if labelled is None:
            return RefusedRecord(Reason.KEY_UNREADABLE)
        letter, rest = labelled.groups()
        place = LETTERS.index(letter)
        if place >= len(options):
            return RefusedRecord(Reason.KEY_BEYOND, f"it has {len(options)} options")
        same = "".join(rest.split()) == "".join(options[place].split())
        return (letter,) if same else RefusedRecord(Reason.KEY_UNREADABLE)
    letters = [sign for sign in re.sub("and|AND", "", match.group(1)) if sign in LETTERS]
    if len(set(letters)) < len(letters):
        return RefusedRecord(Reason.KEY_UNREADABLE, "a letter is repeated")
    if any(LETTERS.index(letter) >= len(options) for letter in letters):
        return RefusedRecord(Reason.KEY_BEYOND, f"it has {len(options)} options")
    return tuple(sorted(letters))


def read_truth(text: str) -> str | None:
    """Return a statement's key, `True` or `False`; None for another text."""
    word = text.strip().strip("()（）[]【】.。 ").casefold()
    if word in TRUE_WORDS:
        return TRUE
    return FALSE if word in FALSE_WORDS else None


def read_blanks(key: str | Sequence[str], wanted: int) -> tuple[str, ...] | RefusedRecord:
    """Return one answer for each blank, from a list, numbered answers, or answers with a separator.

    The whole text is the answer of a single blank.
    """
    parts = [part.strip() for part in ([key] if isinstance(key, str) else key)]
    if len(parts) == 1 and wanted > 1:
        parts = _split_key(parts[0], wanted)
    if len(parts) == wanted and all(parts):
        return tuple(parts)
    return RefusedRecord(Reason.BLANKS, f"{wanted} blanks, {len(parts)} answers")


def _split_key(text: str, wanted: int) -> list[str]:
    numbered = [part.strip(" ;；,，。") for part in _NUMBERED.split(text)]
    if not numbered[0] and [_value(number) for number in numbered[1::2]] == list(range(1, wanted + 1)):
        return numbered[2::2]
    longest = [text]
    for separators in _SEPARATORS:
        parts = [part.strip() for part in re.split(f"[{separators}]", text.strip(f"{separators} "))]
        if len(parts) == wanted:
            return parts
        if len(longest) == 1:
            longest = parts
    spaced = text.split()
    return spaced if len(spaced) == wanted else longest


def _value(number: str) -> int:
    return int(number) if number.isascii() else ord(number) - ord("①") + 1


def accepted(answers: Sequence[str], *, chinese: bool) -> str:
    """Return an answer and the others that also count as right as one text."""
    distinct: dict[str, str] = {}
    for answer in answers:
        distinct.setdefault(" ".join(answer.split()).casefold(), answer.strip())
    first, *others = distinct.values()
    if not others:
        return first
    return (
        f"{first}（也可：{'；'.join(others)}）" if chinese else f"{first} (also right: {'; '.join(others)})"
    )
