"""The way in: help, environment variables, exit statuses, and every module importable."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import SCRIPT, Assay, Served, commands_of
from typer.main import get_command

import assay as package
from assay.cli.app import OF_THE_WORKSPACE, LazyGroup, give_variables
from assay.cli.main import COMMANDS, app
from assay.files.workspace import OPTIONS


def loaded(name: str) -> Any:
    """Return a command as the group resolves it."""
    command = get_command(app).loaded(name)  # type: ignore[attr-defined]
    give_variables(command, f"ASSAY_{name}")
    return command


def paths() -> list[list[str]]:
    """Return every command and subcommand."""
    found = [[]]
    for name in COMMANDS:
        below = commands_of(loaded(name))
        found += [[name], *([name, inner] for inner in below)]
    return found


@pytest.mark.parametrize("path", paths(), ids=" ".join)
def test_every_command_has_help_that_fits_80_columns(assay: Assay, path: list[str]) -> None:
    """`--help` ends with 0, says what the command does, and needs no more than 80 columns."""
    ended = assay(*path, "--help")
    assert ended.status == 0
    assert ended.out.startswith("Usage: assay")
    assert max(len(line) for line in ended.out.splitlines()) <= 80
    assert "..." not in ended.out.partition("Commands:")[2].replace("ARGS]...", "")


def test_a_groups_help_says_what_its_commands_say() -> None:
    """The line in the table is the first of the command's own help."""
    groups = {"": get_command(app), **{name: loaded(name) for name in COMMANDS}}
    for words, group in groups.items():
        if isinstance(group, LazyGroup) and words:
            for name, (_, line) in group.table.items():
                assert group.loaded(name).help.splitlines()[0] == line, f"{words} {name}"


def test_help_imports_no_heavy_module() -> None:
    """The list of commands loads neither SQLAlchemy, aiohttp, numpy nor rich."""
    code = (
        "import sys; from assay.cli.main import app; app(['--help'], standalone_mode=False); "
        "heavy = {'sqlalchemy', 'aiohttp', 'numpy', 'rich', 'pydantic'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_module_can_be_imported() -> None:
    """Every module can be imported, including those that are imported lazily."""
    for module in pkgutil.walk_packages(package.__path__, "assay."):
        if ".migrations." not in module.name:
            importlib.import_module(module.name)


def test_the_version_is_the_installed_one(script: Assay) -> None:
    """`--version` prints it and stops."""
    ended = script("--version")
    assert (ended.status, ended.out.startswith("assay ")) == (0, True)


def test_without_a_command_the_help_is_shown(script: Assay) -> None:
    """A bare `assay` is misuse: help on stderr, status 2."""
    ended = script()
    assert (ended.status, "Commands:" in ended.err, ended.out) == (2, True, "")


def test_options_are_variables_too(upstream: Served, script: Assay) -> None:
    """`ASSAY_<COMMAND>_<OPTION>` sets an option; several values are separated by spaces."""
    ended = script(
        "run", "small", ASSAY_RUN_MODEL="mine/a/b mine/c", ASSAY_RUN_EPOCHS="2", ASSAY_RUN_DRY_RUN="1",
        ASSAY_RUN_JSON="1",
    )  # fmt: skip
    assert [model["calls"] for model in ended.json["parts"][0]["models"]] == [20, 20]


def test_an_option_beats_its_variable(upstream: Served, script: Assay) -> None:
    """An option on the command line takes precedence."""
    ended = script(
        "run", "small", "-m", "mine/a/b", "--epochs", "1", "--dry-run", "--json", ASSAY_RUN_EPOCHS="3"
    )
    assert ended.json["calls"] == 10


@pytest.mark.slow
@pytest.mark.usefixtures("no_database")
def test_the_database_variable_is_read_once(upstream: Served, script: Assay, folder: Path) -> None:
    """ASSAY_DATABASE holds for every command, and --database beats it."""
    assert script("run", "small", "-m", "mine/a/b", "--limit", "1", ASSAY_DATABASE="other.db").status == 0
    assert (folder / "other.db").exists() and not (folder / "assay.db").exists()
    assert script("runs", ASSAY_DATABASE="nope.db").status == 2
    assert script("--database", "other.db", "runs", ASSAY_DATABASE="nope.db").status == 0


def test_the_workspace_variable_names_the_file(upstream: Served, script: Assay, folder: Path) -> None:
    """ASSAY_WORKSPACE sets --workspace."""
    (folder / "assay.yaml").rename(folder / "elsewhere.yaml")
    planned = script("run", "small", "-m", "mine/a/b", "--dry-run", ASSAY_WORKSPACE="elsewhere.yaml")
    assert planned.status == 0


@pytest.mark.slow
def test_a_schedule_in_the_environment_does_not_make_a_watch_endless(upstream: Served, script: Assay) -> None:
    """ASSAY_WATCH_SCHEDULE is the workspace's schedule: a plain `watch` still ends."""
    ended = script("watch", "--suite", "small", "-m", "mine/a/b", "--json", ASSAY_WATCH_SCHEDULE="06:00")
    assert (ended.status, ended.json["run"]["n"]) == (0, 10)


def test_variables_of_the_workspace_are_not_also_options() -> None:
    """Each variable has one reader: the workspace's are given to no option."""
    given = {parameter.envvar for name in COMMANDS for parameter in loaded(name).params if parameter.envvar}
    assert given.isdisjoint({*OPTIONS, "ASSAY_DATABASE", "ASSAY_WORKSPACE", "ASSAY_SUITE_KEY"})
    assert {name for name in OPTIONS if name.startswith("ASSAY_WATCH_")} - {"ASSAY_WATCH_MODELS"} <= set(
        OF_THE_WORKSPACE
    )


@pytest.mark.parametrize("form", ["", "--json", "--csv"])
def test_a_reader_that_goes_away_is_no_error(folder: Path, form: str) -> None:
    """A command whose output is no longer read, as in `assay ... | head -1`, ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    call = [SCRIPT, "suite", "list", *filter(None, [form])]
    done = subprocess.run(call, cwd=folder, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_defect_ends_with_70_and_its_traceback(assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect has its own status, different from bad news (1) and misuse (2)."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("assay.files.suite_folder.built_in_suites", broken)
    monkeypatch.setattr("assay.cli.suites.built_in_suites", broken)
    ended = assay("suite", "list")
    assert (ended.status, "ZeroDivisionError" in ended.err, "report it" in ended.err) == (70, True, True)
