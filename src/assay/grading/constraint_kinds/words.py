"""Constraints on words: their number, and words that must or must not occur."""

from __future__ import annotations

import re

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    Range,
    allowed_range,
    compare_count,
    count,
    kind,
    letter,
    relation,
    text,
    texts,
)
from assay.grading.parameters import Parameters


def _occurrences(word: str, answer: str) -> int:
    return len(re.findall(re.escape(word), answer, re.IGNORECASE))


def whole_word(word: str) -> re.Pattern[str]:
    """Return a pattern of a whole word: no letter or digit next to it, ignoring case."""
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


@kind(
    "keywords:existence",
    texts("keywords"),
    demands=lambda given: Demands(phrases=tuple(given["keywords"])),
    about=HelpText("""
        Each keyword occurs in the answer at least once.

        Capitals do not matter, and a keyword inside a longer word counts: "art" is found in "start". That
        is how IFEval's reference checker reads it, so the constraint is easier than it looks.

        The evidence counts each keyword; one with 0 broke the constraint. If only whole words should count,
        use `assay:keyword_order` or a pattern with word boundaries in `assay:regex`.
    """),
)
def _existence(answer: str, parameters: Parameters) -> ConstraintFinding:
    counts = {word: _occurrences(word, answer) for word in parameters["keywords"]}
    return ConstraintFinding(all(counts.values()), counts, "each keyword at least once")


def _frequency_demands(given: Parameters) -> Demands:
    allowed = allowed_range(
        f"occurrences of {given['keyword'].strip().casefold()!r}", given["relation"], given["frequency"]
    )
    return Demands((allowed,), phrases=(given["keyword"].strip(),) if allowed.least else ())


@kind(
    "keywords:frequency",
    text("keyword"),
    relation(),
    count("frequency"),
    demands=_frequency_demands,
    about=HelpText("""
        One keyword occurs a certain number of times: at least, at most, exactly and so on.

        Capitals do not matter, and parts of longer words count ("cat" in "category"). Models lose count
        from about four repetitions on.

        Compare the counted number with the wanted one in the evidence. If the count is too high, look for
        the keyword inside other words.
    """),
)
def _frequency(answer: str, parameters: Parameters) -> ConstraintFinding:
    word = parameters["keyword"].strip()
    return compare_count(
        _occurrences(word, answer), parameters["relation"], parameters["frequency"], repr(word)
    )


@kind(
    "keywords:forbidden_words",
    texts("forbidden_words"),
    demands=lambda given: Demands(words=tuple(given["forbidden_words"])),
    about=HelpText("""
        None of the forbidden words occurs in the answer.

        Only whole words count, in any capitals: "use" is not found in "because". Other forms of a word are
        other words, so "uses" is allowed unless it is listed.

        The evidence counts each word. An answer that only mentions the ban ("I will avoid 'use'") breaks it
        too; the auto-check `banned_words` is milder there and also reads inflected forms.
    """),
)
def _forbidden(answer: str, parameters: Parameters) -> ConstraintFinding:
    counts = {word: len(whole_word(word).findall(answer)) for word in parameters["forbidden_words"]}
    return ConstraintFinding(not any(counts.values()), counts, "none of these words")


def _letter_demands(given: Parameters) -> Demands:
    mark = given["letter"].casefold()
    return Demands(
        (allowed_range(f"occurrences of {mark!r}", given["let_relation"], given["let_frequency"]),)
    )


@kind(
    "keywords:letter_frequency",
    letter(),
    relation("let_relation"),
    count("let_frequency"),
    demands=_letter_demands,
    about=HelpText("""
        A letter occurs a certain number of times in the answer, as a capital or small letter.

        Models read words in pieces of several letters, so counting letters is hard for them. Every
        occurrence counts, also in headings and in a closing remark.

        Compare counted and wanted numbers in the evidence. Mind the relation: `less than 3` allows two.
    """),
)
def _letter_frequency(answer: str, parameters: Parameters) -> ConstraintFinding:
    mark = parameters["letter"].lower()
    number = answer.lower().count(mark)
    return compare_count(number, parameters["let_relation"], parameters["let_frequency"], repr(mark))


