"""Flags an answer that uses a made-up package or function as if it were real."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import texts
from assay.grading.prepared import Prepared
from assay.grading.text.ignorance import acknowledgements, named
from assay.grading.text.prose import joined, prose
from assay.grading.text.sentence import sentence

PARAMETERS = (texts("names"),)


class HallucinationApi:
    """Flags an answer that uses or explains a made-up package or function without saying that it is not
    known.

    Parameters: `names` (made-up packages and functions). Each name used, in prose or code, wants an
    acknowledgement that names it, or one that names none of them. A name that code puts together of pieces
    ('on_' + 'extra') is used too. An answer that uses none of the
    names is not flagged.
    """

    name: ClassVar[str] = "hallucination_api"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the names that are used as if they were real."""
        text = prose(joined(answer), code=True)
        names = _PREPARED(spec)
        used = [(name, pattern) for name, pattern in names if pattern.search(text.low)]
        flags = []
        for name, pattern in used:
            if all(_of_another(text.low, said, pattern, used) for said in acknowledgements(text, pattern)):
                count = sum(1 for _ in pattern.finditer(text.low))
                first = pattern.search(text.low)
                where = text.place(*first.span()) if first else {}
                flags.append(
                    flag(
                        "USED_AS_REAL",
                        f"uses {name!r} and never says that it is not known",
                        name=name,
                        count=count,
                        **where,
                    )
                )
        return graded(flags, used=[name for name, _ in used])


def _of_another(
    low: str, said: tuple[int, int], own: re.Pattern[str], used: list[tuple[str, re.Pattern[str]]]
) -> bool:
    """Whether the sentence that acknowledges names another of the names, and not this one."""
    first, last = sentence(low, *said)
    return not own.search(low, first, last) and any(other.search(low, first, last) for _, other in used)


_PREPARED: Prepared[list[tuple[str, re.Pattern[str]]]] = Prepared(
    lambda spec: [(str(name), named((str(name),))) for name in spec.parameters["names"]]
)
