"""`assay rank`: rank models by scores or by comparisons. Each command is a file of its own."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "absolute": ("assay.cli.rank.scores:absolute", "Rank models by their mean score S over all items."),
    "relative": (
        "assay.cli.rank.scores:relative",
        "Rank models by R, relative to a reference model.",
    ),
    "bradley-terry": (
        "assay.cli.rank.comparisons:bradley_terry",
        "Rank models by the strengths that explain who beats whom.",
    ),
    "elo": (
        "assay.cli.rank.comparisons:elo",
        "Rank models by Elo ratings that do not depend on the order.",
    ),
    "report": ("assay.cli.rank_report:report", "Report what is known about a ranking, and what is not."),
    "items": ("assay.cli.rank.items:items", "Show how hard items are and how well they separate models."),
    "fragility": (
        "assay.cli.rank.items:fragility",
        "Show how few items decide which model is first.",
    ),
    "stability": (
        "assay.cli.rank.stability:stability",
        "Show how much the order changes when other items are drawn.",
    ),
    "adaptive": (
        "assay.cli.rank.adaptive:adaptive",
        "Replay adaptive runs on recorded scores.",
    ),
    "predict": ("assay.cli.rank.predict:predict", "Predict scores that were not measured, with intervals."),
}
app = lazy_app(COMMANDS)


@app.callback()
def rank() -> None:
    """Rank models by scores or by comparisons, from runs, boards, exams or tables."""
