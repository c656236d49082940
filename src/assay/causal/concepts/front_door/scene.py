"""What a story of this concept consists of."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `m`, with two levels, carries the effect of the choice. `hidden` names an unrecorded motive of the choice
    that bears on the outcome and not on m, `whim` a motive that does not bear on it. `sole` says that the
    choice has no other way to the outcome than m, `bypass` names one. `stray` names an unrecorded cause of m
    that has no other bearing on the outcome, `leak` one that has. All sentences come without the full stop.
    `who` is the relative pronoun of `units`.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    m: str
    m_low: str
    m_high: str
    hidden: str
    whim: str
    sole: str
    bypass: str
    stray: str
    leak: str
    who: str = "that"

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}
