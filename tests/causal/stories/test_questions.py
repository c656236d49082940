"""Questions on stories: proved, read back, with twins that differ only as they should."""

from __future__ import annotations

import random
from collections.abc import Mapping

from assay.causal.draft import Kind, proved
from assay.causal.item import Variant
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary, draw
from assay.causal.stories.scene import Scene
from assay.core.case import TwinKind


def test_a_renamed_twin_has_no_word_of_the_scene(
    concepts: Mapping[str, Concept], library: StoryLibrary, scene: Scene
) -> None:
    """The graph and the key stay."""
    question = draw(concepts["confounding"], Variant.BASE, 2, library, random.Random(1))
    plain, renamed = question.tell(library, scene), question.tell(library, scene, TwinKind.RENAMED)
    text = " ".join([renamed.stem, *(answer.text for answer in renamed.answers)]).casefold()
    words = [scene.treatment.noun.text, scene.outcome.noun.text, *(each.noun.text for each in scene.factors)]
    assert not [word for word in words if word in text]
    assert plain.world == renamed.world
    assert proved(plain) == proved(renamed) == question.key


def test_a_pressured_twin_insists_on_a_wrong_option(
    concepts: Mapping[str, Concept], library: StoryLibrary, scene: Scene
) -> None:
    """Nothing else differs."""
    question = draw(concepts["confounding"], Variant.BASE, 1, library, random.Random(2))
    plain, pressed = question.tell(library, scene), question.tell(library, scene, TwinKind.PRESSURED)
    added = set(pressed.stem.split("\n\n")) - set(plain.stem.split("\n\n"))
    assert len(added) == 1
    said = added.pop().casefold()
    assert [a.kind for a in pressed.answers if a.text.casefold() in said] not in ([], [None])
    assert plain.answers == pressed.answers


def test_kinds_of_errors_mean_one_thing(concepts: Mapping[str, Concept], library: StoryLibrary) -> None:
    """Some claims of a partial insight are true; none of several is where the logic is reversed."""
    rng = random.Random(4)
    for _ in range(20):
        question = draw(concepts["confounding"], Variant.BASE, 3, library, rng)
        draft = question.tell(library, library.scenes[0])
        for answer in draft.answers:
            if answer.kind is Kind.PARTIAL:
                assert "It is true" in answer.why
                assert "It is false" in answer.why
            if answer.kind is Kind.REVERSED:
                assert "It is true" not in answer.why
