"""Constraints on lines: their number, their text, their order, and what their first letters spell."""

from __future__ import annotations

import re
import unicodedata

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    Range,
    allow,
    compared,
    count,
    flag,
    relation,
    text,
    texts,
)
from assay.grading.constraint_kinds.paragraphs import paragraphs
from assay.grading.constraint_kinds.sentences import sentences_by_block
from assay.grading.constraint_kinds.words import written

ITEM = re.compile(r"^(?:[-*+•–]\s+|\d{1,3}[.)]\s+)")
NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+\S")


def lines(answer: str) -> list[str]:
    """Return the lines that are not blank, without the spaces around them."""
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
    """Return what is compared in alphabetical order: letters and digits, no accents, no capitals."""
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", part) if not unicodedata.combining(mark))
    return " ".join(re.findall(r"\w+", plain.casefold()))


def _line_count(answer: str, parameters: Parameters) -> Finding:
    return compared(len(lines(answer)), parameters["relation"], parameters["num_lines"], "lines")


def _exact_lines(answer: str, parameters: Parameters) -> Finding:
    wanted = [line.strip() for line in parameters["lines"]]
    found = lines(answer)
    if parameters.get("ignore_case", False):
        followed = [line.casefold() for line in found] == [line.casefold() for line in wanted]
    else:
        followed = found == wanted
    return Finding(followed, found[: len(wanted) + 3], f"exactly these {len(wanted)} lines: {wanted!r}")


def _alphabetical(answer: str, parameters: Parameters) -> Finding:
    parts = _parts(answer, parameters["of"])
    keys = [_key(part) for part in parts]
    wrong = [(parts[i], parts[i + 1]) for i in range(len(keys) - 1) if keys[i] > keys[i + 1]]
    counted = {parameters["of"]: len(parts), "out of order": [list(pair) for pair in wrong[:3]]}
    return Finding(
        len(parts) > 1 and not wrong, counted, f"{parameters['of']} in alphabetical order, two at least"
    )


def _acrostic(answer: str, parameters: Parameters) -> Finding:
    word = "".join(parameters["word"].split())
    of = parameters.get("of", "lines")
    spelt = "".join(_initial(part) for part in _parts(answer, of))
    return Finding(spelt.casefold() == word.casefold(), spelt[:100], f"first letters of {of} spell {word!r}")


def _initial(part: str) -> str:
    return next((mark for mark in part if mark.isalnum()), "")


def _numbered(answer: str, parameters: Parameters) -> Finding:
    wanted = parameters["num_items"]
    numbers = [int(found.group(1)) for line in lines(answer) if (found := NUMBERED.match(line))]
    followed = numbers == list(range(1, wanted + 1))
    return Finding(followed, numbers[:50], f"{wanted} lines numbered 1 to {wanted} in order")


def _known_number(given: Parameters) -> Demands:
    number = len(given["lines"])
    return Demands((Range("lines", number, number),), phrases=tuple(given["lines"]))


def _spelt_number(given: Parameters) -> Demands:
    letters = len("".join(given["word"].split()))
    quantities = {
        "lines": "lines",
        "sentences": "sentences",
        "words": "words as written",
        "paragraphs": "paragraphs",
    }
    return Demands((Range(quantities[given.get("of", "lines")], letters, letters),))


KINDS = (
    Kind(
        "assay:line_count",
        (relation(), count("num_lines")),
        _line_count,
        lambda given: Demands((allow("lines", given["relation"], given["num_lines"]),)),
    ),
    Kind("assay:exact_lines", (texts("lines"), flag("ignore_case")), _exact_lines, _known_number),
    Kind(
        "assay:alphabetical_order",
        (text("of", choices=("lines", "items", "words")),),
        _alphabetical,
    ),
    Kind(
        "assay:acrostic",
        (text("word"), text("of", choices=("lines", "sentences", "words", "paragraphs"), required=False)),
        _acrostic,
        _spelt_number,
    ),
    Kind("assay:numbered_list", (count("num_items"),), _numbered),
)
