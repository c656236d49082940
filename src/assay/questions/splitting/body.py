"""Reading the lines of a document one by one into questions, materials and headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from assay.questions.refusal import Reason, Refused
from assay.questions.splitting import inline
from assay.questions.splitting.inline import PLAIN_KEY, Label, labels_in, markers_in
from assay.questions.splitting.marks import Heading, Marks, Number, flat
from assay.questions.splitting.numbering import Numbering
from assay.questions.splitting.parts import LineKind, Material, Part, Split, Stray

LONG = 200
"""A text of so many characters before the first question of a section is material, not an instruction."""

TAKEN_APART = "two questions on one line taken apart"

_RANGE = re.compile(r"(\d{1,3})\s*(?:[-–—~至到]|to|and)\s*(\d{1,3})")
_STRONG = re.compile(
    r"\s*(?:阅读|根据|Read the|Passage\s*(?:\d|[A-Z]\b|[IVX]+\b|One|Two|Three|Four)|Questions?\s+\d)", re.I
)
_NO_HEADING: Final = Heading(None, False, False)


class BodyReader:
    """Takes lines in order; `split` grows."""

    def __init__(self, marks: Marks, split: Split, lines: Sequence[str]) -> None:
        self._marks, self._split, self._lines = marks, split, lines
        self._heading, self._section = _NO_HEADING, 0
        self._numbering = Numbering(marks, lines, split.notes)
        self._part: Part | None = None
        self._field = "stem"
        self._outside = False
        self._opening: Material | None = None
        self._material: Material | None = None
        self._after_blank = False

    def blank(self) -> None:
        """Take note of an empty line."""
        self._after_blank = True

    def read(self, place: int) -> None:
        """Take in the line at a place."""
        text, line = self._lines[place], flat(self._lines[place])
        if self._is_option(line):
            self._go_on(place, text)
        elif not self._is_heading(place, line) and not self._is_number(place, text, line):
            if self._opens_material(line):
                self._open_material(place, text)
            elif self._is_outside(line):
                self._stray(place)
            else:
                self._go_on(place, text)
        self._after_blank = False

    def end(self) -> None:
        """Close what is open; material that no question followed is told."""
        self._close_material()

    def _is_option(self, line: str) -> bool:
        shown = self._part is not None and self._field in ("stem", "options")
        return shown and inline.begins_option(self._marks, self._part, line)

    def _is_heading(self, place: int, line: str) -> bool:
        heading = self._marks.heading(line)
        if heading is None:
            return False
        self._close_material()
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

    def _is_sub(self, number: Number) -> bool:
        part = self._part
        if part is None or number.style == self._numbering.style or "({1})" not in number.style:
            return False
        if part.sub is None:
            about = self._heading.material or self._marks.material.match(
                flat(part.stem[0] if part.stem else "")
            )
            return bool(number.value == 1 and self._field == "stem" and not part.options and about)
        combined = (
            self._field == "key" and part.key is not None and flat(part.key[0]).lstrip().startswith("(1)")
        )
        return number.value == part.sub + 1 and not combined

    def _begin(self, place: int, value: int, text: str) -> None:
        self._close_material(keep=True)
        scope = self._material.scope if self._material is not None else None
        inside = scope is None or scope[0] <= value <= scope[1]
        part = Part(value, self._section, [], [], self._heading.kind, self._heading.single)
        part.material = self._material if inside else None
        self._add(part, place, text)

    def _begin_sub(self, place: int, value: int, text: str) -> None:
        group = self._part
        assert group is not None
        if group.sub is None:
            self._split.parts.remove(group)
            group.material = Material(group.lines, group.stem)
        part = Part(group.number, self._section, [], [], self._heading.kind, self._heading.single, sub=value)
        part.material = group.material
        self._add(part, place, text)

    def _add(self, part: Part, place: int, text: str) -> None:
        self._split.parts.append(part)
        self._outside = False
        self._part, self._field = part, "stem"
        self._numbering.run = 0
        self._go_on(place, text)

    def _is_outside(self, line: str) -> bool:
        """Whether a line belongs to nothing: text without a mark, apart from a finished question."""
        part = self._part
        if part is None:
            return self._outside
        apart = self._after_blank and self._field == "options" and len(part.options) > 1
        if not apart or markers_in(self._marks, part, line):
            return False
        self._part, self._outside = None, True
        return True

    def _stray(self, place: int) -> None:
        self._split.strays.append(Stray([place], Refused(Reason.OUTSIDE)))

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

    def _add_to_material(self, place: int, text: str) -> None:
        assert self._opening is not None
        self._opening.lines.append(place)
        self._opening.texts.append(text)

    def _close_material(self, *, keep: bool = False) -> None:
        """End the material that is being read; with `keep` it is that of the questions to come."""
        opening, self._opening = self._opening, None
        if keep:
            self._material = opening if opening is not None and opening.lines else self._material
            return
        if opening is not None and opening.lines:
            self._split.strays.append(Stray(opening.lines, Refused(Reason.UNUSED_PASSAGE)))
        self._material = None

    def _go_on(self, place: int, text: str) -> None:
        if self._part is None:
            self._before_questions(place, text)
            return
        if place not in self._part.lines:
            self._part.lines.append(place)
        start = 0
        for field, begin, end in markers_in(self._marks, self._part, flat(text)):
            self._text(place, text[start:begin])
            start = end
            if field == "key" and self._part.key is not None:
                self._part.fault = self._part.fault or Refused(Reason.OVERLAP, "two answers")
            if field == "key":
                self._part.key = self._part.key or []
            self._field = field
        self._text(place, text[start:])

    def _before_questions(self, place: int, text: str) -> None:
        if self._opening is None and len(text) >= LONG:
            self._opening = Material([], [])
        if self._opening is not None:
            self._add_to_material(place, text)
        elif self._section and (self._marks.number(flat(text)) or self._marks.marker.search(flat(text))):
            self._stray(place)
        else:
            self._split.kinds[place] = LineKind.HEADING if self._section else LineKind.TITLE

    def _text(self, place: int, text: str) -> None:
        part = self._part
        assert part is not None
        if not text.strip():
            return
        if self._field == "explanation":
            part.explanation.append(text)
        elif self._field != "key":
            self._shown(place, part, text)
        elif part.key and part.options and PLAIN_KEY.fullmatch(flat(part.key[0])):
            self._field = "explanation"
            part.explanation.append(text)
        else:
            assert part.key is not None
            part.key.append(text)

    def _shown(self, place: int, part: Part, text: str) -> None:
        """Take in text of a stem or of options; a second question on the same line begins a new part."""
        line = flat(text)
        cut = None
        if part.sub is None and self._numbering.style == "1":
            below = self._lines[place + 1 :]
            cut = inline.next_question(self._marks, part, self._numbering.last + 1, line, below)
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
        for (letter, _, begin), after in zip(labels, [*labels, Label("", len(text), 0)][1:], strict=True):
            if part.options and letter == "A":
                part.fault = part.fault or Refused(Reason.OVERLAP, "the options begin again at A")
            elif letter in dict(part.options):
                part.fault = part.fault or Refused(Reason.OPTION_TWICE, letter)
            part.options.append((letter, text[begin : after.begin]))
            self._field = "options"
        if cut is not None:
            part.repairs.append(TAKEN_APART)
            self._numbering.last += 1
            self._begin(place, self._numbering.last, rest)
            assert self._part is not None
            self._part.repairs.append(TAKEN_APART)
