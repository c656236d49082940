"""Input that cannot be used: one clear message, everything at once, status 2."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import Assay, Served, use_case, write_workspace

OPENROUTER = "openrouter/openai/gpt-5-mini"
PYDANTIC = re.compile(r"input should|field required|extra inputs|value error|valid (string|integer)", re.I)


def test_a_malformed_workspace_tells_every_problem_with_its_line(folder: Path, assay: Assay) -> None:
    """Two mistakes are reported at once, each with file, line and advice."""
    (folder / "assay.yaml").write_text("budget:\n  max_costs: 2\nwatch:\n  schedule: 6am\n")
    ended = assay("run", "small", "-m", "simulated/steady")
    assert ended.status == 2
    first, second = ended.err.splitlines()
    assert first.startswith("assay: assay.yaml:2:") and "did you mean 'max_cost'" in first
    assert second.startswith("assay: assay.yaml:4:") and "06:00" in second
    assert ended.out == ""


@pytest.mark.usefixtures("no_database")
def test_a_malformed_suite_tells_every_problem_with_its_line(folder: Path, assay: Assay) -> None:
    """Mistakes in two files of a suite are reported at once, and nothing is run."""
    (folder / "small" / "sums.yaml").write_text(use_case("sums", {"What is 1?": "1"}).replace("all:", "al:"))
    words = folder / "small" / "words.yaml"
    words.write_text(words.read_text().replace("grading: deterministic", "grading: guess"))
    ended = assay("run", "small", "-m", "simulated/steady")
    assert ended.status == 2
    assert "sums.yaml:" in ended.err and "words.yaml:3" in ended.err
    assert not (folder / "assay.db").exists()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("assay.yaml", "budget: {max_cost: cheap}\nconcurrency: 1.5\nmodels: 7\n"),
        ("assay.yaml", "providers: {mine: {base_url: 3, attempts: many}}\nwatch: [daily]\n"),
        ("assay.yaml", "judges: {a: 1}\nnotify: [{name: 1, format: html}]\ndatabase: [x]\n"),
        ("small/suite.yaml", "name: 1\nversion: 1.0\nuse_cases: sums.yaml\nvisibility: secret\n"),
        ("small/sums.yaml", "name: sums\ntitle: 1\ngrading: guess\nsamples: {base: a, full: 0}\ncases: 3\n"),
        ("small/sums.yaml", "cases:\n  - id: [1]\n    prompt: 4\n    graders: contains\n    more: 1\n"),
    ],
)
def test_broken_files_are_explained_in_our_own_words(
    folder: Path, assay: Assay, file: str, text: str
) -> None:
    """No sentence of the library that checks the files is printed."""
    (folder / file).write_text(text)
    ended = assay("run", "small", "-m", "simulated/steady")
    assert ended.status == 2
    assert Path(file).name in ended.err
    assert not PYDANTIC.search(ended.err), ended.err


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("runs --limit x", "invalid value 'x' for --limit: write a whole number"),
        ("runs --limit -1", "invalid value '-1' for --limit: write a number of at least 0"),
        ("frontier fit x.csv --level 2", "invalid value '2' for --level: write a number of at most 0.999"),
        ("verdict --fail-on x", "invalid value 'x' for --fail-on: write one of suspicious, cooked"),
        ("compare 1 x", "invalid value 'x' for RUN_B: write a whole number"),
    ],
)
def test_a_wrong_option_is_explained_in_our_own_words(assay: Assay, call: str, message: str) -> None:
    """The option, its value and what to write; then the command's help."""
    ended = assay(*call.split())
    assert (ended.status, ended.err.partition(" (see ")[0]) == (2, f"assay: {message}")


def test_a_missing_key_names_its_variable(assay: Assay) -> None:
    """The variable is named, and nothing is begun."""
    ended = assay("run", "small", "-m", OPENROUTER)
    assert ended.status == 2
    assert "OPENROUTER_API_KEY" in ended.err


