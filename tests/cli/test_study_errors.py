"""`assay study errors`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import Assay, right, served, write_workspace
from schemas import valid

CALL = ("study", "errors", "wrong.csv", "--judge", "mine/a/b")


def written(folder: Path, answers: int = 6) -> None:
    """Write wrong answers of two models and hand labels of some."""
    rows = [
        f"q{number},{model},{'law' if number % 2 else 'medicine'},What is {number}?,{model} says {number + 1}"
        for number in range(answers)
        for model in ("x", "y")
    ]
    (folder / "wrong.csv").write_text("\n".join(["item,model,discipline,question,answer", *rows]) + "\n")
    labels = [f"q{number},x,misunderstanding" for number in range(answers)]
    (folder / "hand.csv").write_text("\n".join(["item,model,category", *labels]) + "\n")


def judge(prompt: str, before: int) -> str:
    """Sort answers of x as misunderstanding and others as a gap of knowledge, with the message's token."""
    token = re.findall(r'"token": "(\w+)"', prompt)[-1]
    return json.dumps({"rationale": "r", "mark": 2 if "x says" in prompt else 1, "token": token})


def test_shares_by_model_and_agreement(assay: Assay, folder: Path) -> None:
    """Each answer is put to the judge once; hand labels of one model agree, and the note says so."""
    written(folder)
    with served(judge) as upstream:
        write_workspace(folder, upstream)
        document = valid("study-errors", assay(*CALL, "--labels", "hand.csv", "--json"))
        assert upstream.calls == 12
    shares = {(row["name"], row["category"]): row["count"] for row in document["shares"]}
    assert (shares["x", "misunderstanding"], shares["y", "disciplinary knowledge"]) == (6, 6)
    assert document["agreement"]["agreement"] == 1.0
    assert any("no hand label of y" in note for note in document["notes"])


def test_a_study_is_shown_again_without_asking(assay: Assay, folder: Path) -> None:
    """`--resume` reads the stored replies; labels can be added later."""
    written(folder)
    with served(judge) as upstream:
        write_workspace(folder, upstream)
        run = assay(*CALL, "--json").json["run"]
        ended = assay("study", "errors", "--resume", str(run), "--labels", "hand.csv", "--out", "e.html")
        assert upstream.calls == 12
    assert "The judge agrees with 100% of 6 hand labels" in ended.out
    assert 'id="hand-labels"' in (folder / "e.html").read_text()


def backwards(prompt: str, before: int) -> str:
    """Answer the small suite backwards, of which only 22 is right; as judge, see a misunderstanding."""
    if '"token": ' in prompt:
        return judge(f"x says {prompt}", before)
    return right(prompt, before)[::-1]


def test_wrong_answers_of_a_run_are_sorted(assay: Assay, folder: Path) -> None:
    """Nine of ten answers score below the limit: the judge sees them with their questions, by use case."""
    with served(backwards) as upstream:
        write_workspace(folder, upstream)
        assert assay("run", "small", "--model", "mine/a/b").status == 0
        document = valid("study-errors", assay("study", "errors", "run:1", *CALL[3:], "--json"))
        shown = list(upstream.asked)[10:]
    assert (document["source"], document["answers"], document["sorted"]) == ("run:1", 9, 9)
    assert document["notes"] == ["9 of 10 graded answers score below 50"]
    counts = {
        row["name"]: row["count"] for row in document["shares"] if row["category"] == "misunderstanding"
    }
    assert counts == {"all": 9, "mine/a/b": 9, "sums": 4, "words": 5}
    assert sum("Say elder." in prompt and "redle" in prompt for prompt in shown) == 1


def test_sources_that_cannot_be_sorted_are_named(assay: Assay, folder: Path) -> None:
    """A run without wrong answers, two runs, a study, exams and boards; nothing is sent."""
    with served(backwards) as upstream:
        write_workspace(folder, upstream)
        assert assay("run", "small", "--model", "mine/a/b").status == 0
        assert assay("study", "errors", "run:1", *CALL[3:]).status == 0
        calls = upstream.calls
        for source, message in {
            ("run:1", "--below", "0"): "run 1 has no answer with a score below 0: give a higher --below",
            ("run:1,run:2",): "2 runs in",
            ("run:2",): "run 2 has no answer",
            ("exam:spring",): "'exam:spring' cannot be sorted: give a run, such as run:3",
            ("board:small",): "'board:small' cannot be sorted: give a run, such as run:3",
        }.items():
            ended = assay("study", "errors", *source, *CALL[3:])
            assert ended.status == 2, source
            assert message in " ".join(ended.err.split()), source
        assert upstream.calls == calls


def test_a_verdict_inside_an_answer_is_not_read(assay: Assay, folder: Path) -> None:
    """A judge that repeats an answer's made-up verdict has no token; it is asked once more, then left out."""
    written(folder, 1)
    with served(lambda prompt, before: '{"rationale": "r", "mark": 3, "token": "guessed"}') as upstream:
        write_workspace(folder, upstream)
        ended = assay(*CALL, "--json")
        assert upstream.calls == 4
    document = ended.json
    assert (document["sorted"], document["unreadable"], document["shares"]) == (0, 2, [])


@pytest.mark.usefixtures("no_database")
def test_bad_input_is_explained(assay: Assay, folder: Path) -> None:
    """No judge, a missing column, an unknown category, an answer twice; nothing is sent."""
    written(folder)
    (folder / "bad.csv").write_text("item,model,answer\na,b,c\n")
    (folder / "label.csv").write_text("item,model,category\nq1,x,typo\n")
    (folder / "twice.csv").write_text("item,model,question,answer\na,b,c,d\na,b,c,e\n")
    calls = {
        ("study", "errors", "wrong.csv"): "no judge",
        ("study", "errors", "bad.csv", "--judge", "mine/a/b"): "no column 'question'",
        (*CALL, "--labels", "label.csv"): "unknown category 'typo'",
        ("study", "errors", "twice.csv", "--judge", "mine/a/b"): "stands twice",
        ("study", "errors", "--resume", "99"): "there is no database",
        ("study", "errors", "run:99", "--judge", "mine/a/b"): "there is no database",
    }
    with served(judge) as upstream:
        write_workspace(folder, upstream)
        for call, message in calls.items():
            ended = assay(*call)
            assert ended.status == 2, call
            assert message in " ".join(ended.err.split()), call
        assert upstream.calls == 0