def _one_letter_absent(given: Parameters) -> Demands:
    mark = given["letter"].casefold()
    return Demands((Range(f"occurrences of {mark!r}", 0, 0),), letters=mark)


@kind(
    "assay:no_letter",
    letter(),
    demands=_one_letter_absent,
    about=HelpText("""
        A certain letter does not occur anywhere in the answer (a lipogram), neither as a capital nor as a
        small letter.

        One overlooked word is enough, and models overlook words in the opening and the closing sentence
        most of all.

        The evidence counts the letter and quotes the first words that contain it.
    """),
)
def _no_letter(answer: str, parameters: Parameters) -> ConstraintFinding:
    mark = parameters["letter"].casefold()
    words = [word for word in answer.split() if mark in word.casefold()]
    counted = {"count": answer.casefold().count(mark), "words": words[:5]}
    return ConstraintFinding(not words, counted, f"no {mark!r}")


def _distinct(given: Parameters) -> tuple[str, ...]:
    words = [word.casefold() for word in given["keywords"]]
    return () if len(set(words)) == len(words) else (f"keywords repeats a word: {given['keywords']!r}",)


@kind(
    "assay:keyword_order",
    texts("keywords"),
    demands=lambda given: Demands(phrases=tuple(given["keywords"])),
    extra_problems=_distinct,
    about=HelpText("""
        All keywords occur as whole words, and their first occurrences are in the given order.

        Only the first occurrence of each counts. An introduction that names a later keyword early breaks
        the order, even if the rest follows it.

        The evidence gives the position of each first occurrence, counted in characters; none means that the
        word does not occur.
    """),
)
def _order(answer: str, parameters: Parameters) -> ConstraintFinding:
    positions = [
        match.start() if (match := whole_word(word).search(answer)) else None
        for word in parameters["keywords"]
    ]
    known = [position for position in positions if position is not None]
    followed = len(known) == len(positions) and known == sorted(known)
    counted = dict(zip(parameters["keywords"], positions, strict=True))
    return ConstraintFinding(
        followed, counted, "first occurrences in this order: " + ", ".join(parameters["keywords"])
    )


RUN = re.compile(r"\w+")


def runs(answer: str) -> list[str]:
    """Return the runs of letters, digits and underscores, which are IFEval's words ("don't" is two)."""
    return RUN.findall(answer)


def written(answer: str) -> list[str]:
    """Return the parts between spaces that contain a letter or digit ("don't" is one)."""
    return [part for part in answer.split() if part[0].isalnum() or any(map(str.isalnum, part))]


@kind(
    "length_constraints:number_words",
    relation(),
    count("num_words"),
    demands=lambda given: Demands(ranges=(allowed_range("words", given["relation"], given["num_words"]),)),
    about=HelpText("""
        The answer has a certain number of words, counted as IFEval does.

        A word is a run of letters, digits and underscores, so "don't" is two words and "well-known" two as
        well. Text editors count fewer.

        If the counted number is a little above what you expect, contractions and hyphens are the reason.
        For words as people count them use `assay:word_count_between`.
    """),
)
def _number(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(len(runs(answer)), parameters["relation"], parameters["num_words"], "words")


def _ends_in_order(parameters: Parameters) -> tuple[str, ...]:
    if parameters["min_words"] > parameters["max_words"]:
        return (f"min_words {parameters['min_words']} is above max_words {parameters['max_words']}",)
    return ()


@kind(
    "assay:word_count_between",
    count("min_words"),
    count("max_words"),
    demands=lambda given: Demands(
        ranges=(
            Range("words as written", given["min_words"], given["max_words"]),
            Range("words", given["min_words"], None),
        )
    ),
    extra_problems=_ends_in_order,
    about=HelpText("""
        The number of words is between a minimum and a maximum, both included, counted as people count them.

        Words are what spaces separate: "don't" and "well-known" are one word each, a lone dash or bullet is
        none. The whole answer counts, with headings and closing remarks.

        Compare the count in the evidence with both limits. If only the main text should count, use the
        auto-check `word_count`.
    """),
)
def _between(answer: str, parameters: Parameters) -> ConstraintFinding:
    least, most = parameters["min_words"], parameters["max_words"]
    counted = len(written(answer))
    return ConstraintFinding(least <= counted <= most, counted, f"{least} to {most} words")
