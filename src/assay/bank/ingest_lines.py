"""Importing a document: each line belongs to a question or a reject, or has another declared class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from assay.bank.ingest_writer import IngestWriter, Placement
from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import DocumentLines, Line, span
from assay.questions.mapping import RecordReader
from assay.questions.profiles.profile import DocumentProfile, RecordProfile, built_in
from assay.questions.recognise import recognise
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.split import draft_of, split
from assay.questions.splitting.parts import LineKind, QuestionPart, SplitDocument
from assay.results.bank_import import Fate

_FATES = {
    LineKind.BLANK: Fate.BLANK,
    LineKind.FURNITURE: Fate.FURNITURE,
    LineKind.TITLE: Fate.TITLE,
    LineKind.HEADING: Fate.HEADING,
    LineKind.ANSWERS: Fate.ANSWERS,
    LineKind.MATERIAL: Fate.MATERIAL,
    LineKind.PICTURE: Fate.PICTURE,
}
_NEEDED = frozenset(["stem", "key"])


def import_lines(
    document: DocumentLines,
    profile: DocumentProfile,
    writer: IngestWriter,
    disciplines: tuple[str | None, str | None],
) -> None:
    """Import the questions of a document of these disciplines.

    Raises InvalidInput without a discipline, and if the document contains no question at all.
    """
    account, lines = writer.account, document.lines
    discipline, secondary = disciplines
    if discipline is None:
        raise InvalidInput(Problem("no discipline: give one with --discipline", account.file))
    tables = _RecordTables(lines, writer, discipline, secondary)
    parts = split(
        [line.text for line in lines],
        profile,
        furniture={number for number, line in enumerate(lines) if line.furniture or number in tables.lines},
        pictures={number for number, line in enumerate(lines) if line.picture},
    )
    if not parts.parts and not tables.lines:
        fault = f"no question with the numbering of the profile {profile.name!r}"
        raise InvalidInput(Problem(f"{fault}: give another one with --profile", account.file))
    account.read = len(lines)
    account.notes += [*document.notes, *parts.notes]
    document_import = _DocumentImport(parts, lines, tables.lines, writer, discipline, secondary)
    for number, part in enumerate(parts.parts):
        document_import.add(number, part, wrapped=document.wrapped)
    tables.add_rows()
    writer.flush()
    document_import.count_lines()
    writer.flush()


class _RecordTables:
    """The tables of a document that contain records: their first row names columns with questions and keys.

    `lines` are the numbers of their rows.
    """

    def __init__(
        self, lines: Sequence[Line], writer: IngestWriter, discipline: str, secondary: str | None
    ) -> None:
        profile = built_in("table")
        assert isinstance(profile, RecordProfile)
        self._reader = RecordReader(profile)
        self._writer, self._disciplines = writer, (discipline, secondary)
        self._tables: list[list[Line]] = []
        numbers: list[int] = []
        for table, group in groupby(enumerate(lines), key=lambda numbered: numbered[1].table):
            rows = list(group)
            if table is not None and self._reader.fields_of(rows[0][1].cells) >= _NEEDED:
                self._tables.append([line for _, line in rows])
                numbers += [number for number, _ in rows]
        self.lines = frozenset(numbers)

    def add_rows(self) -> None:
        """Import the rows; each is counted as one line."""
        for header, *rows in self._tables:
            self._writer.account.fates[Fate.HEADING] += 1
            for line in rows:
                self._add(line, header.cells)

    def _add(self, line: Line, header: Sequence[str]) -> None:
        account = self._writer.account
        if not line.text.strip() and not line.picture:
            account.fates[Fate.BLANK] += 1
            return
        place = span(line, line)

        def on_fate(fate: Fate, refused: RefusedRecord | None) -> None:
            if refused is not None:
                self._writer.reject(place, 1, refused, line.text)
            else:
                account.fates[fate] += 1

        mapped = self._reader.entry(dict(zip(header, line.cells, strict=False)))
        if line.picture:
            on_fate(Fate.REJECT, RefusedRecord(Reason.PICTURE))
        elif isinstance(mapped, RefusedRecord):
            on_fate(Fate.REJECT, mapped)
        elif isinstance(recognised := recognise(mapped.draft), RefusedRecord):
            on_fate(Fate.REJECT, recognised)
        else:
            own = (mapped.discipline, mapped.secondary) if mapped.discipline else self._disciplines
            assert own[0] is not None
            self._writer.add(recognised, Placement(place, own[0], own[1], mapped.uuid), on_fate)


@dataclass(slots=True)
class _DocumentImport:
    """The fates of a document's parts, from which the fate of each line follows."""

    split: SplitDocument
    lines: Sequence[Line]
    table_lines: frozenset[int]
    writer: IngestWriter
    discipline: str
    secondary: str | None
    fates: dict[int, Fate] = field(default_factory=dict)
    refused: dict[int, RefusedRecord] = field(default_factory=dict)

    def add(self, number: int, part: QuestionPart, *, wrapped: bool) -> None:
        """Import a part as a question."""

        def on_fate(fate: Fate, refused: RefusedRecord | None) -> None:
            self.fates[number] = fate
            if refused is not None:
                self.refused[number] = refused

        draft = draft_of(part, wrapped=wrapped)
        recognised = draft if isinstance(draft, RefusedRecord) else recognise(draft)
        if isinstance(recognised, RefusedRecord):
            on_fate(Fate.REJECT, recognised)
            return
        place = f"{self._place(part.lines)} (number {part.name})"
        self.writer.add(recognised, Placement(place, self.discipline, self.secondary), on_fate)

    def count_lines(self) -> None:
        """Count every line once: with the rejected part that it belongs to, else with its own fate."""
        rejected: set[int] = set()
        for number, refused in self.refused.items():
            part = self.split.parts[number]
            own = [line for line in part.lines if line not in rejected]
            rejected.update(own)
            self.writer.reject(self._place(part.lines), len(own), refused, self._text(part))
        for stray in self.split.strays:
            own = [line for line in stray.lines if line not in rejected]
            rejected.update(own)
            self.writer.reject(self._place(stray.lines), len(own), stray.refused, self._joined(stray.lines))
        fate_of = self._fates_of_lines()
        for line in range(len(self.lines)):
            if line not in rejected and line not in self.table_lines:
                self.writer.account.fates[fate_of.get(line) or _FATES[self.split.kinds[line]]] += 1

    def _fates_of_lines(self) -> dict[int, Fate]:
        """Return the fates of the lines of materials, and of parts that were not rejected."""
        fate_of: dict[int, Fate] = {}
        for part in self.split.parts:
            if part.material is not None:
                fate_of.update(dict.fromkeys(part.material.lines, Fate.MATERIAL))
        for number, part in enumerate(self.split.parts):
            if number not in self.refused:
                fate_of.update(dict.fromkeys(part.lines, self.fates[number]))
        return fate_of

    def _place(self, lines: Sequence[int]) -> str:
        return span(self.lines[min(lines)], self.lines[max(lines)])

    def _joined(self, lines: Iterable[int]) -> str:
        return "\n".join(self.lines[line].text for line in lines)

    def _text(self, part: QuestionPart) -> str:
        """Return a rejected part's lines with its material, and with the key if that is elsewhere."""
        elsewhere = [
            line for line, parts in self.split.answers.items() if any(other is part for other in parts)
        ]
        texts = [self._joined(part.lines)]
        if part.material is not None:
            texts.insert(0, self._joined(part.material.lines))
        return "\n".join([*texts, *(f"[answers] {self.lines[line].text}" for line in elsewhere)])
