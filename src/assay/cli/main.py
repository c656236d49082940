"""The `assay` command. Each group of commands is imported only when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from assay.core.errors import AssayError

COMMANDS = {
    "init": ("assay.cli.init", "Write a workspace file to start from."),
    "doctor": ("assay.cli.doctor", "Check workspace, keys, database and sandbox, and say what is missing."),
    "demo": ("assay.cli.demo", "Run 30 simulated days of the daily suite and print the verdicts."),
    "watch": ("assay.cli.watch", "Run today's suite and say which model got worse than itself."),
    "verdict": ("assay.cli.verdict", "Show verdicts with their evidence."),
    "run": ("assay.cli.run", "Run a suite against models."),
    "resume": ("assay.cli.resume", "Finish a run that was stopped."),
    "runs": ("assay.cli.runs", "List runs."),
    "show": ("assay.cli.show", "Show a run, or one sample with its answer, grades and calls."),
    "suite": ("assay.cli.suite", "List, show, check, write and seal suites."),
    "model": ("assay.cli.model", "Add and list models, and refresh their prices."),
    "import": ("assay.cli.import_", "Take in history recorded elsewhere."),
    "db": ("assay.cli.db", "Upgrade or back up the database."),
}
INTERRUPTED = 130


class LazyGroup(TyperGroup):
    """A group that knows its commands by name and imports one only to run it."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a stand-in that carries the help line; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the real command, importing its module."""
        name, stand_in, rest = super().resolve_command(ctx, args)
        if stand_in is None or name is None:
            return name, stand_in, rest
        command = get_command(import_module(COMMANDS[name][0]).app)
        command.name = name
        return name, command, rest


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, add_completion=False)


@app.callback()
def root(
    ctx: typer.Context,
    workspace: str | None = typer.Option(
        None, "--workspace", "-w", metavar="FILE", help="The workspace file; else assay.yaml here."
    ),
    database: str | None = typer.Option(
        None,
        "--database",
        metavar="FILE|URL",
        help="An SQLite file or a PostgreSQL URL, over the workspace's.",
    ),
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    """Assay measures language models honestly: did it get worse, who is good, and by what evidence."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"assay {installed('assay')}")
        raise typer.Exit
    ctx.obj = {"workspace": workspace, "database": database}


def main() -> None:
    """Run the command line; errors meant for users end it with their message and exit status."""
    try:
        status = app(standalone_mode=False)
    except AssayError as error:
        lines = str(error).splitlines() or [type(error).__name__]
        for line in lines:
            print(f"assay: {line}", file=sys.stderr)
        sys.exit(error.exit_status)
    except typer.Abort:
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        sys.exit(getattr(error, "exit_code", 2))
    sys.exit(status if isinstance(status, int) else 0)
