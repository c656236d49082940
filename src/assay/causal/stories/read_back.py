"""The independent reader: recovers a story's graph from its text, or refuses the text.

It knows the nouns of the variables and what `phrases/reading.yaml` says, nothing of how the text was made.
Every word of the facts must be read: what is left over is refused, and so are facts that contradict each
other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from assay.causal.stories.facts import Story
from assay.causal.stories.phrases import ReadingPatterns
from assay.core.errors import AssayError

V = TypeVar("V")
_SET = re.compile(r"\b(S\d)\b")
_JOINING = re.compile(r"[\s.,;:“”]+|(?:and|while)\b", re.IGNORECASE)


class Unreadable(AssayError):
    """A text whose facts cannot be read, contradict each other, or are not those of the model."""


Uses = tuple[frozenset[str], frozenset[str], frozenset[str]]


@dataclass(slots=True)
class StatedFacts:
    """What a text was found to say. Lists go by the names that the text gives them."""

    on: dict[str, set[str]] = field(default_factory=dict)
    off: dict[str, set[str]] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, frozenset[str]] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    recorded: dict[str, bool] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)

    def lists(self) -> list[Uses]:
        """Return for each list who is on it, who depends on it, and who may; in no particular order.

        A list and its owner's list are the same.
        """
        names = {each for several in (*self.on.values(), *self.off.values()) for each in several}
        used = {*self.source.values(), *(each for several in self.unknown.values() for each in several)}
        names |= {*self.named, *self.owner.values(), *(used - self.owner.keys())}
        if unnamed := sorted(names - self.named):
            raise Unreadable(f"the list {unnamed[0]!r} is not among those that the text names")
        if self.owner and sorted(self.owner.values()) != sorted(names):
            raise Unreadable("not every list has one owner")
        found: dict[str, tuple[set[str], ...]] = {each: (set(), set(), set()) for each in names}
        for name, on in self.on.items():
            for each in on:
                found[each][0].add(name)
        for name, off in self.off.items():
            for each in names - off:
                found[each][0].add(name)
        for name, source in self.source.items():
            found[self.owner.get(source, source)][1].add(name)
        for name, choices in self.unknown.items():
            for each in choices:
                found[self.owner.get(each, each)][2].add(name)
        return [(frozenset(on), frozenset(by), frozenset(maybe)) for on, by, maybe in found.values()]


def read(
    text: str, nouns: Mapping[str, str], reading: ReadingPatterns, ignored: Sequence[str]
) -> StatedFacts:
    """Read the facts of a text. `nouns` gives each variable's noun; `ignored` are sentences without facts.

    Unreadable where a part of the text is neither a fact nor ignored, or where two facts contradict.
    """
    for each in ignored:
        text = text.replace(each, " ")
    marked = _marked(text, nouns, reading.kinds)
    compiled = [
        (kind, _compiled(pattern)) for kind, several in reading.patterns.items() for pattern in several
    ]
    told, place = StatedFacts(), 0
    while place < len(marked):
        if joining := _JOINING.match(marked, place):
            place = joining.end()
            continue
        found = [(kind, match) for kind, pattern in compiled if (match := pattern.match(marked, place))]
        if not found:
            raise Unreadable(f"the text {marked[place : place + 80]!r} states no fact that can be read")
        kind, match = max(found, key=lambda pair: pair[1].end())
        _note(told, kind, match, list(nouns))
        place = match.end()
    return told


def same(told: StatedFacts, story: Story) -> None:
    """Check that a text states the facts of a story, whatever its lists are called.

    Unreadable with the first difference.
    """
    wanted = Counter(
        (
            frozenset(name for name, on in story.on.items() if each in on),
            frozenset(name for name, source in story.source.items() if source == each),
            frozenset(name for name, choices in story.open.items() if each in choices),
        )
        for each in story.lists
    )
    found = Counter(told.lists())
    if extra := found - wanted:
        on, by, maybe = next(iter(extra))
        about = f"{sorted(on)} on it, on which {sorted(by | maybe)} depend or may depend"
        raise Unreadable(f"the text has a list with {about}, which the model has not")
    if lacking := wanted - found:
        raise Unreadable(f"the text lacks a list of the model: {next(iter(lacking))}")
    factors = [name for name in story.on if name.startswith("F")]
    if unequal := [name for name in factors if told.recorded.get(name) != (name not in story.unrecorded)]:
        raise Unreadable(f"the text and the model differ on whether {unequal[0]!r} was recorded")


def _marked(text: str, nouns: Mapping[str, str], kinds: Sequence[str]) -> str:
    """Return the text with marks for its variables and lists."""
    names = list(nouns)
    for name in sorted(names, key=lambda each: -len(nouns[each])):
        pattern = re.compile(rf"(?<![\w<]){re.escape(nouns[name])}(?![\w>])", re.IGNORECASE)
        text = pattern.sub(f"<v{names.index(name)}>", text)
    if not kinds:
        return _SET.sub(lambda match: f"<l{match[1].lower()}>", text)
    kind = "|".join(kinds)
    named = re.compile(rf"\bthe (\w+) (?:{kind})\b", re.IGNORECASE)
    text = named.sub(lambda match: f"<l{match[1].lower()}>", text)
    text = re.sub(rf"\b(\w+)'s (?:{kind})\b", r"<o\1>", text)
    return re.sub(rf"\b(?:{kind})s?\b", "<k>", text)


_LISTS = r"(?:<[lo]\w+>(?:, | and )?)+"


_PARTS = re.compile(r"\bP's K\b|\b[VLPK]\b|\([^()|]*\|[^()]*\)")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern of the data file as a regular expression over marked text."""
    seen: dict[str, int] = {}

    def mark(part: str) -> str:
        seen[part] = seen.get(part, 0) + 1
        match part:
            case "P's K":
                return r"<o(?P<person>\w+)>"
            case "V":
                return r"<v(?P<v>\d+)>"
            case "L":
                return f"(?P<l{seen[part]}>{_LISTS})"
            case "P":
                return r"(?P<person>[A-Z]\w+)"
            case "K":
                return "<k>"
        return f"(?:{'|'.join(map(re.escape, part[1:-1].split('|')))})"

    written, place = "", 0
    for match in _PARTS.finditer(pattern):
        written += re.escape(pattern[place : match.start()]) + mark(match[0])
        place = match.end()
    return re.compile(written + re.escape(pattern[place:]), re.IGNORECASE)


