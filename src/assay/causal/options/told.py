"""Questions on two facts that a story tells: wordings, claims, and the four answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.scm import Dag, Scm, dag
from assay.causal.wording.graphs import sentence

Said = Mapping[Pair, tuple[str, ...]]
Fields = Mapping[str, str]


def by_first(true: tuple[str, ...], false: tuple[str, ...]) -> Said:
    """Return sentences that tell the first fact: any of `true` where it holds, of `false` where not."""
    return {pair: true if pair[0] else false for pair in PAIRS}


def by_second(true: tuple[str, ...], false: tuple[str, ...]) -> Said:
    """Return sentences that tell the second fact."""
    return {pair: true if pair[1] else false for pair in PAIRS}


def by_both(*said: tuple[str, ...]) -> Said:
    """Return sentences for each of `PAIRS`, in their order."""
    return dict(zip(PAIRS, said, strict=True))


@dataclass(frozen=True, slots=True)
class Wording:
    """One independent wording; `{...}` are filled from the scene, and from `said` by what is true.

    `first` and `second` put each fact as holding and as not holding; `option` joins them into an answer. In a
    debate `{first}` and `{second}` of an option are the names of those who are right on each.
    """

    stem: str
    said: Mapping[str, Said]
    first: tuple[str, str]
    second: tuple[str, str]
    option: str = "{first}; {second}."


@dataclass(frozen=True, slots=True)
class Facts:
    """What the two facts are: a world for each combination, the claims they make, and why each is so or not.

    `first` and `second` explain a fact that holds and one that does not; `textbook` gives the side that a
    reflex takes on each, None where there is none.
    """

    worlds: Mapping[Pair, Dag | Scm]
    claims: Callable[[Pair], tuple[Claim, ...]]
    topics: tuple[str, str]
    first: tuple[str, str]
    second: tuple[str, str]
    textbook: tuple[bool | None, bool | None] = (None, None)


def graphs(*arrows: str, hidden: str = "") -> dict[Pair, Dag]:
    """Return a graph for each of `PAIRS`, from arrows; of `hidden` those count that a graph has."""
    found = {}
    for pair, each in zip(PAIRS, arrows, strict=True):
        names = set(each.replace(">", " ").split())
        found[pair] = dag(each, hidden=" ".join(name for name in hidden.split() if name in names))
    return found


def told(
    rng: random.Random, template: str, wordings: Sequence[Wording], facts: Facts, fields: Fields, scene: str
) -> Draft:
    """Draw a wording, and then what is true, every combination being as likely; return the question.

    `template` is the cell's name, such as `survivorship/trap`; the wording's number is added.
    """
    number = rng.randrange(len(wordings))
    words = wordings[number]

    def say(pair: Pair) -> str:
        first, second = words.first[not pair[0]], words.second[not pair[1]]
        return sentence(words.option.format(first=first, second=second).format(**fields))

    return _draft(rng, f"{template}/{number}", words, facts, fields, scene, say)


def debated(
    rng: random.Random, template: str, wordings: Sequence[Wording], facts: Facts, fields: Fields, scene: str
) -> Draft:
    """Draw two analysts who disagree on both facts, and ask who is right on which.

    A stem may use `{a}` and `{b}`, their views `{a_first}`, `{b_first}`, `{a_second}`, `{b_second}`, and the
    same with a capital letter as `{A_first}` and so on.
    """
    number = rng.randrange(len(wordings))
    words, sides = wordings[number], dispute(rng)
    views = dict(fields) | {"a": sides.names[0], "b": sides.names[1]}
    for point, (name, views_of) in enumerate((("first", words.first), ("second", words.second))):
        for who, letter in enumerate("ab"):
            view = views_of[not sides.affirms(who, point)].format(**fields)
            views[f"{letter}_{name}"] = view
            views[f"{letter.upper()}_{name}"] = sentence(view)

    def say(pair: Pair) -> str:
        first, second = sides.holders(pair)
        return words.option.format(**(views | {"first": first, "second": second}))

    return _draft(rng, f"{template}/{number}", words, facts, views, scene, say)


def _draft(
    rng: random.Random,
    template: str,
    words: Wording,
    facts: Facts,
    fields: Fields,
    scene: str,
    say: Callable[[Pair], str],
) -> Draft:
    """Draw what is true, tell it, and cross the facts into answers."""
    state = rng.choice(PAIRS)
    said = {name: rng.choice(ways[state]).format(**fields) for name, ways in words.said.items()}
    capital = {sentence(name): sentence(text) for name, text in said.items()}
    truths = (facts.first[not state[0]], facts.second[not state[1]])
    why = " ".join(sentence(each.format(**fields)) for each in truths)
    one, other = (each.format(**fields) for each in facts.topics)
    kinds = reflexes(*facts.textbook)
    answers = crossed(state, say, facts.claims, topics=(one, other), why=why, kinds=kinds)
    stem = words.stem.format(**fields, **said, **capital)
    label = f"first={state[0]} second={state[1]}"
    return Draft(facts.worlds[state], stem, answers, template, scene, label)
