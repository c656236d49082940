"""Which of the lettered options an answer chooses, and whether it contradicts itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assay.grading.numbers.plain_math import plain
from assay.grading.text.answer import cut, final_line, last_box, last_marker, line_after, line_before, visible

_LEAD = r"[\s*_`\"'>#-]*"
_JOINED = re.compile(
    r"(?:[\s*_)\],/&]|\b(?:and|or)\b)*[A-Z0-9](?![\w'’])[)\]]?\W*(?:\Z|(?=(?:and|or|are|is|because)\b))"
)
_CLAIMS = ("answer", "option", "choice", "choose", "pick", "select", "go with", "correct", "right", "best")
_RUNS_ON = 40
_ARTICLE = re.compile(r"A\s+[a-z]")
_LONE_WORD = r"(?:option|choice|answer|letter)"


_GOES_ON = r"\s+(?=(?:because|since|as|or|and|is\s+(?:the|correct|right|my)(?!\s+(?:wrong|incorrect)))\b)"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The letter chosen (None: none, or several), where it stands, in which words, and what is wrong."""

    letter: str | None
    where: str
    words: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Patterns:
    """How a choice among certain options is written.

    `opening`: a letter that opens or makes up a line (`B`, `(b)`, `B. because`); `stated`: a letter
    claimed in a sentence (`the answer is B`, `B is correct`); `named`: an option named in passing
    (`option B`, `(B)`); `single`: a capital standing alone in words that are known to answer.
    """

    opening: re.Pattern[str]
    stated: re.Pattern[str]
    named: re.Pattern[str]
    single: re.Pattern[str]


@lru_cache(maxsize=64)
def patterns(options: str) -> Patterns:
    """Return the patterns for these option letters."""
    upper = "".join(re.escape(letter) for letter in options.upper())
    any_case = f"{upper}{''.join(re.escape(letter) for letter in options.lower())}"
    close = r"[*_`\"']*"
    wrapped = rf"{close}[(\[]?{close}([{upper}])(?![\w'’])"
    return Patterns(
        opening=re.compile(
            rf"{_LEAD}(?:(?i:{_LONE_WORD})\s*[:.]?\s*)?"
            rf"(?:[(\[]([{any_case}])[)\]]{close}|([{upper}]){close}(?:[).:,\]]|\s+[-–—](?=\s)|\s*(?:\n|\Z)|{_GOES_ON})"
            rf"|([{any_case}]){close}[.)]?\s*\Z)"
        ),
        stated=re.compile(
            rf"(?i:\b(?:answer|(?:correct|right|best)\s+(?:option|choice))\b(?:[^.\n:=!?]{{0,60}}?\b(?:is|be)\b|\s*[*_]*\s*[:=]))[\s*_`:]*"
            rf"(?!(?i:not)\b)(?:(?i:the\s+)?(?i:{_LONE_WORD})\s+)?{wrapped}(?!\s+[a-z]+\s+[a-z]+\s+[a-z])"
            rf"|(?i:\b(?:choose|pick|select|go\s+with)\s+(?:{_LONE_WORD}\s+)?){wrapped}(?!\s+[a-z])"
            rf"|(?<![\w'’(])([{upper}])[)\]]?{close}\s+is\s+(?:therefore\s+|thus\s+)?(?:the\s+)?"
            rf"(?:correct|right|best|answer)\b"
        ),
        named=re.compile(rf"(?<!not )(?i:\b{_LONE_WORD}\s+){wrapped}|(?<![\w)])[(\[]([{upper}])[)\]]"),
        single=re.compile(rf"(?<![\w'’])([{upper}])(?![\w'’])"),
    )


def chosen(answer: str, options: str, marker: str) -> Chosen:
    """Return the option that an answer settles on.

    Looks after the last marker; without one, at the last `\\boxed{}` or sentence that states the
    answer; without those, at a letter that opens or ends the answer; at last at the only option named.
    Two letters in one breath contradict each other.
    """
    text = visible(answer)
    how = patterns(options)
    if marked := last_marker(text, marker):
        start, end = line_after(text, marked[1])
        where = f"after the last {marker!r}"
        found = _from_words(text[start:end], where, how)
        return _against_neighbour(text, marked[0], marker, found, how)
    whole = how.opening.fullmatch(text.strip())
    if whole:
        return Chosen(_letter(whole), "the whole answer", cut(text.strip()))
    return _stated(text, how) or _at_an_end(text, how) or _only_named(text, how)


def _letter(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group).upper()


