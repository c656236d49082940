"""`assay suite`: list, show, check, write and seal suites."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import print_json, print_table
from assay.cli.session import open_session
from assay.cli.suites import (
    check_document,
    list_document,
    print_check,
    print_suite,
    stored_suites,
    suite_document,
)
from assay.core.errors import InvalidInput

app = new_app(no_args_is_help=True)


@app.callback()
def suite() -> None:
    """List, show, check, write and seal suites."""


@app.command("list")
def list_(
    ctx: typer.Context, as_json: bool = typer.Option(False, "--json", help="Print one JSON document.")
) -> None:
    """List the built-in suites and those that were run here."""
    found = stored_suites(open_session(ctx))
    if as_json:
        print_json(list_document(found))
        return
    print_table(
        None,
        ("suite", "version", "visibility", "cases", "digest", "from"),
        [
            (each.name, each.version, each.visibility, each.cases, each.digest[:12], each.origin)
            for each in found
        ],
        right=("cases",),
    )


@app.command()
def show(
    ctx: typer.Context,
    name: str = typer.Argument(
        metavar="SUITE", help="A built-in suite's name, its folder, or its sealed file."
    ),
    reveal: bool = typer.Option(False, "--reveal", help="Print the prompts of a private suite too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a suite: use cases, sample counts, cases with their graders."""
    found = open_session(ctx).suite(name)
    if as_json:
        print_json(suite_document(found, reveal=reveal))
    else:
        print_suite(found)


@app.command()
def check(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="SUITE", help="A suite's folder, a built-in name, or a sealed file."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check a suite and print its digest.

    What is wrong with it ends with status 2; what weakens it is a warning.
    """
    from assay.files.suite_folder import find_suite
    from assay.files.suite_lint import SuiteCheck, check_suite, lint
    from assay.files.suite_seal import SUFFIX, open_suite
    from assay.grading import registry

    path = find_suite(name)
    if path.suffix == SUFFIX and path.is_file():
        environment = open_session(ctx).environment
        try:
            loaded = open_suite(path, graders=registry, environment=environment)
            found = SuiteCheck(loaded, (), tuple(lint(loaded)))
        except InvalidInput as error:
            found = SuiteCheck(None, error.problems, ())
    else:
        found = check_suite(path, graders=registry)
    if as_json:
        print_json(check_document(found))
    else:
        print_check(found)
    if not found.good:
        raise typer.Exit(2)


@app.command()
def new(
    folder: Path = typer.Argument(metavar="FOLDER", help="A folder that does not exist yet, or is empty."),
    name: str | None = typer.Option(None, metavar="NAME", help="The suite's name; else the folder's."),
    private: bool = typer.Option(False, "--private", help="Its samples are not to be published."),
) -> None:
    """Write the skeleton of a suite, complete enough to run."""
    from assay.files.suite_skeleton import new_suite

    for path in new_suite(folder, name=name or folder.resolve().name, private=private):
        typer.echo(f"wrote {path}")
    typer.echo(f"next: edit them, then `assay suite check {folder}`", err=True)


@app.command()
def seal(
    ctx: typer.Context,
    folder: Path | None = typer.Argument(None, metavar="[FOLDER]", help="The private suite's folder."),
    into: Path | None = typer.Option(None, "--into", metavar="FILE", help="Else FOLDER.sealed."),
    new_key: bool = typer.Option(False, "--new-key", help="Print a fresh key for ASSAY_SUITE_KEY and stop."),
) -> None:
    """Encrypt a private suite into one file.

    The key is taken from ASSAY_SUITE_KEY.
    """
    from assay.files import suite_seal
    from assay.grading import registry

    if new_key:
        typer.echo(suite_seal.new_key())
        typer.echo("keep it: without it a suite sealed with it cannot be opened again", err=True)
        return
    if folder is None:
        raise InvalidInput("no suite to seal: name its folder")
    target = into or folder.resolve().with_name(folder.resolve().name + suite_seal.SUFFIX)
    if target.suffix != suite_seal.SUFFIX:
        raise InvalidInput(f"{str(target)!r} would not be found as a sealed suite: end it in .sealed")
    key = suite_seal.environment_key(open_session(ctx).environment)
    header = suite_seal.seal(folder, target, key=key, graders=registry)
    shown = os.path.relpath(target)
    typer.echo(f"sealed {header.name} {header.version} ({header.digest[:12]}) into {shown}")


@app.command()
def unseal(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="The sealed suite."),
    folder: Path = typer.Argument(metavar="FOLDER", help="A folder that does not exist yet, or is empty."),
) -> None:
    """Write the files of a sealed suite into a folder.

    The key is taken from ASSAY_SUITE_KEY.
    """
    from assay.files import suite_seal

    key = suite_seal.environment_key(open_session(ctx).environment)
    suite_seal.unseal_into(file, folder, key=key)
    typer.echo(f"wrote the files of {file} into {folder}")
