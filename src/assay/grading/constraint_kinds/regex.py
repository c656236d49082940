"""A constraint that is a pattern of the suite's author."""

from __future__ import annotations

from assay.grading.constraint_kinds.kind import Finding, Kind, Parameters, count, flag, text
from assay.grading.text import pattern


def _matches(answer: str, parameters: Parameters) -> Finding:
    compiled = pattern.compiled(parameters["pattern"], ignore_case=parameters.get("ignore_case", False))
    least, most = _limits(parameters)
    found = [match.group()[:80] for match in compiled.finditer(answer[: pattern.LONGEST])]
    followed = least <= len(found) and (most is None or len(found) <= most)
    upper = "" if most is None else f", at most {most}"
    return Finding(followed, {"matches": len(found), "first": found[:3]}, f"at least {least}{upper} matches")


def _limits(parameters: Parameters) -> tuple[int, int | None]:
    most = parameters.get("max_matches")
    return parameters.get("min_matches", 0 if most == 0 else 1), most


def _faults(parameters: Parameters) -> tuple[str, ...]:
    least, most = _limits(parameters)
    found = []
    if most is not None and least > most:
        found.append(f"min_matches {least} is above max_matches {most}")
    if least == 0 and most is None:
        found.append("min_matches 0 without max_matches allows every answer")
    wrong = pattern.problem(parameters["pattern"])
    return (*found, wrong) if wrong else tuple(found)


KINDS = (
    Kind(
        "assay:regex",
        (
            text("pattern"),
            count("min_matches", required=False),
            count("max_matches", required=False),
            flag("ignore_case"),
        ),
        _matches,
        faults=_faults,
    ),
)
