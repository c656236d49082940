"""Reading which lettered option an answer chooses, and whether it contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from assay.grading.text.answer import cut, final_line, last_box, last_marker, line_after, line_before, visible
from assay.grading.text.letter_patterns import (
    LetterPatterns,
    hide_denied,
    letter_of,
    letter_patterns,
    unhide,
)
from assay.grading.text.lexicon import Lexicon
from assay.grading.text.plain_math import plain

_LETTERS = Lexicon("letters")

_WIDE = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord(wide): ascii_sign for wide, ascii_sign in zip("。、【】", ".,[]", strict=True)},
}
"""Fullwidth letters and signs with their ASCII forms; a translated text keeps its length."""


@dataclass(frozen=True, slots=True)
class LetterChoice:
    """The chosen letter (None for none or several), where it was found, its words, and the problem."""

    letter: str | None
    where: str
    words: str
    problem: str = ""

    @property
    def why(self) -> str:
        """A sentence that gives the reason for the letter, or for none."""
        if self.letter is None:
            return f"no letter: {self.problem}; the words read are {self.words!r}"
        return f"{self.letter}, {self.where}: {self.words!r}"


def chosen_letter(answer: str, options: str, marker: str) -> LetterChoice:
    """Return the option that an answer chooses in the end.

    It is read after the last marker; without one, from the last `\\boxed{}` or sentence that states the
    answer; without those, from a letter that begins or ends the answer; otherwise it is the only option
    named. Denied options do not count. Two letters in one statement are a contradiction, and so are different
    letters at the beginning and the end, unless words between them withdraw the first (`Actually, C`).
    """
    patterns = letter_patterns(options)
    choice = _read_choice(hide_denied(visible(answer).translate(_WIDE), patterns), marker, patterns)
    return replace(choice, words=unhide(choice.words))


def _read_choice(text: str, marker: str, patterns: LetterPatterns) -> LetterChoice:
    if marked := last_marker(text, marker):
        start, end = line_after(text, marked[1])
        choice = _from_words(text[start:end], f"after the last {marker!r}", patterns)
        if choice.letter or choice.problem.startswith("contradictory") or _opens_line(text, marked[0]):
            corrected = _corrected(text[end:], choice, patterns)
            return corrected or _against_neighbour(text, marked[0], marker, choice, patterns)
    whole = patterns.opening.fullmatch(text.strip())
    if whole:
        return LetterChoice(letter_of(whole), "the whole answer", cut(text.strip()))
    return _stated(text, patterns) or _at_an_end(text, patterns) or _only_named(text, patterns)


def _contradictory(letters: Iterable[str], where: str, words: str) -> LetterChoice:
    return LetterChoice(None, where, words, f"contradictory letters: {' and '.join(dict.fromkeys(letters))}")


def _opens_line(text: str, at: int) -> bool:
    """Return whether a marker begins its line (`My final answer:`) and is not inside a sentence."""
    return _LETTERS.before_a_marker.fullmatch(text, text.rfind("\n", 0, at) + 1, at) is not None


def _from_words(words: str, where: str, patterns: LetterPatterns) -> LetterChoice:
    """Return the choice in words that are known to contain the answer."""
    bare = plain(words).strip() if "\\" in words or "$" in words else words.strip()
    shown = cut(words.strip())
    opening = patterns.opening.match(bare)
    if opening:
        rest = bare[opening.end() :]
        letters = [letter_of(opening), *_joined(rest, patterns)]
        if corrected := _corrected(rest, LetterChoice(letters[0], where, shown), patterns):
            return replace(corrected, words=shown)
    else:
        letters = [match[1] for match in patterns.single.finditer(bare)]
    if len(set(letters)) == 1:
        return LetterChoice(letters[0], where, shown)
    if letters:
        return _contradictory(letters, where, shown)
    return LetterChoice(None, where, shown, f"no letter {where}")


def _joined(rest: str, patterns: LetterPatterns) -> list[str]:
    """Return the letters joined to a leading letter: `, C` or `or C`, but not the option's own text."""
    match = patterns.joined.match(rest)
    return patterns.letter.findall(match[0]) if match else []


def _corrected(rest: str, choice: LetterChoice, patterns: LetterPatterns) -> LetterChoice | None:
    """Return the choice that later words put in place of an earlier one (`Actually, C.`), or None."""
    matches = list(patterns.corrected.finditer(rest))
    if not matches or choice.letter is None:
        return None
    where = f"in a correction of the {choice.letter} {choice.where}"
    return LetterChoice(letter_of(matches[-1]), where, cut(f"{choice.words} / {matches[-1][0].strip()}"))


