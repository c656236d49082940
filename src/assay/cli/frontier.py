"""`assay frontier`: what all models together could reach. Each command stands in a file of its own."""

from __future__ import annotations

from assay.cli.app import new_app
from assay.cli.frontiers import simulate
from assay.cli.frontiers.fit import fit
from assay.cli.frontiers.posthoc import posthoc
from assay.cli.frontiers.report import report
from assay.cli.frontiers.route import route

app = new_app(no_args_is_help=True)


@app.callback()
def frontier() -> None:
    """Measure what all models together could reach at each cost, corrected for luck."""


app.add_typer(simulate.app, name="simulate")
app.command()(report)
app.command()(fit)
app.command()(posthoc)
app.command()(route)
