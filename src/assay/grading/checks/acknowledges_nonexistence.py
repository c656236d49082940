"""Flags an answer that speaks of a made-up thing as real."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.prepared import Prepared
from assay.grading.text.count import words_of
from assay.grading.text.ignorance import acknowledgement, named
from assay.grading.text.prose import prose

PARAMETERS = (
    text("thing"),
    texts("aliases", required=False),
)

_SHORT = 30


class AcknowledgesNonexistence:
    """Flags an answer that goes along with a made-up thing and nowhere says that it is not real or not
    known.

    Parameters: `thing` (its name), `aliases` (other names). A general disclaimer ("as of my last
    update") is no acknowledgement. A short answer that does not even name the thing is not flagged.
    """

    name: ClassVar[str] = "acknowledges_nonexistence"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 when the thing is taken for real, with how often it is named."""
        name = _PREPARED(spec)
        text = prose(answer, code=True)
        said = acknowledgement(text, name)
        mentions = sum(1 for _ in name.finditer(text.low))
        if said:
            return graded((), mentions=mentions, acknowledged=text.place(*said))
        if not mentions and words_of(text.text) < _SHORT:
            return graded((), mentions=0)
        says = f"speaks of {spec.parameters['thing']!r} and never says that it is not known or not real"
        first = name.search(text.low)
        where = text.place(*first.span()) if first else {}
        return graded((flag("SPOKEN_OF_AS_REAL", says, mentions=mentions, **where),), mentions=mentions)


_PREPARED: Prepared[re.Pattern[str]] = Prepared(
    lambda spec: named((str(spec.parameters["thing"]), *spec.parameters.get("aliases", ())))
)
