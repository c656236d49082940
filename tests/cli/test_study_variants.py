"""`assay study variants` and `assay study prompting`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from exam_series import SatSeries
from fresh_database import fresh_sqlite
from llmeval3_tables import FOLDER
from schemas import valid

from assay.core.exam import Prompting


def written(folder: Path, name: str, chance: float, model: str = "m") -> str:
    """Write answers of one model to 60 questions of two disciplines; return the file's name."""
    rng = np.random.default_rng(7)
    rows = [
        f"q{item},{model},{int(rng.random() < chance)},{'law' if item % 2 else 'medicine'}"
        for item in range(60)
    ]
    (folder / name).write_text("\n".join(["prompt,model,quality,category", *rows]) + "\n")
    return name


def test_a_variant_by_discipline(assay: Assay, folder: Path) -> None:
    """The whole and both disciplines, paired over the same questions, with a page."""
    call = (
        *("study", "variants", "--variant", f"base={written(folder, 'b.csv', 0.3)}"),
        *("--variant", f"thinking={written(folder, 't.csv', 0.8, 'm-thinking')}"),
    )
    document = valid("study-variants", assay(*call, "--json"))
    rows = {row["group"]: row for row in document["differences"]}
    assert set(rows) == {"all", "law", "medicine"}
    assert rows["all"]["difference"] > 0
    assert rows["all"]["p_holm"] < 0.05
    ended = assay(*call, "--out", "v.html")
    assert "By group" in ended.out
    assert 'id="by-group"' in (folder / "v.html").read_text()


def test_one_of_several_models_is_named(assay: Assay, folder: Path) -> None:
    """SOURCE@MODEL takes one model; an unknown one is named with the known ones."""
    table = (folder / written(folder, "b.csv", 0.3)).read_text() + (
        folder / written(folder, "t.csv", 0.8, "other")
    ).read_text().partition("\n")[2]
    (folder / "both.csv").write_text(table)
    call = ("study", "variants", "--variant", "base=both.csv@m", "--variant")
    (whole, *_) = assay(*call, "new=both.csv@other", "--json").json["differences"]
    assert (whole["model"], whole["n"]) == ("other", 60)
    refused = assay(*call, "new=both.csv@else")
    assert refused.status == 2
    assert "no model 'else': give one of m, other" in " ".join(refused.err.split())


def test_promptings_of_tables(assay: Assay, folder: Path) -> None:
    """Three tables of items give tests; each pair of promptings is one row."""
    call = ["study", "prompting"]
    for name, chance in (("zero-shot", 0.5), ("few-shot", 0.6), ("cot", 0.95)):
        call += ["--variant", f"{name}={written(folder, f'{name}.csv', chance)}"]
    document = valid("study-prompting", assay(*call, "--json"))
    assert document["models"][0]["n"] == 60
    assert [(row["base"], row["variant"]) for row in document["differences"]] == [
        ("zero-shot", "few-shot"),
        ("zero-shot", "cot"),
        ("few-shot", "cot"),
    ]


def test_table_8_is_reproduced(assay: Assay, folder: Path) -> None:
    """Means and population variances as published, without tests."""
    document = assay("study", "prompting", str(FOLDER / "table8.csv"), "--json").json
    qwen = next(row for row in document["models"] if row["model"] == "Qwen-3-32B")
    assert (round(qwen["mean"], 2), round(qwen["variance"], 2)) == (84.00, 7.14)
    assert document["differences"] == []
    assert assay("study", "prompting", str(FOLDER / "table8.csv"), "--out", "p.html").status == 0


def test_promptings_of_exams(assay: Assay, folder: Path) -> None:
    """Each series names its prompting; models are compared on the questions of the common draws."""
    engine = fresh_sqlite(folder / "assay.db")
    exams = SatSeries(engine)
    exams.add("plain", {"x/one": [3, 0], "x/two": [3, 3, 0]})
    exams.add("steps", {"x/one": [3], "x/two": [3, 3, 0]}, prompting=Prompting.CHAIN_OF_THOUGHT)
    engine.dispose()
    call = ("study", "prompting", "exam:plain", "exam:steps")
    document = valid("study-prompting", assay(*call, "--json"))
    scores = {
        row["model"]: {own["prompting"]: own["score"] for own in row["scores"]} for row in document["models"]
    }
    assert scores == {
        "lab/x/one": {"zero-shot": 50.0, "cot": 100.0},
        "lab/x/two": {"zero-shot": 65.0, "cot": 65.0},
    }
    rows = {row["model"]: row for row in document["differences"]}
    assert [rows[model]["n"] for model in scores] == [60, 60]
    assert rows["lab/x/one"]["difference"] == pytest.approx(50.0)
    assert rows["lab/x/two"]["difference"] == pytest.approx(0.0)
    assert rows["lab/x/one"]["p_holm"] < 0.001 < rows["lab/x/two"]["p_holm"]
    refused = assay(*call, "exam:gone")
    assert (refused.status, "unknown series 'gone'" in refused.err) == (2, True)


def test_bad_input_is_explained(assay: Assay, folder: Path) -> None:
    """One variant, a name twice, an unknown base, a source whose prompting is not known."""
    name = written(folder, "b.csv", 0.5)
    calls = {
        ("variants", "--variant", f"a={name}"): "1 variants: give at least two",
        ("variants", "--variant", f"a={name}", "--variant", f"a={name}"): "same name",
        ("variants", "--variant", name): "invalid variant",
        (
            "variants",
            "--variant",
            f"a={name}",
            "--variant",
            f"b={name}",
            "--base",
            "c",
        ): "unknown variant 'c'",
        ("variants", "--variant", f"a={name}", "--variant", "b=none.csv"): "none.csv",
        ("prompting", name): "not known: name it",
    }
    for call, message in calls.items():
        ended = assay("study", *call)
        assert ended.status == 2, call
        assert message in " ".join(ended.err.split()), call
