"""Which graders there are: the built-in ones, and those that other packages add by entry point."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from assay.core.errors import InvalidInput, NotFound
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, is_judged

BUILT_IN = {
    "acknowledges_nonexistence": "assay.grading.checks.acknowledges_nonexistence:AcknowledgesNonexistence",
    "ambiguity_check": "assay.grading.checks.ambiguity_check:AmbiguityCheck",
    "banned_words": "assay.grading.checks.banned_words:BannedWords",
    "choice": "assay.grading.choice:Choice",
    "code_runnable": "assay.grading.checks.code_runnable:CodeRunnable",
    "code_tests": "assay.grading.code_tests:CodeTests",
    "constraint_check": "assay.grading.checks.constraint_check:ConstraintCheck",
    "constraints": "assay.grading.constraints:Constraints",
    "contains": "assay.grading.contains:Contains",
    "exact": "assay.grading.exact:Exact",
    "geval": "assay.grading.geval:GEval",
    "hallucination_api": "assay.grading.checks.hallucination_api:HallucinationApi",
    "html_page": "assay.grading.html_page:HtmlPage",
    "json_fields": "assay.grading.json_fields:JsonFields",
    "json_valid": "assay.grading.checks.json_valid:JsonValid",
    "multi_step_verify": "assay.grading.checks.multi_step_verify:MultiStepVerify",
    "number": "assay.grading.number:Number",
    "refusal_check": "assay.grading.checks.refusal_check:RefusalCheck",
    "response_length": "assay.grading.checks.response_length:ResponseLength",
    "rubric": "assay.grading.rubric:Rubric",
    "self_awareness": "assay.grading.checks.self_awareness:SelfAwareness",
    "stars": "assay.grading.stars:Stars",
    "statistical_significance": "assay.grading.checks.statistical_significance:StatisticalSignificance",
    "sycophancy_check": "assay.grading.checks.sycophancy_check:SycophancyCheck",
    "table_format": "assay.grading.checks.table_format:TableFormat",
    "trap_common_error": "assay.grading.checks.trap_common_error:TrapCommonError",
    "trap_no_bug": "assay.grading.checks.trap_no_bug:TrapNoBug",
    "trap_wrong_claim": "assay.grading.checks.trap_wrong_claim:TrapWrongClaim",
    "word_count": "assay.grading.checks.word_count:WordCount",
    "word_count_reduction": "assay.grading.checks.word_count_reduction:WordCountReduction",
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

    A built-in name cannot be taken over by an entry point. Raises NotFound for an unknown name and
    InvalidInput when an entry point does not load as a grader.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found: Grader | JudgedGrader = getattr(import_module(module), attribute)()
        return found
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                loaded = point.load()
                made: Grader | JudgedGrader = loaded() if isinstance(loaded, type) else loaded
            except Exception as error:
                raise InvalidInput(
                    f"grader {name!r} does not load from {point.value!r}: {type(error).__name__}: {error}"
                ) from error
            parts = JUDGED if is_judged(made) else MECHANICAL
            lacking = [part for part in parts if not hasattr(made, part)]
            if lacking:
                raise InvalidInput(f"grader {name!r} from {point.value!r} lacks {', '.join(lacking)}")
            return made
    raise NotFound(f"no grader is called {name!r}: there are {', '.join(names())}")