def _from_words(words: str, where: str, how: Patterns) -> Chosen:
    """The letter in words that are known to hold the answer."""
    bare = plain(words).strip() if "\\" in words or "$" in words else words.strip()
    shown = cut(words.strip())
    opening = how.opening.match(bare)
    first = _letter(opening) if opening else None
    rest = bare[opening.end() :] if opening else bare
    letters = how.single.findall(rest if first is None else _joined(rest))
    if first is None and letters[:1] == ["A"] and _ARTICLE.match(rest, rest.find("A")):
        letters = letters[1:]
    claims = dict.fromkeys(([first] if first else []) + letters)
    if len(claims) == 1:
        return Chosen(next(iter(claims)), where, shown)
    if claims:
        return Chosen(None, where, shown, f"contradictory letters: {' and '.join(claims)}")
    return Chosen(None, where, shown, f"no letter {where}")


def _joined(rest: str) -> str:
    """What still belongs to a leading letter: `, C` or `or C`, but not the option's own text."""
    match = _JOINED.match(rest)
    return match[0] if match else ""


def _against_neighbour(text: str, at: int, marker: str, found: Chosen, how: Patterns) -> Chosen:
    """Fail a letter whose neighbour, stated in the same breath, is another."""
    if found.letter is None or at == 0:
        return found
    start, end = line_before(text, at)
    before = text[start:end]
    earlier = last_marker(before, marker)
    if earlier is None:
        return found
    other = _from_words(before[earlier[1] :], found.where, how)
    if other.letter in (None, found.letter):
        return found
    words = cut(f"{before[earlier[0] :].strip()} / {found.words}")
    return Chosen(None, found.where, words, f"contradictory letters: {other.letter} and {found.letter}")


def _stated(text: str, how: Patterns) -> Chosen | None:
    """The last line that states the answer outright; two letters on it contradict each other."""
    matches = _last_claims(text, how)
    box = last_box(text)
    if box and (not matches or box[0] >= matches[-1].start()):
        found = _from_words(box[1], "in the last \\boxed{}", how)
        if found.letter or found.problem.startswith("contradictory"):
            return found
    if not matches:
        return None
    last = matches[-1]
    start = text.rfind("\n", 0, last.start()) + 1
    letters = dict.fromkeys(_letter(match) for match in matches if match.start() >= start)
    end = text.find("\n", last.end())
    shown = cut(text[start : end if end >= 0 else len(text)].strip())
    letters.update(dict.fromkeys(how.single.findall(_joined(text[last.end() : end if end >= 0 else None]))))
    if len(letters) > 1:
        problem = f"contradictory letters: {' and '.join(letters)}"
        return Chosen(None, "where the answer is stated", shown, problem)
    return Chosen(_letter(last), "where the answer is stated", shown)


def _last_claims(text: str, how: Patterns) -> list[re.Match[str]]:
    """The claims on the last line that makes any; a claim may run on into the lines below."""
    end = len(text)
    while True:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].lower()
        if any(word in line for word in _CLAIMS):
            claims = [
                claim for claim in how.stated.finditer(text, start, end + _RUNS_ON) if claim.start() < end
            ]
            if claims:
                return claims
        if start == 0:
            return []
        end = start - 1


def _at_an_end(text: str, how: Patterns) -> Chosen | None:
    """A letter that opens the answer, or stands alone on its last line."""
    body = text.strip()
    opening = how.opening.match(body)
    start, end = final_line(text)
    closing = how.opening.fullmatch(text[start:end].strip())
    letters = dict.fromkeys(_letter(match) for match in (opening, closing) if match)
    if opening:
        line = body[opening.end() :].partition("\n")[0]
        letters.update(dict.fromkeys(how.single.findall(_joined(line))))
    if not letters:
        return None
    where = "at the start of the answer" if opening else "alone on the final line"
    shown = cut((body if opening else text[start:end].strip()).partition("\n")[0])
    if len(letters) > 1:
        return Chosen(None, where, shown, f"contradictory letters: {' and '.join(letters)}")
    return Chosen(next(iter(letters)), where, shown)


def _only_named(text: str, how: Patterns) -> Chosen:
    letters = dict.fromkeys(_letter(match) for match in how.named.finditer(text))
    if len(letters) == 1:
        return Chosen(next(iter(letters)), "the only option named", cut(text.strip()))
    if letters:
        problem = f"several options are named and none is chosen: {', '.join(letters)}"
        return Chosen(None, "nowhere", cut(text[-200:].strip()), problem)
    return Chosen(None, "nowhere", cut(text[-200:].strip()), "no letter in the answer")
