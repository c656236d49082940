"""Reports of small recorded sources, for tests of what is shown of them."""

from __future__ import annotations

from functools import cache

from frontier_reads import made, read_of

from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport


@cache
def report(
    generations: int = 5,
    *,
    costs: bool = True,
    categories: int = 2,
    continuous: bool = False,
    models: int = 4,
) -> FrontierReport:
    """Return the report of a made-up source; the same one for the same wish."""
    tensor = made(
        models=models, generations=generations, costs=costs, categories=categories, continuous=continuous
    )
    return frontier_report(read_of(tensor), resamples=20)
