"""`assay init`: write a workspace file to start from."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app

app = new_app()
NEXT = """\
Next:
  1. set a key in the environment, or in a file .env in the same folder:
       OPENROUTER_API_KEY=...
  2. check the setup:
       assay doctor
  3. preview the calls and cost of a day of the watch, then run it:
       assay model add openrouter/openai/gpt-5-mini --pin openai
       assay watch --model openrouter/openai/gpt-5-mini --dry-run
       assay watch --model openrouter/openai/gpt-5-mini
  Without a key: assay watch --model simulated/steady (simulated answers), or assay demo."""


@app.command()
def init(
    out: Path = typer.Option(
        Path(), metavar="FOLDER", help="Folder for the file.", show_default="this folder"
    ),
) -> None:
    """Write a commented assay.yaml, unless there is one already."""
    from assay.cli.output import notes
    from assay.files.workspace_writer import init_workspace

    typer.echo(f"wrote {init_workspace(out)}")
    notes().print(NEXT)
