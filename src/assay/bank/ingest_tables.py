"""Tables inside documents whose first row names columns with questions and keys: their rows are records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from assay.bank.account import Fate
from assay.bank.keeping import Filed, Keeper
from assay.files.documents.document import Line, span
from assay.questions.mapping import RecordReader
from assay.questions.profiles.built_in import built_in
from assay.questions.profiles.records import RecordProfile
from assay.questions.recognise import recognise
from assay.questions.refusal import Reason, Refused

Wanted = tuple[str | None, str | None]
_NEEDED = frozenset(["stem", "key"])


class Tables:
    """The tables of a document that hold records. `lines` are the places of their rows."""

    def __init__(self, lines: Sequence[Line]) -> None:
        profile = built_in("table")
        assert isinstance(profile, RecordProfile)
        self._reader = RecordReader(profile)
        self._tables: list[list[tuple[int, Line]]] = []
        for table, rows in groupby(enumerate(lines), key=lambda each: each[1].table):
            held = list(rows)
            if table is not None and self._reader.fields_of(held[0][1].cells) >= _NEEDED:
                self._tables.append(held)
        self.lines = frozenset(place for rows in self._tables for place, _ in rows)

    def take(self, keeper: Keeper, wanted: Wanted) -> None:
        """Take in the rows; each is accounted for as one line."""
        for rows in self._tables:
            header = rows[0][1].cells
            keeper.account.fates[Fate.HEADING] += 1
            for _, line in rows[1:]:
                self._row(line, header, keeper, wanted)

    def _row(self, line: Line, header: Sequence[str], keeper: Keeper, wanted: Wanted) -> None:
        if not line.text.strip() and not line.picture:
            keeper.account.fates[Fate.BLANK] += 1
            return
        place = span(line, line)

        def settle(fate: Fate, refused: Refused | None) -> None:
            if refused is not None:
                keeper.reject(place, 1, refused, line.text)
            else:
                keeper.account.fates[fate] += 1

        entry = self._reader.entry(dict(zip(header, line.cells, strict=False)))
        found = entry if isinstance(entry, Refused) else recognise(entry.draft)
        if line.picture:
            settle(Fate.REJECT, Refused(Reason.PICTURE))
        elif isinstance(entry, Refused) or isinstance(found, Refused):
            settle(Fate.REJECT, found if isinstance(found, Refused) else None)
        else:
            codes = (entry.discipline, entry.secondary) if entry.discipline else wanted
            assert codes[0] is not None
            keeper.keep(found, Filed(place, codes[0], codes[1], entry.uuid), settle)
