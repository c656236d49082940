"""Constraints on language, upper and lower case, and punctuation."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from langdetect import LangDetectException
from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    allowed_range,
    compare_count,
    count,
    kind,
    relation,
    text,
)
from assay.grading.parameters import Parameters

# Word separators for counting capitals: spaces, marks, and apostrophes, so that "I'm" contains the word "I".
SEPARATORS = re.compile(r"[\s,;:?!()\[\]{}<>\"“”«»'’‘`&@#$%…]+|--+")


def capital_words(answer: str) -> list[str]:
    """Return the words whose letters are all capitals, such as "I", "U.S." and "CO2", but not "12"."""
    return [word for word in SEPARATORS.split(answer) if word.isupper()]


@kind(
    "change_case:capital_word_frequency",
    relation("capital_relation"),
    count("capital_frequency"),
    demands=lambda given: Demands(
        ranges=(allowed_range("words in capitals", given["capital_relation"], given["capital_frequency"]),)
    ),
    about=HelpText("""
        A certain number of words in the answer are written in capitals only.

        "I" and "A" at the beginning of a sentence count, and so do abbreviations such as "U.S." and "CO2".
        An answer in normal prose therefore has more of them than it seems.

        Compare counted and wanted numbers. If the limit is low, count each "I" first.
    """),
)
def _capital_words(answer: str, parameters: Parameters) -> ConstraintFinding:
    number = len(capital_words(answer))
    how, wanted = parameters["capital_relation"], parameters["capital_frequency"]
    return compare_count(number, how, wanted, "words in capitals")


@kind(
    "change_case:english_capital",
    demands=lambda given: Demands(case="upper", language="en"),
    about=HelpText("""
        The answer is in English and has no small letter.

        A single small letter anywhere breaks it, for example in a unit ("km") or a code block. The language
        is langdetect's guess and only counts if it has one.

        The evidence gives the number of small letters and the guessed language. Text in capitals is
        sometimes taken for another language.
    """),
)
def _capital(answer: str, parameters: Parameters) -> ConstraintFinding:
    return _one_case(answer, answer.isupper(), str.islower, "capital letters only, in English")


@kind(
    "change_case:english_lowercase",
    demands=lambda given: Demands(case="lower", language="en"),
    about=HelpText("""
        The answer is in English and has no capital letter.

        "I", names, abbreviations and the beginnings of sentences are all small. One capital is enough to
        break it.

        The evidence gives the number of capital letters and the guessed language, which can be wrong for
        very short answers.
    """),
)
def _lowercase(answer: str, parameters: Parameters) -> ConstraintFinding:
    return _one_case(answer, answer.islower(), str.isupper, "small letters only, in English")


def _one_case(answer: str, holds: bool, offends: Callable[[str], bool], wanted: str) -> ConstraintFinding:
    language = detect(answer)
    others = sum(1 for character in answer if offends(character))
    counted = {"letters of the other case": others, "language": language}
    return ConstraintFinding(holds and language in ("en", None), counted, wanted)


@kind(
    "punctuation:no_comma",
    demands=lambda given: Demands(letters=","),
    about=HelpText("""
        The answer contains no comma.

        Every comma counts, also in numbers such as "1,000", in code and in a quotation. Commas of other
        scripts, such as the Chinese one, do not.

        The evidence gives the number of commas. Look at numbers and at the closing courtesy first.
    """),
)
def _no_comma(answer: str, parameters: Parameters) -> ConstraintFinding:
    counted = answer.count(",")
    return ConstraintFinding(not counted, counted, "no comma")


_CODES = """
af ar bg bn ca cs cy da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk ml mr ne nl no pa pl
pt ro ru sk sl so sq sv sw ta te th tl tr uk ur vi zh-cn zh-tw
"""
CODES = tuple(_CODES.split())
"""The languages that langdetect knows."""


@cache
def _detectors() -> DetectorFactory:
    """Return langdetect's profiles in a factory with a seed; the library's shared one has none."""
    factory = DetectorFactory()
    factory.load_profile(PROFILES_DIRECTORY)
    factory.set_seed(0)
    return factory


def detect(answer: str) -> str | None:
    """Return the code of the language, None if it cannot be determined; the same text gives the same code."""
    detector = _detectors().create()
    detector.append(answer)
    try:
        code: str = detector.detect()
    except LangDetectException:
        return None
    return code if code != "unknown" else None


@kind(
    "language:response_language",
    text("language", choices=CODES),
    demands=lambda given: Demands(language=given["language"]),
    about=HelpText("""
        The answer is in a certain language, by the first guess of the library langdetect.

        Short answers and answers with much code are guessed badly. Between close languages (Danish and
        Norwegian, for example) the guess can be wrong even for a paragraph.

        The evidence gives the guessed code; it is none if there is nothing to go by, such as digits only.
        The codes are langdetect's: `de`, `pt`, `zh-cn`.
    """),
)
def _response_language(answer: str, parameters: Parameters) -> ConstraintFinding:
    wanted = parameters["language"]
    language = detect(answer)
    return ConstraintFinding(language == wanted, language, f"language {wanted}")
