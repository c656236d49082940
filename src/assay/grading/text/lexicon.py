"""Phrases of the word lists in `grading/lexicon`, tried only where one of their first words stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.grading.text.near import occurrences

_SECTION = re.compile(r"\[([a-z ]+)\]\Z")
_WORD = re.compile(r"[a-z0-9][a-z0-9'-]*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase and the beginnings of words with which it can start."""

    pattern: re.Pattern[str]
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of phrases."""

    phrases: tuple[Phrase, ...]

    def find(self, low: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Yield the matches in a text in small letters, or between two places, phrase by phrase."""
        last = len(low) if end is None else end
        for phrase in self.phrases:
            for head in phrase.heads:
                for at in occurrences(low, head, start, last):
                    if at and low[at - 1].isalnum():
                        continue
                    if match := phrase.pattern.match(low, at, last):
                        yield match

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
        return Phrase(re.compile(spaced.replace(" ", r"\s+") + after), tuple(sorted(heads)))
    except re.error as error:
        raise ValueError(f"{file}.txt: {line!r} is no pattern: {error}") from error


@cache
def _text(file: str) -> str:
    return (files("assay.grading") / "lexicon" / f"{file}.txt").read_text("utf-8")


def _heads(source: str) -> set[str]:
    """Return the beginnings of the first word of a phrase, one for each way to begin it; "" for none."""
    if not source.startswith("("):
        word = _WORD.match(source)
        if word is None:
            return {""}
        quantified = source[word.end() : word.end() + 1] in ("?", "*", "{")
        return {word[0][:-1] if quantified else word[0]}
    close = _closing(source)
    heads = {head for way in _ways(source[1:close]) for head in _heads(way)}
    rest = source[close + 1 :]
    if rest.startswith(("?", "*")):
        return (heads - {""}) | _heads(rest[1:].lstrip())
    return heads


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