def test_a_key_in_dotenv_is_found(folder: Path, upstream: Served, assay: Assay) -> None:
    """A key in .env beside the workspace is used."""
    write_workspace(folder, upstream, api_key_env="MINE_API_KEY")
    assert assay("run", "small", "-m", "mine/a/b", "--limit", "1").status == 2
    (folder / ".env").write_text("MINE_API_KEY=sesame\n")
    assert assay("run", "small", "-m", "mine/a/b", "--limit", "1").status == 0


def test_an_unpinned_openrouter_model_is_not_watched(assay: Assay) -> None:
    """The refusal says how to pin it; --allow-unpinned then gets as far as the plan."""
    refused = assay("watch", "--suite", "small", "-m", OPENROUTER)
    assert refused.status == 2
    assert "not pinned" in refused.err and "--pin" in refused.err
    allowed = assay("watch", "--suite", "small", "-m", OPENROUTER, "--allow-unpinned", "--dry-run")
    assert allowed.status == 0


def test_a_suite_that_changed_under_its_version_is_refused(
    folder: Path, upstream: Served, assay: Assay
) -> None:
    """Both digests are named, and no call is made; a raised version is accepted."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    old = assay("suite", "check", "small", "--json").json["digest"]
    words = folder / "small" / "words.yaml"
    words.write_text(words.read_text().replace("Say apple.", "Say apricot."))
    new = assay("suite", "check", "small", "--json").json["digest"]
    ended = assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    assert ended.status == 2
    assert old[:12] in ended.err and new[:12] in ended.err
    assert upstream.calls == 1
    manifest = folder / "small" / "suite.yaml"
    manifest.write_text(manifest.read_text().replace("1.0.0", "1.1.0"))
    assert assay("run", "small", "-m", "mine/a/b", "--limit", "1").status == 0


def test_unknown_models_are_told_all_at_once(assay: Assay) -> None:
    """Every model of an unknown provider is named, with the providers there are."""
    ended = assay("run", "small", "-m", "foo/one", "-m", "bar/two", "-m", "nothing")
    assert ended.status == 2
    assert len(ended.err.splitlines()) == 3
    assert all(name in ended.err for name in ("foo", "bar", "'nothing'", "openrouter"))


def test_an_unknown_price_is_said_and_never_nothing(upstream: Served, assay: Assay) -> None:
    """The plan of a model without prices says unknown, in words and as null."""
    planned = assay("run", "small", "-m", "mine/a/b", "--dry-run")
    assert ("unknown" in planned.out, "$" in planned.out) == (True, False)
    assert "No prices are known for mine/a/b" in planned.err
    assert assay("run", "small", "-m", "mine/a/b", "--dry-run", "--json").json["cost"] is None
    assert upstream.calls == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "missing argument"),
        (["run", "small", "-m", "x/y", "--nope"], "no such option"),
        (["runn"], "no such command"),
        (["run", "small", "-m", "x/y", "--epochs", "three"], "--epochs"),
        (["run", "small", "-m", "simulated/steady", "--epochs", "0"], "use 1 or more"),
        (["run", "nowhere", "-m", "simulated/steady"], "unknown suite 'nowhere'"),
        (["watch", "--suite", "small", "-m", "simulated/steady", "--day", "tomorrow"], "invalid date"),
        (["watch", "--suite", "small", "-m", "simulated/steady", "--schedule", "6am"], "HH:MM"),
        (["watch", "--suite", "small", "-m", "simulated/steady", "--daily"], "--schedule"),
        (["watch", "--suite", "small"], "--model"),
        (["--workspace", "other.yaml", "runs"], "other.yaml"),
        (["--database", "mysql://host/name", "runs"], "mysql"),
    ],
)
def test_misuse_ends_with_one_message_and_2(assay: Assay, arguments: list[str], message: str) -> None:
    """Each message starts with `assay:`, names what was wrong, and shows no traceback."""
    ended = assay(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert all(line.startswith("assay: ") for line in ended.err.splitlines())


def test_a_file_that_is_no_database_is_told(folder: Path, assay: Assay) -> None:
    """Another file's name after --database is refused with what to do, and left alone."""
    (folder / "notes.txt").write_text("not a database, but long enough to be looked at as one" * 20)
    ended = assay("--database", "notes.txt", "runs")
    assert (ended.status, "not an SQLite database" in ended.err) == (2, True)
