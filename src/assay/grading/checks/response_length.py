"""Flags an answer that is too long or too short."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults, in_order, one_of
from assay.grading.constraint_kinds.kind import count
from assay.grading.constraint_kinds.sentences import sentences_by_block
from assay.grading.text.answer import visible
from assay.grading.text.count import words_of
from assay.grading.text.prose import without_code

PARAMETERS = (
    count("max_words", required=False),
    count("min_words", required=False),
    count("max_sentences", required=False),
)

_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t][^\n]*$", re.MULTILINE)


class ResponseLength:
    """Flags an answer that is too long or too short.

    Parameters: `max_words`, `min_words`, `max_sentences` (at least one). Everything the answer says
    counts, courtesies too, but not code; `text/count.py` says what a word is. A list item is a
    sentence at least, a heading none.
    """

    name: ClassVar[str] = "response_length"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(
            faults(spec, PARAMETERS)
            + in_order(spec.parameters, "min_words", "max_words")
            + one_of(spec.parameters, "max_words", "min_words", "max_sentences")
        )

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the counts and the limits they are outside of."""
        given = spec.parameters
        text = without_code(visible(answer))
        words = words_of(text)
        counts = {"words": words}
        flags = []
        if words > given.get("max_words", words):
            flags.append(flag("TOO_LONG", f"{words} words, at most {given['max_words']}", words=words))
        if words < given.get("min_words", 0):
            flags.append(flag("TOO_SHORT", f"{words} words, at least {given['min_words']}", words=words))
        if "max_sentences" in given:
            most = given["max_sentences"]
            found = counts["sentences"] = len(sentences_by_block(_HEADING.sub("", text)))
            if found > most:
                flags.append(
                    flag("TOO_MANY_SENTENCES", f"{found} sentences, at most {most}", sentences=found)
                )
        return graded(flags, **counts)
