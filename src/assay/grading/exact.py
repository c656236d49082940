"""A text answer that must equal one of the accepted texts, after a declared normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.prepared import Prepared
from assay.grading.text.answer import cut, last_marker, line_after, visible
from assay.grading.text.wording import SWITCHES, Wording, wording, wording_faults

PARAMETERS = frozenset({"expect", "marker", *SWITCHES})


@dataclass(frozen=True, slots=True)
class Accepted:
    """The accepted texts of a spec, by their normalised form."""

    texts: dict[str, str]
    marker: str | None
    wording: Wording
    lines: bool

    @property
    def shown(self) -> list[str]:
        """The accepted texts as evidence."""
        return [cut(text) for text in self.texts.values()]


class Exact:
    """Marks 1 when the answer is one of the accepted texts, else 0.

    Parameters: `expect` (a text or a list of accepted texts), `marker` (take the line after the last
    one; the whole answer counts where there is none), and the switches of `Wording`: `ignore_case`,
    `ignore_space`, `ignore_markup` (true by default), `ignore_punctuation`, `ignore_accents`,
    `ignore_articles` (false by default).
    """

    name: ClassVar[str] = "exact"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = [
            f"unknown parameter {name!r}: write one of {', '.join(sorted(PARAMETERS))}"
            for name in sorted(set(given) - PARAMETERS)
        ]
        found += wording_faults(given)
        marker = given.get("marker")
        if marker is not None and (not isinstance(marker, str) or not marker.strip(" :")):
            found.append(f"marker must be text such as 'ANSWER:', not {marker!r}")
        expect = given.get("expect")
        texts = [expect] if isinstance(expect, str) else expect
        if not isinstance(texts, list | tuple) or not texts:
            found.append(f"expect must be a text or a list of accepted texts, not {expect!r}")
        elif not found:
            found += [
                f"expect holds {text!r}: write a text, in quotes, that is not empty once normalised"
                for text in texts
                if not isinstance(text, str) or not wording(given).normal(text)
            ]
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the comparison is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1 or 0 with what was compared, and from where it came."""
        accepted = _PREPARED(spec)
        words, where = _taken(visible(answer), accepted)
        normal = accepted.wording.normal(words)
        match = accepted.texts.get(normal)
        verdict = "equal" if match is not None else "no accepted text" if normal else "nothing there"
        evidence = {
            "expected": accepted.shown,
            "got": cut(words.strip()),
            "where": where,
            "ignored": accepted.wording.ignored,
            "verdict": verdict,
        }
        return Grade(0.0 if match is None else 1.0, evidence)


def _accepted(spec: GraderSpec) -> Accepted:
    given = spec.parameters
    how = wording(given)
    texts = [given["expect"]] if isinstance(given["expect"], str) else list(given["expect"])
    return Accepted(
        texts={how.normal(text): text for text in texts},
        marker=given.get("marker"),
        wording=how,
        lines=any("\n" in text.strip() for text in texts),
    )


_PREPARED: Prepared[Accepted] = Prepared(_accepted)


def _taken(text: str, accepted: Accepted) -> tuple[str, str]:
    """The part of the answer that counts; several lines only where an accepted text has several."""
    if accepted.marker is None:
        return text, "the whole answer"
    marked = last_marker(text, accepted.marker)
    if marked is None:
        return text, f"the whole answer, for there is no {accepted.marker!r}"
    start, end = (marked[1], len(text)) if accepted.lines else line_after(text, marked[1])
    return text[start:end], f"after the last {accepted.marker!r}"
