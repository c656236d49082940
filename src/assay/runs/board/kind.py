"""The kind of a suite's board: judges mark its answers, or every question has one right letter or number."""

from __future__ import annotations

from enum import StrEnum

from assay.core.case import LETTERS, Case
from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.files.form_record import CHOICE

JUDGED_GRADERS = ("rubric", "geval")
NUMBER = "number"


class BoardKind(StrEnum):
    """The two kinds of boards, which are never combined."""

    JUDGED = "judged"
    KEYED = "keyed"


def is_judged_case(case: Case) -> bool:
    """Return whether judges mark a case's answers."""
    return any(spec.judged or spec.name in JUDGED_GRADERS for spec in case.graders)


def is_keyed_case(case: Case) -> bool:
    """Return whether a case is graded only by one right letter, or only by one right number."""
    return [spec.name for spec in case.graders] in ([CHOICE], [NUMBER])


def options_of(case: Case) -> int:
    """Return the number of a question's options; 0 for an open question, whose answer is a number."""
    grader = case.graders[0]
    return len(str(grader.parameters.get("options", LETTERS))) if grader.name == CHOICE else 0


def concept_of(case: Case) -> str | None:
    """Return the concept of a question, else its subcategory; None if it has neither."""
    concept = case.metadata.get("concept") or case.metadata.get("subcategory")
    return None if concept is None else str(concept)


def variant_of(case: Case) -> str:
    """Return the variant of a question, else its use case."""
    return str(case.metadata.get("variant") or case.use_case)


def board_kind(suite: Suite) -> BoardKind:
    """Return the kind of a suite's board; InvalidInput, with the reason, for a suite that has none.

    A judged suite has a case that judges mark. In a keyed suite every case has a concept and exactly one
    grader: `choice`, or `number` if it is open, which not all cases are.
    """
    if any(is_judged_case(case) for case in suite.cases):
        return BoardKind.JUDGED
    keyed = all(is_keyed_case(case) for case in suite.cases)
    if not keyed or not any(options_of(case) for case in suite.cases):
        raise InvalidInput(
            f"suite {suite.name!r} {suite.version} has no board: no judge marks any case, and not every case "
            "has `choice` as its only grader (or `number`, for open questions beside those with `choice`); "
            "`assay show RUN` shows the scores of a run"
        )
    missing = [case.id for case in suite.cases if concept_of(case) is None]
    if missing:
        shown = ", ".join(repr(name) for name in missing[:3]) if suite.visibility == "public" else "not shown"
        more = f" and {len(missing) - 3} more" if suite.visibility == "public" and len(missing) > 3 else ""
        raise InvalidInput(
            f"{len(missing)} of {len(suite.cases)} questions of suite {suite.name!r} {suite.version} have no "
            f"concept ({shown}{more}): a board of multiple-choice questions is clustered by concept, so "
            "write each question's `subcategory` and raise the suite's version"
        )
    return BoardKind.KEYED
