"""Drawn stories: they fit their plan, and no single fact tells anything about the answer."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping

from scipy.stats import chi2_contingency

from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import Causes
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.questions import StoryLibrary, draw
from assay.causal.stories.worlds import drawn, evenness, plan


def test_stories_show_what_their_plan_says(concepts: Mapping[str, Concept]) -> None:
    """Each variable is on as many lists as planned, and those depend on a list that are to."""
    rng, found = random.Random(1), 0
    for concept in concepts.values():
        planned = plan(concept, 3, rng)
        stories = [story for story, _ in drawn(planned, 40, rng)]
        found += len(stories)
        assert len({(*story.on.items(), *story.source.items()) for story in stories}) == len(stories)
        for story in stories:
            assert {name: len(on) for name, on in story.on.items()} == dict(planned.copies)
            assert sorted(story.source) == sorted(planned.dependent)
            assert all(story.source[name] not in story.on[name] for name in story.source)
    assert found > 10 * len(concepts)


def test_lists_of_a_plans_stories_have_the_same_sizes(concepts: Mapping[str, Concept]) -> None:
    """Equally many variables are on each list, and depend on it, so that sizes tell nothing about a key."""
    rng = random.Random(4)
    for concept in concepts.values():
        stories = [story for story, _ in drawn(plan(concept, 2, rng), 40, rng)]
        on = {
            tuple(sorted(Counter(each for on in story.on.values() for each in on).items()))
            for story in stories
        }
        after = {tuple(sorted(Counter(story.source.values()).items())) for story in stories}
        assert len(on) == len(after) == 1


def test_what_lists_are_called_does_not_decide_which_story_is_the_most_even(
    concepts: Mapping[str, Concept],
) -> None:
    """Names are hashed anew in each process: if their order mattered, a seed would not give one form."""
    rng = random.Random(7)
    for concept in concepts.values():
        planned = plan(concept, 4, rng)
        for story, _ in drawn(planned, 20, rng):
            renamings = (
                dict(zip(planned.lists, names, strict=True)) for names in itertools.permutations("ABCD")
            )
            assert len({evenness(_renamed(story, names)) for names in renamings}) == 1


def _renamed(story: Story, names: Mapping[str, str]) -> Story:
    on = {name: frozenset(names[each] for each in lists) for name, lists in story.on.items()}
    return Story(on, {name: names[each] for name, each in story.source.items()}, story.unrecorded, {})


def test_each_graph_fits_its_story(concepts: Mapping[str, Concept]) -> None:
    """The graph that comes with a story is the one that the story tells, and has the concept's paths."""
    rng = random.Random(5)
    for concept in concepts.values():
        planned = plan(concept, 2, rng)
        for story, graph in drawn(planned, 20, rng):
            proof = Proof(story.dag())
            assert {name: set(causes) for name, causes in story.dag().parents.items()} == graph
            assert all(proof.holds(Causes(a, b)) for a, b in planned.paths)
            assert not any(proof.holds(Causes(a, b)) for a, b in planned.never)


def test_naive_reasoners_are_right_about_as_often_as_by_chance(
    concepts: Mapping[str, Concept], library: StoryLibrary
) -> None:
    """Chance is 25 %; with 384 questions the bounds are 3.6 standard errors away."""
    rng = random.Random(6)
    odds = []
    for concept, variant, _ in itertools.product(
        concepts.values(), (Variant.BASE, Variant.ANALYST), range(8)
    ):
        question = draw(concept, variant, 2, library, rng)
        fitting = question.layout.right[question.key]
        odds.append(next(each.odds for each in fitting if each.story is question.story))
    marginal, adjusting = (sum(each) / len(each) for each in zip(*odds, strict=True))
    assert 0.17 < marginal < 0.33
    assert 0.17 < adjusting < 0.33


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
