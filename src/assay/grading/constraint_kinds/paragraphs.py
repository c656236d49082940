"""Constraints on paragraphs: their number, and how the n-th begins."""

from __future__ import annotations

import re

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    Range,
    allow,
    compared,
    count,
    relation,
    text,
)

STARS = re.compile(r"\s?\*\*\*\s?")
STOPS = re.compile(r"[.,?!'\"]")


def starred(answer: str) -> list[str]:
    """Return the parts between `***`, stripped; an empty part at either end is left out."""
    parts = [part.strip() for part in STARS.split(answer)]
    if parts and not parts[0]:
        parts = parts[1:]
    if parts and not parts[-1]:
        parts = parts[:-1]
    return parts


def blocks(answer: str) -> list[str]:
    """Return what two line ends part, as IFEval reads paragraphs: empty blocks are kept in their places."""
    return [block.strip() for block in answer.split("\n\n")]


def paragraphs(answer: str) -> list[str]:
    """Return what blank lines part, stripped."""
    return [part.strip() for part in re.split(r"\n[ \t]*\n", answer) if part.strip()]


def _number(answer: str, parameters: Parameters) -> Finding:
    wanted = parameters["num_paragraphs"]
    parts = starred(answer)
    empty = sum(not part for part in parts)
    counted = {"paragraphs": len(parts), "empty": empty}
    return Finding(not empty and len(parts) == wanted, counted, f"exactly {wanted} paragraphs parted by ***")


def _first_word(answer: str, parameters: Parameters) -> Finding:
    wanted, nth = parameters["num_paragraphs"], parameters["nth_paragraph"]
    word = parameters["first_word"].strip().casefold()
    every = blocks(answer)
    number = sum(bool(block) for block in every)
    block = every[nth - 1] if nth <= number else ""
    first = _opening(block)
    counted = {"paragraphs": number, "first_word": first}
    asked = f"exactly {wanted} paragraphs parted by blank lines, number {nth} beginning with {word!r}"
    return Finding(number == wanted and first == word, counted, asked)


def _opening(block: str) -> str:
    """Return the first word without quotation marks before it, up to its first punctuation mark."""
    if not block:
        return ""
    word = block.split()[0].lstrip("'").lstrip('"')
    return STOPS.split(word)[0].casefold()


def _in_place(parameters: Parameters) -> tuple[str, ...]:
    nth, number = parameters["nth_paragraph"], parameters["num_paragraphs"]
    if not 1 <= nth <= number:
        return (f"nth_paragraph {nth} is not among {number} paragraphs: write 1 to {number}",)
    return ()


def _blank(answer: str, parameters: Parameters) -> Finding:
    number = len(paragraphs(answer))
    return compared(number, parameters["relation"], parameters["num_paragraphs"], "paragraphs")


KINDS = (
    Kind(
        "length_constraints:number_paragraphs",
        (count("num_paragraphs"),),
        _number,
        lambda given: Demands(
            ranges=(Range("paragraphs parted by ***", given["num_paragraphs"], given["num_paragraphs"]),)
        ),
    ),
    Kind(
        "length_constraints:nth_paragraph_first_word",
        (count("num_paragraphs"), count("nth_paragraph"), text("first_word")),
        _first_word,
        lambda given: Demands(
            ranges=(Range("paragraphs", given["num_paragraphs"], given["num_paragraphs"]),),
            phrases=(given["first_word"],),
        ),
        _in_place,
    ),
    Kind(
        "assay:paragraph_count",
        (relation(), count("num_paragraphs")),
        _blank,
        lambda given: Demands(ranges=(allow("paragraphs", given["relation"], given["num_paragraphs"]),)),
    ),
)
