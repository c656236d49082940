"""Undeterminable twins: two facts are unknown, and a claim may or may not depend on one of them.

The four answers are that the claim holds, that it does not, and that this cannot be told without knowing the
first or the second of the two facts. Every answer is right equally often: a plan, a claim and two facts are
used only if stories make each answer the right one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from assay.causal.draft import OPTIONS, Unproved
from assay.causal.draws import Undrawable
from assay.causal.proof.proof import Proof
from assay.causal.stories.cast import cast
from assay.causal.stories.claims import Assertion
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, capitalised, fill
from assay.causal.stories.questions import StoryLibrary, check_told, told_story
from assay.causal.stories.scene import Scene
from assay.causal.stories.sketch import Sketch
from assay.causal.stories.stock import different
from assay.causal.stories.worlds import Causes, GraphPlan, drawn, fitting_graph, plan

CLAIMS, PLANS, STORIES = 10, 2_000, 250
COMPLETIONS = 4
"""In how many ways the two unknown facts of a story can be completed."""
HOLDS, FAILS, FIRST, SECOND = range(OPTIONS)


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A question with two unknown facts: it is not known what the variables `between` depend on."""

    concept: Concept
    level: int
    stem: str
    options: tuple[str, ...]
    key: int
    why: str
    statement: Assertion
    story: Story
    between: tuple[str, str]

    def prove(self) -> int:
        """Return the right answer over all graphs that fit the text, each asked by both routes.

        Unproved unless it is the intended one.
        """
        truths = {
            tuple(story.source[name] for name in self.between): Proof(story.dag()).holds(self.statement.query)
            for story in self.story.completions()
        }
        found = _answer([truths[key] == self.statement.asserted for key in sorted(truths)])
        if found != self.key:
            raise Unproved(f"the graphs that fit give answer {found}, not {self.key}: {self.stem!r}")
        return found


def draw_unsettled(
    concept: Concept, level: int, library: StoryLibrary, scene: Scene, rng: random.Random
) -> Unsettled:
    """Draw an undeterminable twin. Undrawable where no claim of the concept can be left open."""
    for _ in range(PLANS):
        planned = plan(concept, level, rng)
        free = [name for name in planned.dependent if name in planned.factors]
        if len(free) < 2:
            continue
        first, second = rng.sample(free, 2)
        try:
            stories, sketch = _open_stories(planned, (first, second), rng)
            statements = different(concept.claims, CLAIMS, planned, rng)
        except Undrawable:
            continue
        for statement in statements:
            found = _by_answer(stories, sketch, statement, planned)
            if len(found) == OPTIONS:
                key = rng.randrange(OPTIONS)
                story = rng.choice(found[key])
                return _told(
                    concept, level, planned, statement, story, (first, second), key, library, scene, rng
                )
    raise Undrawable(f"{concept.name}, level {level}: no claim can be left open")


def _open_stories(
    planned: GraphPlan, between: tuple[str, str], rng: random.Random
) -> tuple[list[Story], Sketch]:
    """Return stories in which two facts are unknown, and the graphs of all their completions.

    The four of a story follow one another in the order of the facts.
    """
    found: list[Story] = []
    graphs: list[Causes] = []
    for story, _ in drawn(planned, STORIES, rng):
        if (opened := _opened(story, planned, between, rng)) is None:
            continue
        ordered = sorted(opened.completions(), key=lambda each: [each.source[name] for name in between])
        completed = [graph for each in ordered if (graph := fitting_graph(planned, each)) is not None]
        if len(completed) == COMPLETIONS:
            found.append(opened)
            graphs += completed
    return found, Sketch(planned.copies, graphs)


def _by_answer(
    stories: Sequence[Story], sketch: Sketch, statement: Assertion, planned: GraphPlan
) -> dict[int, list[Story]]:
    """Return the stories by the answer that they give."""
    true = sketch.holds(statement.query, planned.measured)
    found: dict[int, list[Story]] = {}
    for number, story in enumerate(stories):
        own = range(number * COMPLETIONS, (number + 1) * COMPLETIONS)
        if (key := _answer([bool(true >> graph & 1) == statement.asserted for graph in own])) is not None:
            found.setdefault(key, []).append(story)
    return found


def _opened(story: Story, planned: GraphPlan, between: Sequence[str], rng: random.Random) -> Story | None:
    """Return a story in which each of the two variables may depend on another list as well."""
    choices = {}
    for name in between:
        others = [each for each in planned.lists if each not in story.on[name] and each != story.source[name]]
        if not others:
            return None
        choices[name] = frozenset((story.source[name], rng.choice(others)))
    source = {name: each for name, each in story.source.items() if name not in between}
    return Story(story.on, source, story.unrecorded, choices, story.spare)


def _answer(truths: Sequence[bool]) -> int | None:
    """Return the answer from the truths of the four cases, by the first unknown fact, then the second."""
    match tuple(truths):
        case (True, True, True, True):
            return HOLDS
        case (False, False, False, False):
            return FAILS
        case (a, b, c, d) if a == b and c == d:
            return FIRST
        case (a, b, c, d) if a == c and b == d:
            return SECOND
    return None


def _told(
    concept: Concept,
    level: int,
    planned: GraphPlan,
    statement: Assertion,
    story: Story,
    between: tuple[str, str],
    key: int,
    library: StoryLibrary,
    scene: Scene,
    rng: random.Random,
) -> Unsettled:
    played = cast(concept, scene, planned.factors, rng)
    size = concept.sizes[level]
    fillers = rng.sample(library.facts.fillers, size.fillers)
    body, rule = told_story(story, played, library.facts, fillers, rng, aliases=size.aliases)
    check_told(body, story, played, library, fillers, formal=False)
    words = {**played.words, "Setting": Noun(capitalised(played.words["setting"].text))}
    opening = fill(rng.choice(concept.opening), words)
    yes, no = statement.text(played.words), statement.denied().text(played.words)
    open_form = rng.choice(library.questions.unsettled)
    options = (
        capitalised(yes),
        capitalised(no),
        *(fill(open_form, {**words, "v": played.variables[name]}) for name in between),
    )
    if key in (HOLDS, FAILS):
        why = fill(library.questions.settled, {"one": Noun(yes if key == HOLDS else no)})
    else:
        why = fill(library.questions.turns_on, {"v": played.variables[between[key - FIRST]]})
    stem = "\n\n".join([f"{opening} {rule}", body, rng.choice(library.questions.base)])
    return Unsettled(concept, level, stem, options, key, why, statement, story, between)
