"""Reading a section of answers, and assigning them to questions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.core.question import QuestionKind
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.splitting.marks import ProfileMarks, flat
from assay.questions.splitting.parts import LineKind, QuestionPart, SplitDocument, Stray

SHORT = 40
"""The most characters of an answer that can be followed by another on the same line."""

_RANGE = re.compile(r"(\d{1,3})\s*[-–—~～至]\s*(\d{1,3})\s*题?\s*[.:、]?\s*")
_SIGNS = r"(?:[A-K]|[TFtf√×✓✗对错])"
_ENTRY = re.compile(
    rf"(?:第|Question\s*|Q\.?)?(\d{{1,3}})\s*(?:题)?\s*(?:[、)]\s*|[.:]\s*(?!\d)|(?={_SIGNS}(?:\W|$)))", re.I
)
_SUB = re.compile(r"\(\s*(\d{1,2})\s*\)\s*")
_Section = tuple[QuestionKind | None, int]


@dataclass(slots=True)
class AnswerEntry:
    """One answer: the section and number of its question, its texts, and its lines."""

    section: _Section | None
    number: int
    lines: list[int]
    key: list[str] = field(default_factory=list)
    explanation: list[str] = field(default_factory=list)


def read_answers(
    places: Sequence[int], lines: Sequence[str], marks: ProfileMarks, split: SplitDocument
) -> list[AnswerEntry]:
    """Return the answers on these lines. Headings and stray lines are added to `split`."""
    entries: list[AnswerEntry] = []
    section: _Section | None = None
    seen: dict[QuestionKind | None, int] = defaultdict(int)
    in_explanation = False
    for place in places:
        text, line = lines[place], flat(lines[place])
        heading = marks.heading(line)
        if heading is not None or marks.opens_answers(line):
            split.kinds[place] = LineKind.HEADING
            if heading is not None:
                section = (heading.kind, seen[heading.kind])
                seen[heading.kind] += 1
            continue
        new = _read_range(line, section, place) or _read_list(text, line, section, place, entries)
        if new:
            entries += new
            in_explanation = False
            _separate_explanation(entries[-1], marks)
            in_explanation = bool(entries[-1].explanation)
        elif entries:
            last = entries[-1]
            last.lines.append(place)
            match = marks.marker.search(line)
            if match and not line[: match.start()].strip() and (match["e1"] or match["e2"]):
                in_explanation, text = True, text[match.end() :]
            elif match and not line[: match.start()].strip():
                text = text[match.end() :]
            (last.explanation if in_explanation else last.key).append(text)
        else:
            split.strays.append(Stray([place], RefusedRecord(Reason.OUTSIDE, "in the answers")))
    return entries


def _read_range(line: str, section: _Section | None, place: int) -> list[AnswerEntry]:
    """Return the answers of `1-5 ABCDA 6-8 TFT`; none if their number differs from the range."""
    entries: list[AnswerEntry] = []
    matches = list(_RANGE.finditer(line))
    if not matches or line[: matches[0].start()].strip():
        return []
    for match, after in zip(matches, [*matches[1:], None], strict=True):
        first, last = int(match[1]), int(match[2])
        text = line[match.end() : after.start() if after else len(line)]
        tokens = [token for token in re.split(r"[\s,，、;；]+", text.strip()) if token]
        if len(tokens) != last - first + 1:
            tokens = re.findall(_SIGNS, text)
        if len(tokens) != last - first + 1:
            return []
        entries += [
            AnswerEntry(section, number, [place], [token]) for number, token in enumerate(tokens, first)
        ]
    return entries


def _read_list(
    text: str, line: str, section: _Section | None, place: int, before: Sequence[AnswerEntry]
) -> list[AnswerEntry]:
    """Return the answers of `1. C  2. A`, or one longer answer that begins on the line."""
    match = _ENTRY.match(line.lstrip())
    if match is None:
        return []
    offset = len(line) - len(line.lstrip())
    number, start = int(match[1]), offset + match.end()
    if before and before[-1].section == section and number not in (1, before[-1].number + 1):
        if not before[-1].number < number <= before[-1].number + 10:
            return []
    elif number == 1 and before and before[-1].section == section and section is not None:
        return []
    entries = []
    while True:
        following = re.compile(rf"(?<=[\s;；,，])(?:第)?{number + 1}\s*(?:题)?\s*[.、:)]?\s*(?=\S)").search(
            line, start
        )
        short = following is not None and len(line[start : following.start()].strip()) <= SHORT
        if following is None or not short:
            entries.append(AnswerEntry(section, number, [place], [text[start:]]))
            return entries
        answer = text[start : following.start()].strip(" ;；,，")
        entries.append(AnswerEntry(section, number, [place], [answer]))
        number, start = number + 1, following.end()


def _separate_explanation(entry: AnswerEntry, marks: ProfileMarks) -> None:
    whole = entry.key[0]
    match = marks.marker.match(flat(whole))
    if match and (match["a1"] or match["a2"]):
        whole = whole[match.end() :]
    match = marks.marker.search(flat(whole))
    if match and (match["e1"] or match["e2"]):
        entry.explanation.append(whole[match.end() :])
        whole = whole[: match.start()]
    entry.key = [whole]


def assign(entries: Sequence[AnswerEntry], parts: Sequence[QuestionPart], split: SplitDocument) -> None:
    """Assign answers to parts: by section and number, or by number if it is unique."""
    sections: dict[int, _Section] = {}
    seen: dict[QuestionKind | None, int] = defaultdict(int)
    for section, (kind, _) in enumerate(split.headings, 1):
        sections[section] = (kind, seen[kind])
        seen[kind] += 1
    exact: dict[tuple[_Section | None, int], list[QuestionPart]] = defaultdict(list)
    loose: dict[int, list[QuestionPart]] = defaultdict(list)
    for part in parts:
        exact[(sections.get(part.section), part.number)].append(part)
        loose[part.number].append(part)
    used: dict[int, list[QuestionPart]] = defaultdict(list)
    unused: dict[int, Reason] = {}
    for entry in entries:
        matching = exact.get((entry.section, entry.number)) or loose.get(entry.number, [])
        groups = {(part.section, part.sub is None) for part in matching}
        if not matching or len(groups) > 1 or (len(matching) > 1 and matching[0].sub is None):
            reason = Reason.UNUSED_ANSWER if not matching else Reason.AMBIGUOUS_ANSWER
            unused.update(dict.fromkeys(entry.lines, reason))
            continue
        _set_answer(matching, entry)
        for place in entry.lines:
            used[place] += matching
    for place, reason in unused.items():
        split.strays.append(Stray([place], RefusedRecord(reason)))
    for place in {place for entry in entries for place in entry.lines} - set(unused):
        split.kinds[place] = LineKind.ANSWERS
        split.answers[place] = used[place]


def _set_answer(parts: Sequence[QuestionPart], entry: AnswerEntry) -> None:
    if len(parts) == 1 and parts[0].sub is None:
        part = parts[0]
        if part.key is not None and "".join(part.key).split() != "".join(entry.key).split():
            part.fault = part.fault or RefusedRecord(Reason.OVERLAP, "two answers")
        part.key = list(entry.key)
        part.explanation += entry.explanation
        return
    distribute("\n".join(entry.key), parts)


def distribute(text: str, parts: Sequence[QuestionPart]) -> None:
    """Give each part of a group its piece of `(1) … (2) …`, if the numbers match."""
    line = flat(text)
    marks = [match for match in _SUB.finditer(line) if not line[: match.start()].split("\n")[-1].strip()]
    if len(marks) != len(parts):
        marks = list(_SUB.finditer(line))
    if [int(match[1]) for match in marks] != [
        part.number if part.sub is None else part.sub for part in parts
    ]:
        return
    for part, match, after in zip(parts, marks, [*marks[1:], None], strict=True):
        part.key = [text[match.end() : after.start() if after else len(text)].strip()]
