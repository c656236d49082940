"""Phrases of the word lists in `grading/lexicon`, tried only where one of their first words stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from assay.grading.text.near import occurrences

_SECTION = re.compile(r"\[([a-z ]+)\]\Z")
_BLANKS = dict.fromkeys(map(ord, '-_.,:;!?()[]{}<>/|"=+~#&%'), " ")
_WORD = re.compile(r"(?<![\w-])[^\W_][^\W_']*(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase and the words it can start with. A text must hold one word of each set of `needs`."""

    pattern: re.Pattern[str]
    heads: tuple[str, ...]
    needs: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of phrases."""

    phrases: tuple[Phrase, ...]

    def find(self, low: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Yield the matches in a text in small letters, or between two places, by phrase and first word."""
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
        """Return the match that stands first, or None."""
        return min(self.find(low, start, end), key=lambda match: match.start(), default=None)


@cache
def phrases(file: str, section: str) -> Phrases:
    """Return a list of a file. Raises ValueError for a list that is not there and a phrase that is wrong."""
    lists = read(_text(file), file)
    if section not in lists:
        raise ValueError(f"{file}.txt has no list [{section}]: it has {sorted(lists)}")
    return Phrases(tuple(phrase(line, lists, file) for line in lists[section]))


def read(text: str, file: str) -> dict[str, list[str]]:
    """Return the lists of a file's text, by name."""
    lists: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if opening := _SECTION.match(words):
            current = lists.setdefault(opening[1], [])
        elif current is None:
            raise ValueError(
                f"{file}.txt, line {number}: a phrase stands before the first list: open one as [name]"
            )
        else:
            current.append(words)
    return lists


def phrase(line: str, lists: dict[str, list[str]], file: str) -> Phrase:
    """Return a phrase, compiled. Raises ValueError where it is no pattern or can begin without a word."""
    source = re.sub(r"\{([a-z ]+)\}", lambda name: f"(?:{'|'.join(lists[name[1]])})", line)
    heads = _heads(source)
    if not heads or "" in heads:
        raise ValueError(f"{file}.txt: {line!r} can begin without a word: begin every way of it with one")
    spaced = re.sub(r" ?\.\.\. ?", lambda _: r" (?:[^\s.!?]+ ){0,6}?", source)
    after = r"(?!\w)" if source[-1].isalnum() or source[-1] == ")" else ""
    try:
        pattern = re.compile(spaced.replace(" ", r"\s+") + after)
    except re.error as error:
        raise ValueError(f"{file}.txt: {line!r} is no pattern: {error}") from error
    return Phrase(pattern, tuple(sorted(heads)), (frozenset(heads), *_needs(source)))


@cache
def _text(file: str) -> str:
    return (files("assay.grading") / "lexicon" / f"{file}.txt").read_text("utf-8")


@lru_cache(maxsize=64)
def words_in(low: str) -> frozenset[str]:
    """Return the words of a text in small letters, without marks around them."""
    return frozenset(low.translate(_BLANKS).replace(" '", " ").replace("' ", " ").split())


def _needs(source: str) -> Iterator[frozenset[str]]:
    """Yield the words that each later part of a phrase can begin with, where it must begin with a word."""
    for part in _parts(source)[1:]:
        words = {text.partition(" ")[0] for text in _spelled(part)}
        if words and "" not in words:
            yield frozenset(words)


def _parts(source: str) -> list[str]:
    """Return the parts of a phrase between spaces that stand in no bracket."""
    parts, depth = [""], 0
    for sign in source:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == " " and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _heads(source: str) -> set[str]:
    """Return the first words of a phrase, one for each way to begin it; "" for a way that has none."""
    return {text.partition(" ")[0] for text in _spelled(source)}


def _part(source: str, at: int) -> tuple[set[str] | None, int]:
    """Return the ways to read one sign or group of a phrase (None: a pattern), and where the next begins."""
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
    """Return the beginnings that a phrase or an alternative of it can be read as, up to its first space."""
    texts, at = {""}, 0
    while at < len(way):
        part, at = _part(way, at)
        if part is None:
            return {f"{text} " if text else "" for text in texts}
        texts = {text + read for text in texts for read in part}
        if all(" " in text for text in texts):
            return texts
    return texts


def _closing(source: str) -> int:
    """Return where the bracket that opens a phrase is closed."""
    depth = 0
    for at, sign in enumerate(source):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    raise ValueError(f"{source!r} has a bracket that is not closed")


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
