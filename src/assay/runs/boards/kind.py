"""Which kind of board a suite has: judges mark it, or every question has one right letter."""

from __future__ import annotations

from enum import StrEnum

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.suite import Suite

JUDGED_GRADERS = ("rubric", "geval")
CHOICE = "choice"


class BoardKind(StrEnum):
    """The two kinds of boards, which are never blended."""

    JUDGED = "judged"
    KEYED = "keyed"


def is_judged_case(case: Case) -> bool:
    """Return whether judges mark a case's answers."""
    return any(spec.judged or spec.name in JUDGED_GRADERS for spec in case.graders)


def is_choice(case: Case) -> bool:
    """Return whether a case is graded by one right letter and nothing else."""
    return [spec.name for spec in case.graders] == [CHOICE]


def concept_of(case: Case) -> str | None:
    """Return the concept that a question belongs to, its `concept` or else its subcategory; None without."""
    found = case.metadata.get("concept") or case.metadata.get("subcategory")
    return None if found is None else str(found)


def variant_of(case: Case) -> str:
    """Return the angle from which a question tests its concept: its `variant`, or else its use case."""
    return str(case.metadata.get("variant") or case.use_case)


def board_kind(suite: Suite) -> BoardKind:
    """Return the kind of board that a suite has; InvalidInput, saying why, for one that has none.

    A judged suite has a case that judges mark. In a keyed suite every case has exactly one grader,
    `choice`, and a concept.
    """
    if any(is_judged_case(case) for case in suite.cases):
        return BoardKind.JUDGED
    if not all(is_choice(case) for case in suite.cases):
        raise InvalidInput(
            f"no judge marks any case of suite {suite.name!r} {suite.version}, and not every case is a lone "
            "`choice`: a board is made of judges' marks, or of multiple-choice questions alone. "
            "`assay show RUN` has the scores of a run"
        )
    bare = [case.id for case in suite.cases if concept_of(case) is None]
    if bare:
        shown = ", ".join(repr(name) for name in bare[:3]) if suite.visibility == "public" else "not shown"
        more = f" and {len(bare) - 3} more" if suite.visibility == "public" and len(bare) > 3 else ""
        raise InvalidInput(
            f"{len(bare)} of {len(suite.cases)} questions of suite {suite.name!r} {suite.version} belong to "
            f"no concept ({shown}{more}): a board of multiple-choice questions is clustered by concept, so "
            "write each one's `subcategory`, and raise the suite's version"
        )
    return BoardKind.KEYED
