"""Constraints on content: the beginning and end, a repeated prompt, placeholders, a pattern."""

from __future__ import annotations

import re

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    Range,
    compare_count,
    count,
    flag,
    kind,
    text,
)
from assay.grading.parameters import Parameters
from assay.grading.text import pattern


@kind(
    "startend:end_checker",
    text("end_phrase"),
    demands=lambda given: Demands(phrases=(given["end_phrase"],), ends=given["end_phrase"].strip()),
    about=HelpText("""
        The answer ends with a certain phrase, and nothing follows it.

        Capitals and a quotation mark around the whole answer do not matter. A full stop after the phrase
        does, unless the phrase has one.

        The evidence shows the last 80 characters. A closing courtesy after the phrase is the usual reason;
        `assay:ends_with` is the variant that respects capitals.
    """),
)
def _end(answer: str, parameters: Parameters) -> ConstraintFinding:
    phrase = parameters["end_phrase"].strip()
    stripped = answer.strip().strip('"')
    return ConstraintFinding(
        stripped.lower().endswith(phrase.lower()), stripped[-80:], f"ends with {phrase!r}"
    )


@kind(
    "startend:quotation",
    demands=lambda given: Demands(begins='"'),
    about=HelpText("""
        The whole answer is wrapped in double quotation marks.

        Only the straight mark `"` counts at both ends. Typographic quotation marks, or an introduction
        before the first mark, break it.

        The evidence gives the first and the last character of the answer.
    """),
)
def _quotation(answer: str, parameters: Parameters) -> ConstraintFinding:
    stripped = answer.strip()
    followed = len(stripped) > 1 and stripped[0] == stripped[-1] == '"'
    return ConstraintFinding(
        followed, [stripped[:1], stripped[-1:]], 'the whole answer in "double quotation marks"'
    )


@kind(
    "assay:starts_with",
    text("phrase"),
    flag("ignore_case"),
    demands=lambda given: Demands(phrases=(given["phrase"],), begins=given["phrase"].strip()),
    about=HelpText("""
        The answer begins with a certain phrase.

        Only blank space may come before it. Bold type, a quotation mark or "Sure!" in front makes it
        another beginning, and capitals count unless the suite sets `ignore_case`.

        The evidence shows the beginning that was found. The auto-check `constraint_check` also accepts the
        phrase in bold or in quotation marks.
    """),
)
def _starts_with(answer: str, parameters: Parameters) -> ConstraintFinding:
    stripped, phrase = answer.strip(), parameters["phrase"].strip()
    followed = _fold(stripped, parameters).startswith(_fold(phrase, parameters))
    return ConstraintFinding(followed, stripped[: len(phrase) + 20], f"begins with {phrase!r}")


@kind(
    "assay:ends_with",
    text("phrase"),
    flag("ignore_case"),
    demands=lambda given: Demands(phrases=(given["phrase"],), ends=given["phrase"].strip()),
    about=HelpText("""
        The answer ends with a certain phrase, and nothing follows it.

        Capitals count unless the suite sets `ignore_case`, and so does every mark of punctuation. Blank
        space after the phrase is ignored.

        The evidence shows the end that was found. IFEval's kind `startend:end_checker` ignores capitals and
        a closing quotation mark.
    """),
)
def _ends_with(answer: str, parameters: Parameters) -> ConstraintFinding:
    stripped, phrase = answer.strip(), parameters["phrase"].strip()
    followed = _fold(stripped, parameters).endswith(_fold(phrase, parameters))
    return ConstraintFinding(followed, stripped[-len(phrase) - 20 :], f"ends with {phrase!r}")


def _fold(stripped: str, parameters: Parameters) -> str:
    return stripped.casefold() if parameters.get("ignore_case", False) else stripped


STARS = "*" * 6


def responses(answer: str) -> list[str]:
    """Return the stripped parts between `******`; an empty part at either end is left out."""
    parts = [part.strip() for part in answer.split(STARS)]
    return [part for index, part in enumerate(parts) if part or 0 < index < len(parts) - 1]


@kind(
    "combination:two_responses",
    demands=lambda given: Demands(phrases=(STARS,)),
    about=HelpText("""
        The answer consists of exactly two different responses, separated by six asterisks: `******`.

        Any other divider, such as `***` or a heading "Response 2", leaves one response only. Two equal
        responses do not count either.

        The evidence gives the number of responses and how many of them are different. Six asterisks at the
        very beginning or end are harmless.
    """),
)
def _two_responses(answer: str, parameters: Parameters) -> ConstraintFinding:
    parts = responses(answer)
    followed = len(parts) == 2 and all(parts) and parts[0] != parts[1]
    counted = {"responses": len(parts), "different": len(set(parts))}
    return ConstraintFinding(followed, counted, f"two different responses parted by {STARS}")


def _repeat_demands(given: Parameters) -> Demands:
    prompt = given["prompt_to_repeat"].strip()
    return Demands(phrases=(prompt,), begins=prompt)


