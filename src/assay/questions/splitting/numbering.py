"""Which number at the start of a line is the next question's, and which one belongs to a list in a text."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.splitting.marks import Marks, Number, flat
from assay.questions.splitting.parts import Part

MOST_MISSING = 10
"""A number further ahead than this is no question's."""


class Numbering:
    """Where the numbers of a section stand: their `style`, the `last` one, and a list's that is running."""

    def __init__(self, marks: Marks, lines: Sequence[str], notes: list[str]) -> None:
        self._notes = notes
        self._all = [(place, each) for place, line in enumerate(lines) for each in marks.number(flat(line))]
        self._arabic = any(not each.style.startswith("{一}") for _, each in self._all)
        self.style: str | None = None
        self.last = 0
        self.run = 0

    def new_section(self) -> None:
        """Begin a section, which may have a style of its own."""
        self.style, self.run = None, 0

    def begins(self, place: int, number: Number, part: Part | None, field: str) -> bool:
        """Whether a number begins a question after a part of which a field was being read; it is `last` then.

        The next number does, unless a list has come to it and the same number comes again. A gap is told, and
        so is a number that stands twice. Numbers begin at 1 again after a question that is complete.
        """
        if not self._fits(place, number, part, field):
            if number.value in (1, self.run + 1):
                self.run = number.value
            return False
        self.last = number.value
        return True

    def _fits(self, place: int, number: Number, part: Part | None, field: str) -> bool:
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
            return not (listed and self._comes_again(place, number))
        in_list = in_text and (part is None or not part.options or self.run == value - 1)
        if value == self.last and complete and not in_list:
            self._notes.append(f"number {value} stands twice")
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

    def _comes_again(self, place: int, number: Number) -> bool:
        return any(
            later > place and each.style == number.style and each.value == number.value
            for later, each in self._all
        )
