"""Reading a key as it stands in exams and tables: letters, true or false, one text for each blank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from assay.core.question import FALSE, TRUE
from assay.questions.refusal import Reason, Refused

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SAYS_TRUE: Final = frozenset(["true", "correct", "√", "✓", "✔", "对", "正确"])
SAYS_FALSE: Final = frozenset(["false", "incorrect", "×", "✗", "✘", "╳", "错", "错误", "不正确"])
"""What answers a statement even where nothing says that it is one."""

TRUE_WORDS: Final = SAYS_TRUE | {"t", "yes", "y", "right", "是", "真", "1"}
FALSE_WORDS: Final = SAYS_FALSE | {"f", "no", "n", "wrong", "x", "否", "非", "假", "不对", "0"}

_LETTERS_ONLY = re.compile(
    r"[\[(（【]?\s*([A-Z](?:(?:\s|[,，、;；/&+.]|and|AND|和)*[A-Z])*)\s*[\])）】]?[\s,，、;；]*[.。]?"
)
_LABELLED = re.compile(r"[\[(（【]?\s*([A-Z])\s*[\])）】.．、:：]+\s*(.+)", re.DOTALL)
_SEPARATORS: Final = ("\n", ";；", "|｜", "、", ",，", "\t")
_NUMBERED = re.compile(r"(?:^|\s)[(（]?(\d{1,2}|[①-⑳])(?!\d)[)）.、]?\s*(?=\S)")


def read_letters(text: str, options: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return the letters that a choice's key names, in order: from letters, or from an option's own text."""
    given = text.strip()
    found = _LETTERS_ONLY.fullmatch(given) or _LETTERS_ONLY.fullmatch(
        given.upper() if len(given) == 1 else ""
    )
    if found is None:
        if given in options:
            return (LETTERS[options.index(given)],)
        labelled = _LABELLED.fullmatch(given)
        if labelled is None:
            return Refused(Reason.KEY_UNREADABLE)
        letter, rest = labelled.groups()
        place = LETTERS.index(letter)
        if place >= len(options):
            return Refused(Reason.KEY_BEYOND, f"it has {len(options)} options")
        same = "".join(rest.split()) == "".join(options[place].split())
        return (letter,) if same else Refused(Reason.KEY_UNREADABLE)
    letters = [sign for sign in re.sub("and|AND", "", found.group(1)) if sign in LETTERS]
    if len(set(letters)) < len(letters):
        return Refused(Reason.KEY_UNREADABLE, "a letter stands twice")
    if any(LETTERS.index(letter) >= len(options) for letter in letters):
        return Refused(Reason.KEY_BEYOND, f"it has {len(options)} options")
    return tuple(sorted(letters))


def read_truth(text: str) -> str | None:
    """Return what a statement's key says, `True` or `False`; None where it says neither."""
    word = text.strip().strip("()（）[]【】.。 ").casefold()
    if word in TRUE_WORDS:
        return TRUE
    return FALSE if word in FALSE_WORDS else None


def read_blanks(key: str | Sequence[str], wanted: int) -> tuple[str, ...] | Refused:
    """Return one answer for each of the blanks, from a list, numbered answers, or answers with a separator.

    A single blank takes the whole text.
    """
    parts = [part.strip() for part in ([key] if isinstance(key, str) else key)]
    if len(parts) == 1 and wanted > 1:
        parts = _parted(parts[0], wanted)
    if len(parts) == wanted and all(parts):
        return tuple(parts)
    return Refused(Reason.BLANKS, f"{wanted} blanks, {len(parts)} answers")


def _parted(text: str, wanted: int) -> list[str]:
    numbered = [part.strip(" ;；,，。") for part in _NUMBERED.split(text)]
    if not numbered[0] and [_counted(each) for each in numbered[1::2]] == list(range(1, wanted + 1)):
        return numbered[2::2]
    found = [text]
    for separators in _SEPARATORS:
        parts = [part.strip() for part in re.split(f"[{separators}]", text.strip(f"{separators} "))]
        if len(parts) == wanted:
            return parts
        if len(found) == 1:
            found = parts
    spaced = text.split()
    return spaced if len(spaced) == wanted else found


def _counted(number: str) -> int:
    return int(number) if number.isascii() else ord(number) - ord("①") + 1


def accepted(answers: Sequence[str], *, chinese: bool) -> str:
    """Return one text for an answer and the others that count as right."""
    distinct: dict[str, str] = {}
    for answer in answers:
        distinct.setdefault(" ".join(answer.split()).casefold(), answer.strip())
    first, *others = distinct.values()
    if not others:
        return first
    return (
        f"{first}（也可：{'；'.join(others)}）" if chinese else f"{first} (also right: {'; '.join(others)})"
    )
