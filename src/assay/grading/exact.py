"""The `exact` grader: an answer that must equal an accepted text after a declared normalisation."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.parameters import Parameters
from assay.grading.text.answer import cut, last_marker, line_after, visible
from assay.grading.text.normalisation import (
    SWITCHES,
    TextNormalisation,
    declared_normalisation,
    normalisation_problems,
)


@dataclass(frozen=True, slots=True)
class AcceptedTexts:
    """The accepted texts of a spec by their normalised form, and where they are expected in the answer."""

    texts: dict[str, str]
    marker: str | None
    normalisation: TextNormalisation
    lines: bool

    @property
    def shown(self) -> list[str]:
        """The accepted texts as evidence."""
        return [cut(text) for text in self.texts.values()]


def _problems(parameters: Parameters) -> list[str]:
    problems = normalisation_problems(parameters)
    marker = parameters.get("marker")
    if marker is not None and (not isinstance(marker, str) or not marker.strip(" :")):
        problems.append(f"marker must be text such as 'ANSWER:', not {marker!r}")
    expect = parameters.get("expect")
    texts = [expect] if isinstance(expect, str) else expect
    if not isinstance(texts, list | tuple) or not texts:
        problems.append(f"expect must be a text or a list of accepted texts, not {expect!r}")
    elif not problems:
        problems += [
            f"expect has {text!r}: write a text, in quotes, that is not empty after normalisation"
            for text in texts
            if not isinstance(text, str) or not declared_normalisation(parameters).normal(text)
        ]
    return problems


def _accepted_texts(parameters: Parameters) -> AcceptedTexts:
    normalisation, expect = declared_normalisation(parameters), parameters["expect"]
    texts = [expect] if isinstance(expect, str) else list(expect)
    return AcceptedTexts(
        texts={normalisation.normal(text): text for text in texts},
        marker=parameters.get("marker"),
        normalisation=normalisation,
        lines=any("\n" in text.strip() for text in texts),
    )


@check(
    "exact",
    version="1",
    names=("expect", "marker", *SWITCHES),
    prepare=_accepted_texts,
    problems=_problems,
    about=HelpText("""
        Marks 1 if the answer, or the line after a marker such as `ANSWER:`, equals an accepted text.

        It is the strictest way to grade and suits answers of a word or two. Without a marker in the answer
        the whole answer must be equal, so any introduction makes it wrong.

        Capitals, spaces and Markdown are ignored unless switched off; punctuation, accents and articles are
        ignored on request. The evidence says what was compared and which differences were ignored.
    """),
)
def exact(answer: str, accepted: AcceptedTexts) -> Grade:
    """Return 1 if the answer is one of the accepted texts, else 0.

    Parameters: `expect` (a text or a list of accepted texts), `marker` (read the line after the last one;
    without one the whole answer counts), and the switches of `TextNormalisation`: `ignore_case`,
    `ignore_space`, `ignore_markup` (true by default), `ignore_punctuation`, `ignore_accents`,
    `ignore_articles` (false by default).
    """
    words, where = _relevant_part(visible(answer), accepted)
    normal = accepted.normalisation.normal(words)
    match = accepted.texts.get(normal)
    verdict = "equal" if match is not None else "no accepted text" if normal else "the answer is empty"
    evidence = {
        "expected": accepted.shown,
        "got": cut(words.strip()),
        "where": where,
        "ignored": accepted.normalisation.ignored,
        "verdict": verdict,
    }
    return Grade(0.0 if match is None else 1.0, evidence)


def _relevant_part(text: str, accepted: AcceptedTexts) -> tuple[str, str]:
    """Return the relevant part and where it is; several lines only if an accepted text has them."""
    if accepted.marker is None:
        return text, "the whole answer"
    marked = last_marker(text, accepted.marker)
    if marked is None:
        return text, f"the whole answer, since there is no {accepted.marker!r}"
    start, end = (marked[1], len(text)) if accepted.lines else line_after(text, marked[1])
    return text[start:end], f"after the last {accepted.marker!r}"