@kind(
    "combination:repeat_prompt",
    text("prompt_to_repeat"),
    demands=_repeat_demands,
    about=HelpText("""
        The answer first repeats a given request word for word, and then answers it.

        The repetition must be the very beginning, so an introduction such as "You asked:" or a quotation
        mark breaks it. Capitals do not matter.

        Compare the beginning in the evidence with the text, also its spaces and line breaks. `mode: loose`
        forgives one extra first line.
    """),
)
def _repeat_prompt(answer: str, parameters: Parameters) -> ConstraintFinding:
    prompt = parameters["prompt_to_repeat"].strip()
    stripped = answer.strip()
    followed = stripped.lower().startswith(prompt.lower())
    return ConstraintFinding(followed, stripped[: len(prompt)][:200], "begins with the prompt, word for word")


def _regex_problems(parameters: Parameters) -> tuple[str, ...]:
    least, most = _match_limits(parameters)
    problems = []
    if most is not None and least > most:
        problems.append(f"min_matches {least} is above max_matches {most}")
    if least == 0 and most is None:
        problems.append("min_matches 0 without max_matches allows every answer")
    unusable = pattern.problem(parameters["pattern"])
    return (*problems, unusable) if unusable else tuple(problems)


@kind(
    "assay:regex",
    text("pattern"),
    count("min_matches", required=False),
    count("max_matches", required=False),
    flag("ignore_case"),
    extra_problems=_regex_problems,
    about=HelpText("""
        A regular expression occurs a certain number of times in the answer: at least once, unless the suite
        gives other limits.

        It covers formats that have no kind of their own, such as dates as `2026-11-20`. `max_matches: 0`
        forbids the pattern. `^` and `$` match at line ends.

        The evidence gives the number of matches and the first three. Test the pattern on real answers:
        Markdown emphasis can stand in the middle of what it looks for.
    """),
)
def _matches(answer: str, parameters: Parameters) -> ConstraintFinding:
    compiled = pattern.compiled(parameters["pattern"], ignore_case=parameters.get("ignore_case", False))
    least, most = _match_limits(parameters)
    found = [match.group()[:80] for match in compiled.finditer(answer[: pattern.LONGEST])]
    followed = least <= len(found) and (most is None or len(found) <= most)
    upper = "" if most is None else f", at most {most}"
    return ConstraintFinding(
        followed, {"matches": len(found), "first": found[:3]}, f"at least {least}{upper} matches"
    )


def _match_limits(parameters: Parameters) -> tuple[int, int | None]:
    most = parameters.get("max_matches")
    return parameters.get("min_matches", 0 if most == 0 else 1), most


def placeholders(answer: str) -> int:
    """Return the number of `[...]` within one line."""
    number = 0
    for line in answer.split("\n"):
        start = line.find("[")
        while start >= 0 and (end := line.find("]", start)) >= 0:
            number += 1
            start = line.find("[", end)
    return number


@kind(
    "detectable_content:number_placeholders",
    count("num_placeholders"),
    demands=lambda given: Demands(ranges=(Range("placeholders", given["num_placeholders"], None),)),
    about=HelpText("""
        The answer contains at least so many placeholders in square brackets, such as `[address]`.

        They are used for letters and forms with blanks to fill in. Each pair of brackets on one line
        counts, whatever stands in between, also a Markdown link or a reference `[1]`.

        Count the brackets. Placeholders in other marks, such as `{name}` or `<name>`, do not count.
    """),
)
def _placeholders(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(
        placeholders(answer), "at least", parameters["num_placeholders"], "placeholders in [brackets]"
    )


def postscript(marker: str) -> re.Pattern[str]:
    """Return a pattern of a postscript: P.S. and P.P.S with or without spaces, or the marker itself."""
    match marker.strip().upper():
        case "P.P.S":
            body = r"p\.\s?p\.\s?s"
        case "P.S.":
            body = r"p\.\s?s\."
        case _:
            body = re.escape(marker.strip())
    return re.compile(body, re.IGNORECASE)


@kind(
    "detectable_content:postscript",
    text("postscript_marker"),
    demands=lambda given: Demands(phrases=(given["postscript_marker"],)),
    about=HelpText("""
        The answer contains a postscript that begins with a certain marker, `P.S.` or `P.P.S`.

        The marker is found in any capitals and with spaces between its letters ("P. S."). It need not be at
        the end, so a mention of the marker is enough.

        The evidence quotes the postscript that was found. Without one, look for another spelling, such as
        "PS:", which does not count.
    """),
)
def _postscript(answer: str, parameters: Parameters) -> ConstraintFinding:
    marker = parameters["postscript_marker"]
    match = postscript(marker).search(answer)
    shown = answer[match.start() : match.end() + 60] if match else None
    return ConstraintFinding(match is not None, shown, f"a postscript that begins with {marker!r}")
