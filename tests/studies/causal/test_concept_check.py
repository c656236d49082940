"""Adding a concept as data: the example of the how-to, and faults named by file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.studies.causal import concept_check
from assay.studies.causal.concept_check import check_concept
from assay.studies.causal.library import concepts
from assay.studies.causal.recipes import recipes

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "add-a-causal-concept.md"


def _example(place: int = 0) -> str:
    found: list[str] = re.findall(r"```yaml\n(.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    return found[place]


def _folder(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "bad_controls"
    folder.mkdir()
    (folder / "concept.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_example_of_the_how_to_is_a_concept(tmp_path: Path) -> None:
    """It has fewer than 150 lines, and all its questions are proved and read back."""
    text = _example()
    assert len(text.splitlines()) < 150
    checked = check_concept(str(_folder(tmp_path, text)))
    assert checked.findings == ()
    assert checked.questions == 36
    assert {share.claim for share in checked.claims} >= {"warning_adjusts", "warning_tells"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("adjusting for {W} alone gives", "adjusting for {V} alone gives", r"concept.yaml:\d+: .*slot 'V'"),
        ("adjusting for {W} and {S} gives", "adjusting for {W} gives", r"concept.yaml:\d+: .*name 'S'"),
        ("    no: adjusting for {W} alone does", "    nay: adjusting for {W} alone does", r"has no 'no'"),
        ("query: [adjusts, W]", "query: [adjust, W]", r"concept.yaml:\d+: .*is not a query"),
        ("claims: [crude, ", "claims: [crude, nonsense, ", r"concept.yaml:\d+: 'nonsense' is not a claim"),
        ("claims: [crude, ", "claims: [crude, crude, ", r"say the same"),
        ("title: Bad controls\n", "", r"concept.yaml:\d+: the concept lacks title"),
        ("levels:\n", "levels: [\n", r"concept.yaml:\d+: not valid YAML"),
        ("[4, 0, 4, false, 1]", "[4, 0, 3, false, 1]", r"concept.yaml:\d+: 3 lists .* at least 4"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Nothing is drawn."""
    text = _example()
    assert old in text
    with pytest.raises(InvalidInput, match=message):
        check_concept(str(_folder(tmp_path, text.replace(old, new, 1))))


def test_an_unknown_concept_is_refused() -> None:
    """The message lists the known ones."""
    with pytest.raises(NotFound, match="confounding"):
        check_concept("nonsense")


def test_a_claim_that_is_always_true_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """X has an effect on Y in every story."""
    monkeypatch.setattr(concept_check, "EACH", 0)
    monkeypatch.setattr(concept_check, "_unsettled", lambda *_: None)
    claim = (
        "  sure:\n    query: [causes, X, Y]\n    yes: '{X} affects {Y}'\n    no: '{X} does not affect {Y}'\n"
    )
    text = (
        _example()
        .replace("claims: [crude, ", "claims: [sure, crude, ", 1)
        .replace("own:\n", f"own:\n{claim}", 1)
    )
    checked = check_concept(str(_folder(tmp_path, text)))
    assert [finding for finding in checked.findings if "'sure' is true in 100.0%" in finding]


@pytest.mark.parametrize(
    "text",
    ["", "- a list\n", "name: x\ntitle: x\nabout: x\nopening: []\nlevels: [[1]]\nclaims: []\nreflex: []\n"],
)
def test_a_file_that_is_no_concept_is_refused(tmp_path: Path, text: str) -> None:
    """With its name, and not with a traceback."""
    with pytest.raises(InvalidInput, match=r"concept\.yaml"):
        check_concept(str(_folder(tmp_path, text)))


def test_the_example_with_numbers_is_a_recipe(tmp_path: Path) -> None:
    """Questions of both its levels are drawn, proved and read back; its keys are what is asked for."""
    (tmp_path / "numbers.yaml").write_text(_example(1), encoding="utf-8")
    checked = check_concept(str(tmp_path))
    assert checked.findings == ()
    assert checked.questions == 8


def test_a_wrong_key_of_a_recipe_is_named(tmp_path: Path) -> None:
    """The place in the file, and what does not fit."""
    text = _example(1).replace("seen: crude}", "seen: whole}")
    (tmp_path / "numbers.yaml").write_text(text, encoding="utf-8")
    found = check_concept(str(tmp_path)).findings
    assert any(
        "tasks.0.key: 'whole' is not what 'seen' asks for in the state 'only'" in each for each in found
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*concepts(), *recipes()}))
def test_a_concept_of_the_package_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check for users' concepts finds nothing in the package's own, with fewer questions of each."""
    monkeypatch.setattr(concept_check, "EACH", 1)
    assert check_concept(name).findings == ()
