"""`assay bank`: screening, expanding, counting, exporting, retiring and sealing anew."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from banked import CHOICE, choice, edited, fill, material
from command_line import Assay
from schemas import valid

from assay.core.sealed import AnswerKey
from assay.files.sealing import FILE_ENV, KEY_ENV
from assay.store.engine import open_database

NONCE = "zq81-nobody-may-read-this-answer-44fe"
KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
"""The sealing key of `banked` as text."""

LAW, OTHER = choice(1)[0].uuid, choice(2)[0].uuid
PASSAGE = (
    "The clerk wrote the ledger by candle light in March. The mayor read it in April and burned it at once. "
    "Two copies were kept by the clerk's daughter. She sold one of them to a bookseller from Ghent."
)


@pytest.fixture
def bank(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Assay:
    """A bank of five questions, one with a finding, and a reviewer; the explanations hold a nonce."""
    monkeypatch.setenv(KEY_ENV, KEY)
    engine = open_database(str(folder / "assay.db"))
    odd = edited(choice(3)[0], stem="See the figure: as shown in the figure, which number is larger?")
    items = [(CHOICE, AnswerKey(("C",), NONCE)), choice(1), choice(2), (odd, AnswerKey(("A",), NONCE))]
    fill(engine, [*items, material(4, PASSAGE)])
    engine.dispose()
    assert assay("bank", "reviewer", "add", "ada", "--daily-cap", "2", "--hourly-rate", "36").status == 0
    return assay


def test_screening_counts_findings_by_kind_and_shows_no_key(bank: Assay) -> None:
    """Four of five are clean; the finding has its example; nothing of a key is printed."""
    ended = bank("bank", "screen", "--json")
    document = valid("bank-screen", ended)
    assert (document["questions"], document["clean"], document["screened"]) == (5, 4, None)
    assert [each["kind"] for each in document["findings"]] == ["missing-figure"]
    assert NONCE not in ended.out + ended.err + bank("bank", "screen").out


def test_clean_questions_are_screened_in_nobodys_name(bank: Assay) -> None:
    """Questions with findings stay raw; a reviewer is refused, because there is no review."""
    refused = bank("bank", "screen", "--accept-clean", "--reviewer", "ada")
    assert (refused.status, "without a review" in refused.err) == (2, True)
    ended = bank("bank", "screen", "--accept-clean", "--json")
    assert valid("bank-screen", ended)["screened"] == 4
    states = valid("bank-stats", bank("bank", "stats", "--json"))["states"]
    assert (states["raw"], states["screened"], states["accepted"]) == (1, 4, 0)


def test_decisions_need_a_name(bank: Assay, folder: Path) -> None:
    """A table of decisions is somebody's."""
    (folder / "decisions.csv").write_text("uuid,decision,reason,seconds\n")
    ended = bank("bank", "screen", "--decisions", "decisions.csv")
    assert (ended.status, "reviewer add" in ended.err) == (2, True)


def test_every_row_of_a_decision_table_is_accounted(bank: Assay, folder: Path) -> None:
    """Six rows: two taken, one beyond the cap, three wrong; each wrong one is reported with its line."""
    (folder / "decisions.csv").write_text(
        f"uuid,decision,reason,seconds\n{LAW},accept,,50\n{OTHER},reject,wrong key,50\n"
        f"{CHOICE.uuid},accept,,\n{OTHER},perhaps,,\nnobody,accept,,\n{LAW},accept,,soon\n"
    )
    ended = bank("bank", "screen", "--decisions", "decisions.csv", "--reviewer", "ada", "--json")
    document = valid("bank-decisions", ended)
    assert ended.status == 1
    assert (document["rows"], document["taken"], document["refused"]) == (6, 2, 4)
    problems = {each["place"]: each["text"] for each in document["problems"]}
    assert {place: "cap" in text for place, text in problems.items()} == {
        "line 4": True,
        "line 5": False,
        "line 6": False,
        "line 7": False,
    }
    work = valid("bank-reviewers", bank("bank", "reviewer", "list", "--json"))["reviewers"][0]
    assert (work["accepted"], work["rejected"], work["today"]) == (1, 1, 2)
    assert work["cost"] == pytest.approx(1.0)


def test_a_second_reviewer_can_be_asked_for(bank: Assay, folder: Path) -> None:
    """The first decision leaves a question reviewed, a disagreement is listed for a third."""
    bank("bank", "reviewer", "add", "bo", "--discipline", "Law")
    for name, decision in (("ada", "accept"), ("bo", "reject")):
        (folder / "d.csv").write_text(f"uuid,decision,reason\n{LAW},{decision},seen\n")
        bank("bank", "screen", "--decisions", "d.csv", "--reviewer", name, "--second-review")
    document = valid("bank-screen", bank("bank", "screen", "--json"))
    assert document["disputed"] == [{"uuid": LAW, "discipline": "law", "accepts": 1, "rejects": 1}]


