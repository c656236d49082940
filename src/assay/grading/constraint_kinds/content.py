"""Constraints on fixed content: placeholders and a postscript."""

from __future__ import annotations

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


def placeholders(answer: str) -> int:
    """Count the `[...]` that stand on one line."""
    number = 0
    for line in answer.split("\n"):
        start = line.find("[")
        while start >= 0 and (end := line.find("]", start)) >= 0:
            number += 1
            start = line.find("[", end)
    return number


def _placeholders(answer: str, parameters: Parameters) -> Finding:
    return compared(
        placeholders(answer), "at least", parameters["num_placeholders"], "placeholders in [brackets]"
    )


def postscript(marker: str) -> re.Pattern[str]:
    """Return the pattern of a postscript: P.S. and P.P.S with or without spaces, or the marker itself."""
    match marker.strip().upper():
        case "P.P.S":
            body = r"p\.\s?p\.\s?s"
        case "P.S.":
            body = r"p\.\s?s\."
        case _:
            body = re.escape(marker.strip())
    return re.compile(body, re.IGNORECASE)


def _postscript(answer: str, parameters: Parameters) -> Finding:
    marker = parameters["postscript_marker"]
    found = postscript(marker).search(answer)
    shown = answer[found.start() : found.end() + 60] if found else None
    return Finding(found is not None, shown, f"a postscript that begins with {marker!r}")


KINDS = (
    Kind(
        "detectable_content:number_placeholders",
        (count("num_placeholders"),),
        _placeholders,
        lambda given: Demands(ranges=(Range("placeholders", given["num_placeholders"], None),)),
    ),
    Kind(
        "detectable_content:postscript",
        (text("postscript_marker"),),
        _postscript,
        lambda given: Demands(phrases=(given["postscript_marker"],)),
    ),
)
