"""Marking, results, manifest, exclusions and experts on the command line, held against the schemas."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Ended
from exam_rows import KEY_TEXT, NONCE, Answered, add_draw, add_organisation, add_session, fill_bank
from fresh_database import fresh_sqlite
from schemas import valid

from assay.exam.series import NewSeries, make_series
from assay.store.bank.reviewers import add_reviewer

JUDGE = ("--judge", "simulated/judge")
PAGE = Path(__file__).parents[2] / "docs" / "methodology" / "exam.md"


@pytest.fixture
def sessions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three finished sittings of ten questions by a real model and one open one, in the workspace here."""
    monkeypatch.setenv("ASSAY_BANK_KEY", KEY_TEXT)
    engine = fresh_sqlite(folder / "assay.db")
    bank = fill_bank(engine, {"law": 20, "history": 20})
    lab = add_organisation(engine)
    given = [Answered(f"True, for reason {row}.", completion_tokens=9 + row) for row in range(8)]
    given[0] = Answered("True, at once.", seconds=900.0)
    given += [Answered(""), Answered(None, status="timed-out")]
    new = NewSeries("spring", "lab/lab/one", allocation="law=5,history=5")
    series = make_series(engine, new, now=0.0, by="tester").id
    found = [
        add_session(engine, lab, draw, given, n=10, series=series)
        for draw in (
            add_draw(engine, {code: ids[5 * row : 5 * row + 5] for code, ids in bank.items()})
            for row in range(3)
        )
    ]
    draw = add_draw(engine, {code: ids[15:] for code, ids in bank.items()}, name="winter")
    found.append(add_session(engine, lab, draw, given[:4], n=10, state="open", opened=4e9))
    add_reviewer(engine, name="Ada", disciplines=["law"], daily_cap=9, hourly_rate=60.0, now=0.0)
    engine.dispose()
    return found


def marked(assay: Assay, sessions: list[str]) -> Ended:
    """Mark the three finished sittings."""
    return assay("exam", "mark", *sessions[:3], *JUDGE, "--json")


def test_from_marks_to_results(sessions: list[str], assay: Assay) -> None:
    """Answers are marked once and published with three sittings; a second marking makes no call."""
    document = valid("exam-mark", marked(assay, sessions))
    assert [(one["marked"], one["left"], one["simulated"]) for one in document["sessions"]] == [
        (8, 0, True)
    ] * 3
    again = valid("exam-mark", marked(assay, sessions))
    assert [one["run"] for one in again["sessions"]] == [None] * 3
    document = valid("exam-results", assay("exam", "results", *JUDGE, "--json"))
    model, other = document["series"][0]["models"][0], document["unofficial"][0]
    assert (model["published"], model["score"]["sittings"], document["judge_simulated"]) == (True, 3, True)
    assert (model["organisation"], model["relative"]["value"]) == ("lab", 100.0)
    assert 0 < model["score"]["low"] < model["score"]["mean"] < 80
    assert [one["state"] for one in model["sittings"] + other["sittings"]] == ["finished"] * 3 + ["open"]


