"""The commands of `assay suite`."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from assay.cli.output import OutputFormat, console, notes, print_listed, print_result, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput, group_problems
from assay.core.wording import counted
from assay.files import sealing, suite_seal
from assay.files.form_record import SEALED_SUFFIX
from assay.files.suite_folder import built_in_suites, find_suite
from assay.files.suite_lint import check_suite, lint
from assay.files.suite_skeleton import new_suite
from assay.grading import registry
from assay.results.suites import SUITES, USE_CASES, ListedSuite, ShownSuite, SuiteCheck
from assay.runs.work import Work
from assay.store.engine import database_exists
from assay.store.suites import list_suites


@prints("one row per suite")
def list_(ctx: typer.Context, output: OutputFormat) -> None:
    """List the built-in suites and those that were run here."""
    print_listed(SUITES, _known_suites(open_session(ctx)), output)


@prints("one row per use case")
def show(
    ctx: typer.Context,
    output: OutputFormat,
    name: str = typer.Argument(metavar="SUITE", help="Name of a built-in suite, a folder, or a sealed file."),
    reveal: bool = typer.Option(False, "--reveal", help="Also print the prompts of a private suite."),
) -> None:
    """Show a suite: use cases, sample counts, cases and graders."""
    shown = ShownSuite(open_session(ctx).suite(name), reveal)
    print_listed(USE_CASES, shown.use_cases, output, result=shown, text=lambda: _print_suite(shown))


def check(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="SUITE", help="Folder, built-in name or sealed file of a suite."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check a suite and print its digest.

    Exits with 2 if there are errors. Weaknesses are warnings.
    """
    path = find_suite(name)
    if path.suffix == SEALED_SUFFIX and path.is_file():
        environment = open_session(ctx).environment
        try:
            loaded = suite_seal.open_suite(path, graders=registry, environment=environment)
            checked = SuiteCheck(loaded, (), tuple(lint(loaded)))
        except InvalidInput as error:
            checked = SuiteCheck(None, error.problems, ())
    else:
        checked = check_suite(path, graders=registry)
    if as_json:
        print_result(checked)
    else:
        _print_check(checked)
    if not checked.good:
        raise typer.Exit(ExitStatus.WRONG)


def new(
    name: str = typer.Argument(metavar="NAME", help="Name of the suite."),
    out: Path | None = typer.Option(
        None, metavar="FOLDER", help="New or empty folder (default: the suite's name)."
    ),
    private: bool = typer.Option(
        False, "--private", help="Mark the suite as private: its samples are not published."
    ),
) -> None:
    """Write a small working suite as a starting point."""
    folder = out or Path(name)
    for path in new_suite(folder, name=name, private=private):
        typer.echo(f"wrote {path}")
    typer.echo(f"next: edit them, then `assay suite check {folder}`", err=True)


def seal(
    ctx: typer.Context,
    folder: Path | None = typer.Argument(None, metavar="[FOLDER]", help="Folder of the private suite."),
    out: Path | None = typer.Option(None, metavar="FILE", help="Sealed file (default: FOLDER.sealed)."),
    new_key: bool = typer.Option(False, "--new-key", help="Print a new key for ASSAY_SUITE_KEY and exit."),
) -> None:
    """Encrypt a private suite into one file.

    The key is read from ASSAY_SUITE_KEY.
    """
    if new_key:
        typer.echo(sealing.new_key())
        typer.echo("keep the key: a suite sealed with it cannot be opened without it", err=True)
        return
    if folder is None:
        raise InvalidInput("no suite to seal: give its folder")
    target = out or folder.resolve().with_name(folder.resolve().name + SEALED_SUFFIX)
    if target.suffix != SEALED_SUFFIX:
        raise InvalidInput(
            f"{str(target)!r} is not a valid name of a sealed suite: use a name that ends in .sealed"
        )
    key = suite_seal.environment_key(open_session(ctx).environment)
    header = suite_seal.seal(folder, target, key=key, graders=registry)
    shown = os.path.relpath(target)
    typer.echo(f"sealed {header.name} {header.version} ({header.digest[:12]}) into {shown}")


def unseal(
    ctx: typer.Context,
    file: Path = typer.Argument(metavar="FILE", help="Sealed suite."),
    out: Path = typer.Option(..., metavar="FOLDER", help="New or empty folder."),
) -> None:
    """Write the files of a sealed suite into a folder.

    The key is read from ASSAY_SUITE_KEY.
    """
    key = suite_seal.environment_key(open_session(ctx).environment)
    suite_seal.unseal_into(file, out, key=key)
    typer.echo(f"wrote the files of {file} into {out}")


def _known_suites(work: Work) -> list[ListedSuite]:
    """Return the built-in suites, then the other suites of the database."""
    suites = [work.suite(name) for name in built_in_suites()]
    known = [
        ListedSuite(
            suite.name, suite.version, suite.visibility, len(suite.cases), suite.digest, built_in=True
        )
        for suite in suites
    ]
    digests = {suite.digest for suite in suites}
    if database_exists(work.workspace.database):
        known += [stored for stored in list_suites(work.engine) if stored.digest not in digests]
    return known


def _print_suite(shown: ShownSuite) -> None:
    suite = shown.suite
    typer.echo(f"{suite.name} {suite.version}  {suite.title}  ({suite.visibility})")
    typer.echo(f"digest {suite.digest}")
    if suite.judge is not None:
        typer.echo(f"judge {suite.judge}")
    if suite.description:
        console().print("\n" + suite.description + "\n")
    print_rows(USE_CASES, shown.use_cases)


def _print_check(checked: SuiteCheck) -> None:
    """Print errors and warnings on stderr, and the suite's digest and counts on stdout."""
    for text in group_problems(checked.problems):
        notes().print(f"assay: {text}")
    suite = checked.suite
    if suite is None:
        return
    for text in group_problems(checked.weaknesses):
        notes().print(f"warning: {text}")
    typer.echo(f"{suite.name} {suite.version}  {suite.digest}")
    parts = (
        (len(suite.use_cases), "use case"),
        (len(suite.cases), "case"),
        (len(checked.weaknesses), "warning"),
    )
    typer.echo(", ".join(counted(*part) for part in parts))
