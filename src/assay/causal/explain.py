"""A question explained: the model, the derivation of its key, and why each distractor is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from assay.causal.draft import Answer, Draft
from assay.causal.item import Item
from assay.causal.ladder import LadderQuestion
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.proof.proof import Claim, Proof, answer
from assay.causal.scm import Dag, Scm
from assay.causal.wording.notation import value, written
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


def explain(item: Item, draft: Draft, answers: Sequence[Answer]) -> Explanation:
    """Explain a question with its answers as shown; every claim is answered again by both routes."""
    proof = Proof(draft.world)
    options = tuple(_option(cast(Letter, LETTERS[n]), each, proof) for n, each in enumerate(answers))
    return _explanation(item, draft, proof, options)


def _explanation(
    item: Item, draft: Draft | OpenDraft, proof: Proof, options: tuple[ExplainedOption, ...]
) -> Explanation:
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


def explain_ladder(question: LadderQuestion) -> Explanation:
    """Explain a question of a ladder; an open or undeterminable one has no options with claims."""
    if isinstance(question.draft, Draft):
        return explain(question.item, question.draft, question.answers)
    if isinstance(question.draft, OpenDraft):
        draft = question.draft
        proof = Proof(draft.world)
        claims = tuple(_checked(claim, proof) for claim in draft.claims)
        option = ExplainedOption("", draft.expect, True, None, draft.why, claims, None)
        return _explanation(question.item, draft, proof, (option,))
    options = tuple(
        ExplainedOption(
            cast(Letter, LETTERS[at]), text, at == question.item.key, None, question.why, (), None
        )
        for at, text in enumerate(question.item.options)
    )
    item = question.item
    variant = cast(VariantName, item.variant)
    return Explanation(
        item.id, item.concept, variant, "undeterminable", "", "", item.stem, (), (), (), options
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
