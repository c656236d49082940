"""Telling a question: opening, facts, assumptions and the given numbers in random order and forms, then what
is asked.

What is drawn here depends neither on what is true nor on the numbers. `read_back` reads the text again and
shares no code with this file.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.draws import Undrawable, cycle
from assay.causal.numbers.figures import decimal, percent, points
from assay.causal.numbers.recipe import Ask, CastPart, CastRole, Display, Forms, Given, Recipe, Task, only
from assay.causal.stories.language import Noun, capitalised, fill, joined, sentence
from assay.causal.stories.scene import Scene

_LEVEL = re.compile(r"\{(one |with )?(\w+)=(\w+)\}")
_WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}
MOST_SENTENCES = 4
SAID = 0.25
MOST_PLACES = 2


class Untellable(Undrawable):
    """A number that cannot be written exactly with the digits that a reader should have to deal with."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A variable's words by level: plural and singular predicates, and what follows the units' name."""

    noun: Noun
    did: Forms
    one: Forms
    which: Forms
    when: Forms
    cells: Forms
    order: int


@dataclass(frozen=True, slots=True)
class Told:
    """Numbers to be told: by combination of conditions the share with the event, or units and hits."""

    given: Given
    terms: tuple[q.Probability, ...]
    numbers: tuple[tuple[Fraction, ...], ...]


