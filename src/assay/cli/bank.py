"""`assay bank`: the private store of questions. Each command stands in a file of its own."""

from __future__ import annotations

from assay.cli.app import new_app
from assay.cli.banking.draw import draw
from assay.cli.banking.import_ import import_
from assay.cli.banking.new_key import new_key

app = new_app(no_args_is_help=True)


@app.callback()
def bank() -> None:
    """Import, screen, expand, count, draw and export the private questions."""


app.command("new-key")(new_key)
app.command("import")(import_)
app.command()(draw)
