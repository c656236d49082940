"""Which graders there are: the built-in ones, and those that other packages add by entry point."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from assay.core.errors import InvalidInput, NotFound
from assay.core.grade import Grader

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


def names() -> tuple[str, ...]:
    """Return the names of all graders, sorted."""
    return tuple(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))


@cache
def grader(name: str) -> Grader:
    """Return the grader of that name, loading it on first use.

    A built-in name cannot be taken over by an entry point. Raises NotFound for an unknown name and
    InvalidInput when an entry point does not load as a grader.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found: Grader = getattr(import_module(module), attribute)()
        return found
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                loaded = point.load()
                made: Grader = loaded() if isinstance(loaded, type) else loaded
            except Exception as error:
                raise InvalidInput(
                    f"grader {name!r} does not load from {point.value!r}: {type(error).__name__}: {error}"
                ) from error
            lacking = [
                part for part in ("name", "version", "problems", "asks", "read") if not hasattr(made, part)
            ]
            if lacking:
                raise InvalidInput(f"grader {name!r} from {point.value!r} lacks {', '.join(lacking)}")
            return made
    raise NotFound(f"no grader is called {name!r}: there are {', '.join(names())}")
