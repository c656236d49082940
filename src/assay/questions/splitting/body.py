"""Reading the lines of a document into questions, materials and headings, by their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair
from assay.questions.splitting.marks import (
    PLAIN_KEY,
    Heading,
    LineNumber,
    OptionLabel,
    ProfileMarks,
    begins_option,
    flat,
    labels_in,
    markers_in,
    next_question,
)
from assay.questions.splitting.parts import LineKind, Material, QuestionPart, SplitDocument, Stray

LONG = 200
"""The least number of characters of a text before the first question of a section that is material."""


_RANGE = re.compile(r"(\d{1,3})\s*(?:[-–—~至到]|to|and)\s*(\d{1,3})")
_STRONG = re.compile(
    r"\s*(?:阅读|根据|Read the|Passage\s*(?:\d|[A-Z]\b|[IVX]+\b|One|Two|Three|Four)|Questions?\s+\d)", re.I
)
_NO_HEADING: Final = Heading(None, False, False)
MOST_MISSING = 10
"""The most missing numbers before the number of a question."""


class BodyReader:
    """A reader of lines in order, which adds to `split`."""

    def __init__(self, marks: ProfileMarks, split: SplitDocument, lines: Sequence[str]) -> None:
        self._marks, self._split, self._lines = marks, split, lines
        self._heading, self._section = _NO_HEADING, 0
        self._numbering = Numbering(marks, lines, split.notes)
        self._part: QuestionPart | None = None
        self._field = "stem"
        self._outside = False
        self._opening: Material | None = None
        self._material: Material | None = None
        self._after_blank = False
        self._pictures: list[int] = []

    def blank(self) -> None:
        """Read an empty line."""
        self._after_blank = True

    def picture(self, place: int) -> None:
        """Read a line with only a picture, which belongs to the open question or material, or to the next."""
        if self._part is not None:
            self._part.lines.append(place)
        elif self._opening is not None:
            self._opening.lines.append(place)
        else:
            self._pictures.append(place)

    def read(self, place: int) -> None:
        """Read the line at a place."""
        text, line = self._lines[place], flat(self._lines[place])
        if self._is_option(line):
            self._continue(place, text)
        elif not self._is_heading(place, line) and not self._is_number(place, text, line):
            if self._opens_material(line):
                self._open_material(place, text)
            elif self._is_outside(line):
                self._stray(place)
            else:
                self._continue(place, text)
        self._after_blank = False

    def end(self) -> None:
        """End the document. Material and pictures that no question follows are reported."""
        self._close_material()
        self._record_pictures()

    def _is_option(self, line: str) -> bool:
        shown = self._part is not None and self._field in ("stem", "options")
        return shown and begins_option(self._marks, self._part, line)

    def _is_heading(self, place: int, line: str) -> bool:
        heading = self._marks.heading(line)
        if heading is None:
            return False
        self._close_material()
        self._record_pictures()
        self._part, self._outside = None, False
        self._numbering.new_section()
        self._heading = heading
        self._section += 1
        self._split.headings.append((heading.kind, line.strip()))
        self._split.kinds[place] = LineKind.HEADING
        if heading.material:
            self._opening = Material([], [])
        return True

    def _is_number(self, place: int, text: str, line: str) -> bool:
        for number in self._marks.number(line):
            if self._is_sub(number):
                self._begin_sub(place, number.value, text[number.end :])
                return True
            if self._numbering.begins(place, number, self._part, self._field):
                self._begin(place, number.value, text[number.end :])
                return True
        return False

    def _is_sub(self, number: LineNumber) -> bool:
        part = self._part
        if part is None or number.style == self._numbering.style or "({1})" not in number.style:
            return False
        if part.sub is None:
            has_material = self._heading.material or self._marks.material.match(
                flat(part.stem[0] if part.stem else "")
            )
            return bool(number.value == 1 and self._field == "stem" and not part.options and has_material)
        combined = (
            self._field == "key" and part.key is not None and flat(part.key[0]).lstrip().startswith("(1)")
        )
        return number.value == part.sub + 1 and not combined

    def _begin(self, place: int, value: int, text: str) -> None:
        self._close_material(keep=True)
        scope = self._material.scope if self._material is not None else None
        inside = scope is None or scope[0] <= value <= scope[1]
        part = QuestionPart(value, self._section, [], [], self._heading.kind, self._heading.single)
        part.material = self._material if inside else None
        self._add(part, place, text)

    def _begin_sub(self, place: int, value: int, text: str) -> None:
        group = self._part
        assert group is not None
        if group.sub is None:
            self._split.parts.remove(group)
            group.material = Material(group.lines, group.stem)
        part = QuestionPart(
            group.number, self._section, [], [], self._heading.kind, self._heading.single, sub=value
        )
        part.material = group.material
        self._add(part, place, text)

    def _add(self, part: QuestionPart, place: int, text: str) -> None:
        self._split.parts.append(part)
        part.lines.extend(self._pictures)
        self._pictures = []
        self._outside = False
        self._part, self._field = part, "stem"
        self._numbering.run = 0
        self._continue(place, text)

    def _is_outside(self, line: str) -> bool:
        """Whether a line belongs to nothing: unmarked text after a blank line and a finished question."""
        part = self._part
        if part is None:
            return self._outside
        apart = self._after_blank and self._field == "options" and len(part.options) > 1
        if not apart or markers_in(self._marks, part, line):
            return False
        self._part, self._outside = None, True
        return True

    def _stray(self, place: int) -> None:
        self._split.strays.append(Stray([place], RefusedRecord(Reason.OUTSIDE)))

    def _opens_material(self, line: str) -> bool:
        if not self._marks.material.match(line):
            return False
        if self._part is None or self._part.section != self._section:
            return self._opening is None
        strong = _STRONG.match(line) is not None
        if self._field in ("key", "explanation") or self._part.sub is not None:
            return strong and (self._after_blank or self._part.key is not None)
        return (strong or self._heading.material) and (len(self._part.options) > 1 or self._after_blank)

    def _open_material(self, place: int, text: str) -> None:
        self._close_material()
        self._part, self._outside = None, False
        scope = _RANGE.search(flat(text))
        self._opening = Material([], [], (int(scope[1]), int(scope[2])) if scope else None)
        self._add_to_material(place, text)

    def _record_pictures(self) -> None:
        """Record pictures before a title or heading as belonging to no question."""
        self._split.kinds.update(dict.fromkeys(self._pictures, LineKind.PICTURE))
        self._pictures = []

    def _add_to_material(self, place: int, text: str) -> None:
        assert self._opening is not None
        self._opening.lines.extend(self._pictures)
        self._pictures = []
        self._opening.lines.append(place)
        self._opening.texts.append(text)

    def _close_material(self, *, keep: bool = False) -> None:
        """End the material; with `keep` the next questions are about it."""
        opening, self._opening = self._opening, None
        if keep:
            self._material = opening if opening is not None and opening.lines else self._material
            return
        if opening is not None and opening.lines:
            self._split.strays.append(Stray(opening.lines, RefusedRecord(Reason.UNUSED_PASSAGE)))
        self._material = None

    def _continue(self, place: int, text: str) -> None:
        if self._part is None:
            self._before_questions(place, text)
            return
        if place not in self._part.lines:
            self._part.lines.append(place)
        start = 0
        for field, begin, end in markers_in(self._marks, self._part, flat(text)):
            self._add_text(place, text[start:begin])
            start = end
            if field == "key" and self._part.key is not None:
                self._part.fault = self._part.fault or RefusedRecord(Reason.OVERLAP, "two answers")
            if field == "key":
                self._part.key = self._part.key or []
            self._field = field
        self._add_text(place, text[start:])

    def _before_questions(self, place: int, text: str) -> None:
        if self._opening is None and len(text) >= LONG:
            self._opening = Material([], [])
        if self._opening is not None:
            self._add_to_material(place, text)
        elif self._section and (self._marks.number(flat(text)) or self._marks.marker.search(flat(text))):
            self._stray(place)
        else:
            self._record_pictures()
            self._split.kinds[place] = LineKind.HEADING if self._section else LineKind.TITLE

    def _add_text(self, place: int, text: str) -> None:
        part = self._part
        assert part is not None
        if not text.strip():
            return
        if self._field == "explanation":
            part.explanation.append(text)
        elif self._field != "key":
            self._read_shown(place, part, text)
        elif part.key and part.options and PLAIN_KEY.fullmatch(flat(part.key[0])):
            self._field = "explanation"
            part.explanation.append(text)
        else:
            assert part.key is not None
            part.key.append(text)

    def _read_shown(self, place: int, part: QuestionPart, text: str) -> None:
        """Read text of a stem or of options. A second question on the same line begins a new part."""
        line = flat(text)
        cut = None
        if part.sub is None and self._numbering.style == "1":
            below = self._lines[place + 1 :]
            cut = next_question(self._marks, part, self._numbering.last + 1, line, below)
        if cut is not None:
            rest, text, line = text[cut[1] :], text[: cut[0]], line[: cut[0]]
        labels = labels_in(self._marks, part, line)
        before = text[: labels[0].begin] if labels else text
        if before.strip():
            if part.options:
                letter, option = part.options[-1]
                part.options[-1] = (letter, f"{option}\n{before}")
            else:
                part.stem.append(before)
        for (letter, _, begin), after in zip(
            labels, [*labels, OptionLabel("", len(text), 0)][1:], strict=True
        ):
            if part.options and letter == "A":
                part.fault = part.fault or RefusedRecord(Reason.OVERLAP, "the options begin again at A")
            elif letter in dict(part.options):
                part.fault = part.fault or RefusedRecord(Reason.OPTION_TWICE, letter)
            part.options.append((letter, text[begin : after.begin]))
            self._field = "options"
        if cut is not None:
            part.repairs.append(Repair.SEPARATED)
            self._numbering.last += 1
            self._begin(place, self._numbering.last, rest)
            assert self._part is not None
            self._part.repairs.append(Repair.SEPARATED)


class Numbering:
    """The numbering of a section: its `style`, the `last` number, and the last number of a `run` list."""

    def __init__(self, marks: ProfileMarks, lines: Sequence[str], notes: list[str]) -> None:
        self._notes = notes
        self._all = [
            (place, number) for place, line in enumerate(lines) for number in marks.number(flat(line))
        ]
        self._arabic = any(not number.style.startswith("{一}") for _, number in self._all)
        self.style: str | None = None
        self.last = 0
        self.run = 0

    def new_section(self) -> None:
        """Begin a section, which may have another style."""
        self.style, self.run = None, 0

    def begins(self, place: int, number: LineNumber, part: QuestionPart | None, field: str) -> bool:
        """Whether a number begins a question, after a part of which `field` was read last; sets `last`.

        The next number does, unless it continues a list and occurs again later. A gap and a repeated number
        are noted. Numbers can begin at 1 again after a complete question.
        """
        if not self._fits(place, number, part, field):
            if number.value in (1, self.run + 1):
                self.run = number.value
            return False
        self.last = number.value
        return True

    def _fits(self, place: int, number: LineNumber, part: QuestionPart | None, field: str) -> bool:
        if number.style.startswith("{一}") and self._arabic:
            return False
        value, expected = number.value, self.last + 1
        if self.style is None:
            if value not in (1, expected) and self.last and not self._after_gap(value, expected):
                return False
            self.style = number.style
            return True
        if number.style != self.style:
            return False
        in_text = field in ("key", "explanation")
        complete = part is not None and (len(part.options) > 1 or part.key is not None)
        if value == expected:
            listed = self.run and self.run == value - 1 and (in_text or not complete)
            return not (listed and self._occurs_again(place, number))
        in_list = in_text and (part is None or not part.options or self.run == value - 1)
        if value == self.last and complete and not in_list:
            self._notes.append(f"number {value} is repeated")
            return True
        if not (in_text and self.run) and self._after_gap(value, expected):
            return True
        return value == 1 and complete and not in_text

    def _after_gap(self, value: int, expected: int) -> bool:
        if not expected < value <= expected + MOST_MISSING:
            return False
        missing = f"{expected}" if value == expected + 1 else f"{expected}-{value - 1}"
        self._notes.append(f"missing before question {value}: {missing}")
        return True

    def _occurs_again(self, place: int, number: LineNumber) -> bool:
        return any(
            later > place and other.style == number.style and other.value == number.value
            for later, other in self._all
        )
