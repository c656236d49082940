"""A rule-based sentence splitter, and the constraints that count sentences.

A sentence ends at `.`, `!`, `?` or `…`, including closing quotation marks and brackets, before a space or the
end. It does not end at the full stop of an abbreviation, an initial or a list number, or at a quoted question
or exclamation inside it (followed by a lower-case letter). Chinese and Japanese marks need no space. The end
of a line does not end a sentence: a heading belongs to the sentence after it, as in IFEval's reference.
"""

from __future__ import annotations

import re

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    allowed_range,
    compare_count,
    count,
    kind,
    relation,
)
from assay.grading.constraint_kinds.words import written
from assay.grading.parameters import Parameters
from assay.grading.text.lexicon import single_words

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
    """Return the stripped sentences in order; text without a letter or digit is no sentence."""
    parts, start = [], 0
    for mark in MARK.finditer(answer):  # many times faster than searching for END itself
        end = END.match(answer, mark.start())
        if end and _ends(answer, start, end):
            parts.append(answer[start : end.end()].strip())
            start = end.end()
    parts.append(answer[start:].strip())
    return [sentence for sentence in parts if any(character.isalnum() for character in sentence)]


def sentences_by_block(answer: str) -> list[str]:
    """Return the sentences; a blank line, a heading, a list item and a table's row also begin a new one."""
    return [sentence for block in BLOCK.split(answer) for sentence in sentences(block)]


def _ends(answer: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a mark ends the sentence that began at `start`."""
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
    """Return whether the full stop after this word only marks an abbreviation."""
    name = word.casefold()
    following = answer[after : after + 40].lstrip(" \t\n\"'“‘([*_")
    if not following:
        return False
    if name == "no":
        return following[0].isdigit()
    if name in single_words("abbreviations", "never last"):
        return True
    if name in single_words("abbreviations", "sometimes last") or (
        len(word) == 1 and word.isupper() and word != "I"
    ):
        opener = re.match(r"[A-Za-z]+", following)
        return not (
            following[0].isupper()
            and opener
            and opener.group().casefold() in single_words("abbreviations", "openers")
        )
    return False


def _small(answer: str, after: int) -> bool:
    following = answer[after : after + 40].lstrip()
    return bool(following) and following[0].islower()


@kind(
    "length_constraints:number_sentences",
    relation(),
    count("num_sentences"),
    demands=lambda given: Demands(
        ranges=(allowed_range("sentences", given["relation"], given["num_sentences"]),)
    ),
    about=HelpText("""
        The answer has a certain number of sentences.

        A sentence ends at a full stop, question mark or exclamation mark before a space. Abbreviations and
        the numbers of a list do not end one. A heading or a line without a mark belongs to the sentence
        that follows it.

        Answers written as lists are counted in surprising ways, because list items often have no full stop.
        Compare the number in the evidence with the text and count the marks.
    """),
)
def _number(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(
        len(sentences(answer)), parameters["relation"], parameters["num_sentences"], "sentences"
    )


@kind(
    "assay:max_sentence_words",
    count("max_words"),
    about=HelpText("""
        No sentence of the answer has more than a certain number of words.

        Blank lines, headings and list items begin new sentences, so a list does not add up to one long
        sentence. Words are counted as people count them.

        The evidence quotes the longest sentence with its number of words. If it contains an abbreviation
        that ended it too late, the abbreviation is not known.
    """),
)
def _longest(answer: str, parameters: Parameters) -> ConstraintFinding:
    most = parameters["max_words"]
    longest = max(sentences_by_block(answer), key=lambda sentence: len(written(sentence)), default="")
    length = len(written(longest))
    counted = {"longest": length, "sentence": longest[:200]}
    return ConstraintFinding(length <= most, counted, f"at most {most} words in each sentence")
