"""Taking a document apart into questions, by a profile. Every line ends up somewhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from assay.questions.profiles.built_in import DOCUMENTS, MIXED, built_in
from assay.questions.profiles.documents import DocumentProfile
from assay.questions.refusal import Reason, Refused
from assay.questions.splitting.answers import assign, distribute, read_answers
from assay.questions.splitting.body import BodyReader
from assay.questions.splitting.marks import Marks, flat, marks_of
from assay.questions.splitting.parts import LineKind, Part, Split, Stray


def choose_document_profile(lines: Sequence[str]) -> DocumentProfile:
    """Return the built-in profile whose marks are on most lines; of equal ones the first."""
    found: list[tuple[int, DocumentProfile]] = []
    for name in (*DOCUMENTS, MIXED):
        profile = built_in(name)
        assert isinstance(profile, DocumentProfile)
        found.append((_score(lines, marks_of(profile)), profile))
    return max(found, key=lambda each: each[0])[1]


def _score(lines: Sequence[str], marks: Marks) -> int:
    score = 0
    for line in map(flat, lines):
        if line.strip():
            listed = bool(marks.number(line)) + bool(marks.option.match(line.lstrip()))
            score += listed + sum(1 for _ in marks.marker.finditer(line)) + marks.opens_answers(line)
            if not listed:
                score += any(pattern.match(line) for pattern in (*marks.headings, *marks.chapters))
    return score


def split(
    lines: Sequence[str],
    profile: DocumentProfile,
    *,
    furniture: Collection[int] = (),
    pictures: Collection[int] = (),
) -> Split:
    """Take a document's lines apart. `furniture` are page numbers and the like, `pictures` lines with one."""
    marks = marks_of(profile)
    found = Split([], {}, {}, [], [], [])
    body = BodyReader(marks, found, lines)
    answers: list[int] = []
    in_answers, begun = False, 0
    for place, text in enumerate(lines):
        line = flat(text)
        if place in furniture:
            found.kinds[place] = LineKind.FURNITURE
            continue
        if not line.strip():
            found.kinds[place] = LineKind.BLANK
            body.blank()
            continue
        if in_answers and any(pattern.match(line.strip()) for pattern in marks.chapters):
            _answered(answers, lines, marks, found, begun)
            begun, answers, in_answers = len(found.parts), [], False
        if not in_answers and _opens_answers(lines, place, marks, found.parts[begun:]):
            in_answers = True
            found.kinds[place] = LineKind.HEADING
        elif in_answers:
            answers.append(place)
        else:
            body.read(place)
    body.end()
    _answered(answers, lines, marks, found, begun)
    for part in found.parts:
        if pictures and any(place in pictures for place in part.lines):
            part.fault = Refused(Reason.PICTURE)
    _share_group_answers(found.parts)
    _check_complete(found, len(lines))
    return found


def _opens_answers(lines: Sequence[str], place: int, marks: Marks, parts: Sequence[Part]) -> bool:
    """Whether a line is the heading of all answers, and not the mark of one question's own."""
    line = flat(lines[place]).strip()
    if not marks.opens_answers(line) or any(part.key is not None for part in parts):
        return False
    if len(parts) < (2 if line.endswith(":") else 1):
        return False
    after = next((flat(line) for line in lines[place + 1 :] if line.strip()), "")
    return marks.heading(after) is not None or after.lstrip()[:1].isdigit() or bool(marks.number(after))


def _answered(answers: Sequence[int], lines: Sequence[str], marks: Marks, found: Split, begun: int) -> None:
    if answers:
        assign(read_answers(answers, lines, marks, found), found.parts[begun:], found)


def _share_group_answers(parts: Sequence[Part]) -> None:
    """Give the questions of a group the pieces of the answer that stands after the last of them."""
    for material, members in groupby(parts, key=lambda part: id(part.material) if part.material else 0):
        group = list(members)
        if material and len(group) > 1 and group[-1].key and not any(part.key for part in group[:-1]):
            distribute("\n".join(group[-1].key), group)


def _check_complete(found: Split, count: int) -> None:
    """Take lines that stand nowhere for stray ones."""
    taken = set(found.kinds)
    taken.update(place for part in found.parts for place in part.lines)
    taken.update(place for part in found.parts if part.material for place in part.material.lines)
    taken.update(place for stray in found.strays for place in stray.lines)
    for place in range(count):
        if place not in taken:
            found.strays.append(Stray([place], Refused(Reason.OUTSIDE)))
