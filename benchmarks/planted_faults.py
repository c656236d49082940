"""Faults planted in causal questions, and how many of them are refused. Prints JSON.

Each fault changes one thing of a sound question: a word of its story, a number, an option, the data that
texts are written from, or one of the two routes of proof. It counts as refused if the check that stands
before every generated form raises an error.

python benchmarks/planted_faults.py --questions 10
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assay.causal import queries as q
from assay.causal.draft import Answer, Draft, Kind, proved
from assay.causal.item import Variant
from assay.causal.numbers.draw import draw as draw_number
from assay.causal.numbers.formula import parsed
from assay.causal.numbers.open_draft import OpenDraft, proved_open
from assay.causal.numbers.read_back import checked
from assay.causal.numbers.recipe import CastRole, Recipe, Saying
from assay.causal.proof.counted.route import Counted
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, Proof, Route
from assay.causal.scm import Dag, Scm, binary, dag
from assay.causal.stories.cast import cast, formal_cast
from assay.causal.stories.questions import check_told, draw, told_story
from assay.causal.stories.scene import Scene
from assay.core.errors import AssayError
from assay.studies.causal.generate import content
from assay.studies.causal.library import library
from assay.studies.causal.recipes import recipes

Attempt = Callable[[], object]
Fault = Callable[[random.Random], Iterator[Attempt]]
TextFault = Callable[[str, list[str], random.Random], str]
STORIES = ("confounding", "front_door", "m_bias")
NUMBERS = ("confounding", "difference_in_differences", "necessity_sufficiency", "unit_counterfactuals")
KINDS = "|".join(kind for kind, _ in library().facts.kinds)


# Stories: faults in a text that tells a graph in words.


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.)\s+", text)


def _plain(text: str, word: str = "") -> list[str]:
    """Return the sentences outside of quotations that have a word."""
    return [each for each in _sentences(text) if "“" not in each and "”" not in each and word in each]


def _lists(text: str) -> list[str]:
    return sorted({f"the {name} {kind}" for name, kind in re.findall(rf"\b[Tt]he (\w+) ({KINDS})\b", text)})


def _owners(text: str) -> list[str]:
    return sorted(set(re.findall(rf"\b([A-Z]\w+)'s (?:{KINDS})\b", text)))


def _exchanged(text: str, one: str, other: str) -> str:
    """Return the text with two words in each other's place, everywhere."""
    found = {one.lower(): other, other.lower(): one}
    pattern = re.compile(rf"(?<!\w)({re.escape(one)}|{re.escape(other)})(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda match: found[match[0].lower()], text)


def _once(pattern: str, new: str) -> TextFault:
    return lambda text, nouns, rng: re.sub(pattern, new, text, count=1)


def _drop(word: str = "") -> TextFault:
    def fault(text: str, nouns: list[str], rng: random.Random) -> str:
        found = _plain(text, word)
        return text.replace(rng.choice(found), "", 1) if found else text

    return fault


def _another_list(text: str, nouns: list[str], rng: random.Random) -> str:
    one, other = rng.sample(_lists(text), 2)
    return re.sub(rf"\b{one}\b", other, text, count=1, flags=re.IGNORECASE)


def _another_variable(text: str, nouns: list[str], rng: random.Random) -> str:
    one, other = rng.sample([noun for noun in nouns if noun in text], 2)
    return text.replace(one, other, 1)


def _said_twice(text: str, nouns: list[str], rng: random.Random) -> str:
    found = _plain(text, "depend")
    return f"{text} {rng.choice(found)}" if found else text


def _owners_exchanged(text: str, nouns: list[str], rng: random.Random) -> str:
    found = _owners(text)
    return text.replace(f"{found[0]}'s", f"{found[1]}'s", 1) if len(found) > 1 else text


STORY_FAULTS: Mapping[str, TextFault] = {
    "a sentence is dropped": _drop(),
    "a dependence is dropped": _drop("depend"),
    "a list's name stands for another": _another_list,
    "a list's name is misspelled": lambda text, nouns, rng: re.sub(
        rf"\b{rng.choice(_lists(text))}\b", "the mauve sheet", text, count=1, flags=re.IGNORECASE
    ),
    "a variable's name stands for another": _another_variable,
    "treatment and outcome are exchanged": lambda text, nouns, rng: _exchanged(text, nouns[0], nouns[1]),
    "a variable that nobody knows": lambda text, nouns, rng: re.sub(
        re.escape(nouns[0]), "moonlight", text, flags=re.IGNORECASE
    ),
    "what depends on a list is said to be on it": _once(
        r"(depends? on|is driven by|are driven by|responds? to) (the|\w+'s)", r"is on \2"
    ),
    "what is on a list is said to depend on it": _once(r"(is|are) on (the \w+|\w+'s)", r"depends on \2"),
    "a dependence is denied": _once(r"\bdepends? on (the|\w+'s)", r"does not depend on \1"),
    "a dependence is said twice": _said_twice,
    "a place on a list is denied": _once(r"\b(is|are) on (the|\w+'s)", r"\1 not on \2"),
    "the exception becomes the rule": _once(r"on every (\w+) except|on all (\w+) but", "on"),
    "a list lists one thing less": _once(r"\b(lists|includes) ", r"\1 nothing but "),
    "owners are exchanged once": _owners_exchanged,
    "a list gets a second owner": lambda text, nouns, rng: (
        f"{text} Ms Perkins keeps {rng.choice(_lists(text))}."
    ),
    "a record is denied": _once(r"(is|are) recorded|(here are) figures", r"\1\2 not recorded"),
    "a record is claimed": _once(r"(is|are) not recorded", r"\1 recorded"),
    "missing figures are claimed": _once(r"here are no figures", "here are figures"),
    "a fact is unknown": _once(r"\bdepends? on (the|\w+'s)", r"may depend on \1"),
    "a sentence says nothing": lambda text, nouns, rng: f"{text} The weather was fine.",
    "a record is said both ways": lambda text, nouns, rng: (
        f"{text} {nouns[2].capitalize()} is recorded. {nouns[2].capitalize()} is not recorded."
    ),
}
FORMAL_FAULTS: Mapping[str, TextFault] = {
    "in formulas: a fact is dropped": lambda text, nouns, rng: (
        "; ".join(_without(text.rstrip(".").split("; "), rng)) + "."
    ),
    "in formulas: a set stands for another": lambda text, nouns, rng: re.sub(
        r"∈ S(\d)", lambda match: f"∈ S{int(match[1]) % 4 + 1}", text, count=1
    ),
    "in formulas: a letter stands for another": lambda text, nouns, rng: re.sub(
        rf"\b{nouns[0]}\b", nouns[1], text, count=1
    ),
    "in formulas: ∈ becomes ∉": _once("∈", "∉"),
    "in formulas: a measurement is denied": _once("is measured", "is not measured"),
    "in formulas: a measurement is claimed": _once("is not measured", "is measured"),
}


def _without(parts: list[str], rng: random.Random) -> list[str]:
    place = rng.randrange(1, len(parts))
    return parts[:place] + parts[place + 1 :]


def _of_story(fault: TextFault, *, formal: bool) -> Fault:
    def attempts(rng: random.Random) -> Iterator[Attempt]:
        words = library()
        concept, level = content().concepts[rng.choice(STORIES)], rng.randrange(1, 5)
        variant = Variant.TRANSFER if formal else Variant.BASE
        question = draw(concept, variant, level, words, rng)
        factors = question.layout.planned.factors
        if formal:
            played, phrases, aliases = formal_cast(concept, factors, rng), words.formal, False
        else:
            played = cast(concept, rng.choice(words.scenes), factors, rng)
            phrases, aliases = words.facts, concept.sizes[level].aliases
        text, _ = told_story(question.story, played, phrases, [], rng, aliases=aliases)
        check_told(text, question.story, played, words, [], formal=formal)
        named = sorted(played.variables, key=lambda name: "XY".find(name) if name in "XY" else 2)
        faulty = fault(text, [played.variables[name].text for name in named], rng)
        if faulty != text:
            yield lambda: check_told(faulty, question.story, played, words, [], formal=formal)

    return attempts


def _of_phrases(one: str, other: str) -> Fault:
    """Write texts from data in which the sentence forms of two kinds of fact have changed places."""

    def attempts(rng: random.Random) -> Iterator[Attempt]:
        words = library()
        concept, level = content().concepts[rng.choice(STORIES)], rng.randrange(1, 5)
        question = draw(concept, Variant.BASE, level, words, rng)
        played = cast(concept, rng.choice(words.scenes), question.layout.planned.factors, rng)
        facts = replace(words.facts, **{one: getattr(words.facts, other), other: getattr(words.facts, one)})
        seed, aliases = rng.getrandbits(32), concept.sizes[level].aliases
        sound, _ = told_story(question.story, played, words.facts, [], random.Random(seed), aliases=aliases)
        text, _ = told_story(question.story, played, facts, [], random.Random(seed), aliases=aliases)
        if text != sound:
            yield lambda: check_told(text, question.story, played, words, [], formal=False)

    return attempts


# Numbers: faults in a text with figures, in its question and in its options.


def _level_names(recipe: Recipe, scene: Scene) -> list[tuple[str, str]]:
    found = [(scene.treatment.yes[1], scene.treatment.no[1]), (scene.outcome.yes[1], scene.outcome.no[1])]
    found += [(factor.high, factor.low) for factor in scene.factors]
    for part in recipe.cast.values():
        if part.role is CastRole.OWN and len(part.which) == 2:
            found.append((part.which[0], part.which[1]))
    return found


def _levels_swapped(text: str, recipe: Recipe, scene: Scene) -> Iterator[str]:
    for one, other in _level_names(recipe, scene):
        for old, new in ((one, other), (other, one)):
            for match in re.finditer(re.escape(old), text, re.IGNORECASE):
                yield text[: match.start()] + new + text[match.end() :]


def _parts_dropped(text: str, *, rows: bool) -> Iterator[str]:
    blocks = text.split("\n\n")
    for place, block in enumerate(blocks):
        if block.startswith("|") is not rows:
            continue
        parts = block.splitlines() if rows else re.split(r"(?<=[.])\s+", block)
        for at in range(2 if rows else 0, len(parts)):
            rest = ("\n" if rows else " ").join((*parts[:at], *parts[at + 1 :]))
            yield "\n\n".join(filter(None, (*blocks[:place], rest, *blocks[place + 1 :])))


def _numbers_changed(text: str, change: Callable[[str], str]) -> Iterator[str]:
    for match in re.finditer(r"\d[\d,]*", text):
        if (new := change(match[0])) != match[0]:
            yield text[: match.start()] + new + text[match.end() :]


def _one_more(number: str) -> str:
    return f"{int(number.replace(',', '')) + 1:,}"


AFTER = {
    "settled before": "settled after",
    "had been settled": "had yet to be settled",
    "already fixed": "not yet fixed",
}
NUMBER_FAULTS: Mapping[str, Callable[[str, Recipe, Scene], Iterator[str]]] = {
    "a group is called by the other's name": _levels_swapped,
    "a sentence with figures or facts is dropped": lambda text, *_: _parts_dropped(text, rows=False),
    "a row of a table is dropped": lambda text, *_: _parts_dropped(text, rows=True),
    "a number is one larger": lambda text, *_: _numbers_changed(text, _one_more),
    "a number loses a digit": lambda text, *_: _numbers_changed(
        text, lambda number: number[:-1] if len(number) > 1 else number
    ),
    "a percentage becomes a count": lambda text, *_: (
        text[: match.start()] + match[1] + text[match.end() :] for match in re.finditer(r"([1-9]\d*)%", text)
    ),
    "no effect becomes an effect": lambda text, *_: (
        text[: match.start()] + match[0].replace("no ", "a ") + text[match.end() :]
        for match in re.finditer(r"(?:makes?|ha(?:s|ve)) no (?:difference|effect)", text)
    ),
    "before becomes after": lambda text, *_: (
        text[: match.start()] + AFTER[match[0]] + text[match.end() :]
        for match in re.finditer("|".join(AFTER), text)
    ),
    "an assumption is turned round": lambda text, *_: (
        text[: match.start()] + "something" + text[match.end() :]
        for match in re.finditer(r"nothing(?= else| besides)", text)
    ),
}


def _number(
    rng: random.Random, levels: tuple[int, ...] = (1, 2, 3, 4)
) -> tuple[Draft | OpenDraft, Recipe, Scene, int]:
    recipe, scene, level = recipes()[rng.choice(NUMBERS)], rng.choice(library().scenes), rng.choice(levels)
    question = draw_number(recipe, scene, level, rng)
    checked(question, recipe, scene, level)
    return question, recipe, scene, level


def _of_numbers(fault: Callable[[str, Recipe, Scene], Iterator[str]]) -> Fault:
    def attempts(rng: random.Random) -> Iterator[Attempt]:
        question, recipe, scene, level = _number(rng)
        opening, body = question.stem.split("\n\n", 1)
        facts, _, asked = body.rpartition("\n\n")
        for text in fault(facts, recipe, scene):
            stem = "\n\n".join((opening, text, asked))
            yield lambda stem=stem: checked(replace(question, stem=stem), recipe, scene, level)  # type: ignore[misc]

    return attempts


def _another_question(rng: random.Random) -> Iterator[Attempt]:
    question, recipe, scene, level = _number(rng)
    body, _, asked = question.stem.rpartition("\n\n")
    for text in _levels_swapped(asked, recipe, scene):
        stem = f"{body}\n\n{text}"
        yield lambda stem=stem: checked(replace(question, stem=stem), recipe, scene, level)  # type: ignore[misc]


def _another_scene(rng: random.Random) -> Iterator[Attempt]:
    question, recipe, scene, level = _number(rng)
    other = next(each for each in library().scenes if each.name != scene.name)
    yield lambda: checked(question, recipe, other, level)


def _option(change: Callable[[str], str]) -> Fault:
    def attempts(rng: random.Random) -> Iterator[Attempt]:
        question, recipe, scene, level = _number(rng, (1, 2))
        if isinstance(question, Draft):
            for place, each in enumerate(question.answers):
                if (text := change(each.text)) != each.text:
                    answers = list(question.answers)
                    answers[place] = replace(each, text=text)
                    faulty = replace(question, answers=tuple(answers))
                    yield lambda faulty=faulty: checked(faulty, recipe, scene, level)  # type: ignore[misc]

    return attempts


def _wrong_accuracy(rng: random.Random) -> Iterator[Attempt]:
    question, recipe, scene, level = _number(rng, (3, 4))
    if isinstance(question, OpenDraft):
        other = Fraction(0) if question.tolerance else Fraction(1, 2000)
        yield lambda: checked(replace(question, tolerance=other), recipe, scene, level)


def _wrong_open_key(rng: random.Random) -> Iterator[Attempt]:
    question, *_ = _number(rng, (3, 4))
    if isinstance(question, OpenDraft):
        first, *rest = question.claims
        assert not isinstance(first.answer, bool)
        other = replace(question, claims=(replace(first, answer=first.answer + Fraction(1, 100)), *rest))
        yield lambda: proved_open(other)


def _facts_swapped(one: str, other: str) -> Fault:
    """Draw a question from a recipe in which the sentences of two facts have changed places."""

    def attempts(rng: random.Random) -> Iterator[Attempt]:
        recipe, scene = recipes()["confounding"], rng.choice(library().scenes)
        first, second = recipe.facts[one], recipe.facts[other]
        facts = {**recipe.facts, one: Saying(second.say, first.read), other: Saying(first.say, second.read)}
        level = rng.randrange(1, 5)
        question = draw_number(replace(recipe, facts=facts), scene, level, rng)
        yield lambda: checked(question, recipe, scene, level)

    return attempts


# Proofs: faults in one of the two routes, and in the claims of answers.


class Misreading:
    """A route that answers another query than the one that it is asked."""

    def __init__(self, route: Route, instead: Callable[[q.Query], q.Query]) -> None:
        self.route, self.instead = route, instead

    def number(self, term: q.Term) -> Fraction:
        found = self.instead(term)
        assert isinstance(found, q.Term)
        return self.route.number(found)

    def holds(self, fact: q.Fact) -> bool:
        found = self.instead(fact)
        assert isinstance(found, q.Fact)
        return self.route.holds(found)


CONFOUNDED = Scm(
    (
        binary("Z", "", Fraction(2, 5)),
        binary("X", "Z", {0: Fraction(1, 5), 1: Fraction(7, 10)}),
        binary(
            "Y",
            "X Z",
            {
                (0, 0): Fraction(1, 10),
                (1, 0): Fraction(3, 10),
                (0, 1): Fraction(1, 2),
                (1, 1): Fraction(4, 5),
            },
        ),
    )
)
"""The effect is 3/5 * 1/5 + 2/5 * 3/10 = 6/25."""
EFFECT = Fraction(6, 25)
CAUSED = parsed("P(Y=1 | do(X=1)) - P(Y=1 | do(X=0))")
SEEN = parsed("P(Y=1 | X=1) - P(Y=1 | X=0)")
M_GRAPH = dag("U>X U>M V>M V>Y X>Y")
ROUTE_FAULTS: Mapping[str, tuple[Scm | Dag, q.Query, Callable[[Any], q.Query]]] = {
    "seeing for setting": (
        CONFOUNDED,
        q.Probability((("Y", 1),), (), (("X", 1),)),
        lambda asked: q.Probability(asked.event, tuple(sorted((*asked.given, *asked.do)))),
    ),
    "colliders block": (
        M_GRAPH,
        q.Separated("U", "V", ("M",)),
        lambda asked: q.Separated(asked.left, asked.right),
    ),
    "a collider's descendants do not open it": (
        dag("A>C B>C C>D"),
        q.Separated("A", "B", ("D",)),
        lambda asked: q.Separated(asked.left, asked.right),
    ),
    "halves are rounded to even": (
        CONFOUNDED,
        q.Rounded(q.Number(Fraction(1, 8)), 2),
        lambda asked: q.Number(Fraction(12, 100)),
    ),
    "standardising with nothing": (
        CONFOUNDED,
        q.Adjusted((("Y", 1),), (("X", 1),), ("Z",)),
        lambda asked: q.Adjusted(asked.event, asked.treatment, ()),
    ),
    "hidden variables seen": (
        dag("U>X U>Y X>Y", hidden="U"),
        q.Identifiable("X", "Y"),
        lambda asked: q.Identifiable(asked.treatment, asked.outcome, ("U",)),
    ),
    "every arrow is compelled": (
        dag("A>B B>C"),
        q.Compelled("A", "B"),
        lambda asked: q.Causes(asked.cause, asked.effect),
    ),
    "association for adjacency": (
        dag("A>B B>C"),
        q.Adjacent("A", "C"),
        lambda asked: q.Not(q.Separated(asked.left, asked.right)),
    ),
    "what follows the treatment is adjusted for": (
        dag("X>M M>Y X>Y"),
        q.ValidAdjustment(("X",), "Y", ("M",)),
        lambda asked: q.ValidAdjustment(asked.treatments, asked.outcome, ()),
    ),
}


def _of_route(name: str, *, derived: bool) -> Fault:
    world, query, instead = ROUTE_FAULTS[name]

    def attempts(rng: random.Random) -> Iterator[Attempt]:
        sound: tuple[Route, Route] = Derived(world), Counted(world)
        Proof(world, sound).answer(query)
        first: Route = Misreading(sound[0], instead) if derived else sound[0]
        second: Route = sound[1] if derived else Misreading(sound[1], instead)
        yield lambda: Proof(world, (first, second)).answer(query)

    return attempts


def effect_draft(*figures: Fraction, texts: tuple[str, ...] = ()) -> Draft:
    """Return a question on the effect in the confounded model; the first figure is meant to be right."""
    kinds = (None, Kind.REFLEX, Kind.REVERSED, Kind.PARTIAL)
    answers = tuple(
        Answer(texts[place] if texts else str(figure), (Claim(CAUSED, figure),), "Why.", kind)
        for place, (figure, kind) in enumerate(zip(figures, kinds, strict=False))
    )
    return Draft(CONFOUNDED, "What is the effect?", answers, "planted/0", "scene", "state")


def _of_draft(draft: Draft) -> Fault:
    def attempts(rng: random.Random) -> Iterator[Attempt]:
        yield lambda: proved(draft)

    return attempts


SAME_SLOTS = (
    ("on", "depends"),
    ("recorded", "unrecorded"),
    ("only_missing_from", "only_independent_of"),
)
WRONG = (Fraction(2, 5), Fraction(1, 2), Fraction(1, 10))
SOUND = effect_draft(EFFECT, *WRONG)
MISNAMED = replace(SOUND.answers[1], of=Claim(SEEN, Fraction(9, 10)))
FAULTS: Mapping[str, Fault] = {
    **{name: _of_story(fault, formal=False) for name, fault in STORY_FAULTS.items()},
    **{name: _of_story(fault, formal=True) for name, fault in FORMAL_FAULTS.items()},
    **{
        f"in the data: forms of {one!r} and {other!r} are exchanged": _of_phrases(one, other)
        for one, other in SAME_SLOTS
    },
    **{name: _of_numbers(fault) for name, fault in NUMBER_FAULTS.items()},
    "the question asks about another group": _another_question,
    "the scene is another": _another_scene,
    "an option has another number": _option(
        lambda text: re.sub(r"\d", lambda m: str((int(m[0]) + 1) % 10), text, count=1)
    ),
    "an option has the other sign": _option(lambda text: text.translate(str.maketrans("+−", "−+"))),
    "an option has another unit": _option(lambda text: text.replace(" percentage points", "%")),
    "an open answer is graded too strictly or too loosely": _wrong_accuracy,
    "an open key is a hundredth off": _wrong_open_key,
    "in the data: 'early' and 'late' are exchanged": _facts_swapped("early", "late"),
    "in the data: 'active' and 'idle' are exchanged": _facts_swapped("active", "idle"),
    **{
        f"{route} route: {name}": _of_route(name, derived=route == "first")
        for name in ROUTE_FAULTS
        for route in ("first", "second")
    },
    "the key is not true": _of_draft(effect_draft(Fraction(2, 5), EFFECT, *WRONG[1:])),
    "two options are true": _of_draft(
        effect_draft(EFFECT, EFFECT, *WRONG[1:], texts=("6/25", "24 percentage points", "1/2", "1/10"))
    ),
    "no option is true": _of_draft(effect_draft(Fraction(1, 5), *WRONG)),
    "two options read alike": _of_draft(effect_draft(EFFECT, *WRONG, texts=("a", "b", "B ", "c"))),
    "an option is missing": _of_draft(effect_draft(EFFECT, *WRONG[:2])),
    "an option claims nothing": _of_draft(
        replace(SOUND, answers=(*SOUND.answers[:3], replace(SOUND.answers[3], claims=())))
    ),
    "a figure is not what it is said to be": _of_draft(
        replace(SOUND, answers=(SOUND.answers[0], MISNAMED, *SOUND.answers[2:]))
    ),
}


def plant(name: str, questions: int) -> tuple[int, int]:
    """Plant a fault in so many questions; return how often it changed anything and was refused."""
    planted = refused = 0
    for number in range(questions):
        for attempt in FAULTS[name](random.Random(f"{name}/{number}")):
            planted += 1
            try:
                attempt()
            except AssayError:
                refused += 1
    return planted, refused


def main() -> None:
    """Plant every fault and print how many were refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10)
    questions = parser.parse_args().questions
    rows = []
    for name in FAULTS:
        planted, refused = plant(name, questions)
        rows.append({"fault": name, "planted": planted, "refused": refused})
        if sys.stderr.isatty():
            print(f"\r{len(rows)} of {len(FAULTS)} faults", end="", file=sys.stderr)
    print(
        json.dumps(
            {
                "faults": len(rows),
                "planted": sum(row["planted"] for row in rows),
                "refused": sum(row["refused"] for row in rows),
                "not_refused": [row for row in rows if row["refused"] < row["planted"]],
                "never_planted": [row["fault"] for row in rows if not row["planted"]],
                "each": rows,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
