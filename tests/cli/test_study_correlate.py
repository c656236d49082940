"""`assay study correlate`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from command_line import Assay
from schemas import valid

STATIC = "model,agieval,c_eval\na,70,1\nb,65,3\nc,60,2\nd,55,6\ne,50,4\nf,45,5\n"


def scores(folder: Path) -> str:
    """Write scores of six models on 80 prompts; return the table's name."""
    rng = np.random.default_rng(1)
    rows = [
        f"q{item},{model},{int(rng.random() < chance)}"
        for item in range(80)
        for model, chance in zip("abcdef", (0.9, 0.8, 0.7, 0.6, 0.4, 0.2), strict=True)
    ]
    (folder / "items.csv").write_text("\n".join(["prompt,model,quality", *rows]) + "\n")
    (folder / "static.csv").write_text(STATIC)
    return "items.csv"


def test_scores_on_items_are_compared_with_every_column(assay: Assay, folder: Path) -> None:
    """Items give intervals, hence a reliability; Holm's correction is over both benchmarks."""
    document = valid("study-correlate", assay("study", "correlate", scores(folder), "static.csv", "--json"))
    first, second = document["correlations"]
    assert (first["second"], second["second"]) == ("agieval", "c_eval")
    assert (first["rho"], first["n"], first["exact"]) == (1.0, 6, True)
    assert first["p"] == 2 / 720
    assert first["p_holm"] == 2 * first["p"]
    assert 0.5 < first["first_reliability"] < 1.0
    assert second["rho"] < 0


def test_a_weak_correlation_is_not_called_a_difference(assay: Assay, folder: Path) -> None:
    """Six models can only show a rho of 0.886 or more."""
    (folder / "t.csv").write_text("model,ours,theirs\na,1,1\nb,2,2\nc,3,4\nd,4,6\ne,5,3\nf,6,5\n")
    ended = assay("study", "correlate", "t.csv", "--out", "c.html")
    assert "0.714" in ended.out
    assert "0.136" in ended.out
    assert "does not show that the rankings differ" in " ".join(ended.err.split())
    assert 'id="ours-and-theirs"' in (folder / "c.html").read_text()


def test_other_names_are_matched_and_lacking_models_named(assay: Assay, folder: Path) -> None:
    """`--same` joins two names of a model; a model without a partner is a note."""
    (folder / "a.csv").write_text("model,score\nx/gpt,1\nb,2\nc,3\nd,4\n")
    (folder / "b.csv").write_text("model,score\ngpt,1\nb,2\nc,3\ne,4\n")
    call = ("study", "correlate", "a.csv", "b.csv", "--same", "x/gpt=gpt", "--json")
    document = assay(*call).json
    assert document["correlations"][0]["n"] == 3
    assert any("lacks 1 model" in note and note.endswith("d") for note in document["notes"])


def test_bad_input_is_explained(assay: Assay, folder: Path) -> None:
    """A constant column, one list, a model twice, a text among numbers; each ends with 2 or has a reason."""
    tables = {
        "one.csv": ("model,score\na,1\nb,2\n", "one list of scores"),
        "twice.csv": ("model,x,y\na,1,1\na,2,2\n", "stands twice"),
        "text.csv": ("model,x,y\na,1,high\nb,2,2\n", "'high'"),
        "none.csv": ("model,x\na,big\n", "no column of numbers"),
    }
    for name, (text, message) in tables.items():
        (folder / name).write_text(text)
        more = ("--score", "x", "--score", "y") if name == "text.csv" else ()
        ended = assay("study", "correlate", name, *more)
        assert ended.status == 2, name
        assert message in " ".join(ended.err.split()), name
    (folder / "flat.csv").write_text("model,x,y\na,1,5\nb,2,5\nc,3,5\n")
    (row,) = assay("study", "correlate", "flat.csv", "--json").json["correlations"]
    assert (row["rho"], row["p_holm"]) == (None, None)
    assert "same score" in row["reason"]
