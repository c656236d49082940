"""Drawing a question on a story, and telling it: as it is, with placeholders for names, or under pressure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from assay.causal.draft import OPTIONS, Answer, Draft, Kind
from assay.causal.draws import Undrawable
from assay.causal.item import Variant
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, answer
from assay.causal.scm import Dag
from assay.causal.stories.cast import Cast, cast, formal_cast
from assay.causal.stories.concept import Concept
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, capitalised, fill
from assay.causal.stories.layout import OptionLayout, fairest, lay_out
from assay.causal.stories.phrases import FactPhrases, QuestionPhrases, ReadingPatterns
from assay.causal.stories.read_back import read, same
from assay.causal.stories.scene import PLACEHOLDERS, Scene
from assay.causal.stories.stock import NAIVE
from assay.causal.stories.tell import clauses, name_lists, paragraphs
from assay.causal.stories.worlds import drawn, plan
from assay.core.case import RUNGS, TwinKind

PLANS, COMPARED = 150, 12
STORIES = 90
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
    """Draw a question of a variant at a level. Undrawable where no plan fits the concept.

    Plan and options are chosen such that naive reasoners can be wrong whatever the key is: before the key is
    drawn, so that this choice tells nothing about it.
    """
    layout = fairest(_layouts(concept, variant, level, library.questions, rng), COMPARED)
    if layout is None:
        raise Undrawable(
            f"{concept.name}, {variant.value}, level {level}: in {PLANS} plans some key had no story"
        )
    key = layout.key(rng)
    return StoryQuestion(concept, variant, level, layout, layout.story(key, rng), key, rng.getrandbits(64))


def _layouts(
    concept: Concept, variant: Variant, level: int, phrases: QuestionPhrases, rng: random.Random
) -> Iterator[OptionLayout]:
    """Give layouts of different plans."""
    for _ in range(PLANS):
        planned = plan(concept, level, rng)
        with suppress(Undrawable):
            yield lay_out(concept, variant, level, planned, drawn(planned, STORIES, rng), phrases, rng)


class _Telling:
    """One telling of a question: the words of its variables, statements and options."""

    def __init__(self, question: StoryQuestion, library: StoryLibrary, scene: Scene) -> None:
        self.question, self.library, self.scene = question, library, scene
        self.rng = random.Random(question.seed)
        self.formal = question.variant is Variant.TRANSFER
        self.phrases = library.formal if self.formal else library.facts
        factors = question.layout.planned.factors
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
