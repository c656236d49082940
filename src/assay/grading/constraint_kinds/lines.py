"""Constraints on lines, list items, sections and paragraphs."""

from __future__ import annotations

import re
import unicodedata

from assay.core.documented import HelpText
from assay.grading.constraint_kinds.kind import (
    ConstraintFinding,
    Demands,
    Range,
    allowed_range,
    compare_count,
    count,
    flag,
    kind,
    relation,
    text,
    texts,
)
from assay.grading.constraint_kinds.sentences import sentences_by_block
from assay.grading.constraint_kinds.words import written
from assay.grading.parameters import Parameters

STARS = re.compile(r"\s?\*\*\*\s?")
STOPS = re.compile(r"[.,?!'\"]")


def starred(answer: str) -> list[str]:
    """Return the stripped parts between `***`; an empty part at either end is left out."""
    parts = [part.strip() for part in STARS.split(answer)]
    if parts and not parts[0]:
        parts = parts[1:]
    if parts and not parts[-1]:
        parts = parts[:-1]
    return parts


def blocks(answer: str) -> list[str]:
    """Return the parts between two line breaks, which are IFEval's paragraphs, including empty ones."""
    return [block.strip() for block in answer.split("\n\n")]


def paragraphs(answer: str) -> list[str]:
    """Return the stripped parts between blank lines."""
    return [part.strip() for part in re.split(r"\n[ \t]*\n", answer) if part.strip()]


@kind(
    "length_constraints:number_paragraphs",
    count("num_paragraphs"),
    demands=lambda given: Demands(
        ranges=(Range("paragraphs parted by ***", given["num_paragraphs"], given["num_paragraphs"]),)
    ),
    about=HelpText("""
        The answer consists of exactly so many paragraphs, separated by the Markdown divider `***`.

        Blank lines do not count here, only `***`. Many answers have the right number of paragraphs and the
        wrong divider.

        The evidence gives the number of parts and how many are empty; an empty part in the middle breaks
        the constraint. For blank lines use `assay:paragraph_count`.
    """),
)
def _number(answer: str, parameters: Parameters) -> ConstraintFinding:
    wanted = parameters["num_paragraphs"]
    parts = starred(answer)
    empty = sum(not part for part in parts)
    counted = {"paragraphs": len(parts), "empty": empty}
    return ConstraintFinding(
        not empty and len(parts) == wanted, counted, f"exactly {wanted} paragraphs parted by ***"
    )


def _in_place(parameters: Parameters) -> tuple[str, ...]:
    nth, number = parameters["nth_paragraph"], parameters["num_paragraphs"]
    if not 1 <= nth <= number:
        return (f"nth_paragraph {nth} is not among {number} paragraphs: write 1 to {number}",)
    return ()


@kind(
    "length_constraints:nth_paragraph_first_word",
    count("num_paragraphs"),
    count("nth_paragraph"),
    text("first_word"),
    demands=lambda given: Demands(
        ranges=(Range("paragraphs", given["num_paragraphs"], given["num_paragraphs"]),),
        phrases=(given["first_word"],),
    ),
    extra_problems=_in_place,
    about=HelpText("""
        The answer has exactly so many paragraphs, separated by blank lines, and a given one begins with a
        given word.

        Both parts must hold. Quotation marks before the word are skipped and the word ends at its first
        punctuation mark, but bold type around it makes it another word.

        The evidence gives the number of paragraphs and the first word that was read. `mode: loose` removes
        asterisks before it looks.
    """),
)
def _first_word(answer: str, parameters: Parameters) -> ConstraintFinding:
    wanted, nth = parameters["num_paragraphs"], parameters["nth_paragraph"]
    word = parameters["first_word"].strip().casefold()
    every = blocks(answer)
    number = sum(bool(block) for block in every)
    block = every[nth - 1] if nth <= number else ""
    first = _opening(block)
    counted = {"paragraphs": number, "first_word": first}
    asked = f"exactly {wanted} paragraphs parted by blank lines, number {nth} beginning with {word!r}"
    return ConstraintFinding(number == wanted and first == word, counted, asked)


def _opening(block: str) -> str:
    """Return the first word, without leading quotation marks, up to its first punctuation mark."""
    if not block:
        return ""
    word = block.split()[0].lstrip("'").lstrip('"')
    return STOPS.split(word)[0].casefold()


@kind(
    "assay:paragraph_count",
    relation(),
    count("num_paragraphs"),
    demands=lambda given: Demands(
        ranges=(allowed_range("paragraphs", given["relation"], given["num_paragraphs"]),)
    ),
    about=HelpText("""
        The answer has a certain number of paragraphs, separated by blank lines.

        Everything between two blank lines is one paragraph: a heading, a list, or a block of code as well.
        A heading followed by a blank line therefore adds one.

        Compare counted and wanted numbers, and count the headings. IFEval's kind
        `length_constraints:number_paragraphs` separates by `***` instead.
    """),
)
def _blank(answer: str, parameters: Parameters) -> ConstraintFinding:
    number = len(paragraphs(answer))
    return compare_count(number, parameters["relation"], parameters["num_paragraphs"], "paragraphs")


ITEM = re.compile(r"^(?:[-*+•–]\s+|\d{1,3}[.)]\s+)")
NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+\S")


def lines(answer: str) -> list[str]:
    """Return the stripped lines that are not blank."""
    return [line.strip() for line in answer.splitlines() if line.strip()]


