"""Taking in a document: every line of it ends in a question, a reject, or another declared class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assay.bank.account import Fate
from assay.bank.ingest_tables import Tables
from assay.bank.keeping import Filed, Keeper
from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import Line, Lines, span
from assay.questions.profiles.documents import DocumentProfile
from assay.questions.recognise import recognise
from assay.questions.refusal import Refused
from assay.questions.split import choose_document_profile, split
from assay.questions.splitting.drafts import draft_of
from assay.questions.splitting.parts import LineKind, Part, Split

Wanted = tuple[str | None, str | None]
_FATES = {
    LineKind.BLANK: Fate.BLANK,
    LineKind.FURNITURE: Fate.FURNITURE,
    LineKind.TITLE: Fate.TITLE,
    LineKind.HEADING: Fate.HEADING,
    LineKind.ANSWERS: Fate.ANSWERS,
    LineKind.MATERIAL: Fate.MATERIAL,
}


def choose_layout(document: Lines, given: DocumentProfile | None) -> DocumentProfile:
    """Return the profile given, or the built-in one that suits most lines."""
    return given or choose_document_profile([line.text for line in document.lines])


def take_lines(document: Lines, profile: DocumentProfile, keeper: Keeper, wanted: Wanted) -> None:
    """Take in the questions of a document, whose discipline is `wanted`.

    Raises InvalidInput without a discipline, and where the document holds no question at all.
    """
    account, lines = keeper.account, document.lines
    if wanted[0] is None:
        raise InvalidInput(Problem("tells no discipline: give one with --discipline", account.file))
    tables = Tables(lines)
    found = split(
        [line.text for line in lines],
        profile,
        furniture={place for place, line in enumerate(lines) if line.furniture or place in tables.lines},
        pictures={place for place, line in enumerate(lines) if line.picture},
    )
    if not found.parts and not tables.lines:
        raise InvalidInput(
            Problem(
                f"has no question numbered as the profile {profile.name!r} says: give --profile", account.file
            )
        )
    account.read = len(lines)
    account.notes += [*document.notes, *found.notes]
    settled = _Settled(found, lines, tables)
    for number, part in enumerate(found.parts):
        settled.offer(number, part, keeper, wanted, wrapped=document.wrapped)
    tables.take(keeper, wanted)
    keeper.flush()
    settled.close(keeper)
    keeper.flush()


@dataclass(slots=True)
class _Settled:
    """What became of each part, and from that of each line."""

    split: Split
    lines: Sequence[Line]
    tables: Tables
    fates: dict[int, Fate] = field(default_factory=dict)
    refused: dict[int, Refused] = field(default_factory=dict)

    def offer(self, number: int, part: Part, keeper: Keeper, wanted: Wanted, *, wrapped: bool) -> None:
        draft = draft_of(part, wrapped=wrapped)
        found = draft if isinstance(draft, Refused) else recognise(draft)
        if isinstance(found, Refused):
            self.settle(number, Fate.REJECT, found)
            return
        assert wanted[0] is not None
        place = f"{self._place(part.lines)} (number {part.name})"
        keeper.keep(
            found, Filed(place, wanted[0], wanted[1]), lambda fate, why: self.settle(number, fate, why)
        )

    def settle(self, number: int, fate: Fate, refused: Refused | None) -> None:
        self.fates[number] = fate
        if refused is not None:
            self.refused[number] = refused

    def close(self, keeper: Keeper) -> None:
        """Count every line once: with a rejected part that it belongs to, else with what it is."""
        owned: set[int] = set()
        for number, refused in self.refused.items():
            part = self.split.parts[number]
            own = [place for place in part.lines if place not in owned]
            owned.update(own)
            keeper.reject(self._place(part.lines), len(own), refused, self._text(part))
        for stray in self.split.strays:
            own = [place for place in stray.lines if place not in owned]
            owned.update(own)
            keeper.reject(self._place(stray.lines), len(own), stray.refused, self._joined(stray.lines))
        account = keeper.account
        good = self._good(owned)
        for place in range(len(self.lines)):
            if place not in owned and place not in self.tables.lines:
                account.fates[good.get(place) or _FATES[self.split.kinds[place]]] += 1

    def _good(self, owned: set[int]) -> dict[int, Fate]:
        """Return the fate of the lines of parts that were not rejected, and of their materials."""
        found: dict[int, Fate] = {}
        for part in self.split.parts:
            if part.material is not None:
                found.update(dict.fromkeys(part.material.lines, Fate.MATERIAL))
        for number, part in enumerate(self.split.parts):
            if number not in self.refused:
                found.update(dict.fromkeys(part.lines, self.fates[number]))
        return {place: fate for place, fate in found.items() if place not in owned}

    def _place(self, places: Sequence[int]) -> str:
        return span(self.lines[min(places)], self.lines[max(places)])

    def _joined(self, places: Iterable[int]) -> str:
        return "\n".join(self.lines[place].text for place in places)

    def _text(self, part: Part) -> str:
        """Return a rejected part's lines, with the key where it stands elsewhere in the document."""
        elsewhere = [
            place for place, parts in self.split.answers.items() if any(each is part for each in parts)
        ]
        texts = [self._joined(part.lines)]
        if part.material is not None:
            texts.insert(0, self._joined(part.material.lines))
        return "\n".join([*texts, *(f"[answers] {self.lines[place].text}" for place in elsewhere)])
