"""A question explained: the model, the derivation of its key, and why each distractor is wrong."""

from __future__ import annotations

from typing import cast

from assay.causal.draft import Answer
from assay.causal.form import FormQuestion
from assay.causal.notation import value, written
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.proof.proof import Claim, Proof, answer
from assay.causal.scm import Dag, Scm
from assay.core.case import LETTERS
from assay.results.causal import (
    CheckedClaim,
    DerivationStep,
    ExplainedOption,
    Explanation,
    Letter,
    Mechanism,
    VariantName,
)


def explain(question: FormQuestion) -> Explanation:
    """Explain a question; every claim is answered again by both routes.

    An open one has its number as the only option; one that cannot be settled has no model and no claims.
    """
    item, draft = question.item, question.draft
    if draft is None:
        options = tuple(
            ExplainedOption(_letter(at), text, at == item.key, None, question.why, (), None)
            for at, text in enumerate(item.options)
        )
        variant = cast(VariantName, item.variant)
        return Explanation(
            item.id, item.concept, variant, "undeterminable", "", "", item.stem, (), (), (), options
        )
    proof = Proof(draft.world)
    if isinstance(draft, OpenDraft):
        claims = tuple(_checked(claim, proof) for claim in draft.claims)
        options = (ExplainedOption("", draft.expect, True, None, draft.why, claims, None),)
    else:
        options = tuple(_option(_letter(at), each, proof) for at, each in enumerate(question.answers))
    return Explanation(
        item.id,
        item.concept,
        cast(VariantName, item.variant),
        draft.template,
        draft.scene,
        draft.state,
        draft.stem,
        tuple(f"{cause} → {effect}" for cause, effect in draft.world.dag.edges),
        _mechanisms(draft.world),
        tuple(
            DerivationStep(label, written(term), value(proof.number(term)))
            for label, term in draft.derivation
        ),
        options,
    )


def _letter(place: int) -> Letter:
    return cast(Letter, LETTERS[place])


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


def _option(letter: Letter, each: Answer, proof: Proof) -> ExplainedOption:
    return ExplainedOption(
        letter,
        each.text,
        each.kind is None,
        None if each.kind is None else each.kind.value,
        each.why,
        tuple(_checked(claim, proof) for claim in each.claims),
        None if each.of is None else _checked(each.of, proof),
    )


def _checked(claim: Claim, proof: Proof) -> CheckedClaim:
    derived, counted = answer(proof.derived, claim.query), answer(proof.counted, claim.query)
    return CheckedClaim(
        written(claim.query), value(claim.answer), value(derived), value(counted), proof.claims(claim)
    )
