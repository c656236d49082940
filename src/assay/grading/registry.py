"""Which graders there are: the built-in ones, and those that other packages add by entry point."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from assay.core.errors import InvalidInput, NotFound
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, is_judged

BUILT_IN = {
    "choice": "assay.grading.choice:Choice",
    "code_tests": "assay.grading.code_tests:CodeTests",
    "constraints": "assay.grading.constraints:Constraints",
    "contains": "assay.grading.contains:Contains",
    "exact": "assay.grading.exact:Exact",
    "html_page": "assay.grading.html_page:HtmlPage",
    "json_fields": "assay.grading.json_fields:JsonFields",
    "number": "assay.grading.number:Number",
    "rubric": "assay.grading.rubric:Rubric",
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
