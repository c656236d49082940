"""The independent reader: it recovers the graph of every story, and refuses texts that say something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

import pytest

from assay.causal.item import Variant
from assay.causal.stories.cast import cast
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import Library, StoryQuestion, check_told, draw, told_story
from assay.causal.stories.read_back import Unreadable
from assay.causal.stories.scene import Scene

Fault = Callable[[str, list[str], random.Random], str]


def _told(
    concept: Concept, level: int, library: Library, scene: Scene, seed: int
) -> tuple[StoryQuestion, str, Callable[[str], None], list[str]]:
    """Return a question, the text of its story, a check of any text against the story, and its nouns."""
    rng = random.Random(seed)
    question = draw(concept, Variant.BASE, level, library, rng)
    played = cast(concept, scene, question.planned.factors, rng)
    aliases = concept.sizes[level].aliases
    body, _ = told_story(question.story, played, library.facts, [], rng, aliases=aliases)

    def check(text: str) -> None:
        check_told(text, question.story, played, library, [], formal=False)

    return question, body, check, [noun.text for noun in played.variables.values()]


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.)\s+", text)


def _dropped(text: str, _: list[str], rng: random.Random) -> str:
    plain = [each for each in _sentences(text) if "“" not in each and "”" not in each]
    return text.replace(rng.choice(plain), "", 1)


def _other_list(text: str, _: list[str], rng: random.Random) -> str:
    names = sorted(
        set(re.findall(r"\b[Tt]he (\w+) (?:sheet|board|card|page|chart|poster|slide|panel)\b", text))
    )
    one, other = rng.sample(names, 2)
    return re.sub(rf"\bthe {one} ", f"the {other} ", text, count=1, flags=re.IGNORECASE)


def _other_variable(text: str, nouns: list[str], rng: random.Random) -> str:
    one, other = rng.sample([noun for noun in nouns if noun in text], 2)
    return text.replace(one, other, 1)


def _swapped_direction(text: str, _: list[str], __: random.Random) -> str:
    """Say of what depends on a list that it is on the list."""
    return re.sub(
        r"(depends? on|is driven by|are driven by|responds? to) (the|\w+'s)", r"is on \2", text, count=1
    )


def _denied_record(text: str, _: list[str], __: random.Random) -> str:
    changed = re.sub(r"(is|are) recorded", r"\1 not recorded", text, count=1)
    return (
        changed
        if changed != text
        else re.sub(r"([Tt])here are figures", r"\1here are no figures", text, count=1)
    )


def _unknown_word(text: str, nouns: list[str], _: random.Random) -> str:
    return text.replace(nouns[0], "moonlight").replace(nouns[0].capitalize(), "Moonlight")


def _twice(text: str, _: list[str], rng: random.Random) -> str:
    depends = [each for each in _sentences(text) if "depend" in each and "“" not in each and "”" not in each]
    return f"{text} {rng.choice(depends)}" if depends else _dropped(text, _, rng)


def _meaningless(text: str, _: list[str], __: random.Random) -> str:
    return f"{text} The weather was fine."


FAULTS: dict[str, Fault] = {
    "a dropped sentence": _dropped,
    "another list": _other_list,
    "another variable": _other_variable,
    "a swapped direction": _swapped_direction,
    "a denied record": _denied_record,
    "an unknown word": _unknown_word,
    "a dependence stated twice": _twice,
    "a sentence without a fact": _meaningless,
}


def test_every_story_is_read_back(concepts: Mapping[str, Concept], library: Library) -> None:
    """At each level, in many scenes: what is read is what the model says."""
    for number, concept in enumerate(concepts.values()):
        for level in (1, 2, 3, 4):
            scene = library.scenes[(7 * number + level) % len(library.scenes)]
            _, body, check, _ = _told(concept, level, library, scene, 10 * number + level)
            check(body)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_refused(
    concepts: Mapping[str, Concept], library: Library, scene: Scene, name: str
) -> None:
    """In each of ten stories, unless the fault happens to leave the text as it was or says the same."""
    caught = tried = 0
    for seed in range(10):
        _, body, check, nouns = _told(concepts["confounding"], 1 + seed % 4, library, scene, seed)
        faulty = FAULTS[name](body, nouns, random.Random(seed))
        if faulty == body:
            continue
        tried += 1
        with pytest.raises(Unreadable):
            check(faulty)
        caught += 1
    assert caught == tried > 4


def test_every_phrase_can_be_read(library: Library) -> None:
    """The two files are written apart, and none of their kinds is missing on the other side."""
    said = {"lists", "on", "depends", "owner", "recorded", "unrecorded", "unknown"}
    assert said <= set(library.reading.patterns)
    assert all(getattr(library.facts, kind) for kind in said)
