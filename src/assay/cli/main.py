"""The `assay` command. Each group of commands is imported only when it is called."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from assay.cli.app import PREFIX, give_variables, new_app
from assay.core.errors import AssayError

COMMANDS = {
    "init": ("assay.cli.init", "Write a workspace file to start from."),
    "doctor": ("assay.cli.doctor", "Check keys, endpoints, database, sandbox; say what to do."),
    "demo": ("assay.cli.demo", "Run 30 simulated days of the daily suite, with verdicts."),
    "watch": ("assay.cli.watch", "Run today's suite and say which model got worse than itself."),
    "verdict": ("assay.cli.verdict", "Show verdicts with their evidence."),
    "run": ("assay.cli.run", "Run a suite against models."),
    "resume": ("assay.cli.resume", "Finish a run that was stopped."),
    "board": ("assay.cli.board", "Rank the models that a suite was run on."),
    "causal": ("assay.cli.causal", "Make, attack and explain forms of the causal benchmark."),
    "compare": ("assay.cli.compare", "Compare two runs case by case: what flipped, and is it luck?"),
    "grade": ("assay.cli.grade", "Grade the stored answers of a run again."),
    "judge": ("assay.cli.judge", "List and calibrate judges; say how far they agree."),
    "runs": ("assay.cli.runs", "List runs."),
    "show": ("assay.cli.show", "Show a run, or one sample with its answer, grades and calls."),
    "suite": ("assay.cli.suite", "List, show, check, write and seal suites."),
    "model": ("assay.cli.model", "Add and list models, and refresh their prices."),
    "bank": ("assay.cli.bank", "Keep the private questions: import, screen, expand, draw."),
    "exam": ("assay.cli.exam", "Administer exams: who sits, sessions, marks, results."),
    "serve": ("assay.cli.serve", "Run the exam service."),
    "sit": ("assay.cli.sit", "Sit an exam with a model, as a candidate."),
    "frontier": ("assay.cli.frontier", "What could all models together reach, at each cost?"),
    "study": ("assay.cli.study", "Study what bears on results: contamination."),
    "bench-score": ("assay.cli.bench_score", "Show the blend of public results, for context."),
    "import": ("assay.cli.import_", "Take in history recorded elsewhere."),
    "db": ("assay.cli.db", "Upgrade, back up or copy the database."),
}
INTERRUPTED = 130
WRONG = 2
DEFECT = 70


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
        give_variables(command, f"{PREFIX}_{name}")
        return name, command, rest


app = new_app(cls=LazyGroup, no_args_is_help=True)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"assay {version('assay')}")
        raise typer.Exit


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
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_print_version, help="Print the version and stop."
    ),
) -> None:
    """Assay measures language models honestly: did it get worse, who is good, and by what evidence."""
    ctx.obj = {"workspace": workspace, "database": database}


def main() -> None:
    """Run the command line; whatever a user can mend ends it with one message and an exit status."""
    status = _run()
    # What is left is to end: pressing Ctrl-C on must not turn that into a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _run() -> int:
    try:
        status = app(prog_name="assay", standalone_mode=False)
    except AssayError as error:
        _tell(str(error) or type(error).__name__)
        return error.exit_status
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = "" if error.filename is None else f"{str(error.filename)!r}: "
        _tell(f"{place}{(error.strerror or str(error)).lower()}")
        return WRONG
    except Exception as error:  # noqa: BLE001  (the last place that can say anything)
        return _misused(error) if hasattr(error, "format_message") else _broken()
    return status if isinstance(status, int) else 0


def _misused(error: Any) -> int:
    """Say what was wrong with the call; a group called without a command shows its help."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
    else:
        hint = "" if context is None else f" (see `{context.command_path} --help`)"
        _tell(error.format_message().rstrip(".") + hint)
    return WRONG


def _broken() -> int:
    traceback.print_exc()
    _tell("this is a defect of Assay: please report it with the lines above")
    return DEFECT


def _tell(text: str) -> None:
    for line in text.splitlines():
        print(f"assay: {line}", file=sys.stderr)