def items(answer: str) -> list[str]:
    """Return the texts of the bullet and numbered lines."""
    return [ITEM.sub("", line) for line in lines(answer) if ITEM.match(line)]


def _parts(answer: str, of: str) -> list[str]:
    match of:
        case "items":
            return items(answer)
        case "sentences":
            return sentences_by_block(answer)
        case "words":
            return written(answer)
        case "paragraphs":
            return paragraphs(answer)
        case _:
            return [ITEM.sub("", line) for line in lines(answer)]


def _key(part: str) -> str:
    """Return the key for alphabetical order: letters and digits in lower case without accents."""
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", part) if not unicodedata.combining(mark))
    return " ".join(re.findall(r"\w+", plain.casefold()))


@kind(
    "assay:line_count",
    relation(),
    count("num_lines"),
    demands=lambda given: Demands((allowed_range("lines", given["relation"], given["num_lines"]),)),
    about=HelpText("""
        The answer has a certain number of lines that are not blank.

        A line is what a line break ends, however long it is; what wraps on the screen is still one line.
        Headings, list items and code fences are lines too.

        Count the line breaks in the raw answer. For sentences or paragraphs use the kinds of those names.
    """),
)
def _line_count(answer: str, parameters: Parameters) -> ConstraintFinding:
    return compare_count(len(lines(answer)), parameters["relation"], parameters["num_lines"], "lines")


def _known_number(given: Parameters) -> Demands:
    number = len(given["lines"])
    return Demands((Range("lines", number, number),), phrases=tuple(given["lines"]))


@kind(
    "assay:exact_lines",
    texts("lines"),
    flag("ignore_case"),
    demands=_known_number,
    about=HelpText("""
        The answer consists of exactly the given lines, in this order, and nothing else.

        It is meant for answers whose text is fixed. Blank lines and spaces around a line do not matter;
        every other character does.

        The evidence shows the lines that were found. An introduction or a code fence counts as an
        additional line. `ignore_case` forgives capitals.
    """),
)
def _exact_lines(answer: str, parameters: Parameters) -> ConstraintFinding:
    wanted = [line.strip() for line in parameters["lines"]]
    given = lines(answer)
    if parameters.get("ignore_case", False):
        followed = [line.casefold() for line in given] == [line.casefold() for line in wanted]
    else:
        followed = given == wanted
    return ConstraintFinding(
        followed, given[: len(wanted) + 3], f"exactly these {len(wanted)} lines: {wanted!r}"
    )


@kind(
    "assay:alphabetical_order",
    text("of", choices=("lines", "items", "words")),
    about=HelpText("""
        The lines, list items or words of the answer are in alphabetical order.

        Capitals, accents and list markers are ignored, and equal neighbours are allowed. There must be at
        least two parts. With `lines`, an introduction is one of the lines and is usually out of order.

        The evidence lists the first pairs that are in the wrong order. Use `items` if text around the list
        is allowed.
    """),
)
def _alphabetical(answer: str, parameters: Parameters) -> ConstraintFinding:
    parts = _parts(answer, parameters["of"])
    keys = [_key(part) for part in parts]
    wrong = [(parts[i], parts[i + 1]) for i in range(len(keys) - 1) if keys[i] > keys[i + 1]]
    counted = {parameters["of"]: len(parts), "out of order": [list(pair) for pair in wrong[:3]]}
    return ConstraintFinding(
        len(parts) > 1 and not wrong, counted, f"{parameters['of']} in alphabetical order, two at least"
    )


def _spelt_number(given: Parameters) -> Demands:
    letters = len("".join(given["word"].split()))
    quantities = {
        "lines": "lines",
        "sentences": "sentences",
        "words": "words as written",
        "paragraphs": "paragraphs",
    }
    return Demands((Range(quantities[given.get("of", "lines")], letters, letters),))


@kind(
    "assay:acrostic",
    text("word"),
    text("of", choices=("lines", "sentences", "words", "paragraphs"), required=False),
    demands=_spelt_number,
    about=HelpText("""
        The first letters of the lines (or sentences, words, paragraphs) spell a word.

        There must be exactly as many parts as letters, so an introduction or a closing remark breaks it.
        List markers are skipped and capitals do not matter.

        The evidence shows what the first letters spell. One letter too many at either end points to
        additional text.
    """),
)
def _acrostic(answer: str, parameters: Parameters) -> ConstraintFinding:
    word = "".join(parameters["word"].split())
    of = parameters.get("of", "lines")
    spelt = "".join(_initial(part) for part in _parts(answer, of))
    return ConstraintFinding(
        spelt.casefold() == word.casefold(), spelt[:100], f"first letters of {of} spell {word!r}"
    )


def _initial(part: str) -> str:
    return next((mark for mark in part if mark.isalnum()), "")


@kind(
    "assay:numbered_list",
    count("num_items"),
    about=HelpText("""
        The answer has a list with a certain number of items, numbered 1, 2, 3 and so on.

        The numbers must be in order without gaps: a list that starts again at 1, or a second list, breaks
        it. Markdown's habit of writing `1.` before every item breaks it too.

        The evidence lists the numbers that were found at the beginnings of lines.
    """),
)
def _numbered(answer: str, parameters: Parameters) -> ConstraintFinding:
    wanted = parameters["num_items"]
    numbers = [int(match.group(1)) for line in lines(answer) if (match := NUMBERED.match(line))]
    followed = numbers == list(range(1, wanted + 1))
    return ConstraintFinding(followed, numbers[:50], f"{wanted} lines numbered 1 to {wanted} in order")
