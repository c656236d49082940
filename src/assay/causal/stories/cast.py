"""The cast of a story: which words of a scene its variables go by."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from assay.causal.stories.concept import Concept
from assay.causal.stories.language import Noun, fill
from assay.causal.stories.scene import Scene

LETTERS = "ABCDEFGHJKMNPQRTUVWZ"


@dataclass(frozen=True, slots=True)
class Cast:
    """The noun of each variable, and of what else phrases may name: `setting`, `units`, `s` and `t`."""

    variables: Mapping[str, Noun]
    words: Mapping[str, Noun]


def cast(concept: Concept, scene: Scene, factors: tuple[str, ...], rng: random.Random) -> Cast:
    """Draw which factors of a scene play which part."""
    chosen = rng.sample(scene.factors, len(factors))
    variables = {name: factor.noun for name, factor in zip(factors, chosen, strict=True)}
    first, second = rng.sample(scene.speakers, 2)
    words = {
        "setting": Noun(scene.setting),
        "unit": Noun(scene.units[0]),
        "a_unit": Noun(f"{_article(scene.units[0])} {scene.units[0]}"),
        "units": Noun(scene.units[1], plural=True),
        "treatment": scene.treatment.noun,
        "outcome": scene.outcome.noun,
        "s": Noun(first),
        "t": Noun(second),
    }
    for node in concept.nodes:
        of = {"f": variables[node.of]} if node.of else {}
        noun = fill(node.noun, {**words, **of})
        plural = node.plural or (node.noun == "{treatment}" and scene.treatment.noun.plural)
        plural = plural or (node.noun == "{outcome}" and scene.outcome.noun.plural)
        variables[node.name] = Noun(noun, plural)
    return Cast(variables, {**words, **variables})


def formal_cast(concept: Concept, factors: tuple[str, ...], rng: random.Random) -> Cast:
    """Draw letters for the variables of a formal question."""
    letters = iter(rng.sample(LETTERS, len(LETTERS)))
    variables = {name: Noun(next(letters)) for name in (*(node.name for node in concept.nodes), *factors)}
    return Cast(variables, dict(variables))


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
