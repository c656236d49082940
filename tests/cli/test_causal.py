"""`assay causal`: generate, lint, explain; and the suite `causal` from run to board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import Assay
from schemas import valid
from small_form import SEED, small_made, written_form

KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


@pytest.fixture
def form(folder: Path) -> Path:
    """A small form in the workspace's folder, open to its owner."""
    return written_form(folder / "form")


@pytest.mark.slow
def test_a_form_is_generated_linted_and_found_again(folder: Path, assay: Assay) -> None:
    """100 questions, 20 bundles, four equal shares of letters; the same seed gives the same content."""
    made = valid("causal-generate", assay("causal", "generate", "--seed", "one", "--out", "one", "--json"))
    again = valid("causal-generate", assay("causal", "generate", "--seed", "one", "--out", "two", "--json"))

    assert (made["questions"], made["concepts"], made["chance"]) == (100, 20, 0.25)
    assert made["content_sha256"] == again["content_sha256"]
    assert {each["solver"]: each["expected_accuracy"] for each in made["solvers"]}["correct"] == 1.0
    assert [path.name for path in sorted((folder / "one").iterdir())] == [
        "analyst.yaml", "base.yaml", "form.json", "numeric.yaml", "suite.yaml", "transfer.yaml", "trap.yaml",
    ]  # fmt: skip
    assert assay("suite", "check", "./one").err == ""


def test_an_existing_folder_is_not_overwritten(folder: Path, assay: Assay) -> None:
    """Nothing is drawn for a folder that cannot be written."""
    (folder / "full").mkdir()
    (folder / "full" / "note").write_text("mine")

    ended = assay("causal", "generate", "--seed", "x", "--out", "full")

    assert (ended.status, [path.name for path in (folder / "full").iterdir()]) == (2, ["note"])
    assert "is not empty" in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seal", "--public"), "contradict each other"),
        (("--seed", " "), "invalid --seed ' '"),
        (("--seal", "--seed", "short"), "5 characters"),
        (("--seal",), "ASSAY_SUITE_KEY is not set"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    assay: Assay, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    """Each gives one message and status 2 before anything is drawn."""
    monkeypatch.delenv("ASSAY_SUITE_KEY", raising=False)
    if "short" in words:
        monkeypatch.setenv("ASSAY_SUITE_KEY", KEY)
    ended = assay("causal", "generate", "--out", "somewhere", *words)

    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


def test_a_question_is_explained(form: Path, assay: Assay) -> None:
    """Model, derivation, and for each option its claims with what both routes find."""
    item = small_made().form.items[0]
    shown = assay("causal", "explain", item.id, "--form", str(form))
    document = valid("causal-explain", assay("causal", "explain", item.id, "--form", str(form), "--json"))

    assert shown.status == 0
    assert "[right]" in shown.out
    assert [option["right"] for option in document["options"]].index(True) == item.key
    assert {option["kind"] for option in document["options"]} - {None}


def test_every_question_can_be_explained_in_both_ways(form: Path, assay: Assay) -> None:
    """Graphs without numbers, tables, counts of paths and counterfactuals all have their notation."""
    for item in small_made().form.items:
        assert assay("causal", "explain", item.id, "--form", str(form)).status == 0
        valid("causal-explain", assay("causal", "explain", item.id, "--form", str(form), "--json"))


def test_a_form_is_linted(form: Path, assay: Assay) -> None:
    """Passing ends with 0; the document contains every test."""
    ended = assay("causal", "lint", str(form), "--json")
    document = valid("causal-lint", ended)

    assert (ended.status, document["passed"], document["questions"]) == (0, True, 10)
    assert len(document["tests"]) > 50
    assert "passed" in assay("causal", "lint", str(form), "--tests").out


def edit(file: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the cases of a variant's file."""
    document = yaml.safe_load(file.read_text())
    change(document["cases"])
    file.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True))


def test_a_spoiled_form_ends_with_1(form: Path, assay: Assay) -> None:
    """A stem that occurs twice but for one word is found, and the form must not be published."""

    def repeat(cases: list[dict[str, Any]]) -> None:
        first, second = (item.stem for item in small_made().form.items[:2])
        assert second in cases[1]["prompt"]
        cases[1]["prompt"] = cases[1]["prompt"].replace(second, f"{first} Once more.")

    edit(form / "base.yaml", repeat)
    (form / "form.json").unlink()
    ended = assay("causal", "lint", str(form))

    assert ended.status == 1
    assert "do not publish" in ended.out


