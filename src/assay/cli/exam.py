"""`assay exam`: administer the exam service. Each command stands in a file of its own."""

from __future__ import annotations

from assay.cli.app import new_app
from assay.cli.examining import candidate, key, organisation, token, user
from assay.cli.examining.access import access
from assay.cli.examining.close import close
from assay.cli.examining.exclude import exclude
from assay.cli.examining.experts import app as experts
from assay.cli.examining.manifest import manifest
from assay.cli.examining.mark import mark
from assay.cli.examining.open_ import open_
from assay.cli.examining.results import results
from assay.cli.examining.sessions import sessions

app = new_app(no_args_is_help=True)


@app.callback()
def exam() -> None:
    """Administer organisations, candidates and tokens; open, mark and list exams."""


app.add_typer(organisation.app, name="organisation")
app.add_typer(user.app, name="user")
app.add_typer(candidate.app, name="candidate")
app.add_typer(token.app, name="token")
app.add_typer(key.app, name="key")
app.command()(access)
app.command("open")(open_)
app.command()(sessions)
app.command()(close)
app.command()(mark)
app.command()(exclude)
app.command()(manifest)
app.command()(results)
app.add_typer(experts, name="experts")