def test_a_table_with_other_columns_is_refused(bank: Assay, folder: Path) -> None:
    """The message names the column and those that there are."""
    (folder / "d.csv").write_text("id,verdict\n1,2\n")
    ended = bank("bank", "screen", "--decisions", "d.csv", "--reviewer", "ada")
    assert ended.status == 2
    assert "column 'uuid' is missing" in ended.err


def test_expanding_states_the_constant_baseline(bank: Assay) -> None:
    """Sixteen statements, four of them true: always False gets three of four; twice adds nothing."""
    ended = bank("bank", "expand")
    assert "always answering False is right 75.0% of the time" in ended.out
    document = valid("bank-expand", bank("bank", "expand", "--json"))
    assert (document["choices"]["added"], document["choices"]["known"], document["material"]) == (0, 16, None)
    assert document["choices"]["statements"] == {"true": 4, "false": 12, "constant_baseline": 0.75}


def test_material_is_expanded_offline_by_a_simulated_model(bank: Assay) -> None:
    """Without any provider's key it runs, says that it is simulated, and asks about nothing twice."""
    command = ("bank", "expand", "--model", "simulated/steady", "--statements", "2", "--json")
    first, second = (valid("bank-expand", bank(*command))["material"] for _ in range(2))
    assert (first["parents"], first["simulated"], first["added"] >= 2) == (1, True, True)
    assert (second["before"], second["run"], second["parents"]) == (1, None, 0)


def test_the_tables_count_originals_and_what_stands_after_expanding(bank: Assay) -> None:
    """Four choices of four options and one material come to seventeen: 240 % more."""
    bank("bank", "expand")
    total = valid("bank-stats", bank("bank", "stats", "--json"))["total"]
    assert total == {"original": 5, "rewritten": 17, "increase": 12, "percentage": pytest.approx(240.0)}
    assert "240.00" in bank("bank", "stats").out


def test_an_export_has_keys_only_on_demand(bank: Assay, folder: Path) -> None:
    """With keys the file is readable only by its owner, and the bank's key must be set."""
    assert bank("bank", "export", "--out", "plain.jsonl").status == 0
    assert bank("bank", "export", "--out", "keys.jsonl", "--with-keys").status == 0
    assert NONCE not in (folder / "plain.jsonl").read_text()
    assert NONCE in (folder / "keys.jsonl").read_text()
    assert stat.S_IMODE((folder / "keys.jsonl").stat().st_mode) == 0o600


def test_without_the_sealing_key_nothing_is_opened(bank: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain exports and counts go on; what needs keys says how to get one."""
    monkeypatch.delenv(KEY_ENV)
    assert bank("bank", "stats").status == 0
    assert bank("bank", "export", "--out", "plain.csv", "--format", "figure8").status == 0
    for command in (
        ("export", "--out", "k.jsonl", "--with-keys"),
        ("screen",),
        ("expand",),
        ("show", LAW, "--with-key"),
    ):
        ended = bank("bank", *command)
        assert (ended.status, "new-key" in ended.err) == (2, True)


def test_a_question_is_shown_with_its_history(bank: Assay) -> None:
    """Variants and reviews are there; the key only when it is asked for."""
    bank("bank", "expand")
    bank("bank", "screen", "--accept-clean")
    without = valid("bank-show", bank("bank", "show", CHOICE.uuid, "--json"))
    with_key = valid("bank-show", bank("bank", "show", CHOICE.uuid, "--with-key", "--json"))
    assert (without["state"], len(without["variants"]), without["key"]) == ("screened", 4, None)
    assert with_key["key"] == {"answers": ["C"], "explanation": NONCE}
    assert NONCE in bank("bank", "show", CHOICE.uuid, "--with-key").out
    assert NONCE not in bank("bank", "show", CHOICE.uuid).out


def test_retiring_takes_the_family(bank: Assay) -> None:
    """A choice and its four statements go together; an unknown uuid changes nothing."""
    bank("bank", "expand")
    assert bank("bank", "retire", LAW, "nobody", "--reason", "leaked").status == 2
    assert "retired 5 questions" in bank("bank", "retire", LAW, "--reason", "leaked").out
    assert valid("bank-stats", bank("bank", "stats", "--json"))["states"]["retired"] == 5
    assert valid("bank-show", bank("bank", "show", LAW, "--json"))["retired_why"] == "leaked"


def test_sealing_anew_changes_the_key(bank: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards the new key opens, and the old one is refused without a word of an answer."""
    assert bank("bank", "new-key", "--out", "new.key").status == 0
    assert "5 of questions.key" in bank("bank", "rekey", "--new-key-file", "new.key").out
    refused = bank("bank", "show", CHOICE.uuid, "--with-key")
    assert (refused.status, "another key" in refused.err) == (2, True)
    monkeypatch.delenv(KEY_ENV)
    monkeypatch.setenv(FILE_ENV, str(folder / "new.key"))
    assert NONCE in bank("bank", "show", CHOICE.uuid, "--with-key").out
