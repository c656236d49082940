"""Flags an edited text that is not short enough, or too short."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import amount, faults, in_order
from assay.grading.constraint_kinds.kind import count
from assay.grading.prepared import Prepared
from assay.grading.text.count import words, words_of
from assay.grading.text.draft import readings

PARAMETERS = (
    count("max_words", required=False),
    count("min_words", required=False),
)


class WordCountReduction:
    """Flags an edited text that is not short enough, or too short.

    Parameters: `original` (the text, or its number of words), `max_words` or `share` (most words as a
    share of the original), `min_words`. The answer passes when any reading of it fits: whole, or
    without what stands around the edited text.
    """

    name: ClassVar[str] = "word_count_reduction"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("original", "share"))
        found += in_order(given, "min_words", "max_words")
        original = given.get("original")
        if isinstance(original, bool) or not isinstance(original, int | str) or not original:
            found.append(f"original is {original!r}: write the original text, or its number of words")
        if ("max_words" in given) == ("share" in given):
            found.append("give one of max_words and share (most words as a share of the original)")
        if "share" in given:
            found += amount(given, "share", 0.01, 1)
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the counts of all readings."""
        least, most = _PREPARED(spec)
        count = words(answer)
        counts = {"the whole answer": count}
        if not least <= count <= most:
            counts |= {name: words_of(text) for name, text in readings(answer)}
        if any(least <= each <= most for each in counts.values()):
            return graded((), words=count, at_most=most, at_least=least, readings=counts)
        shortest = min(counts.values())
        code, says = "NOT_SHORT_ENOUGH", f"{shortest} words, at most {most}"
        if shortest < least:
            code, says = "TOO_SHORT", f"{max(counts.values())} words, at least {least}"
            if max(counts.values()) > most:
                code, says = "NOT_SHORT_ENOUGH", f"{count} words, from {least} to {most}"
        return graded(
            (flag(code, says, words=count),), words=count, at_most=most, at_least=least, readings=counts
        )


def _limits(spec: GraderSpec) -> tuple[int, int]:
    given = spec.parameters
    original = given["original"]
    number = original if isinstance(original, int) else words(original)
    most = given["max_words"] if "max_words" in given else int(number * given["share"] + 1e-9)
    return given.get("min_words", 1), most


_PREPARED: Prepared[tuple[int, int]] = Prepared(_limits)
