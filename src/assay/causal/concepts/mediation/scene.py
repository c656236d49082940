"""What a story of this concept consists of."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `m` is the thing in between, with two levels. `w` is a covariate with two levels that bears on m and on
    the outcome (`w_bears`); `before` says that it was settled ahead of the step, `moved` that the step
    changed it before m took its level. `shared` names an unrecorded cause of m and outcome, `alone` says
    that there is none. All sentences come without the full stop. `who` is the relative pronoun of `units`.
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
    w: str
    w_low: str
    w_high: str
    w_bears: str
    before: str
    moved: str
    shared: str
    alone: str
    who: str = "that"

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}
