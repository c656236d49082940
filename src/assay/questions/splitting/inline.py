"""What stands inside a line: option letters, marks of answers, the beginning of another question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from assay.questions.splitting.marks import Marks, flat
from assay.questions.splitting.parts import Part

PLAIN_KEY = re.compile(
    r"\s*[\[(]?\s*(?:[A-K](?:[\s,、]*[A-K])*|true|false|[TF√×对错]|正确|错误)\s*[\])]?\s*[.。]?\s*",
    re.IGNORECASE,
)
_LETTER = re.compile("[A-K]")


class Label(NamedTuple):
    """An option's letter in a line, where it begins, and where its text begins."""

    letter: str
    begin: int
    end: int


class Marker(NamedTuple):
    """The mark of an answer (`key`) or an `explanation` in a line, from where to where."""

    field: str
    begin: int
    end: int


def begins_option(marks: Marks, part: Part | None, line: str) -> bool:
    """Whether a line begins with an option's letter: any where the part has options, else A or B."""
    if part is None:
        return False
    match = marks.option.match(line.lstrip())
    letter = match and _LETTER.search(match.group())
    return letter is not None and (bool(part.options) or letter.group() in "AB")


def labels_in(marks: Marks, part: Part, line: str) -> list[Label]:
    """Return the option letters in a line: any at its start, further on only rising ones."""
    found: list[Label] = []
    for match in marks.option.finditer(line):
        letter = _LETTER.search(match.group())
        assert letter is not None
        at_start = not line[: match.start()].strip()
        known = [each.letter for each in found] or [each for each, _ in part.options]
        if at_start:
            fits = bool(known) or letter.group() in "AB"
        else:
            fits = letter.group() > known[-1] if known else letter.group() == "A"
        if fits:
            found.append(Label(letter.group(), match.start(), match.end()))
    if not part.options and len(found) == 1 and found[0].begin:
        return []
    return found


def markers_in(marks: Marks, part: Part, line: str) -> list[Marker]:
    """Return where answers and explanations begin in a line.

    Inside a line a mark without brackets counts only before a plain key, or after one.
    """
    found: list[Marker] = []
    for match in marks.marker.finditer(line):
        field = "key" if match["a1"] or match["a2"] else "explanation"
        bracketed = bool(match["a1"] or match["e1"])
        before = line[: match.start()]
        if before.strip() and not bracketed and not found:
            options = part.options or marks.option.search(before)
            plain = PLAIN_KEY.match(line, match.end()) is not None and bool(options)
            if not (part.key is not None if field == "explanation" else plain):
                continue
        found.append(Marker(field, match.start(), match.end()))
    return found


def next_question(
    marks: Marks, part: Part, number: int, line: str, below: Sequence[str]
) -> tuple[int, int] | None:
    """Return where question `number` stands in a line: options before it, and A after it or below."""
    match = re.search(rf"(?<=[\s。.?])\s*{number}\s*[.、]\s*(?=\D)", line)
    if match is None:
        return None
    letters = {each.letter for each in labels_in(marks, part, line[: match.start()])}
    letters.update(letter for letter, _ in part.options)
    following = next((flat(each).lstrip() for each in below if each.strip()), "")
    after = marks.option.search(line, match.end()) or marks.option.match(following)
    return (match.start(), match.end()) if len(letters) > 1 and after and "A" in after.group() else None
