"""Constraints on how an answer begins and ends."""

from __future__ import annotations

from assay.grading.constraint_kinds.kind import Demands, Finding, Kind, Parameters, flag, text


def _end(answer: str, parameters: Parameters) -> Finding:
    phrase = parameters["end_phrase"].strip()
    said = answer.strip().strip('"')
    return Finding(said.lower().endswith(phrase.lower()), said[-80:], f"ends with {phrase!r}")


def _quotation(answer: str, parameters: Parameters) -> Finding:
    said = answer.strip()
    followed = len(said) > 1 and said[0] == said[-1] == '"'
    return Finding(followed, [said[:1], said[-1:]], 'the whole answer in "double quotation marks"')


def _starts_with(answer: str, parameters: Parameters) -> Finding:
    said, phrase = answer.strip(), parameters["phrase"].strip()
    followed = _fold(said, parameters).startswith(_fold(phrase, parameters))
    return Finding(followed, said[: len(phrase) + 20], f"begins with {phrase!r}")


def _ends_with(answer: str, parameters: Parameters) -> Finding:
    said, phrase = answer.strip(), parameters["phrase"].strip()
    followed = _fold(said, parameters).endswith(_fold(phrase, parameters))
    return Finding(followed, said[-len(phrase) - 20 :], f"ends with {phrase!r}")


def _fold(said: str, parameters: Parameters) -> str:
    return said.casefold() if parameters.get("ignore_case", False) else said


KINDS = (
    Kind(
        "startend:end_checker",
        (text("end_phrase"),),
        _end,
        lambda given: Demands(phrases=(given["end_phrase"],), ends=given["end_phrase"].strip()),
    ),
    Kind("startend:quotation", (), _quotation, lambda given: Demands(begins='"')),
    Kind(
        "assay:starts_with",
        (text("phrase"), flag("ignore_case")),
        _starts_with,
        lambda given: Demands(phrases=(given["phrase"],), begins=given["phrase"].strip()),
    ),
    Kind(
        "assay:ends_with",
        (text("phrase"), flag("ignore_case")),
        _ends_with,
        lambda given: Demands(phrases=(given["phrase"],), ends=given["phrase"].strip()),
    ),
)
