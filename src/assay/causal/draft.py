"""A question on its way: a model, a stem, four answers with the claims they make, not yet in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assay.causal.proof.proof import Claim, Proof
from assay.causal.queries import Term
from assay.causal.scm import Dag, Scm
from assay.core.errors import AssayError

OPTIONS = 4


class Kind(StrEnum):
    """What is wrong with a wrong answer."""

    PARTIAL = "partial insight"
    REVERSED = "reversed logic"
    REFLEX = "textbook reflex"
    MISAPPLIED = "sophisticated but misapplied"


class Unproved(AssayError):
    """A draft whose claims do not single out the intended answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its words, what it claims, and why it is right or wrong.

    It is right when all claims are true. `kind` is None for the intended one. `of` is what the number in
    the words is, where that is another quantity than the one asked for (the crude difference, say).
    """

    text: str
    claims: tuple[Claim, ...]
    why: str
    kind: Kind | None = None
    of: Claim | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A question before its proof.

    `template` names the wording of the stem, `scene` the story, `state` what was drawn to be true.
    `derivation` are terms and facts worth showing to whoever wants the key explained, in order.
    """

    world: Scm | Dag
    stem: str
    answers: tuple[Answer, ...]
    template: str
    scene: str
    state: str
    derivation: tuple[tuple[str, Term], ...] = ()


def wrong(kind: Kind, text: str, *claims: Claim, why: str, of: Claim | None = None) -> Answer:
    """Return a wrong answer of a declared kind."""
    return Answer(text, claims, why, kind, of)


def proved(draft: Draft, proof: Proof | None = None) -> int:
    """Return the place of the only answer all of whose claims are true, by both routes.

    Unproved when that is not the intended one, when there is none or more than one, when two answers read
    alike, or when a number is not the quantity that it is said to be.
    """
    proof = proof or Proof(draft.world)
    where = f"{draft.template} (scene {draft.scene!r}, state {draft.state!r})"
    if len(draft.answers) != OPTIONS or len({a.text.casefold().strip() for a in draft.answers}) != OPTIONS:
        raise Unproved(f"{where}: {[a.text for a in draft.answers]!r} are not {OPTIONS} different answers")
    if lacking := [a.text for a in draft.answers if not a.claims or not a.why]:
        raise Unproved(f"{where}: {lacking[0]!r} claims nothing, or does not say why it is right or wrong")
    true = [place for place, a in enumerate(draft.answers) if all(map(proof.claims, a.claims))]
    meant = [place for place, a in enumerate(draft.answers) if a.kind is None]
    if len(true) != 1 or true != meant:
        raise Unproved(f"{where}: answers {true} are true, {meant} are meant to be")
    for each in draft.answers:
        if each.of is not None and not proof.claims(each.of):
            raise Unproved(f"{where}: {each.text!r} is not {each.of.query!r}")
    for _, term in draft.derivation:
        proof.number(term)
    return true[0]
