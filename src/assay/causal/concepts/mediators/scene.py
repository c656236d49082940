"""What a story of this concept consists of."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `m` is what the step sets in motion (`moves`) and what bears on the outcome (`bears`). `shared` names an
    unrecorded cause of m and outcome, `alone` says that there is none; `leaning` names a cause of the step
    that reaches the outcome through m alone. `c` is a covariate (`c_bears` on the outcome): `early` tells how
    it was noted before the step took place and yet moved by it, `late` how it was noted afterwards and yet
    steered the step. All of these are whole sentences without the full stop. `that` is the pronoun
    that follows the units.
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
    moves: str
    bears: str
    shared: str
    alone: str
    leaning: str
    c: str
    c_low: str
    c_high: str
    c_bears: str
    early: str
    late: str
    that: str = "that"

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}
