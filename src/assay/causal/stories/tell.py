"""Telling a story: each fact in a form drawn at random, in random order, by the narrator or by two speakers.

The number of facts and their forms are drawn before, or without regard to, what is true; names of lists are a
random permutation. `read_back` reads the text again and shares no code with this file.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.causal.stories.cast import Cast
from assay.causal.stories.facts import Story
from assay.causal.stories.language import Noun, capitalised, fill, listed, sentence
from assay.causal.stories.phrases import FactPhrases

EXCLUDING = 0.3
"""How often a fact is stated by what it excludes."""
JOINED = 0.35
SPOKEN = 0.5


@dataclass(frozen=True, slots=True)
class Lists:
    """The names of a story's lists. `known_as` is how they are called where something depends on them."""

    kind: tuple[str, str]
    nouns: Mapping[str, Noun]
    known_as: Mapping[str, Noun]
    owners: Mapping[str, str]


def name_lists(lists: Sequence[str], phrases: FactPhrases, rng: random.Random, *, aliases: bool) -> Lists:
    """Draw names for the lists; with `aliases` each belongs to a person, by whose name dependences go."""
    kind = rng.choice(phrases.kinds)
    names = rng.sample(phrases.names, len(lists))
    called = {
        key: {"name": Noun(name), "kind": Noun(kind[0])} for key, name in zip(lists, names, strict=True)
    }
    nouns = {key: Noun(fill(phrases.list, words)) for key, words in called.items()}
    if not aliases:
        return Lists(kind, nouns, nouns, {})
    people = dict(zip(lists, rng.sample(phrases.people, len(lists)), strict=True))
    return Lists(kind, nouns, {key: Noun(f"{name}'s {kind[0]}") for key, name in people.items()}, people)


def clauses(story: Story, cast: Cast, lists: Lists, phrases: FactPhrases, rng: random.Random) -> list[str]:
    """Return each fact of a story as a clause, in random order."""
    told = _Teller(cast, lists, phrases, rng)
    made = [told.naming()]
    for name, on in story.on.items():
        made += told.membership(name, on)
    for name, source in story.source.items():
        made.append(told.dependence(name, source))
    for name, choices in story.open.items():
        made.append(told.unknown(name, choices))
    for name in story.on:
        if name.startswith("F"):
            forms = phrases.unrecorded if name in story.unrecorded else phrases.recorded
            made.append(told.say(forms, v=cast.variables[name]))
    for key, person in lists.owners.items():
        made.append(told.say(phrases.owner, l=lists.nouns[key], p=Noun(person)))
    rng.shuffle(made)
    return made


class _Teller:
    def __init__(self, cast: Cast, lists: Lists, phrases: FactPhrases, rng: random.Random) -> None:
        self.cast, self.lists, self.phrases, self.rng = cast, lists, phrases, rng
        self.kind = {"kind": Noun(lists.kind[0]), "kinds": Noun(lists.kind[1], plural=True)}

    def say(self, forms: Sequence[str], **nouns: Noun) -> str:
        """Return a clause in a form drawn at random."""
        return fill(self.rng.choice(forms), {**self.kind, **nouns})

    def naming(self) -> str:
        """Return the clause that names all lists."""
        return self.say(self.phrases.lists, ls=self._several(self.lists.nouns, list(self.lists.nouns)))

    def membership(self, name: str, on: frozenset[str]) -> list[str]:
        """Return the clauses that say on which lists a variable is."""
        noun = self.cast.variables[name]
        if on and self.rng.random() < EXCLUDING:
            off = [key for key in self.lists.nouns if key not in on]
            return [self.say(self.phrases.only_missing_from, v=noun, ls=self._several(self.lists.nouns, off))]
        return [self.say(self.phrases.on, v=noun, l=self.lists.nouns[key]) for key in sorted(on)]

    def dependence(self, name: str, source: str) -> str:
        """Return the clause that says on which list a variable depends."""
        forms = self.phrases.only_independent_of if self.rng.random() < EXCLUDING else self.phrases.depends
        known = self.lists.known_as[source]
        return self.say(forms, v=self.cast.variables[name], l=known, ls=known)

    def unknown(self, name: str, choices: frozenset[str]) -> str:
        """Return the clause that says between which lists it is open on which a variable depends."""
        one, other = self.rng.sample(sorted(choices), 2)
        known = self.lists.known_as
        return self.say(self.phrases.unknown, v=self.cast.variables[name], l=known[one], m=known[other])

    def _several(self, nouns: Mapping[str, Noun], keys: Sequence[str]) -> Noun:
        texts = [nouns[key].text for key in self.rng.sample(list(keys), len(keys))]
        return Noun(listed(texts), plural=len(texts) > 1)


def paragraphs(
    made: Sequence[str], fillers: Sequence[str], cast: Cast, phrases: FactPhrases, rng: random.Random
) -> str:
    """Return clauses as sentences, some joined in pairs, some spoken, with fillers in between."""
    sentences: list[str] = []
    left = list(made)
    while left:
        if len(left) > 1 and rng.random() < JOINED:
            first, second = left.pop(), left.pop()
            sentences.append(sentence(f"{first}, {rng.choice(('and', 'and', 'while'))} {second}"))
        else:
            sentences.append(sentence(left.pop()))
    for filler in fillers:
        sentences.insert(rng.randrange(len(sentences) + 1), filler)
    parts: list[str] = []
    speakers = [cast.words["s"], cast.words["t"]]
    rng.shuffle(speakers)
    while sentences:
        count = rng.randint(2, 4)
        part, sentences = sentences[:count], sentences[count:]
        text = " ".join(part)
        if speakers and rng.random() < SPOKEN:
            text = _spoken(text, speakers.pop(), phrases, rng)
        parts.append(text)
    return " ".join(parts)


def _spoken(text: str, speaker: Noun, phrases: FactPhrases, rng: random.Random) -> str:
    form = rng.choice(phrases.said)
    if form.startswith("“"):
        text = f"{text[:-1]},"
    nouns = {"speaker": speaker, "Speaker": Noun(capitalised(speaker.text)), "facts": Noun(text)}
    return fill(form, nouns)
