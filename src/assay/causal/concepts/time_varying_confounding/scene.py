"""What a story of this concept consists of."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    The measure is taken or not at a first time and again at a second; `reading` is what was read in between.
    `reacts` says that the first measure moves the reading, `inert` that it cannot; `guides` that the second
    decision looked at the reading, `blind` that it did not. `u` names a thing that nobody recorded, and
    `hidden` says that it bears on reading and outcome; `who` stands for units in relative clauses. All
    sentences come without the full stop.
    """

    name: str
    setting: str
    units: str
    first: str
    first_no: str
    second: str
    second_no: str
    y: str
    reading: str
    low: str
    high: str
    reacts: str
    inert: str
    guides: str
    blind: str
    u: str
    hidden: str
    who: str = "that"

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}
