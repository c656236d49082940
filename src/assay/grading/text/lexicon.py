"""Words, phrases and patterns from the files in `grading/lexicon`, read when first used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

_SECTION = re.compile(r"\[([a-z ]+)\](?: (.+))?\Z")
_NEAR = re.compile(r"near (\d): (.+)\Z")
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[a-z ]+\}| |\((?!\?)")
_BLANKS = dict.fromkeys(map(ord, '-_.,:;!?()[]{}<>/|"=+~#&%'), " ")
KINDS = frozenset({"phrases", "words", "single words", "table", "whole words", "any case", "line by line"})
"""What may follow a list's name (see `lexicon/README.md`); a list without any of these is one pattern."""


@dataclass(frozen=True, slots=True)
class WordList:
    """One list of a file: its lines, its kinds, and the words near which its pattern is tried."""

    lines: list[str]
    kinds: frozenset[str] = frozenset()
    near: dict[int, list[str]] = field(default_factory=dict)


class Lexicon:
    """The patterns of one file, compiled on first use: `lexicon.denied_after` is its list [denied after]."""

    def __init__(self, file: str) -> None:
        self.file = file

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = compile_list(self.file, name.replace("_", " "))
        setattr(self, name, compiled)
        return compiled

    def places(self, name: str, low: str) -> list[int]:
        """Return the positions where a pattern is tried, near the words that the file names, in order."""
        nearby = _lists(self.file)[name].near
        return sorted({place for back, words in nearby.items() for place in starts(low, words, back)})

    def near(self, name: str, low: str) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern near those words, without overlaps."""
        pattern: re.Pattern[str] = getattr(self, name.replace(" ", "_"))
        return matches(pattern, low, self.places(name, low))


@cache
def words(file: str, name: str) -> tuple[str, ...]:
    """Return a list of plain words; `_` at either end of a word stands for a space."""
    return tuple(_plain_words("|".join(_lists(file)[name].lines)))


@cache
def single_words(file: str, name: str) -> frozenset[str]:
    """Return a list of words that are separated by spaces."""
    return frozenset(" ".join(_lists(file)[name].lines).split())


@cache
def table(file: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return the rows of a table, `left = right`, in order."""
    rows = (line.rpartition(" = ") for line in _lists(file)[name].lines)
    return tuple((left.strip(), right) for left, _, right in rows)


def compile_list(file: str, name: str) -> re.Pattern[str]:
    """Return a list as one pattern. Raises ValueError for a missing or invalid list."""
    lists = _lists(file)
    if name not in lists:
        raise ValueError(f"{file}.txt has no list [{name}]: it has {sorted(lists)}")
    source, kinds = _alternatives(name, lists), lists[name].kinds
    flags = (re.IGNORECASE if "any case" in kinds else 0) | (re.MULTILINE if "line by line" in kinds else 0)
    try:
        return re.compile(rf"\b(?:{source})\b" if "whole words" in kinds else source, flags)
    except re.error as error:
        raise ValueError(f"{file}.txt: [{name}] is not a valid pattern: {error}") from error


def _alternatives(name: str, lists: Mapping[str, WordList]) -> str:
    """Return the lines of a list as alternatives of a regular expression."""

    def expand(token: re.Match[str]) -> str:
        if token[0] == " ":
            return r"\s+"
        if token[0] == "(":
            return "(?:"
        return f"(?:{_alternatives(token[0][1:-1], lists)})" if token[0][0] == "{" else token[0]

    return "|".join(_TOKEN.sub(expand, line) for line in lists[name].lines)


