"""Splitting a document into drafts of questions, by a profile. Every line is accounted for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import groupby

from assay.core.question import QuestionKind
from assay.questions.keys import LETTERS, read_truth
from assay.questions.profiles.profile import DOCUMENTS, MIXED, DocumentProfile, built_in
from assay.questions.recognise import QuestionDraft
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair
from assay.questions.splitting.answers import assign, distribute, read_answers
from assay.questions.splitting.body import BodyReader
from assay.questions.splitting.marks import ProfileMarks, flat, marks_of
from assay.questions.splitting.parts import LineKind, QuestionPart, SplitDocument, Stray, joined

_LETTERS = re.compile(r"[(（]\s*([A-K](?:[\s,，、]*[A-K])*)\s*[)）]")
_TRUTH = re.compile(r"[(（\[]\s*([TF√×✓✗对错]|正确|错误|True|False)\s*[)）\]]\s*[.。]?\s*$", re.IGNORECASE)
_POINTS = re.compile(
    r"^\s*[(（\[]\s*(?:本题)?\s*(?:满分)?\s*\d{1,3}(?:\.5)?\s*(?:分|points?|marks?|pts?)\s*[)）\]]\s*", re.I
)


def choose_document_profile(lines: Sequence[str]) -> DocumentProfile:
    """Return the built-in profile with the most marks on the lines; of equal ones the first."""
    scores: list[tuple[int, DocumentProfile]] = []
    for name in (*DOCUMENTS, MIXED):
        profile = built_in(name)
        assert isinstance(profile, DocumentProfile)
        scores.append((_score(lines, marks_of(profile)), profile))
    return max(scores, key=lambda scored: scored[0])[1]


def _score(lines: Sequence[str], marks: ProfileMarks) -> int:
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
) -> SplitDocument:
    """Split a document's lines. `furniture` are page numbers and running heads, `pictures` lines with one."""
    marks = marks_of(profile)
    document = SplitDocument([], {}, {}, [], [], [])
    body = BodyReader(marks, document, lines)
    answers: list[int] = []
    in_answers, begun = False, 0
    for place, text in enumerate(lines):
        line = flat(text)
        if place in furniture:
            document.kinds[place] = LineKind.FURNITURE
            continue
        if not line.strip() and place in pictures:
            if in_answers:
                answers.append(place)
            else:
                body.picture(place)
            continue
        if not line.strip():
            document.kinds[place] = LineKind.BLANK
            body.blank()
            continue
        if in_answers and any(pattern.match(line.strip()) for pattern in marks.chapters):
            _assign_answers(answers, lines, marks, document, begun)
            begun, answers, in_answers = len(document.parts), [], False
        if not in_answers and _opens_answers(lines, place, marks, document.parts[begun:]):
            in_answers = True
            document.kinds[place] = LineKind.HEADING
        elif in_answers:
            answers.append(place)
        else:
            body.read(place)
    body.end()
    _assign_answers(answers, lines, marks, document, begun)
    _refuse_pictures(document, pictures)
    _share_group_answers(document.parts)
    _add_missing_lines(document, len(lines))
    return document


def _refuse_pictures(document: SplitDocument, pictures: Collection[int]) -> None:
    """Refuse questions with a picture in their text, material or answer, and record the other pictures.

    A picture on a heading's line belongs to the question after it.
    """
    if not pictures:
        return
    for part in document.parts:
        material = part.material.lines if part.material is not None else []
        if any(place in pictures for place in (*part.lines, *material)):
            part.fault = RefusedRecord(Reason.PICTURE)
    for place in pictures:
        for part in document.answers.get(place, ()):
            part.fault = RefusedRecord(Reason.PICTURE)
        if document.kinds.get(place) is LineKind.HEADING:
            later = [part for part in document.parts if min(part.lines) > place]
            after = min(later, key=lambda part: min(part.lines), default=None)
            if after is not None:
                after.fault = RefusedRecord(Reason.PICTURE)
        elif document.kinds.get(place) in (LineKind.TITLE, LineKind.FURNITURE):
            document.kinds[place] = LineKind.PICTURE


