"""A workspace file is begun with comments, and models are added without touching the rest."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.model import Model, Pin, SuiteExclusion
from assay.core.money import Prices
from assay.files.marked_yaml import parse
from assay.files.workspace import load_workspace
from assay.files.workspace_writer import FIRST, _insert, add_model, init_workspace

FULL = Model(
    provider="openrouter",
    upstream="openai/gpt-5-mini",
    pin=Pin(("openai", "azure")),
    parameters={"reasoning": {"effort": "low"}, "stop": ["no"], "temperature": None},
    prices=Prices(0.25, 2.0, 0.025, 0.01),
    organisation="OpenAI",
    family="1e3",
    series="no",
    released=date(2025, 8, 7),
    weights="closed",
    exclusions=(SuiteExclusion("exam", "says: 'no' # really"),),
)


def test_the_first_file_loads(tmp_path: Path) -> None:
    """What `init` writes is a workspace with the defaults."""
    workspace = load_workspace(init_workspace(tmp_path), environment={})
    assert (workspace.models, Path(workspace.database).name) == ({}, "assay.db")


def test_the_examples_in_the_first_file_load(tmp_path: Path) -> None:
    """Its commented examples are right: with the comment signs removed it loads."""
    lines = [
        line[2:]
        if line.startswith("# ") and (line[2] == " " or ":" in line.split("#")[1].split()[0])
        else line
        for line in FIRST.splitlines()
    ]
    path = tmp_path / "assay.yaml"
    path.write_text("\n".join(line for line in lines if not line.startswith(("Built", "US dollars"))))
    workspace = load_workspace(path, environment={})
    assert (
        workspace.budget.max_cost,
        list(workspace.models),
        workspace.watch.schedule,
        len(workspace.notify),
    ) == (
        2.5,
        ["openrouter/openai/gpt-5-mini"],
        "06:00",
        1,
    )


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    """A workspace that is there stays."""
    init_workspace(tmp_path)
    with pytest.raises(Conflict, match="already exists"):
        init_workspace(tmp_path)


def words(text: str) -> list[str]:
    """The lines of a text, with blanks evened out and without an empty list's brackets."""
    return [" ".join(line.replace("[]", "").split()) for line in text.splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        FIRST,
        "database: x.db",
        "models:\n",
        "models:   # mine\n# none yet\nwatch:\n",
        "models: []  # none yet\nwatch:\n",
        "models:\n- name: local/a # first\n\n# about the watch\nwatch: {suite: daily}\n",
        "models:\n    - name: local/a\n      parameters:\n        stop: |\n          x\n\n# end\nwatch:\n",
        "models:\n  - {name: local/a,\n     weights: open}\n  # the end\n",
        "database: x.db\r\nmodels:\r\n  - name: local/a\r\n# end\r\nwatch:\r\n",
    ],
)
def test_adding_keeps_all_other_text(text: str, tmp_path: Path) -> None:
    """The model arrives whole, and every line that was there is there still, in its order."""
    path = tmp_path / "assay.yaml"
    path.write_bytes(text.encode())
    add_model(path, FULL)
    after = path.read_bytes().decode()
    rest = iter(words(after))
    kept = all(line in rest for line in words(text))
    assert (kept, load_workspace(path, environment={}).model(FULL.name)) == (True, FULL)


def test_line_ends_stay_as_they_are(tmp_path: Path) -> None:
    """A file with Windows' line ends gets no others."""
    path = tmp_path / "assay.yaml"
    path.write_bytes(b"models:\r\n  - name: local/a")
    add_model(path, FULL)
    content = path.read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n")


def test_adding_twice_in_a_row(tmp_path: Path) -> None:
    """Models stand in the order in which they were added."""
    path = init_workspace(tmp_path)
    for name in ("b", "a", "c"):
        add_model(path, Model("local", name))
    assert list(load_workspace(path, environment={}).models) == ["local/b", "local/a", "local/c"]


@given(text=some.text(some.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12))
def test_any_text_survives(text: str) -> None:
    """Whatever text a model's entry holds is read back as it was."""
    entry = {"name": "local/x", "family": text}
    assert parse(_insert("models:\n", entry), "f").value == {"models": [entry]}


def test_adding_a_listed_model(tmp_path: Path) -> None:
    """A model is not listed twice."""
    path = init_workspace(tmp_path)
    add_model(path, FULL)
    with pytest.raises(Conflict, match="already"):
        add_model(path, FULL)


def test_a_list_that_cannot_be_added_to(tmp_path: Path) -> None:
    """A list in brackets is left alone, and the message shows what to add by hand."""
    path = tmp_path / "assay.yaml"
    path.write_text("models: [{name: local/a}]\n")
    with pytest.raises(InvalidInput, match="- name: local/b"):
        add_model(path, Model("local", "b"))
    assert path.read_text() == "models: [{name: local/a}]\n"


def test_no_file(tmp_path: Path) -> None:
    """Without a workspace there is nothing to add to."""
    with pytest.raises(NotFound, match="assay init"):
        add_model(tmp_path / "assay.yaml", FULL)