def _note(told: StatedFacts, kind: str, match: re.Match[str], names: list[str]) -> None:
    parts = match.groupdict()
    several = [re.findall(r"<[lo](\w+)>", parts[key]) for key in ("l1", "l2") if parts.get(key)]
    if kind == "owner":
        person, (named,) = parts["person"], several[0]
        _once(told.owner, person, named, f"the list of {person!r}")
        return
    if kind == "lists":
        told.named.update(several[0])
        return
    name = names[int(parts["v"])]
    if kind == "on":
        told.on.setdefault(name, set()).update(several[0])
    elif kind == "off":
        _once(told.off, name, set(several[0]), f"where {name!r} is missing")
    elif kind == "depends":
        if len(several[0]) != 1:
            raise Unreadable(f"{name!r} is said to depend on several lists")
        _once(told.source, name, several[0][0], f"what {name!r} depends on")
    elif kind == "unknown":
        choices = frozenset(each for some in several for each in some)
        _once(told.unknown, name, choices, f"what {name!r} may depend on")
    else:
        _once(told.recorded, name, kind == "recorded", f"whether {name!r} was recorded")


def _once(facts: dict[str, V], key: str, value: V, about: str) -> None:
    if key in facts:
        raise Unreadable(f"the text says twice {about}")
    facts[key] = value
