"""Which of the lettered options an answer chooses, and whether it contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from assay.grading.numbers.plain_math import plain
from assay.grading.text.answer import cut, final_line, last_box, last_marker, line_after, line_before, visible
from assay.grading.text.letters_stated import RUNS_ON, Claim, bare_ends, last_claims, unsure
from assay.grading.text.letters_written import (
    CORRECTION,
    Patterns,
    denied_hidden,
    letter_of,
    patterns,
    shown_again,
)

_WIDE = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord(wide): plain for wide, plain in zip("。、【】", ".,[]", strict=True)},
}
"""Fullwidth letters and signs as their plain ones: the text keeps its length."""

_BEFORE_MARKER = re.compile(
    r"[\W_]*(?:(?:my|the|so|thus|therefore|hence|and|in|short|final|overall|correct|right|best|step|\d+)\b"
    r"[\W_]*)*",
    re.IGNORECASE,
)
_FINISHED = re.compile(r"[.!?)\]}\"'*_`$|:~>…]\s*\Z")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The letter chosen (None: none, or several), where it stands, in which words, and what is wrong."""

    letter: str | None
    where: str
    words: str
    problem: str = ""

    @property
    def why(self) -> str:
        """The reason for the letter, or for none, in a sentence."""
        if self.letter is None:
            return f"no letter: {self.problem}; the words read are {self.words!r}"
        return f"{self.letter}, {self.where}: {self.words!r}"


def chosen(answer: str, options: str, marker: str) -> Chosen:
    """Return the option that an answer settles on.

    Looks after the last marker; without one, at the last `\\boxed{}` or sentence that states the
    answer; without those, at a letter that opens or ends the answer; at last at the only option named.
    Options that are denied do not count. Two letters in one breath contradict each other, and so do two
    ends of an answer, unless words between them withdraw the first (`Actually, C`).
    """
    how = patterns(options)
    found = _found(denied_hidden(visible(answer).translate(_WIDE), how), marker, how)
    return replace(found, words=shown_again(found.words))


def _found(text: str, marker: str, how: Patterns) -> Chosen:
    if marked := last_marker(text, marker):
        start, end = line_after(text, marked[1])
        found = _from_words(text[start:end], f"after the last {marker!r}", how)
        if found.letter or found.problem.startswith("contradictory") or _opens_line(text, marked[0]):
            mended = _corrected(text[end:], found, how)
            return mended or _against_neighbour(text, marked[0], marker, found, how)
    whole = how.opening.fullmatch(text.strip())
    if whole:
        return Chosen(letter_of(whole), "the whole answer", cut(text.strip()))
    return _stated(text, how) or _at_an_end(text, how) or _only_named(text, how)


def _contradictory(letters: Iterable[str], where: str, words: str) -> Chosen:
    return Chosen(None, where, words, f"contradictory letters: {' and '.join(dict.fromkeys(letters))}")


def _opens_line(text: str, at: int) -> bool:
    """Whether a marker stands at the head of its line (`My final answer:`), not inside a sentence."""
    return _BEFORE_MARKER.fullmatch(text, text.rfind("\n", 0, at) + 1, at) is not None


def _from_words(words: str, where: str, how: Patterns) -> Chosen:
    """The letter in words that are known to hold the answer."""
    bare = plain(words).strip() if "\\" in words or "$" in words else words.strip()
    shown = cut(words.strip())
    opening = how.opening.match(bare)
    if opening:
        rest = bare[opening.end() :]
        letters = [letter_of(opening), *_joined(rest, how)]
        if mended := _corrected(rest, Chosen(letters[0], where, shown), how):
            return replace(mended, words=shown)
    else:
        letters = [match[1] for match in how.single.finditer(bare)]
    if len(set(letters)) == 1:
        return Chosen(letters[0], where, shown)
    if letters:
        return _contradictory(letters, where, shown)
    return Chosen(None, where, shown, f"no letter {where}")


def _joined(rest: str, how: Patterns) -> list[str]:
    """What still belongs to a leading letter: `, C` or `or C`, but not the option's own text."""
    match = how.joined.match(rest)
    return how.letter.findall(match[0]) if match else []


def _corrected(rest: str, found: Chosen, how: Patterns) -> Chosen | None:
    """The letter that words behind a choice put in its place (`Actually, C.`)."""
    matches = list(how.corrected.finditer(rest))
    if not matches or found.letter is None:
        return None
    where = f"in a correction of the {found.letter} {found.where}"
    return Chosen(letter_of(matches[-1]), where, cut(f"{found.words} / {matches[-1][0].strip()}"))