class Teller:
    """The words of one question: a scene, what its factors play, and what names stand for."""

    def __init__(
        self, recipe: Recipe, scene: Scene, state: Mapping[str, tuple[str, ...]], rng: random.Random
    ) -> None:
        self.recipe, self.scene, self.state, self.rng = recipe, scene, state, rng
        self.words = {
            "units": Noun(scene.units[1], plural=True),
            "unit": Noun(scene.units[0]),
            "a_unit": Noun(f"{'an' if scene.units[0][0] in 'aeiou' else 'a'} {scene.units[0]}"),
            "setting": Noun(scene.setting),
        }
        factors = iter(rng.sample(scene.factors, len(scene.factors)))
        self.cast: dict[str, Actor] = {}
        for name, part in sorted(recipe.cast.items(), key=lambda pair: pair[1].role is CastRole.OWN):
            if part.role is CastRole.FACTOR:
                factor = next(factors)
                phrases = (factor.low, factor.high)
                had = tuple(f"had {each}" for each in phrases)
                which = tuple(f"with {each}" for each in phrases)
                self.cast[name] = Actor(factor.noun, had, had, which, (), phrases, 1)
            elif part.role in (CastRole.TREATMENT, CastRole.OUTCOME):
                action = scene.treatment if part.role is CastRole.TREATMENT else scene.outcome
                did, one = (action.no[1], action.yes[1]), (action.no[0], action.yes[0])
                self.cast[name] = Actor(
                    action.noun, did, one, tuple(f"that {each}" for each in did), (), did, 3
                )
            elif part.role is CastRole.OWN:
                self.cast[name] = self._own(part)

    def _own(self, part: CastPart) -> Actor:
        did, one, which, when = (
            tuple(self.text(each) for each in forms) for forms in (part.did, part.one, part.which, part.when)
        )
        which = which or tuple(f"that {each}" for each in did)
        return Actor(
            Noun(self.text(part.noun), part.plural), did, one or did, which, when, when or did or which, 2
        )

    def asking(self, names: Mapping[str, tuple[str, ...]]) -> Teller:
        """Return the same words for a question in which names, also of levels, stand for these."""
        other = copy.copy(self)
        other.state = names
        return other

    def text(self, template: str, **extra: Noun) -> str:
        """Fill a template: `{X=1}` is what units did, `{with X=1}` follows their name, `{X}` is X's noun."""

        def level(match: re.Match[str]) -> str:
            actor = self.cast[only(match[2], self.state)]
            forms = {"one ": actor.one, "with ": actor.which}.get(match[1] or "", actor.did)
            return forms[int(self.state.get(match[3], (match[3],))[0])]

        nouns = {name: actor.noun for name, actor in self.cast.items()}
        several = {
            name: joined([nouns[each] for each in behind if each in nouns])
            for name, behind in self.state.items()
            if any(each in nouns for each in behind)
        }
        return fill(_LEVEL.sub(level, template), {**self.words, **nouns, **several, **extra})

    def pick(self, forms: Sequence[str]) -> str:
        """Draw a form."""
        return self.rng.choice(forms)

    def question(self, ask: Ask, instruction: str) -> str:
        """Return what is asked, and how it is to be answered."""
        slots = {name: Noun(self.text(self.pick(forms))) for name, forms in ask.slots.items()}
        question = capitalised(self.text(self.pick(ask.say or self.recipe.question.say), **slots))
        return f"{question} {instruction}"

    def stem(self, task: Task, told: Sequence[Told], question: str) -> str:
        """Return the text of a question."""
        facts = [self._fact(name, about) for name, variables in task.facts for about in variables]
        facts += [sentence(self.text(self.pick(self.recipe.assume[name].say))) for name in task.assume]
        self.rng.shuffle(facts)
        blocks = [" ".join(facts)] if facts else []
        sentences: list[str] = []
        tables: list[str] = []
        for each in told:
            self._numbers(each, sentences, tables)
        self.rng.shuffle(sentences)
        numbers = [" ".join(sentences)] if sentences else []
        leads = cycle(self.rng, self.recipe.phrases.sentences["lead"])
        self.rng.shuffle(tables)
        for drawn in tables:
            numbers += [next(leads), drawn]
        blocks = [*numbers, *blocks] if self.rng.random() < 0.5 else [*blocks, *numbers]
        opening = sentence(self.text(self.pick(self.recipe.opening.say)))
        return "\n\n".join((opening, *blocks, question))

    def _fact(self, name: str, about: str) -> str:
        form, prefix = (
            self.pick(self.recipe.facts[name].say),
            self.pick(self.recipe.phrases.sentences["said"]),
        )
        nouns = {}
        for slot, variable in zip("vw", about.split(), strict=False):
            nouns[slot] = self.cast[only(variable, self.state)].noun
            form = re.sub(rf"(\{{(?:one |with )?){slot}=", rf"\g<1>{only(variable, self.state)}=", form)
        clause = self.text(form, **nouns)
        speaker = Noun(self.pick(self.scene.speakers))
        spoken = fill(prefix, {"speaker": speaker, "fact": Noun(clause)})
        return sentence(spoken if self.rng.random() < SAID else clause)

    def _numbers(self, told: Told, sentences: list[str], tables: list[str]) -> None:
        """Add what a set of numbers says, as sentences or as a table."""
        if told.given.saying is not None:
            number = shown(told.numbers[0][0], told.given.display)
            sentences.append(sentence(self.text(self.pick(told.given.saying.say), n=Noun(number))))
            return
        rows = list(zip(told.terms, told.numbers, strict=True))
        if len(rows) > MOST_SENTENCES or (len(rows) > 1 and not told.given.do and self.rng.random() < 0.5):
            tables.append(self._table(told, rows))
        else:
            sentences += [self._row(told, term, numbers) for term, numbers in rows]

    def _row(self, told: Told, term: q.Probability, numbers: tuple[Fraction, ...]) -> str:
        kind = "count" if told.given.counts else "trial" if term.do else "share"
        where = {*term.given, *term.do}
        when = [self.cast[name].when[level] for name, level in sorted(where) if self.cast[name].when]
        nouns = {
            "when": Noun(f"{' and '.join(when)}, " if when else ""),
            "group": Noun(self._group(where)),
            "bare": Noun(self._group(where, definite=False)),
            "did": Noun(self.cast[term.event[0][0]].did[term.event[0][1]]),
        }
        if told.given.counts:
            nouns |= {"n": Noun(f"{int(numbers[0]):,}"), "hits": Noun(f"{int(numbers[1]):,}")}
        else:
            nouns["n"] = Noun(exact_percent(numbers[0]))
        return sentence(self.text(self.pick(self.recipe.phrases.sentences[kind]), **nouns))

    def _group(self, levels: set[tuple[str, int]], *, definite: bool = True) -> str:
        """Return the units with these levels: "the wards with noisy corridors that dimmed their lights"."""
        parts: list[str] = []
        last = ""
        for name, level in sorted(levels, key=lambda pair: (self.cast[pair[0]].order, pair[0])):
            actor = self.cast[name]
            if actor.when:
                continue
            word, _, rest = actor.which[level].partition(" ")
            parts.append(
                f"and {rest if word == last else actor.which[level]}" if word == last else actor.which[level]
            )
            last = word
        units = " ".join([self.scene.units[1], *parts])
        return units if not definite else f"the {units}" if parts else f"all {units}"

    def _table(self, told: Told, rows: Sequence[tuple[q.Probability, tuple[Fraction, ...]]]) -> str:
        names = [only(name, self.state) for name, _ in told.given.given]
        names = self.rng.sample(names, len(names))
        down = {name: self.rng.random() < 0.5 for name in names}
        columns, (event, level) = self.recipe.phrases.columns, rows[0][0].event[0]
        did = Noun(self.cast[event].did[level])
        kinds = ("number", "hits") if told.given.counts else ("share",)
        header = [capitalised(self.cast[name].noun.text) for name in names]
        header += [capitalised(self.text(self.pick(columns[kind]), did=did)) for kind in kinds]

        def order(row: tuple[q.Probability, tuple[Fraction, ...]]) -> list[int]:
            return [-dict(row[0].given)[name] if down[name] else dict(row[0].given)[name] for name in names]

        lines = []
        for term, numbers in sorted(rows, key=order):
            cells = [self.cast[name].cells[dict(term.given)[name]] for name in names]
            write = (lambda n: f"{int(n):,}") if told.given.counts else exact_percent
            lines.append([*cells, *map(write, numbers)])
        return _table(header, lines)


