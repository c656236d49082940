"""The `choice` grader: the letter of the option that an answer chooses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.parameters import Parameters
from assay.grading.text.answer import DEFAULT_MARKER
from assay.grading.text.letters import chosen_letter


@dataclass(frozen=True, slots=True)
class ChoiceKey:
    """The right letter, the letters of all options, and the marker."""

    letter: str
    options: str
    marker: str


def _problems(parameters: Parameters) -> Iterator[str]:
    options = parameters.get("options", "ABCD")
    if not isinstance(options, str) or len(options) < 2 or not options.isalnum():
        yield f"options must be the letters in a row, like 'ABCD', not {options!r}"
    elif len(set(options.upper())) != len(options):
        yield f"options {options!r} repeat a letter: write each once"
    elif not isinstance(expect := parameters.get("expect"), str) or len(expect) != 1:
        yield f"expect must be one letter of {options!r}, in quotes, not {expect!r}"
    elif expect.upper() not in options.upper():
        yield f"expect {expect!r} is not one of the options {options!r}"
    marker = parameters.get("marker", DEFAULT_MARKER)
    if not isinstance(marker, str) or not marker.strip(" :"):
        yield f"marker must be text such as 'ANSWER:', not {marker!r}"


def _key(*, expect: str, options: str = "ABCD", marker: str = DEFAULT_MARKER) -> ChoiceKey:
    return ChoiceKey(expect.upper(), options.upper(), marker.strip())


@check(
    "choice",
    version="3",
    prepare=_key,
    problems=_problems,
    about=HelpText("""
        Marks 1 if the answer chooses the expected letter of a multiple-choice question, else 0.

        A letter must be read from free text, where "a" can be an article and "B" a variable. If no letter,
        or two contradictory ones, can be read, the answer is wrong and counted as unread, so that boards
        can state both accuracies.

        `why` in the evidence says where the letter was found and in which words. If it was misread, see
        whether the answer states a letter at all; asking for a last line `ANSWER: B` in the prompt avoids
        doubt.
    """),
)
def choice(answer: str, key: ChoiceKey) -> Grade:
    """Return 1 if the answer chooses the expected letter, else 0.

    Parameters: `expect` (a letter), `options` (the letters of all options, default "ABCD"), `marker` (default
    `ANSWER:`). In the evidence `valid` is true for a wrong letter, and false for none or several that
    contradict each other; `why` gives where the letter was found and in which words, or why there is none.
    Version 2 reads more statements, and denials and corrections; version 3 distinguishes a choice from a
    conditional claim and from a variable's name, and reads an option that the last line repeats in bold.
    """
    choice = chosen_letter(answer, key.options, key.marker)
    right = choice.letter == key.letter
    evidence = {
        "expected": key.letter,
        "letter": choice.letter,
        "valid": choice.letter is not None,
        "where": choice.where,
        "words": choice.words,
        "why": choice.why,
        "verdict": choice.problem or ("the right letter" if right else "another letter"),
    }
    return Grade(1.0 if right else 0.0, evidence)
