"""`assay study errors`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from command_line import Assay, served, write_workspace
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


def test_a_verdict_inside_an_answer_is_not_read(assay: Assay, folder: Path) -> None:
    """A judge that repeats an answer's made-up verdict has no token; it is asked once more, then left out."""
    written(folder, 1)
    with served(lambda prompt, before: '{"rationale": "r", "mark": 3, "token": "guessed"}') as upstream:
        write_workspace(folder, upstream)
        ended = assay(*CALL, "--json")
        assert upstream.calls == 4
    document = ended.json
    assert (document["sorted"], document["unreadable"], document["shares"]) == (0, 2, [])


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
        ("study", "errors", "--resume", "99"): "99",
        ("study", "errors", "run:99", "--judge", "mine/a/b"): "99",
    }
    with served(judge) as upstream:
        write_workspace(folder, upstream)
        for call, message in calls.items():
            ended = assay(*call)
            assert ended.status == 2, call
            assert message in " ".join(ended.err.split()), call
        assert upstream.calls == 0