def exact_percent(share: Fraction) -> str:
    """Write a share as a percentage without rounding. Untellable where it needs more than two places."""
    for places in range(MOST_PLACES + 1):
        if (share * 100 * 10**places).denominator == 1:
            return percent(share, places)
    raise Untellable(f"{share} is no percentage of at most {MOST_PLACES} decimal places")


def shown(value: Fraction, display: Display) -> str:
    """Write a given number without rounding. Untellable where it needs more than two places."""
    if display is not Display.NUMBER:
        text = exact_percent(value)
        return text if display is Display.PERCENT else f"{text.removesuffix('%')} percentage points"
    for places in range(MOST_PLACES + 1):
        if (value * 10**places).denominator == 1:
            return decimal(value, places)
    raise Untellable(f"{value} has more than {MOST_PLACES} decimal places")


def answer_text(value: Fraction, display: Display, places: int) -> str:
    """Write an answer; `places` counts the decimals of the number as a fraction."""
    if display is Display.NUMBER:
        return decimal(value, places)
    text = (points if display is Display.POINTS else percent)(value, places - 2)
    return text[:-1] if text[1:] == "1 percentage points" else text


def instruction(recipe: Recipe, ask: Ask, rng: random.Random, opened: str = "", places: int = 3) -> str:
    """Return how the answer is to be given: to an open question as a `decimal` or `exact` fraction."""
    if opened:
        kind = f"{opened} number" if ask.display is Display.NUMBER else opened
        return fill(rng.choice(recipe.phrases.open[kind]), {"places": Noun(_WORDS[places])})
    return rng.choice(recipe.phrases.answer[ask.display.value])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, columns padded to one width."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    drawn = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]
    drawn.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(drawn)
