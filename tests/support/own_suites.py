"""Assay's own suites, each read once in a process: many test files draw their cases from them."""

from functools import cache

from assay.core.suite import Suite
from assay.files.suite_folder import find_suite, load_suite
from assay.grading import registry


@cache
def own_suite(name: str) -> Suite:
    """Return the suite of that name as it is shipped."""
    return load_suite(find_suite(name), graders=registry)
