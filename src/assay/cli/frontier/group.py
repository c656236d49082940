"""`assay frontier`: what all models together could reach. Each command has its own file."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "simulate": (
        "assay.cli.frontier.simulate:app",
        "Simulate the oracle's bias, and its gain by topic entropy.",
    ),
    "report": ("assay.cli.frontier.report:report", "Report what all models together reach at each cost."),
    "fit": ("assay.cli.frontier.fit:fit", "Estimate what all models together reach, corrected for luck."),
    "posthoc": (
        "assay.cli.frontier.posthoc:posthoc",
        "Estimate what a judge that selects among answers achieves.",
    ),
    "route": ("assay.cli.frontier.route:route", "Measure practical routers against the frontier."),
}
app = lazy_app(COMMANDS)


@app.callback()
def frontier() -> None:
    """Measure what all models together could reach at each cost, corrected for luck."""
