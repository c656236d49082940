"""Sentences: a splitter by rules, and the constraints that count them.

A sentence ends at `.`, `!`, `?` or `…`, with the quotation marks and brackets that close after it, before a
space or the end. It does not end at the full stop of an abbreviation, of an initial or of a list's number,
nor at a quoted question or exclamation within it (a small letter follows the quotation mark). Chinese and
Japanese marks need no space. A line's end closes no sentence by itself: a heading belongs to the
sentence after it, as in IFEval's reference.
"""

from __future__ import annotations

import re

from assay.grading.constraint_kinds.abbreviations import NEVER_LAST, OPENERS, SOMETIMES_LAST
from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    allow,
    compared,
    count,
    relation,
)
from assay.grading.constraint_kinds.words import written

MARKS = ".!?…؟।॥"
CLOSING = r"[\"'”’)\]}*_»」』]*+"
END = re.compile(
    rf"(?<![{MARKS}])(?P<mark>[{MARKS}]++)(?P<closing>{CLOSING})(?=\s|$)|(?P<wide>[。！？]++){CLOSING}"
)
MARK = re.compile(rf"[{MARKS}。！？]")
WORD_BEFORE = re.compile(r"[^\s\"'“”‘’(\[{*_]+$")
LONGEST_WORD = 60
BLOCK = re.compile(r"\n(?=[ \t]*(?:\n|[-*+•#|>]|\d{1,3}[.)]\s))")
LIST_NUMBER = re.compile(r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})$")


def sentences(answer: str) -> list[str]:
    """Return the sentences, stripped, in order; text without a letter or digit is none."""
    found, start = [], 0
    for mark in MARK.finditer(answer):  # many times faster than searching for END itself
        end = END.match(answer, mark.start())
        if end and _ends(answer, start, end):
            found.append(answer[start : end.end()].strip())
            start = end.end()
    found.append(answer[start:].strip())
    return [sentence for sentence in found if any(character.isalnum() for character in sentence)]


def sentences_by_block(answer: str) -> list[str]:
    """Return the sentences, where a blank line, a heading, a list item or a table's row begins a new one."""
    return [sentence for block in BLOCK.split(answer) for sentence in sentences(block)]


def _ends(answer: str, start: int, end: re.Match[str]) -> bool:
    """Return whether the mark found ends the sentence that began at `start`."""
    if end["wide"]:
        return True
    quoted = end["closing"].strip("*_)]}") != ""
    if (quoted or end["mark"].strip(".…") == "") and end["mark"] != "." and _small(answer, end.end()):
        return False
    if end["mark"] != ".":
        return True
    line = answer.rfind("\n", start, end.start()) + 1
    before = answer[max(start, line) : end.start()]
    if LIST_NUMBER.fullmatch(before.strip(" \t>*_#-(")) and not end["closing"].strip("*_"):
        return False
    word = WORD_BEFORE.search(before[-LONGEST_WORD:])
    return word is None or not _abbreviates(word.group(), answer, end.end())


def _abbreviates(word: str, answer: str, after: int) -> bool:
    """Return whether the full stop after this word belongs to the word alone."""
    name = word.casefold()
    following = answer[after : after + 40].lstrip(" \t\n\"'“‘([*_")
    if not following:
        return False
    if name == "no":
        return following[0].isdigit()
    if name in NEVER_LAST:
        return True
    if name in SOMETIMES_LAST or (len(word) == 1 and word.isupper() and word != "I"):
        opener = re.match(r"[A-Za-z]+", following)
        return not (following[0].isupper() and opener and opener.group().casefold() in OPENERS)
    return False


def _small(answer: str, after: int) -> bool:
    following = answer[after : after + 40].lstrip()
    return bool(following) and following[0].islower()


def _number(answer: str, parameters: Parameters) -> Finding:
    return compared(len(sentences(answer)), parameters["relation"], parameters["num_sentences"], "sentences")


def _longest(answer: str, parameters: Parameters) -> Finding:
    most = parameters["max_words"]
    longest = max(sentences_by_block(answer), key=lambda sentence: len(written(sentence)), default="")
    length = len(written(longest))
    counted = {"longest": length, "sentence": longest[:200]}
    return Finding(length <= most, counted, f"at most {most} words in each sentence")


KINDS = (
    Kind(
        "length_constraints:number_sentences",
        (relation(), count("num_sentences")),
        _number,
        lambda given: Demands(ranges=(allow("sentences", given["relation"], given["num_sentences"]),)),
    ),
    Kind("assay:max_sentence_words", (count("max_words"),), _longest),
)
