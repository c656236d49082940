"""A lettered option, taken strictly from the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.prepared import Prepared
from assay.grading.text.answer import DEFAULT_MARKER
from assay.grading.text.letters import chosen

PARAMETERS = frozenset({"expect", "options", "marker"})


@dataclass(frozen=True, slots=True)
class Key:
    """The right letter among its options."""

    letter: str
    options: str
    marker: str


class Choice:
    """Marks 1 when the answer chooses the expected letter, else 0.

    Parameters: `expect` (a letter), `options` (the letters there are, default "ABCD"), `marker` (default
    `ANSWER:`). The evidence tells a wrong letter (`valid: true`) from none, or several that
    contradict each other (`valid: false`), and says in `why` where the letter was found and in which
    words, or why there is none. Version 2 reads more statements and heeds denials and corrections.
    """

    name: ClassVar[str] = "choice"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = [
            f"unknown parameter {name!r}: write one of {', '.join(sorted(PARAMETERS))}"
            for name in sorted(set(given) - PARAMETERS)
        ]
        options = given.get("options", "ABCD")
        if not isinstance(options, str) or len(options) < 2 or not options.isalnum():
            found.append(f"options must be the letters in a row, like 'ABCD', not {options!r}")
        elif len(set(options.upper())) != len(options):
            found.append(f"options {options!r} repeat a letter: write each once")
        elif not isinstance(expect := given.get("expect"), str) or len(expect) != 1:
            found.append(f"expect must be one letter of {options!r}, in quotes, not {expect!r}")
        elif expect.upper() not in options.upper():
            found.append(f"expect {expect!r} is not one of the options {options!r}")
        marker = given.get("marker", DEFAULT_MARKER)
        if not isinstance(marker, str) or not marker.strip(" :"):
            found.append(f"marker must be text such as 'ANSWER:', not {marker!r}")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the comparison is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1 or 0 with the letter found, where, and whether the answer was a valid choice."""
        key = _PREPARED(spec)
        found = chosen(answer, key.options, key.marker)
        right = found.letter == key.letter
        evidence = {
            "expected": key.letter,
            "letter": found.letter,
            "valid": found.letter is not None,
            "where": found.where,
            "words": found.words,
            "why": found.why,
            "verdict": found.problem or ("the right letter" if right else "another letter"),
        }
        return Grade(1.0 if right else 0.0, evidence)


def _key(spec: GraderSpec) -> Key:
    given = spec.parameters
    options = str(given.get("options", "ABCD"))
    return Key(
        str(given["expect"]).upper(), options.upper(), str(given.get("marker", DEFAULT_MARKER)).strip()
    )


_PREPARED: Prepared[Key] = Prepared(_key)
