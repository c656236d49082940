"""What the charts of selection share: an estimate as a row in per cent, the denominators."""

from __future__ import annotations

from assay.report.frontier.drawn import Row
from assay.results.frontier import Estimate
from assay.studies.frontier.posthoc_result import PosthocStudy


def ends(found: Estimate, name: str = "quality") -> Row:
    """Return value, low and high in per cent; the value alone where there is no interval."""
    value = 100.0 * (found.value or 0.0)
    over = found.over_prompts
    return {
        name: value,
        "low": value if over is None else 100.0 * over.low,
        "high": value if over is None else 100.0 * over.high,
    }


def size(study: PosthocStudy) -> str:
    """Return how many prompts and models there are."""
    return f"{study.prompts:,} prompts, {len(study.models)} models"
