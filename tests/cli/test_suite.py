"""`assay suite`: list, show, check, new, seal, unseal."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay, Served


@pytest.fixture
def private(folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private suite's folder, with a key in the environment."""
    monkeypatch.setenv("ASSAY_SUITE_KEY", assay("suite", "seal", "--new-key").out.strip())
    assay("suite", "new", "secret", "--private")
    return folder / "secret"


def test_the_list_holds_the_built_in_and_the_stored_suites(upstream: Served, assay: Assay) -> None:
    """`daily` comes with Assay; a suite that was run is listed as stored."""
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    listed = {each["name"]: each for each in assay("suite", "list", "--json").json["suites"]}
    assert (listed["daily"]["built_in"], listed["daily"]["cases"]) == (True, 50)
    assert (listed["small"]["built_in"], listed["small"]["cases"]) == (False, 10)


def test_a_check_prints_the_digest_and_the_warnings(folder: Path, assay: Assay) -> None:
    """A good suite ends with 0 and its digest; weaknesses are warnings on stderr."""
    ended = assay("suite", "check", "small")
    assert ended.status == 0
    assert assay("suite", "check", "small", "--json").json["digest"] in ended.out
    manifest = folder / "small" / "suite.yaml"
    manifest.write_text(manifest.read_text().replace('canary: "assay-canary-0"\n', ""))
    assert "warning: no `canary`" in assay("suite", "check", "small").err


def test_a_check_of_a_broken_suite_ends_with_2(folder: Path, assay: Assay) -> None:
    """Each different problem is a line with file, line and number of places; the JSON has every problem."""
    words = folder / "small" / "words.yaml"
    words.write_text(words.read_text().replace("contains:", "contain:"))
    ended = assay("suite", "check", "small")
    assert (ended.status, ended.err.count("the same in 4 more places")) == (2, 1)
    document = assay("suite", "check", "small", "--json")
    assert (document.status, document.json["good"]) == (2, False)
    assert [problem["line"] > 0 for problem in document.json["problems"]] == [True] * 5


def test_a_new_suite_checks_and_runs(assay: Assay) -> None:
    """The skeleton is complete: it loads, and the simulated provider answers it."""
    assert assay("suite", "new", "mine").status == 0
    assert assay("suite", "check", "mine").status == 0
    assert assay("run", "mine", "-m", "simulated/steady").status == 0
    assert assay("suite", "new", "mine").status == 2


def test_show_tells_cases_and_graders(assay: Assay) -> None:
    """Use cases with their counts, and each case with its graders."""
    shown = assay("suite", "show", "small").out
    assert "sums-0: contains" in shown
    assert "1 -> 3" in shown
    document = assay("suite", "show", "small", "--json").json
    assert document["use_cases"][0]["cases"][0]["messages"][0]["content"] == "What is 11 plus 11?"


def test_a_sealed_suite_runs_with_its_key(private: Path, assay: Assay) -> None:
    """Sealed, checked, run and unsealed: the same digest throughout, and no text of it in the clear."""
    assert assay("suite", "seal", "secret").status == 0
    assert b"apples" not in (private.parent / "secret.sealed").read_bytes()
    digest = assay("suite", "check", "secret", "--json").json["digest"]
    assert assay("suite", "check", "secret.sealed", "--json").json["digest"] == digest
    assert assay("run", "secret.sealed", "-m", "simulated/steady").status == 0
    assert assay("suite", "unseal", "secret.sealed", "--out", "open").status == 0
    assert assay("suite", "check", "open", "--json").json["digest"] == digest


def test_a_sealed_suite_stays_closed_without_its_key(
    private: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the variable, and with another key, it is refused; neither key is shown."""
    assay("suite", "seal", "secret")
    other = assay("suite", "seal", "--new-key").out.strip()
    monkeypatch.setenv("ASSAY_SUITE_KEY", other)
    refused = assay("run", "secret.sealed", "-m", "simulated/steady")
    assert (refused.status, "another key" in refused.err, other in refused.err) == (2, True, False)
    monkeypatch.delenv("ASSAY_SUITE_KEY")
    refused = assay("run", "secret.sealed", "-m", "simulated/steady")
    assert (refused.status, "ASSAY_SUITE_KEY" in refused.err) == (2, True)


def test_a_private_suite_shows_its_prompts_only_when_asked(private: Path, assay: Assay) -> None:
    """`show --json` holds no message of it without --reveal."""
    assert "crate" not in assay("suite", "show", "secret", "--json").out
    assert "crate" in assay("suite", "show", "secret", "--json", "--reveal").out


def test_a_public_suite_is_not_sealed(private: Path, assay: Assay) -> None:
    """Sealing what is published hides nothing, so it is refused."""
    ended = assay("suite", "seal", "small")
    assert (ended.status, "private" in ended.err) == (2, True)