def _plain_words(line: str) -> list[str]:
    return [re.sub(r"\A_|_\Z", " ", word.strip()) for word in line.split("|")]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase and its possible first words; a match needs one word of each set of `needs`."""

    pattern: re.Pattern[str]
    heads: tuple[str, ...]
    needs: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of phrases."""

    phrases: tuple[Phrase, ...]

    def find(self, low: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Yield the matches in a text in lower case, or between two positions, by phrase and first word."""
        last = len(low) if end is None else end
        words = words_in(low if start == 0 and last == len(low) else low[start:last])
        for phrase in self.phrases:
            if any(need.isdisjoint(words) for need in phrase.needs):
                continue
            for head in filter(words.__contains__, phrase.heads):
                for at in occurrences(low, head, start, last):
                    if at and (low[at - 1].isalnum() or low[at - 1] in "-_'"):
                        continue
                    if match := phrase.pattern.match(low, at, last):
                        yield match

    def opens(self, low: str) -> bool:
        """Return whether a text begins with one of the phrases."""
        return any(low.startswith(phrase.heads) and phrase.pattern.match(low) for phrase in self.phrases)

    def first(self, low: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match by position, or None."""
        return min(self.find(low, start, end), key=lambda match: match.start(), default=None)


@cache
def phrases(file: str, section: str) -> Phrases:
    """Return the phrases of a list. Raises ValueError for a missing list or an invalid phrase."""
    lists = _lists(file)
    if section not in lists:
        raise ValueError(f"{file}.txt has no list [{section}]: it has {sorted(lists)}")
    return Phrases(tuple(phrase(line, lists, file) for line in lists[section].lines))


@cache
def _lists(file: str) -> dict[str, WordList]:
    return read((files("assay.grading") / "lexicon" / f"{file}.txt").read_text("utf-8"), file)


def read(text: str, file: str) -> dict[str, WordList]:
    """Return the lists of a file's text, by name."""
    lists: dict[str, WordList] = {}
    current: WordList | None = None
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if opening := _SECTION.match(content):
            kinds = frozenset(filter(None, (opening[2] or "").split(", ")))
            if kinds - KINDS:
                raise ValueError(
                    f"{file}.txt, line {number}: unknown kind {opening[2]!r}: write some of {sorted(KINDS)}"
                )
            current = lists[opening[1]] = WordList([], kinds)
        elif current is None:
            raise ValueError(
                f"{file}.txt, line {number}: a phrase comes before the first list: begin a list with [name]"
            )
        elif nearby := _NEAR.match(content):
            current.near.setdefault(int(nearby[1]), []).extend(_plain_words(nearby[2]))
        else:
            current.lines.append(content)
    return lists


def phrase(line: str, lists: Mapping[str, WordList], file: str) -> Phrase:
    """Return a compiled phrase. Raises ValueError if it is not a pattern or can begin without a word."""
    source = re.sub(r"\{([a-z ]+)\}", lambda name: f"(?:{'|'.join(lists[name[1]].lines)})", line)
    heads = _heads(source)
    if not heads or "" in heads:
        raise ValueError(f"{file}.txt: {line!r} can begin without a word: begin every alternative with one")
    spaced = re.sub(r" ?\.\.\. ?", lambda _: r" (?:[^\s.!?]+ ){0,6}?", source)
    after = r"(?!\w)" if source[-1].isalnum() or source[-1] == ")" else ""
    try:
        pattern = re.compile(spaced.replace(" ", r"\s+") + after)
    except re.error as error:
        raise ValueError(f"{file}.txt: {line!r} is not a valid pattern: {error}") from error
    return Phrase(pattern, tuple(sorted(heads)), (frozenset(heads), *_needs(source)))


@lru_cache(maxsize=64)
def words_in(low: str) -> frozenset[str]:
    """Return the words of a text in lower case, without punctuation around them."""
    return frozenset(low.translate(_BLANKS).replace(" '", " ").replace("' ", " ").split())


def _needs(source: str) -> Iterator[frozenset[str]]:
    """Yield, for each later part of a phrase that must begin with a word, its possible first words."""
    for part in _parts(source)[1:]:
        words = {text.partition(" ")[0] for text in _spelled(part)}
        if words and "" not in words:
            yield frozenset(words)


def _parts(source: str) -> list[str]:
    """Return the parts of a phrase between spaces outside of brackets."""
    parts, depth = [""], 0
    for sign in source:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == " " and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _heads(source: str) -> set[str]:
    """Return the possible first words of a phrase; "" for an alternative without one."""
    return {text.partition(" ")[0] for text in _spelled(source)}


def _part(source: str, at: int) -> tuple[set[str] | None, int]:
    """Return the spellings of one sign or group (None for a pattern), and the position of the next one."""
    sign = source[at]
    if sign == "(" and not source.startswith("(?", at):
        close = at + _closing(source[at:])
        ways = set()
        for way in _ways(source[at + 1 : close]):
            ways |= _spelled(way)
        at = close + 1
    elif sign == "[" and not source.startswith("[^", at) and source[at + 1 : source.find("]", at)].isalpha():
        at, ways = source.find("]", at) + 1, set(source[at + 1 : source.find("]", at)])
    elif sign.isalnum() or sign in " '-":
        at, ways = at + 1, {" " if sign == "-" else sign}
    else:
        return None, at
    if source[at : at + 1] == "?":
        return ways | {""}, at + 1
    return (None, at) if source[at : at + 1] in ("*", "+", "{") else (ways, at)


def _spelled(way: str) -> set[str]:
    """Return the possible beginnings of a phrase or alternative, up to its first space."""
    texts, at = {""}, 0
    while at < len(way):
        part, at = _part(way, at)
        if part is None:
            return {f"{text} " if text else "" for text in texts}
        texts = {text + spelling for text in texts for spelling in part}
        if all(" " in text for text in texts):
            return texts
    return texts


def _closing(source: str) -> int:
    """Return the position of the bracket that closes the first one."""
    depth = 0
    for at, sign in enumerate(source):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    raise ValueError(f"{source!r} has an unclosed bracket: close it")


def _ways(body: str) -> list[str]:
    """Return the alternatives of a group."""
    ways, depth = [""], 0
    for sign in body:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            ways.append("")
        else:
            ways[-1] += sign
    return ways


_LONGEST_WORD = 60


def starts(low: str, triggers: Iterable[str], back: int) -> list[int]:
    """Return the starts of the words with a trigger, and of up to `back` words before each, in order."""
    positions: set[int] = set()
    flat = low.replace("\n", " ")
    for trigger in triggers:
        at = flat.find(trigger)
        while at >= 0:
            place = at
            for _ in range(back + 1):
                least = max(0, place - _LONGEST_WORD)
                start = max(flat.rfind(" ", least, place), least - 1) + 1
                word = start
                while word < place and not flat[word].isalnum():
                    word += 1
                positions.add(word)
                if not start:
                    break
                place = start - 1
            at = flat.find(trigger, at + 1)
    return sorted(positions)


def occurrences(low: str, trigger: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield the positions of a trigger in a text, or between two positions."""
    last = len(low) if end is None else end
    at = low.find(trigger, start, last)
    while at >= 0:
        yield at
        at = low.find(trigger, at + 1, last)


def matches(pattern: re.Pattern[str], low: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at these positions, in order, without overlaps."""
    end = 0
    for place in places:
        if place >= end and (match := pattern.match(low, place)):
            end = match.end()
            yield match
