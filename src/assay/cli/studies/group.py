"""`assay study`: tests for contamination and other threats to the validity of results."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "contamination": (
        "assay.cli.studies.contamination:contamination",
        "Test whether models have seen the questions before.",
    ),
    "recalls": (
        "assay.cli.studies.contamination:recalls",
        "Test recorded counts of recalled questions.",
    ),
    "overlap": (
        "assay.cli.studies.overlap:overlap",
        "Show which questions share word sequences with texts.",
    ),
    "duplicates": (
        "assay.cli.studies.duplicates:duplicates",
        "Show questions that ask the same.",
    ),
    "correlate": (
        "assay.cli.studies.correlate:correlate",
        "Show how well rankings of the same models agree.",
    ),
    "prompting": (
        "assay.cli.studies.variants:prompting",
        "Compare each model's scores under several promptings.",
    ),
    "variants": (
        "assay.cli.studies.variants:variants",
        "Compare variants of a model with a base, by discipline.",
    ),
    "trend": (
        "assay.cli.studies.trend:trend",
        "Show how scores grow with the release date.",
    ),
    "errors": (
        "assay.cli.studies.errors:errors",
        "Sort wrong answers into five kinds of errors with a judge.",
    ),
}
app = lazy_app(COMMANDS)


@app.callback()
def study() -> None:
    """Test for contamination and other threats to validity."""
