"""The examples in the documents are what the program reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.files.long_form import open_long_form
from assay.files.suite_folder import load_suite
from assay.files.workspace import load_workspace
from assay.files.workspace_models import preset_names
from assay.grading import registry

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(document: str, language: str) -> list[str]:
    """The fenced blocks of a document in one language."""
    text = (DOCS / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", ["reference/workspace.md", "how-to/notify.md"])
def test_workspace_examples_load(document: str, tmp_path: Path) -> None:
    """A workspace shown is a workspace that loads."""
    for text in blocks(document, "yaml"):
        (tmp_path / "assay.yaml").write_text(text)
        assert load_workspace(tmp_path / "assay.yaml", environment={}).notify[0].name == "team"


def test_examples_of_servers_load(tmp_path: Path) -> None:
    """Each is a workspace by itself; a parameter set to nothing is one that is not sent."""
    examples = blocks("how-to/openai-compatible-servers.md", "yaml")
    for text in examples:
        (tmp_path / "assay.yaml").write_text(text)
        load_workspace(tmp_path / "assay.yaml", environment={})
    assert len(examples) == 3
    (tmp_path / "assay.yaml").write_text("models: [{name: local/x, parameters: {reasoning: null}}]")
    model = load_workspace(tmp_path / "assay.yaml", environment={}).model("local/x")
    assert dict(model.parameters) == {"reasoning": None}


def test_every_built_in_provider_is_documented() -> None:
    """The table of providers is complete, with their addresses."""
    text = (DOCS / "reference/workspace.md").read_text(encoding="utf-8")
    providers = load_workspace(None, environment={}).providers
    missing = [
        name
        for name in preset_names()
        if f"| `{name}`" not in text
        or (name not in ("simulated", "recorded") and providers[name].base_url not in text)
    ]
    assert missing == []


def test_the_suite_example_loads(tmp_path: Path) -> None:
    """The manifest and the use case shown make a suite."""
    manifest, use_case = blocks("reference/suite-format.md", "yaml")
    (tmp_path / "suite.yaml").write_text(manifest.replace("extraction.yaml, ", ""))
    (tmp_path / "replies.yaml").write_text(use_case)
    assert [case.id for case in load_suite(tmp_path, graders=registry).cases] == ["late-parcel"]


def test_the_table_example_reads(tmp_path: Path) -> None:
    """The table shown is a table that is read."""
    path = tmp_path / "t.csv"
    path.write_text(blocks("reference/long-form-table.md", "csv")[0])
    assert open_long_form(path, needs=("at",)).rows == 3