def test_results_as_tables(sessions: list[str], assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated results and the judge are marked as such; before marking, missing marks are shown."""
    monkeypatch.setenv("COLUMNS", "200")
    before = assay("exam", "results")
    assert (before.status, "there are no marks of openai/gpt-4o-2024-11-20" in before.err) == (0, True)
    assert "unmarked or unread" in before.out
    marked(assay, sessions)
    after = assay("exam", "results", *JUDGE)
    assert "Series spring: 3 sittings of 10 questions, zero-shot, judged by simulated/judge" in after.out
    assert "their results say nothing about real models" in after.err
    assert "declared time longer than there was" in after.out
    assert "Unofficial" in after.out
    assert "differences of S" in assay("exam", "results", *JUDGE, "--pairs").out
    for by in ("prompting", "draw-size"):
        assert "variance" in assay("exam", "results", *JUDGE, "--by", by).out


def test_the_comparisons(sessions: list[str], assay: Assay) -> None:
    """By prompting two are missing, so there is no variance; by draw size there are three trials."""
    marked(assay, sessions)
    document = valid(
        "exam-results-prompting", assay("exam", "results", *JUDGE, "--by", "prompting", "--json")
    )
    assert document["models"][0]["variance"] is None
    document = valid(
        "exam-results-draw-size",
        assay("exam", "results", *JUDGE, "--by", "draw-size", "--reference", "lab/lab/one", "--json"),
    )
    assert [one["n"] for one in document["models"][0]["trials"]] == [10, 10, 10]


def test_a_series_is_made_and_its_figures_follow_from_its_manifest(
    sessions: list[str], assay: Assay, folder: Path
) -> None:
    """Made, registered, listed; a sitting declared void; the methodology page's code computes the figures."""
    rules = (
        "--reference",
        "lab/lab/two",
        "--allocation",
        "law=2",
        "--allocation",
        "history=2",
        "--sittings",
        "1",
    )
    made = valid("exam-series", assay("exam", "series", "add", "autumn", *rules, "--json"))
    assert made["series"][0]["reference"] == {"organisation": "lab", "model": "lab/two"}
    assert assay("exam", "series", "register", "autumn", "lab/lab/three", "lab/lab/two").status == 0
    listed = valid("exam-series", assay("exam", "series", "list", "--json"))["series"]
    assert [len(one["models"]) for one in listed] == [1, 2]
    assert "lab/lab/three" in assay("exam", "series", "list").out
    marked(assay, sessions)
    assert assay("exam", "series", "manifest", "spring", "--out", "spring.csv", *JUDGE).status == 0
    with (folder / "spring.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 30
    stars = [int(row["stars"]) for row in rows]
    model = assay("exam", "results", *JUDGE, "--json").json["series"][0]["models"][0]
    assert model["score"]["mean"] == pytest.approx(100 * sum(stars) / 90)
    code = PAGE.read_text().partition("```python\n")[2].partition("```")[0]
    computed: dict[str, Any] = {}
    exec(code, computed)
    interval = computed["found"].score(0)
    assert (interval.low, interval.high) == pytest.approx((model["score"]["low"], model["score"]["high"]))
    assert assay("exam", "series", "void", sessions[0], "--reason", "a power cut").status == 0
    model = assay("exam", "results", *JUDGE, "--json").json["series"][0]["models"][0]
    assert (model["void"], model["published"]) == (1, False)


def test_an_open_session_is_not_marked(sessions: list[str], assay: Assay) -> None:
    """The message says when to come again."""
    ended = assay("exam", "mark", sessions[3], *JUDGE)
    assert (ended.status, "still open" in ended.err) == (2, True)


def test_without_the_bank_s_key_nothing_is_marked(
    sessions: list[str], assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the variables to set."""
    monkeypatch.delenv("ASSAY_BANK_KEY")
    ended = assay("exam", "mark", sessions[0], *JUDGE)
    assert (ended.status, "ASSAY_BANK_KEY_FILE" in ended.err) == (2, True)


def test_a_judge_that_spends_too_much_is_stopped(sessions: list[str], assay: Assay) -> None:
    """Status 3, nothing is asked that could pass the limit, and the message says how to go on."""
    ended = assay("exam", "mark", sessions[0], *JUDGE, "--max-cost", "0")
    assert ended.status == 3
    assert f"Continue with: assay exam mark {sessions[0]} --judge simulated/judge" in ended.err
    again = valid("exam-mark", assay("exam", "mark", sessions[0], *JUDGE, "--json"))
    assert again["sessions"][0]["marked"] == 8  # without money nothing was marked before


def test_the_manifest_and_exclusions(sessions: list[str], assay: Assay, folder: Path) -> None:
    """An excluded question is a row in the document and in the file; neither contains a key."""
    marked(assay, sessions)
    options = ("--reason", "the key is wrong", "--by", "Ada", "--json")
    document = valid("exam-exclude", assay("exam", "exclude", sessions[0], "1", "2", *options))
    assert [one["position"] for one in document["excluded"]] == [1, 2]
    ended = assay("exam", "manifest", sessions[0], "--json")
    rows = valid("exam-manifest", ended)["rows"]
    assert [row["row"] for row in rows if row["position"] == 1] == ["answer", "mark", "exclusion"]
    uuid = next(row["question"] for row in rows if row["position"] == 3)
    assert assay("exam", "exclude", "--question", uuid, "--reason", "ambiguous").status == 0
    assert assay("exam", "manifest", sessions[0], "--out", "m.csv").status == 0
    assert "ambiguous" in (folder / "m.csv").read_text()
    for text in (ended.out, (folder / "m.csv").read_text(), assay("exam", "manifest", sessions[0]).out):
        assert NONCE not in text
        assert "Simulated: judge" not in text


def test_rationales_are_written_to_files_only(sessions: list[str], assay: Assay, folder: Path) -> None:
    """Rationales and figure 8's fields need the key and a file; without a file they are refused."""
    marked(assay, sessions)
    assert assay("exam", "manifest", sessions[0], "--with-rationales").status == 2
    assert assay("exam", "manifest", sessions[0], "--with-rationales", "--out", "r.jsonl").status == 0
    assert "Simulated: judge" in (folder / "r.jsonl").read_text()
    assert (
        assay("exam", "manifest", sessions[0], "--format", "figure8", *JUDGE, "--out", "f.jsonl").status == 0
    )
    first = json.loads((folder / "f.jsonl").read_text().splitlines()[0])
    assert first["judgement"]["by"] == "simulated/judge"
    assert assay("exam", "manifest", sessions[0], "--format", "figure8", "--out", "f.csv").status == 2
    assert assay("exam", "manifest", sessions[0], "--out", "f.txt").status == 2
    assert assay("exam", "manifest", sessions[0], "--out", "r.jsonl").status == 2


def test_experts_mark_and_are_compared(sessions: list[str], assay: Assay) -> None:
    """Assigned, shown, marked, compared: each document follows its schema."""
    marked(assay, sessions)
    short = valid(
        "exam-experts-assign", assay("exam", "experts", "assign", "--each", "3", "--seed", "1", "--json")
    )
    assert (short["assigned"], len(short["short"])) == (3, 2)
    given: Any = valid("exam-experts-next", assay("exam", "experts", "next", "--reviewer", "Ada", "--json"))
    assert (given["left"], given["today"]) == (3, 9)
    code = given["next"]["code"]
    options = ("--reviewer", "Ada", "--stars", "3", "--reason", "sound", "--seconds", "60", "--json")
    assert valid("exam-experts-mark", assay("exam", "experts", "mark", code, *options))["stars"] == 3
    assert assay("exam", "experts", "mark", code, *options).status == 2
    shown = assay("exam", "experts", "next", "--reviewer", "Ada").out
    assert "--- Key" in shown and "lab/one" not in shown
    document = valid("exam-experts-agreement", assay("exam", "experts", "agreement", "--json"))
    assert document["agreement"][0]["n"] == 1
    assert document["work"][0]["cost"] == pytest.approx(1.0)
    assert "Coverage" in assay("exam", "experts", "agreement").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("exclude", "--reason", "x"), "--question UUID"),
        (("mark", "S", "--run", "3"), "--again REASON"),
        (("mark", "S", "--again", " "), "gives no reason"),
        (("results", "--reference", "lab/none"), "'lab/none'"),
        (("results", "--reference", "none"), "use ORGANISATION/MODEL"),
        (("results", "--series", "autumn"), "'autumn'"),
        (("series", "add", "spring", "--reference", "lab/lab/one", "--n", "10"), "'spring' exists already"),
        (("series", "register", "spring", "lab"), "use ORGANISATION/MODEL"),
        (("series", "void", "nowhere", "--reason", "x"), "'nowhere'"),
        (("series", "manifest", "autumn", "--out", "a.csv"), "'autumn'"),
        (("series", "manifest", "spring", "--out", "a.txt"), "ends in .csv"),
        (("manifest", "nowhere"), "'nowhere'"),
        (("mark", "nowhere", *JUDGE), "'nowhere'"),
        (("mark", "S"), "OPENAI_API_KEY"),
    ],
)
def test_invalid_input_ends_with_a_message(
    sessions: list[str], assay: Assay, arguments: tuple[str, ...], message: str
) -> None:
    """There is one message, and the status is 2."""
    ended = assay("exam", *arguments)
    assert (ended.status, message in ended.err) == (2, True)