def test_all_faults_of_a_hand_written_form_are_told_with_their_places(form: Path, assay: Assay) -> None:
    """An id used again, a key outside the options, equal options, a missing variant: all are listed."""

    def spoil(cases: list[dict[str, Any]]) -> None:
        one, other = small_made().form.items[0].options[:2]
        cases[0]["prompt"] = cases[0]["prompt"].replace(f"A) {one}", f"A) {other}")
        cases[0]["graders"][0]["choice"]["expect"] = "E"
        cases[1]["id"] = cases[0]["id"]

    edit(form / "base.yaml", spoil)
    (form / "form.json").unlink()
    (form / "trap.yaml").unlink()
    suite = form / "suite.yaml"
    suite.write_text(suite.read_text().replace("- trap.yaml\n", ""))

    ended = assay("causal", "lint", str(form))

    assert ended.status == 2
    for message in ("its key 'E'", "say the same", "no trap", "stands at"):
        assert message in ended.err, message
    assert ended.err.count("base.yaml:") >= 4


def test_a_model_tries_the_options_alone_and_the_questions(form: Path, assay: Assay) -> None:
    """There are two runs, each with its interval; simulated models answer with the exemplars."""
    ended = assay("causal", "lint", str(form), "--model", "simulated/steady", "--json")
    tried = valid("causal-lint", ended)["baselines"]

    assert [(each["shown"], each["n"]) for each in tried] == [("options only", 10), ("whole questions", 10)]
    assert all(each["low"] <= each["accuracy"] <= each["high"] for each in tried)


def test_a_sealed_form_goes_from_run_to_board_showing_scores_only(
    folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither page, document nor sample shows a word of a question."""
    from assay.studies.causal.form_files import seal_form
    from assay.studies.causal.texts import FormLabel

    monkeypatch.setenv("ASSAY_SUITE_KEY", KEY)
    import base64

    seal_form(small_made(), folder / "mine", FormLabel(), key=base64.urlsafe_b64decode(KEY))

    assert assay("run", "mine.sealed", "-m", "simulated/steady", "-m", "simulated/noisy").status == 0
    message = [
        assay("board", "causal").out,
        assay("board", "causal", "--json").out,
        assay("board", "causal", "--csv").out,
        assay("show", "1.0").out,
        assay("show", "1.0", "--json").out,
        assay("suite", "show", "mine.sealed").out,
    ]

    assert all(message)
    for item in small_made().form.items:
        for text in message:
            assert item.stem[:30] not in text
            assert all(option not in text for option in item.options if len(option) > 12)
    board = json.loads(message[1])
    assert board["visibility"] == "private"
    assert SEED not in "".join(message)


def alter_a_key(form: Path) -> str:
    """Write another right letter into a form's first question and return its id."""
    case = small_made().form.items[0]
    file = form / f"{case.variant}.yaml"
    text = file.read_text()
    written = f"expect: {case.letter}"
    place = text.index(written, text.index(f"id: {case.id}"))
    other = "expect: " + ("A" if case.letter != "A" else "B")
    file.write_text(text[:place] + other + text[place + len(written) :])
    return case.id


@pytest.mark.parametrize(
    "command",
    [
        ("suite", "check", "./form"),
        ("suite", "show", "./form"),
        ("causal", "lint", "./form"),
        ("causal", "explain", "{id}", "--form", "./form"),
        ("run", "./form", "-m", "simulated/steady"),
    ],
)
def test_a_form_with_another_key_is_refused_everywhere(
    form: Path, assay: Assay, command: tuple[str, ...]
) -> None:
    """Whoever changes a right letter in the files is found out by every command that reads them."""
    name = alter_a_key(form)
    ended = assay(*(part.format(id=name) for part in command))
    assert ended.status != 0
    assert "was altered after it was generated" in ended.err + ended.out


def test_a_key_that_was_changed_in_the_record_too_is_not_explained(form: Path, assay: Assay) -> None:
    """An altered form can have a new digest, but the seed still gives the true key."""
    from assay.files.form_record import asked, content_digest
    from assay.files.suite_folder import Folder, build_suite
    from assay.grading import registry

    name = alter_a_key(form)
    record = json.loads((form / "form.json").read_text())
    altered = build_suite(Folder(form), graders=registry)
    record["content_sha256"] = content_digest(asked(altered.cases))
    (form / "form.json").write_text(json.dumps(record))

    assert assay("suite", "check", "./form").status == 0
    ended = assay("causal", "explain", name, "--form", "./form")
    assert (ended.status, "altered by hand" in ended.err) == (2, True)
