"""A question without options, whose answer is a number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.draft import Unproved
from assay.causal.proof.proof import Claim, Proof
from assay.causal.scm import Scm


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """A question without options, before its proof.

    `key` is the exact answer. The `number` grader accepts what is within `tolerance` of `expect`; percentages
    are accepted as well. All `claims` must be true; `why` says what the key is. The rest is as in `Draft`.
    """

    world: Scm
    stem: str
    key: Fraction
    expect: str
    tolerance: Fraction
    claims: tuple[Claim, ...]
    why: str
    template: str
    scene: str
    state: str
    derivation: tuple[tuple[str, q.Term], ...] = ()

    @property
    def grader(self) -> dict[str, object]:
        """The parameters of the `number` grader."""
        tolerance = {"tolerance": str(float(self.tolerance))} if self.tolerance else {}
        return {"expect": self.expect, "percent": True, **tolerance}


def proved_open(draft: OpenDraft, proof: Proof | None = None) -> Fraction:
    """Return the key of an open question, proved by both routes. Unproved where a claim is false."""
    proof = proof or Proof(draft.world)
    for claim in draft.claims:
        if not proof.claims(claim):
            raise Unproved(f"{draft.template} ({draft.state!r}): the key {draft.key} is not {claim.query!r}")
    for _, term in draft.derivation:
        proof.number(term)
    return draft.key
