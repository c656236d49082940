"""The SOURCE argument and its options, which all commands of `assay frontier` share."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from command_line import Assay

from assay.cli.app import new_app
from assay.cli.frontier.source import print_source, with_source
from assay.cli.output import print_json
from assay.core.errors import InvalidInput, NotFound
from assay.results.published import document
from assay.studies.frontier.tensor_source import TensorSource

app = new_app()


@app.command()
@with_source
def weigh(
    ctx: typer.Context,
    read: TensorSource,
    times: int = typer.Option(1, "--times", metavar="N", help="How often."),
) -> None:
    """Read a source and say what was read."""
    print_source(read)
    print_json({"times": times, **document(read.summary)})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table with other column names: two agents on two tasks, twice."""
    path = tmp_path / "t.csv"
    rows = [
        f"{task},{agent},{trial},{mark},{cost},{part}"
        for task in ("x", "y")
        for agent, mark, cost in (("a", 5, 0), ("b", 3, 0.5))
        for trial, part in ((1, "test"), (2, "test"), (3, "train"))
    ]
    path.write_text("task,agent,trial,mark,usd,part\n" + "\n".join(rows) + "\nz,a,1,,1,test\n")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[str, Any], str]:
    """Run the command; return its document and its text on stderr."""
    app(list(words), standalone_mode=False)
    ended = capsys.readouterr()
    return json.loads(ended.out), ended.err


OPTIONS = shlex.split(
    "--column prompt=task --column quality=mark --column cost=usd --arm agent --where part=test "
    "--null missing --zero-cost unknown --quality-range 1 5 --least-coverage 0.4 --times 3"
)


def test_every_option_reaches_the_reading(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The document repeats them, with denominators that add up."""
    document, told = run(capsys, str(table), *OPTIONS)
    assert document["source"] == " ".join([str(table), *OPTIONS[:-2]])
    assert (document["times"], document["prompts"], document["models"], document["generations"]) == (
        3,
        2,
        2,
        2,
    )
    assert document["rows"] == {
        "read": 9,
        "used": 8,
        "errors": 0,
        "ungraded": 1,
        "left_out": 0,
        "invalid": 0,
        "skipped": 4,
        "answers": 8,
    }
    assert [each["name"] for each in document["left_out"]] == ["z"]
    assert "4 costs of 0 count as unknown" in document["notes"]
    assert "9 rows read: 8 used, 1 ungraded; 4 others did not meet the conditions" in told


def test_a_command_keeps_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    """Help lists SOURCE, the command's options, and the shared ones."""
    with pytest.raises(SystemExit):
        app(["--help"])
    shown = capsys.readouterr().out
    assert "SOURCE" in shown and "--times N" in shown and "--quality-range LOW HIGH" in shown


def test_invalid_options_are_refused(table: Path) -> None:
    """A pair without a sign, a column twice, a file that is not there, a table with bad rows."""
    for words, told in (
        (("--column", "quality"), "NAME=COLUMN"),
        (("--column", "cost=a", "--column", "cost=b"), "two columns for 'cost'"),
        (("--column", "prompt=tsk", "--column", "quality=mark", "--arm", "agent"), "did you mean 'task'"),
    ):
        with pytest.raises(InvalidInput, match=told):
            app([str(table), *words], standalone_mode=False)
    with pytest.raises(NotFound, match="write run:NUMBER for a run of the workspace"):
        app(["nowhere.csv"], standalone_mode=False)


@pytest.mark.usefixtures("no_database")
def test_a_run_of_the_workspace(capsys: pytest.CaptureFixture[str], assay: Assay, folder: Path) -> None:
    """The workspace is opened; without a database the error says so."""
    with pytest.raises(NotFound, match="there is no database"):
        app(["run:1"], standalone_mode=False)
    assert assay("run", "small", "-m", "simulated/steady", "--epochs", "2").status == 0
    document, _ = run(capsys, "run:1")
    assert (document["prompts"], document["models"], document["generations"]) == (10, 1, 2)
    assert document["rows"]["read"] == 20


def test_only_commands_that_take_a_context_and_a_reading() -> None:
    """Other parameters are a programming error."""

    def bare(ctx: typer.Context) -> None:
        """Take nothing."""

    with pytest.raises(TypeError, match="must take ctx as its first parameter, and read"):
        with_source(bare)
