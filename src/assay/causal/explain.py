"""A question explained: the model, the derivation of its key, and why each distractor is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from assay.causal.draft import Answer
from assay.causal.item import LETTERS
from assay.causal.proof.proof import Claim, Proof, answer
from assay.causal.question import Question
from assay.causal.scm import Dag, Scm
from assay.causal.wording.notation import value, written


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One variable: its causes, whether it is measured, and its rows as `Z=1, X=0: 3/10, 7/10`."""

    name: str
    parents: tuple[str, ...]
    hidden: bool
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim in notation, what an option asserts, and what each route finds."""

    query: str
    asserted: str
    derived: str
    counted: str
    true: bool


@dataclass(frozen=True, slots=True)
class Option:
    """An option as shown: why it is right or wrong, and the claims that decide it. The key has no kind."""

    letter: str
    text: str
    right: bool
    kind: str | None
    why: str
    claims: tuple[Checked, ...]
    number: Checked | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that is known of a question. `steps` are labelled terms with their values."""

    id: str
    concept: str
    variant: str
    template: str
    scene: str
    state: str
    stem: str
    arrows: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    steps: tuple[tuple[str, str, str], ...]
    options: tuple[Option, ...]


def explain(question: Question) -> Explanation:
    """Explain a question; every claim is answered again by both routes."""
    draft = question.draft
    proof = Proof(draft.world)
    return Explanation(
        question.item.id,
        question.item.concept,
        question.item.variant,
        draft.template,
        draft.scene,
        draft.state,
        draft.stem,
        tuple(f"{cause} → {effect}" for cause, effect in draft.world.dag.edges),
        _mechanisms(draft.world),
        tuple((label, written(term), value(proof.number(term))) for label, term in draft.derivation),
        tuple(_option(LETTERS[n], each, proof) for n, each in enumerate(question.answers)),
    )


def _mechanisms(world: Scm | Dag) -> tuple[Mechanism, ...]:
    if isinstance(world, Dag):
        return tuple(Mechanism(n, world.parents[n], n in world.hidden, ()) for n in world.names)
    found = []
    for variable in world.variables:
        rows = []
        for levels, chances in variable.table.items():
            given = ", ".join(f"{n}={lv}" for n, lv in zip(variable.parents, levels, strict=True))
            rows.append(f"{given + ': ' if given else ''}{', '.join(map(str, chances))}")
        found.append(Mechanism(variable.name, variable.parents, variable.hidden, tuple(rows)))
    return tuple(found)


def _option(letter: str, each: Answer, proof: Proof) -> Option:
    return Option(
        letter,
        each.text,
        each.kind is None,
        None if each.kind is None else each.kind.value,
        each.why,
        tuple(_checked(claim, proof) for claim in each.claims),
        None if each.of is None else _checked(each.of, proof),
    )


def _checked(claim: Claim, proof: Proof) -> Checked:
    derived, counted = answer(proof.derived, claim.query), answer(proof.counted, claim.query)
    return Checked(
        written(claim.query), value(claim.answer), value(derived), value(counted), proof.claims(claim)
    )
