"""Constraints on an answer's layout: bullets, highlights, sections, a title, JSON, fixed answers."""

from __future__ import annotations

import json
import re

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    Range,
    compared,
    count,
    text,
)

BULLET = re.compile(r"\*[^*]|-")
HIGHLIGHT = re.compile(r"\*[^\n*]*\*")
STRONG = re.compile(r"\*\*[^\n*]*\*\*")
OPTIONS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
FENCE = re.compile(r"^```(?:json|Json|JSON)?")


def bullets(answer: str) -> int:
    """Count the lines that begin with `* ` or `-`."""
    return sum(1 for line in answer.split("\n") if BULLET.match(line.lstrip()))


def highlights(answer: str) -> int:
    """Count the passages in `*...*` and in `**...**` that are not blank."""
    return sum(
        1 for found in (*HIGHLIGHT.findall(answer), *STRONG.findall(answer)) if found.strip("*").strip()
    )


def titles(answer: str) -> list[str]:
    """Return what stands in `<<...>>` on each line, from its first `<<` to its last `>>`, if not blank."""
    spans = ((line, line.find("<<"), line.rfind(">>")) for line in answer.split("\n"))
    found = (line[start:end].strip("<>").strip() for line, start, end in spans if 0 <= start < end)
    return [title for title in found if title]


def bare_json(answer: str) -> str:
    """Return the answer without a Markdown fence around it."""
    return FENCE.sub("", answer.strip()).removesuffix("```").strip()


def _bullets(answer: str, parameters: Parameters) -> Finding:
    return compared(bullets(answer), "exactly", parameters["num_bullets"], "bullets")


def _highlights(answer: str, parameters: Parameters) -> Finding:
    return compared(highlights(answer), "at least", parameters["num_highlights"], "highlighted passages")


def _sections(answer: str, parameters: Parameters) -> Finding:
    word, wanted = parameters["section_spliter"].strip(), parameters["num_sections"]
    number = len(re.findall(rf"{re.escape(word)}\s?\d+", answer))
    return compared(number, "at least", wanted, f"sections headed '{word} 1' and so on")


def _json(answer: str, parameters: Parameters) -> Finding:
    try:
        json.loads(bare_json(answer))
    except (ValueError, RecursionError) as error:
        return Finding(False, str(error), "the whole answer is JSON")
    return Finding(True, "JSON", "the whole answer is JSON")


def _title(answer: str, parameters: Parameters) -> Finding:
    found = titles(answer)
    return Finding(bool(found), found[:3], "a title in <<double angular brackets>>")


def _constrained(answer: str, parameters: Parameters) -> Finding:
    found = [option for option in OPTIONS if option in answer]
    return Finding(bool(found), found, "one of " + ", ".join(repr(option) for option in OPTIONS))


KINDS = (
    Kind(
        "detectable_format:number_bullet_lists",
        (count("num_bullets"),),
        _bullets,
        lambda given: Demands(ranges=(Range("bullets", given["num_bullets"], given["num_bullets"]),)),
    ),
    Kind(
        "detectable_format:number_highlighted_sections",
        (count("num_highlights"),),
        _highlights,
        lambda given: Demands(ranges=(Range("highlighted passages", given["num_highlights"], None),)),
    ),
    Kind(
        "detectable_format:multiple_sections",
        (text("section_spliter"), count("num_sections")),
        _sections,
        lambda given: Demands(phrases=(given["section_spliter"],)),
    ),
    Kind("detectable_format:json_format", (), _json),
    Kind("detectable_format:title", (), _title, lambda given: Demands(phrases=("<<", ">>"))),
    Kind("detectable_format:constrained_response", (), _constrained),
)