def _against_neighbour(text: str, at: int, marker: str, found: Chosen, how: Patterns) -> Chosen:
    """Fail a letter whose neighbour, stated in the same breath, is another."""
    if found.letter is None or at == 0:
        return found
    start, end = line_before(text, at)
    before = text[start:end]
    earlier = last_marker(before, marker)
    if earlier is None or CORRECTION.search(before, earlier[1]):
        return found
    other = _from_words(before[earlier[1] :], found.where, how)
    if other.letter in (None, found.letter):
        return found
    words = cut(f"{before[earlier[0] :].strip()} / {found.words}")
    return _contradictory((str(other.letter), found.letter), found.where, words)


def _stated(text: str, how: Patterns) -> Chosen | None:
    """The last line that states the answer outright; two letters on it contradict each other."""
    claims = last_claims(text, how)
    box = last_box(text)
    if box and (not claims or box[0] >= claims[-1].start):
        found = _from_words(box[1], "in the last \\boxed{}", how)
        if found.letter or found.problem.startswith("contradictory"):
            return found
    if not claims:
        return None
    last = claims[-1]
    end = text.find("\n", last.end)
    end = end if end >= 0 else len(text)
    shown = cut(text[text.rfind("\n", 0, last.start) + 1 : end].strip())
    others = [claim for claim in claims if claim.letter != last.letter]
    corrected = bool(others) and CORRECTION.search(text, others[-1].end, last.end) is not None
    letters = [last.letter] if corrected else [claim.letter for claim in claims]
    letters += _joined(text[last.end : end], how)
    where = "where the answer is stated"
    if len(set(letters)) > 1:
        return _contradictory(letters, where, shown)
    where = f"{where}, as a correction" if corrected else where
    return _against_ends(text, last, Chosen(last.letter, where, shown), how)


def _against_ends(text: str, claim: Claim, found: Chosen, how: Patterns) -> Chosen:
    """Fail a statement when a first or last line of nothing but a letter says another."""
    for line in bare_ends(text, how):
        if line.letter == claim.letter or line.start <= claim.start < line.end:
            continue
        later = line.start > claim.start
        between = (claim.end, line.start) if later else (line.end, claim.start)
        if CORRECTION.search(text, *between) is None:
            letters = (claim.letter, line.letter) if later else (line.letter, claim.letter)
            return _contradictory(letters, f"{found.where} and on a line of its own", found.words)
        if later:
            words = cut(text[line.start : line.end].strip())
            return Chosen(line.letter, "alone on the final line, as a correction", words)
        found = replace(found, where=f"{found.where}, correcting the {line.letter} that opens the answer")
    return found


def _at_an_end(text: str, how: Patterns) -> Chosen | None:
    """A letter that opens the answer, or stands alone on its last line."""
    body = text.strip()
    opening = how.opening.match(body)
    start, end = final_line(text)
    closing = how.opening.fullmatch(text[start:end].strip())
    letters = [letter_of(match) for match in (opening, closing) if match]
    if not letters:
        return None
    if opening:
        letters += _joined(body[opening.end() :].partition("\n")[0], how)
    where = "at the start of the answer" if opening else "alone on the final line"
    shown = cut((body if opening else text[start:end].strip()).partition("\n")[0])
    if len(set(letters)) == 1:
        return Chosen(letters[0], where, shown)
    if opening and closing and CORRECTION.search(body, opening.end()):
        where = f"alone on the final line, correcting the {letters[0]} that opens the answer"
        return Chosen(letter_of(closing), where, cut(text[start:end].strip()))
    return _contradictory(letters, where, shown)


def _only_named(text: str, how: Patterns) -> Chosen:
    """The only option named in an answer that is complete; `C)` names one where it closes nothing."""
    named = [
        *how.named.finditer(text),
        *(label for label in how.label.finditer(text) if _closes(text, label)),
    ]
    letters = dict.fromkeys(letter_of(match) for match in named)
    meant = [match for match in named if not _listed(text, match) and not unsure(text, match)]
    finished = _FINISHED.search(text) is not None or not text.strip()
    if len(letters) == 1 and meant and finished:
        near = text[max(0, meant[0].start() - RUNS_ON) : meant[0].end() + RUNS_ON]
        return Chosen(next(iter(letters)), "the only option named", cut(near.strip()))
    problem = f"options are named and none is chosen: {', '.join(letters)}" if letters else "no letter"
    broken = "" if finished else "; the answer breaks off"
    return Chosen(None, "nowhere", cut(text[-200:].strip()), f"{problem}{broken}")


def _listed(text: str, named: re.Match[str]) -> bool:
    """Whether an option is quoted as in a list (`Option B: it is ...`)."""
    return text[named.end() : named.end() + RUNS_ON].lstrip("*_`)] ").startswith(":")


def _closes(text: str, label: re.Match[str]) -> bool:
    """Whether the bracket behind a letter closes nothing that its line opened."""
    line = text[text.rfind("\n", 0, label.start()) + 1 : label.start()]
    return line.count("(") <= line.count(")")