def _against_neighbour(
    text: str, at: int, marker: str, choice: LetterChoice, patterns: LetterPatterns
) -> LetterChoice:
    """Return the choice, or a contradiction if another letter is stated directly before it."""
    if choice.letter is None or at == 0:
        return choice
    start, end = line_before(text, at)
    before = text[start:end]
    earlier = last_marker(before, marker)
    if earlier is None or _LETTERS.correction.search(before, earlier[1]):
        return choice
    other = _from_words(before[earlier[1] :], choice.where, patterns)
    if other.letter in (None, choice.letter):
        return choice
    words = cut(f"{before[earlier[0] :].strip()} / {choice.words}")
    return _contradictory((str(other.letter), choice.letter), choice.where, words)


def _stated(text: str, patterns: LetterPatterns) -> LetterChoice | None:
    """Return the choice on the last line that states the answer; two letters on it are a contradiction."""
    claims = last_claims(text, patterns)
    box = last_box(text)
    if box and (not claims or box[0] >= claims[-1].start):
        choice = _from_words(box[1], "in the last \\boxed{}", patterns)
        if choice.letter or choice.problem.startswith("contradictory"):
            return choice
    if not claims:
        return None
    last = claims[-1]
    end = text.find("\n", last.end)
    end = end if end >= 0 else len(text)
    shown = cut(text[text.rfind("\n", 0, last.start) + 1 : end].strip())
    others = [claim for claim in claims if claim.letter != last.letter]
    corrected = bool(others) and _LETTERS.correction.search(text, others[-1].end, last.end) is not None
    letters = [last.letter] if corrected else [claim.letter for claim in claims]
    letters += _joined(text[last.end : end], patterns)
    where = "where the answer is stated"
    if len(set(letters)) > 1:
        return _contradictory(letters, where, shown)
    where = f"{where}, as a correction" if corrected else where
    return _against_ends(text, last, LetterChoice(last.letter, where, shown), patterns)


def _against_ends(
    text: str, claim: LetterClaim, choice: LetterChoice, patterns: LetterPatterns
) -> LetterChoice:
    """Return the choice, or a contradiction if a first or last line consists of another letter."""
    for line in bare_ends(text, patterns):
        if line.letter == claim.letter or line.start <= claim.start < line.end:
            continue
        later = line.start > claim.start
        between = (claim.end, line.start) if later else (line.end, claim.start)
        if _LETTERS.correction.search(text, *between) is None:
            letters = (claim.letter, line.letter) if later else (line.letter, claim.letter)
            return _contradictory(letters, f"{choice.where} and on a line of its own", choice.words)
        if later:
            words = cut(text[line.start : line.end].strip())
            return LetterChoice(line.letter, "on the final line, as a correction", words)
        choice = replace(choice, where=f"{choice.where}, correcting the {line.letter} that opens the answer")
    return choice


def _at_an_end(text: str, patterns: LetterPatterns) -> LetterChoice | None:
    """Return the letter that begins the answer, makes up its last line, or labels that line in bold."""
    body = text.strip()
    opening = patterns.opening.match(body)
    closing = final_letter(text, patterns)
    start, end = final_line(text)
    letters = [*([letter_of(opening)] if opening else []), *([closing.letter] if closing else [])]
    if not letters:
        return None
    if opening:
        letters += _joined(body[opening.end() :].partition("\n")[0], patterns)
    where = "at the start of the answer" if opening else "on the final line"
    shown = cut((body if opening else text[start:end].strip()).partition("\n")[0])
    if len(set(letters)) == 1:
        return LetterChoice(letters[0], where, shown)
    if opening and closing and _LETTERS.correction.search(body, opening.end()):
        where = f"on the final line, correcting the {letters[0]} that opens the answer"
        return LetterChoice(closing.letter, where, cut(text[start:end].strip()))
    return _contradictory(letters, where, shown)


def _only_named(text: str, patterns: LetterPatterns) -> LetterChoice:
    """Return the only option named in a complete answer; `C)` names one if it closes no bracket."""
    named = [
        *patterns.named.finditer(text),
        *(label for label in patterns.label.finditer(text) if _closes(text, label)),
    ]
    letters = dict.fromkeys(letter_of(match) for match in named)
    meant = [match for match in named if not _listed(text, match) and not unsure(text, match)]
    whole = finished(text)
    if len(letters) == 1 and meant and whole:
        near = text[max(0, meant[0].start() - RUNS_ON) : meant[0].end() + RUNS_ON]
        return LetterChoice(next(iter(letters)), "the only option named", cut(near.strip()))
    problem = f"options are named and none is chosen: {', '.join(letters)}" if letters else "no letter"
    broken = "" if whole else "; the answer breaks off"
    return LetterChoice(None, "nowhere", cut(text[-200:].strip()), f"{problem}{broken}")


def _listed(text: str, named: re.Match[str]) -> bool:
    """Return whether an option is named as in a list (`Option B: it is ...`)."""
    return text[named.end() : named.end() + RUNS_ON].lstrip("*_`)] ").startswith(":")


