"""The `assay` command. A group of commands is imported only when it is called."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

import typer

from assay.cli.app import lazy_app
from assay.core.errors import AssayError, ExitStatus
from assay.core.shape_errors import what_to_write

COMMANDS = {
    "init": ("assay.cli.init:app", "Write a workspace file to start from."),
    "doctor": ("assay.cli.doctor:app", "Check keys, endpoints, database and sandbox."),
    "demo": ("assay.cli.demo:app", "Run the daily suite on simulated models for 30 days."),
    "watch": ("assay.cli.watch.group:app", "Run today's suite and report which models got worse."),
    "notify": ("assay.cli.notify:app", "List notifications of webhooks, and send failed ones again."),
    "verdict": ("assay.cli.watch.verdict:app", "Show verdicts with their evidence."),
    "run": ("assay.cli.run:app", "Run a suite against models."),
    "resume": ("assay.cli.resume:app", "Resume a run that was stopped."),
    "board": ("assay.cli.board.board:app", "Rank the models that a suite was run on."),
    "rank": ("assay.cli.rank.group:app", "Rank models by scores or by comparisons, with intervals."),
    "causal": ("assay.cli.causal:app", "Generate, check and explain causal question sets."),
    "compare": ("assay.cli.compare:app", "Compare two runs: changed cases and a significance test."),
    "grade": ("assay.cli.grade:app", "Grade the stored answers of a run again."),
    "judge": ("assay.cli.judge.group:app", "Choose, calibrate and compare judges."),
    "runs": ("assay.cli.runs:app", "List runs."),
    "show": ("assay.cli.show:app", "Show a run, or one sample with its answer, grades and calls."),
    "suite": ("assay.cli.suite:app", "List, show, check, write and seal suites."),
    "model": ("assay.cli.model:app", "Add and list models, and refresh their prices."),
    "bank": ("assay.cli.bank.group:app", "Manage private questions: import, screen, expand, draw."),
    "exam": ("assay.cli.exam.group:app", "Manage exams: participants, sessions, marks, results."),
    "serve": ("assay.cli.serve:app", "Serve the pages of results, and exams if there is a bank."),
    "site": ("assay.cli.site:app", "Write the pages of results as a static site."),
    "sit": ("assay.cli.sit:app", "Take an exam with a model."),
    "frontier": (
        "assay.cli.frontier.group:app",
        "Estimate what all models together could reach at each cost.",
    ),
    "study": ("assay.cli.studies.group:app", "Test for contamination and other threats to validity."),
    "bench-score": ("assay.cli.bench_score:app", "Combine published benchmark results, for context."),
    "import": ("assay.cli.import_:app", "Import results that were recorded elsewhere."),
    "export": ("assay.cli.export:app", "Write answers to a spreadsheet for people to mark."),
    "explain": ("assay.cli.explain:app", "Explain a status, check, flag or kind of error."),
    "db": ("assay.cli.db:app", "Upgrade, back up or copy the database."),
}


app = lazy_app(COMMANDS, completion=True)


def _print_version(version_option: bool) -> None:
    if version_option:
        from importlib.metadata import version

        typer.echo(f"assay {version('assay')}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    workspace: str | None = typer.Option(
        None, "--workspace", "-w", metavar="FILE", help="Workspace file (default: ./assay.yaml)."
    ),
    database: str | None = typer.Option(
        None,
        "--database",
        metavar="FILE|URL",
        help="SQLite file or PostgreSQL URL (default: the workspace's).",
    ),
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_print_version, help="Print the version and exit."
    ),
) -> None:
    """Measure language models: daily regressions, rankings, private exams, and the best mix of models."""
    ctx.obj = {"workspace": workspace, "database": database}


def main() -> None:
    """Run the command line. An error that a user can fix gives one message and an exit status."""
    status = _run()
    # The command is over: a further Ctrl-C must not print a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _run() -> int:
    try:
        status = app(prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as ended:  # raised by typer when the reader of the output is gone
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        return _end_quietly()
    except AssayError as error:
        _print_error(str(error) or type(error).__name__)
        return error.exit_status
    except (typer.Abort, KeyboardInterrupt):
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        return _end_quietly()
    except OSError as error:
        place = "" if error.filename is None else f"{str(error.filename)!r}: "
        _print_error(f"{place}{(error.strerror or str(error)).lower()}")
        return ExitStatus.WRONG
    except Exception as error:  # noqa: BLE001  (the outermost handler)
        return _print_usage_error(error) if hasattr(error, "format_message") else _print_defect()
    return status if isinstance(status, int) else 0


def _end_quietly() -> int:
    """End without an error because the reader of stdout is gone, as in `assay runs | head -1`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _print_usage_error(error: Any) -> int:
    """Print what was wrong with the call; a group that is called without a command prints its help."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
    else:
        hint = "" if context is None else f" (see `{context.command_path} --help`)"
        _print_error(_explain_usage_error(error) + hint)
    return ExitStatus.WRONG


def _explain_usage_error(error: Any) -> str:
    """Return what is wrong with a call, worded like Assay's other errors."""
    text = str(error.format_message()).rstrip(".")
    cause, parameter = error.__cause__, getattr(error, "param", None)
    if parameter is None or not hasattr(cause, "errors"):
        return text[:1].lower() + text[1:]
    name = parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar
    (first, *_) = cause.errors(include_url=False)
    value, advice = first["input"], what_to_write(first)
    if first["type"] == "value_error":
        _, _, names = first["msg"].partition(" is not one of ")
        advice = f"one of {names.rstrip('.').replace(chr(39), '')}"
    return f"invalid value {value!r} for {name}: write {advice}"


def _print_defect() -> int:
    traceback.print_exc()
    _print_error("this is a defect of Assay: please report it with the lines above")
    return ExitStatus.DEFECT


def _print_error(text: str) -> None:
    for line in text.splitlines():
        print(f"assay: {line}", file=sys.stderr)