def _opens_answers(
    lines: Sequence[str], place: int, marks: ProfileMarks, parts: Sequence[QuestionPart]
) -> bool:
    """Whether a line is the heading of all answers, and not the mark of one question's answer."""
    line = flat(lines[place]).strip()
    if not marks.opens_answers(line) or any(part.key is not None for part in parts):
        return False
    if len(parts) < (2 if line.endswith(":") else 1):
        return False
    after = next((flat(line) for line in lines[place + 1 :] if line.strip()), "")
    return marks.heading(after) is not None or after.lstrip()[:1].isdigit() or bool(marks.number(after))


def _assign_answers(
    answers: Sequence[int], lines: Sequence[str], marks: ProfileMarks, document: SplitDocument, begun: int
) -> None:
    if answers:
        assign(read_answers(answers, lines, marks, document), document.parts[begun:], document)


def _share_group_answers(parts: Sequence[QuestionPart]) -> None:
    """Divide the answer after the last question of a group among its questions."""
    for material, members in groupby(parts, key=lambda part: id(part.material) if part.material else 0):
        group = list(members)
        if material and len(group) > 1 and group[-1].key and not any(part.key for part in group[:-1]):
            distribute("\n".join(group[-1].key), group)


def _add_missing_lines(document: SplitDocument, count: int) -> None:
    """Add lines that are in no part to the stray lines."""
    taken = set(document.kinds)
    taken.update(place for part in document.parts for place in part.lines)
    taken.update(place for part in document.parts if part.material for place in part.material.lines)
    taken.update(place for stray in document.strays for place in stray.lines)
    for place in range(count):
        if place not in taken:
            document.strays.append(Stray([place], RefusedRecord(Reason.OUTSIDE)))


def draft_of(part: QuestionPart, *, wrapped: bool) -> QuestionDraft | RefusedRecord:
    """Return the draft of a part, or a refusal."""
    if part.fault is not None:
        return part.fault
    made = list(part.repairs)
    letters = [letter for letter, _ in part.options]
    if letters != sorted(letters):
        part.options.sort()
        letters.sort()
        made.append(Repair.IN_ORDER)
    if letters and letters != list(LETTERS[: len(letters)]):
        missing = [letter for letter in LETTERS[: LETTERS.index(letters[-1])] if letter not in letters]
        return RefusedRecord(Reason.OPTION_GAP, f"{', '.join(missing)} of A-{letters[-1]}")
    stem = _POINTS.sub("", joined(part.stem, wrapped=wrapped))
    key = None if part.key is None else joined(part.key, wrapped=wrapped)
    moved = _move_key(stem, key, choice=bool(letters), truth=part.kind is QuestionKind.TRUE_OR_FALSE)
    if isinstance(moved, RefusedRecord):
        return moved
    if moved is not None:
        stem, key = moved
        made.append(Repair.KEY_MOVED)
    return QuestionDraft(
        stem=stem,
        key=key,
        options=[joined(text.split("\n"), wrapped=wrapped) for _, text in part.options],
        explanation=joined(part.explanation, wrapped=wrapped),
        passage=None if part.material is None else joined(part.material.texts, wrapped=wrapped) or None,
        kind=part.kind,
        single=part.single,
        repairs=made,
    )


def _move_key(
    stem: str, key: str | None, *, choice: bool, truth: bool
) -> tuple[str, str] | RefusedRecord | None:
    """Return a stem without the key in its brackets, and the key; None if there is none.

    A statement whose brackets and key differ is refused.
    """
    if choice:
        match = _LETTERS.search(stem)
        if match is None or len(_LETTERS.findall(stem)) != 1:
            return None
        inside = "".join(sign for sign in match[1] if sign in LETTERS)
        if key is not None and key.strip():
            given = "".join(sign for sign in flat(key).upper() if sign in LETTERS)
            if given != inside:
                return None
        return f"{stem[: match.start()]}（ ）{stem[match.end() :]}", inside
    match = _TRUTH.search(stem) if truth else None
    if match is None:
        return None
    if key is not None and key.strip() and read_truth(key) != read_truth(match[1]):
        return RefusedRecord(Reason.OVERLAP, "two answers")
    return stem[: match.start()].rstrip(), match[1]