def _closes(text: str, label: re.Match[str]) -> bool:
    """Return whether the bracket after a letter is a label's: its line has no open bracket."""
    line = text[text.rfind("\n", 0, label.start()) + 1 : label.start()]
    return line.count("(") <= line.count(")")


_CLAIM_WORDS = (
    *("answer", "option", "choice", "choose", "chose", "pick", "select", "go with", "going with", "correct"),
    *("right", "best", "worst", "est ", "most ", "least ", "more ", "less ", "conclusion", "verdict"),
    *("decision", "response", "solution", "答案", "选", "actually", "wait", "sorry", "i mean", "no,", "no."),
    *("rather", "on reflection", "on second thought", "correction"),
)
"""A line without any of these makes no claim."""

RUNS_ON = 40
_CLAUSE_END = re.compile(r"[.!?\n]")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_LONGEST_SENTENCE = 400
_FINISHED = re.compile(r"[.!?)\]}\"'*_`$|:~>…]\s*\Z")
_BOLD = re.compile(r"[\s>#-]*(?:\*\*|__)")


@dataclass(frozen=True, slots=True)
class LetterClaim:
    """A letter and the span of the words that claim it."""

    letter: str
    start: int
    end: int


def last_claims(text: str, patterns: LetterPatterns) -> list[LetterClaim]:
    """Return the claims on the last line that makes any; a claim may continue on the lines below.

    A conditional claim (`if S = 1, the answer is A`) counts only if its line has no other claim and the
    answer is complete.
    """
    end = len(text)
    whole = finished(text)
    closing = patterns.final.search(text, max(0, end - 2 * RUNS_ON))
    if closing and (whole or not supposed(text, closing)):
        return [_claim(closing)]
    while True:
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].lower()
        if any(word in line for word in _CLAIM_WORDS) and patterns.mention.search(text, start, end + RUNS_ON):
            matches = [
                match
                for match in patterns.stated.finditer(text, start, end + RUNS_ON)
                if match.start() < end and not unsure(text, match)
            ]
            outright = [match for match in matches if not supposed(text, match)]
            if outright or (matches and whole):
                return [_claim(match) for match in outright or matches]
        if start == 0:
            return []
        end = start - 1


def _claim(match: re.Match[str]) -> LetterClaim:
    return LetterClaim(letter_of(match), match.start(), match.end())


def unsure(text: str, match: re.Match[str]) -> bool:
    """Return whether words about a letter are a question, denied or supposed."""
    if _LETTERS.unsure_before.search(text[max(0, match.start() - RUNS_ON) : match.start()]):
        return True
    ends = _CLAUSE_END.search(text, match.end())
    return ends is not None and ends[0] == "?"


def supposed(text: str, match: re.Match[str]) -> bool:
    """Return whether a claim is conditional by its sentence, or by a `Suppose` before its `Then`.

    A conclusion that ends the text (`If we adjust, no path is open, so the answer is B`) is unconditional.
    """
    if _LETTERS.supposed_after.match(text, match.end()):
        return True
    floor = max(0, match.start() - _LONGEST_SENTENCE)
    starts = [floor, *(stop.end() for stop in _SENTENCE_END.finditer(text, floor, match.start()))]
    head = text[starts[-1] : match.end()]
    if len(starts) > 1 and head.lstrip(" \n*_>-").lower().startswith("then"):
        starts.pop()
    if not text[match.end() :].strip(" \n*_`)$.") and _LETTERS.concluded.search(head):
        return False
    return _LETTERS.supposed.match(text, starts[-1], match.end()) is not None


def finished(text: str) -> bool:
    """Return whether a text ends like a complete sentence, bracket or markup, or is empty."""
    return _FINISHED.search(text) is not None or not text.strip()


def final_letter(text: str, patterns: LetterPatterns) -> LetterClaim | None:
    """Return the letter that makes up the last line, or the label of an option that it repeats in bold.

    In a list of options the last line is no repetition: the same label must have begun an earlier line, or no
    line with a label comes before.
    """
    start, end = final_line(text)
    line = text[start:end]
    if alone := patterns.opening.fullmatch(line.strip()):
        return LetterClaim(letter_of(alone), start, end)
    label = patterns.option.match(text, start, end)
    if label is None or _BOLD.match(line) is None or not finished(text):
        return None
    letter = letter_of(label)
    earlier = {letter_of(match) for match in patterns.option.finditer(text, 0, start)}
    return LetterClaim(letter, start, end) if letter in earlier or not earlier else None


def bare_ends(text: str, patterns: LetterPatterns) -> list[LetterClaim]:
    """Return the first line if it consists of a letter, and the last line if it gives one."""
    begin = len(text) - len(text.lstrip())
    line_end = text.find("\n", begin)
    first_end = line_end if line_end >= 0 else len(text)
    first = patterns.opening.fullmatch(text[begin:first_end].strip())
    opening = LetterClaim(letter_of(first), begin, first_end) if first else None
    return [claim for claim in (opening, final_letter(text, patterns)) if claim]
