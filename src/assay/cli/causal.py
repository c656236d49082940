"""`assay causal`: generate causal question sets, check them for shortcuts, and explain their questions."""

from __future__ import annotations

import os

from assay.cli.app import lazy_app

COMMANDS = {
    "generate": (
        "assay.cli.causal_forms:generate",
        "Generate 100 causal questions, each key proved in two ways.",
    ),
    "explain": (
        "assay.cli.causal_forms:explain",
        "Show a question's causal model, and what makes options right.",
    ),
    "calibrate": (
        "assay.cli.causal_calibration:calibrate",
        "Propose the level at which models differ significantly.",
    ),
    "lint": ("assay.cli.causal_forms:lint", "Check a question set for shortcuts that need no reasoning."),
}
app = lazy_app(COMMANDS)
# The attacks work on small matrices, which several threads of the linear algebra only slow down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@app.callback()
def causal() -> None:
    """Generate causal question sets, check them for shortcuts, and explain their questions."""
