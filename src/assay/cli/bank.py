"""`assay bank`: the private store of questions. Each command stands in a file of its own."""

from __future__ import annotations

from assay.cli.app import new_app
from assay.cli.banking import duplicates, reviewer
from assay.cli.banking.draw import draw
from assay.cli.banking.expand import expand
from assay.cli.banking.export import export
from assay.cli.banking.import_ import import_
from assay.cli.banking.new_key import new_key
from assay.cli.banking.rekey import rekey
from assay.cli.banking.retire import retire
from assay.cli.banking.screen import screen
from assay.cli.banking.show import show
from assay.cli.banking.stats import stats

app = new_app(no_args_is_help=True)


@app.callback()
def bank() -> None:
    """Import, screen, expand, count, draw and export the private questions."""


app.command("new-key")(new_key)
app.command("import")(import_)
app.command()(draw)
app.command()(screen)
app.add_typer(reviewer.app, name="reviewer")
app.add_typer(duplicates.app, name="duplicates")
app.command()(expand)
app.command()(stats)
app.command()(export)
app.command()(show)
app.command()(retire)
app.command()(rekey)
