"""Drawn stories: they fit their plan, and no single fact tells anything about the answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from scipy.stats import chi2_contingency

from assay.causal.item import Variant
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary, draw
from assay.causal.stories.worlds import candidate, plan


def test_stories_show_what_their_plan_says(concepts: Mapping[str, Concept]) -> None:
    """Each variable is on as many lists as planned, and those depend on a list that are to."""
    rng = random.Random(1)
    for concept in concepts.values():
        planned = plan(concept, 3, rng)
        drawn = [found[0] for _ in range(200) if (found := candidate(planned, rng)) is not None]
        assert drawn
        for story in drawn:
            assert {name: len(on) for name, on in story.on.items()} == dict(planned.copies)
            assert sorted(story.source) == sorted(planned.dependent)
            assert all(story.source[name] not in story.on[name] for name in story.source)


def test_names_of_lists_do_not_depend_on_the_answer(
    concepts: Mapping[str, Concept], library: StoryLibrary
) -> None:
    """On which list the outcome depends is distributed alike whichever option is right."""
    rng = random.Random(2)
    counts: Counter[tuple[int, str]] = Counter()
    for _ in range(160):
        question = draw(concepts["confounding"], Variant.BASE, 1, library, rng)
        counts[question.key, question.story.source["Y"]] += 1
    lists = sorted({name for _, name in counts})
    table = [[counts[key, name] for name in lists] for key in range(4)]
    assert chi2_contingency(table).pvalue > 0.001


def test_every_option_is_right_equally_often(concepts: Mapping[str, Concept], library: StoryLibrary) -> None:
    """Except in traps, where the textbook's claim is right less often than by chance, but not never."""
    rng = random.Random(3)
    base = Counter(draw(concepts["confounding"], Variant.BASE, 2, library, rng).key for _ in range(100))
    trap = Counter(draw(concepts["confounding"], Variant.TRAP, 2, library, rng).key for _ in range(100))
    assert max(abs(base[key] - 25) for key in range(4)) < 20
    assert 4 < trap[0] < 32
