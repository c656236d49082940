"""The registry of graders: built-in ones, and those that other packages add by entry point."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from assay.core.errors import InvalidInput, NotFound
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, is_judged

BUILT_IN = {
    "acknowledges_nonexistence": "assay.grading.checks.unknowns:acknowledges_nonexistence",
    "ambiguity_check": "assay.grading.checks.requests:ambiguity_check",
    "banned_words": "assay.grading.checks.banned_words:banned_words",
    "choice": "assay.grading.choice:choice",
    "code_runnable": "assay.grading.checks.code_runnable:CodeRunnable",
    "code_tests": "assay.grading.code_tests:CodeTests",
    "constraint_check": "assay.grading.checks.formats:constraint_check",
    "constraints": "assay.grading.constraints:constraints",
    "contains": "assay.grading.contains:contains",
    "exact": "assay.grading.exact:exact",
    "geval": "assay.grading.geval:GEval",
    "hallucination_api": "assay.grading.checks.unknowns:hallucination_api",
    "html_page": "assay.grading.html_page:html_page",
    "json_fields": "assay.grading.json_fields:json_fields",
    "json_valid": "assay.grading.checks.formats:json_valid",
    "multi_step_verify": "assay.grading.checks.conclusions:multi_step_verify",
    "number": "assay.grading.number:number",
    "refusal_check": "assay.grading.checks.requests:refusal_check",
    "response_length": "assay.grading.checks.lengths:response_length",
    "rubric": "assay.grading.marks:Rubric",
    "self_awareness": "assay.grading.checks.unknowns:self_awareness",
    "stars": "assay.grading.marks:Stars",
    "statistical_significance": "assay.grading.checks.conclusions:statistical_significance",
    "sycophancy_check": "assay.grading.checks.traps:sycophancy_check",
    "table_format": "assay.grading.checks.formats:table_format",
    "trap_common_error": "assay.grading.checks.traps:trap_common_error",
    "trap_no_bug": "assay.grading.checks.traps:trap_no_bug",
    "trap_wrong_claim": "assay.grading.checks.traps:trap_wrong_claim",
    "word_count": "assay.grading.checks.lengths:word_count",
    "word_count_reduction": "assay.grading.checks.lengths:word_count_reduction",
}
GROUP = "assay.graders"
MECHANICAL = ("name", "version", "problems", "asks", "read")
JUDGED = ("name", "version", "scale", "metrics", "essence", "problems", "ask", "read")


def names() -> tuple[str, ...]:
    """Return the names of all graders, sorted."""
    return tuple(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))


@cache
def grader(name: str) -> Grader | JudgedGrader:
    """Return the grader of that name, loading it on first use.

    An entry point cannot replace a built-in grader. Raises NotFound for an unknown name and InvalidInput if
    an entry point does not load as a grader.
    """
    if name in BUILT_IN:
        return _load(EntryPoint(name, BUILT_IN[name], GROUP))
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                loaded = _load(point)
            except Exception as error:
                raise InvalidInput(
                    f"cannot load grader {name!r} from {point.value!r}: {type(error).__name__}: {error}"
                ) from error
            parts = JUDGED if is_judged(loaded) else MECHANICAL
            missing = [part for part in parts if not hasattr(loaded, part)]
            if missing:
                raise InvalidInput(
                    f"grader {name!r} from {point.value!r} lacks {', '.join(missing)}: define them"
                )
            return loaded
    raise NotFound(f"unknown grader {name!r}: use one of {', '.join(names())}")


def _load(point: EntryPoint) -> Grader | JudgedGrader:
    loaded = point.load()
    made: Grader | JudgedGrader = loaded() if isinstance(loaded, type) else loaded
    return made
