"""Drawing a question on a story, and telling it: as it is, with placeholders for names, or under pressure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from assay.causal.draft import OPTIONS, Answer, Draft, Kind
from assay.causal.draws import Undrawable
from assay.causal.item import Variant
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, answer
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch
from assay.causal.stories.cast import Cast, cast, formal_cast
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, capitalised, fill
from assay.causal.stories.layout import NAIVE, OptionLayout, lay_out, naive_odds
from assay.causal.stories.phrases import FactPhrases, QuestionPhrases, ReadingPatterns
from assay.causal.stories.read_back import read, same
from assay.causal.stories.scene import PLACEHOLDERS, Scene
from assay.causal.stories.tell import clauses, name_lists, paragraphs
from assay.causal.stories.worlds import GraphPlan, drawn, plan
from assay.core.case import RUNGS, TwinKind

PLANS = 60
STORIES = 120
REFLEX_RIGHT = 0.16
"""How often the textbook's claim holds in a trap: below chance, but not never, which could be learned."""
TRAPPED, NEAR, LOOKED_AT = 0.1, 0.3, 40
WORDS = ("one", "two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class StoryLibrary:
    """The data of all stories: phrases, the patterns by which they are read back, and the scenes."""

    facts: FactPhrases
    formal: FactPhrases
    questions: QuestionPhrases
    reading: ReadingPatterns
    formal_reading: ReadingPatterns
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class StoryQuestion:
    """A question with its story, not yet told. `key` is the right option, `seed` decides the words."""

    concept: Concept
    variant: Variant
    level: int
    planned: GraphPlan
    layout: OptionLayout
    story: Story
    key: int
    seed: int

    @property
    def rung(self) -> str:
        """The highest rung of the ladder of causation that one of its statements stands on."""
        return max((each.template.rung for each in self.layout.statements), key=RUNGS.index)

    @property
    def pressed_for(self) -> int:
        """The place of the wrong option on which the speaker of a pressured twin insists."""
        wrong = [place for place in range(OPTIONS) if place != self.key]
        return random.Random(f"pressure/{self.seed}").choice(wrong)

    def tell(self, library: StoryLibrary, scene: Scene, twin: TwinKind | None = None) -> Draft:
        """Tell the question in a scene. Unreadable where its text does not say what the story is."""
        telling = _Telling(self, library, PLACEHOLDERS if twin is TwinKind.RENAMED else scene)
        return telling.draft(pressed=twin is TwinKind.PRESSURED)


def draw(
    concept: Concept, variant: Variant, level: int, library: StoryLibrary, rng: random.Random
) -> StoryQuestion:
    """Draw a question of a variant at a level. Undrawable where no plan fits the concept."""
    for _ in range(PLANS):
        planned = plan(concept, level, rng)
        try:
            stories = drawn(planned, STORIES, rng)
            layout = lay_out(concept, variant, level, planned, stories, library.questions, rng)
        except Undrawable:
            continue
        key = _key(variant, rng)
        fitting = [each for place, each in enumerate(stories) if layout.right[key] >> place & 1]
        story, seed = _hard(fitting, layout, key, planned, variant, rng), rng.getrandbits(64)
        return StoryQuestion(concept, variant, level, planned, layout, story, key, seed)
    raise Undrawable(
        f"{concept.name}, {variant.value}, level {level}: in {PLANS} plans some key had no story"
    )


def _key(variant: Variant, rng: random.Random) -> int:
    """Draw which option is to be right; in a trap the first is the textbook's claim."""
    if variant is Variant.TRAP:
        return 0 if rng.random() < REFLEX_RIGHT else rng.randrange(1, OPTIONS)
    return rng.randrange(OPTIONS)


def _hard(
    fitting: Sequence[tuple[Story, Sketch]],
    layout: OptionLayout,
    key: int,
    planned: GraphPlan,
    variant: Variant,
    rng: random.Random,
) -> Story:
    """Return one of the stories that fit, such that naive reasoners are right about as often as by chance.

    Whether each naive reasoner is to be right is drawn; the first story where it comes nearest to that is
    taken. Names of lists play no part in it.
    """
    share = TRAPPED if variant is Variant.TRAP else 1 / OPTIONS
    wanted = [float(rng.random() < share) for _ in NAIVE]
    measured = [name for name in planned.copies if name not in planned.unrecorded]
    best: tuple[float, Story] | None = None
    for story, sketch in rng.sample(fitting, min(len(fitting), LOOKED_AT)):
        odds = naive_odds(key, layout.statements, layout.options, story, sketch, measured)
        off = _distance(odds, wanted)
        if best is None or off < best[0]:
            best = off, story
        if off < NEAR:
            break
    assert best is not None
    return best[1]


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the sum of the distances between numbers."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


class _Telling:
    """One telling of a question: the words of its variables, statements and options."""

    def __init__(self, question: StoryQuestion, library: StoryLibrary, scene: Scene) -> None:
        self.question, self.library, self.scene = question, library, scene
        self.rng = random.Random(question.seed)
        self.formal = question.variant is Variant.TRANSFER
        self.phrases = library.formal if self.formal else library.facts
        factors = question.planned.factors
        if self.formal:
            self.played = formal_cast(question.concept, factors, self.rng)
        else:
            self.played = cast(question.concept, scene, factors, self.rng)
        self.said = [each.text(self.played.words, formal=self.formal) for each in question.layout.statements]
        self.dag = question.story.dag()

    def draft(self, *, pressed: bool) -> Draft:
        """Return the question as a draft."""
        question = self.question
        answers = tuple(self.answer(place) for place in range(OPTIONS))
        stem = self.stem(self.pressure(answers) if pressed else "")
        name = f"{question.concept.name}/{question.variant.value}/{question.level}"
        state = "; ".join(
            f"{name} from {', '.join(self.dag.parents[name]) or 'nothing'}" for name in self.dag.names
        )
        return Draft(self.dag, stem, answers, name, self.scene.name, state)

    def stem(self, pressure: str) -> str:
        """Return the stem, read back and compared with the story."""
        size = self.question.concept.sizes[self.question.level]
        fillers = [] if self.formal else self.rng.sample(self.phrases.fillers, size.fillers)
        aliases = size.aliases and not self.formal
        body, rule = told_story(
            self.question.story, self.played, self.phrases, fillers, self.rng, aliases=aliases
        )
        check_told(body, self.question.story, self.played, self.library, fillers, formal=self.formal)
        opening = ""
        if not self.formal:
            setting = Noun(capitalised(self.played.words["setting"].text))
            form = self.rng.choice(self.question.concept.opening)
            opening = fill(form, {**self.played.words, "Setting": setting})
        parts = [f"{opening} {rule}".strip(), body, pressure, self.asked()]
        return "\n\n".join(part for part in parts if part)

    def asked(self) -> str:
        """Return the question that the stem ends with."""
        words = {name: Noun(text) for name, text in zip(WORDS, self.said, strict=False)}
        words |= {name.capitalize(): Noun(capitalised(noun.text)) for name, noun in words.items()}
        return fill(self.question.layout.form, {**words, **speakers(self.played)})

    def pressure(self, answers: Sequence[Answer]) -> str:
        """Return a paragraph in which a speaker insists on a wrong option."""
        drawing = random.Random(f"pressure form/{self.question.seed}")
        wrong = answers[self.question.pressed_for].text
        words = {"wrong": Noun(wrong[:1].lower() + wrong[1:]), "Wrong": Noun(wrong)}
        form = drawing.choice(self.library.questions.pressure)
        if self.formal:
            colleague = self.library.questions.colleague
            words |= {"wrong": Noun(wrong), "t": Noun(colleague), "T": Noun(capitalised(colleague))}
        return fill(form, {**words, **speakers(self.played)})

    def answer(self, place: int) -> Answer:
        """Return an option with its claims and the reason why it is right or wrong."""
        layout = self.question.layout
        chosen = [
            each if true else each.denied()
            for each, true in zip(layout.statements, layout.options[place], strict=True)
            if true is not None
        ]
        texts = [each.text(self.played.words, formal=self.formal) for each in chosen]
        text = capitalised(", and ".join(texts))
        if layout.texts is not None:
            text = fill(layout.texts[place], speakers(self.played))
        claims = tuple(each.claim for each in chosen)
        route = Derived(self.dag)
        true = [answer(route, claim.query) == claim.answer for claim in claims]
        phrases = self.library.questions
        why = " ".join(
            fill(phrases.true if holds else phrases.false, {"one": Noun(said)})
            for said, holds in zip(texts, true, strict=True)
        )
        return Answer(text, claims, why, None if all(true) else kind_of(claims, true, self.dag, route))


def told_story(
    story: Story,
    played: Cast,
    phrases: FactPhrases,
    fillers: Sequence[str],
    rng: random.Random,
    *,
    aliases: bool,
) -> tuple[str, str]:
    """Return the facts of a story as text, and the rule that says what the lists mean."""
    lists = name_lists(sorted(story.lists), phrases, rng, aliases=aliases)
    made = clauses(story, played, lists, phrases, rng)
    body = "; ".join(made) + "." if phrases.formal else paragraphs(made, fillers, played, phrases, rng)
    kinds = {"kind": Noun(lists.kind[0]), "kinds": Noun(lists.kind[1], plural=True)}
    return body, fill(rng.choice(phrases.rules), {**played.words, **kinds})


def check_told(
    body: str, story: Story, played: Cast, library: StoryLibrary, fillers: Sequence[str], *, formal: bool
) -> None:
    """Read a text back and compare it with its story. Unreadable with the first difference."""
    nouns = {name: noun.text for name, noun in played.variables.items()}
    reading = library.formal_reading if formal else library.reading
    ignored = [] if formal else _ignored(fillers, played, library.facts)
    told = read(body, nouns, reading, ignored)
    same(told, story)


def speakers(played: Cast) -> dict[str, Noun]:
    """Return the two speakers as phrases name them: `{s}`, and `{S}` at the beginning of a sentence."""
    found = {key: played.words[key] for key in ("s", "t") if key in played.words}
    return found | {key.upper(): Noun(capitalised(noun.text)) for key, noun in found.items()}


def _ignored(fillers: Sequence[str], played: Cast, phrases: FactPhrases) -> list[str]:
    """Return the sentences, and the words that introduce a speaker, in which no fact is stated."""
    spoken = []
    for form in phrases.said:
        for key in ("s", "t"):
            speaker = played.words[key]
            words = {"speaker": speaker, "Speaker": Noun(capitalised(speaker.text)), "facts": Noun("\0")}
            spoken += [each for each in fill(form, words).split("\0") if len(each) > 3]
    return [*(filler.rstrip(".") for filler in fillers), *sorted(spoken, key=len, reverse=True)]


def kind_of(claims: Sequence[Claim], true: Sequence[bool], dag: Dag, route: Derived) -> Kind:
    """Return what is wrong with an answer; each kind means the same in every concept.

    Reflex: one who adjusts for everything, or takes association for causation, believes all of it. Partial
    insight: some of its claims are true. Reversed: it has several claims, all false. Misapplied: its one
    claim is false.
    """
    for read_as in NAIVE:
        if all(answer(route, read_as(claim.query, dag)) == claim.answer for claim in claims):
            return Kind.REFLEX
    if any(true):
        return Kind.PARTIAL
    return Kind.REVERSED if len(claims) > 1 else Kind.MISAPPLIED
