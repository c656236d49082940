"""The independent reader recovers the graph of every story."""

from __future__ import annotations

import random
from collections.abc import Mapping

from assay.causal.item import Variant
from assay.causal.stories.cast import cast
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary, check_told, draw, told_story
from assay.causal.stories.scene import Scene


def _check(concept: Concept, level: int, library: StoryLibrary, scene: Scene, seed: int) -> None:
    """Tell a story and read it back."""
    rng = random.Random(seed)
    question = draw(concept, Variant.BASE, level, library, rng)
    played = cast(concept, scene, question.layout.planned.factors, rng)
    aliases = concept.sizes[level].aliases
    body, _ = told_story(question.story, played, library.facts, [], rng, aliases=aliases)

    check_told(body, question.story, played, library, [], formal=False)


def test_every_story_is_read_back(concepts: Mapping[str, Concept], library: StoryLibrary) -> None:
    """At each level, in many scenes: what is read is what the model says."""
    for number, concept in enumerate(concepts.values()):
        for level in (1, 2, 3, 4):
            scene = library.scenes[(7 * number + level) % len(library.scenes)]
            _check(concept, level, library, scene, 10 * number + level)


def test_every_phrase_can_be_read(library: StoryLibrary) -> None:
    """The two files are written apart, and none of their kinds is missing on the other side."""
    said = {"lists", "on", "depends", "owner", "recorded", "unrecorded", "unknown"}
    assert said <= set(library.reading.patterns)
    assert all(getattr(library.facts, kind) for kind in said)
