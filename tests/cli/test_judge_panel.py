"""`assay judge panel`: with and without a reference, in every form, and bad input."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
from command_line import Assay
from schemas import valid

HOSTILE = "<script>alert(1)</script>"


def marks_table(folder: Path, *, first: str = "one", human: bool = True, cost: bool = True) -> str:
    """Write the yes-or-no marks of three judges on 120 items of two models, and a person's."""
    rng = np.random.default_rng(1)
    lines = ["item,model,judge,mark,cost"]
    for item in range(120):
        for model in ("a", "b"):
            truth = int(rng.random() < 0.5)
            for name, share in ((first, 0.9), ("two", 0.85), ("three", 0.8)):
                mark = truth if rng.random() < share else 1 - truth
                lines.append(f"{item},{model},{name},{mark},{0.01 if cost else ''}")
            if human:
                lines.append(f"{item},{model},human,{truth},")
    (folder / "marks.csv").write_text("\n".join(lines) + "\n")
    return "marks.csv"


def test_text_json_and_csv_agree(assay: Assay, folder: Path) -> None:
    """The document has everything; the text says it in sentences and tables; the CSV has the judges."""
    source = marks_table(folder)
    document = valid("judge-panel", assay("judge", "panel", source, "--json"))
    assert (document["panel_reference"], document["panel_measure"]) == ("human", "accuracy")
    assert document["effective_votes_judges"] == 3
    assert 2.0 < document["effective_votes"] < 3.5
    assert document["best_judge"] == "one"
    assert [panel["size"] for panel in document["panels"]] == [1, 2, 3]
    assert document["chosen"]["cost"] is not None
    assert len(document["correlations"]) == 3
    rows = list(csv.DictReader(io.StringIO(assay("judge", "panel", source, "--csv").out)))
    assert [row["judge"] for row in rows] == [judge["judge"] for judge in document["judges"]]
    text = assay("judge", "panel", source)
    assert f"Effective votes of the panel: {document['effective_votes']:.2f}" in text.out
    assert "Best single judge: one with accuracy" in text.out
    assert "Panels by size, on answers that had no part in choosing them" in text.out
    assert "Chosen: " in text.out


def test_without_people_it_says_so(assay: Assay, folder: Path) -> None:
    """Also if the reference is left out on purpose; no measure, no cheaper panels."""
    source = marks_table(folder, human=False, cost=False)
    document = valid("judge-panel", assay("judge", "panel", source, "--json"))
    assert (document["panel_reference"], document["panels"], document["chosen"]) == (None, [], None)
    assert document["effective_votes_basis"] == "agreement beyond items and models"
    text = assay("judge", "panel", source)
    assert "Effective votes of the panel without a reference" in text.out
    assert "measure" not in text.out and "cost" not in text.out
    chosen = assay("judge", "panel", marks_table(folder), "--reference", "none", "--json").json
    assert (chosen["panel_reference"], len(chosen["judges"])) == (None, 3)


def test_a_page_with_a_heat_map(assay: Assay, folder: Path) -> None:
    """Names are escaped, and the table stands behind each chart."""
    source = marks_table(folder, first=HOSTILE)
    assert assay("judge", "panel", source, "--out", "p.html").status == 0
    page = (folder / "p.html").read_text()
    assert HOSTILE not in page
    assert 'data-chart="correlation-of-judges"' in page
    assert 'data-chart="cheaper-panels"' in page
    assert assay("judge", "panel", source, "--out", "p.csv").status == 0
    assert (folder / "p.csv").read_text().startswith("judge,n,")


def test_bad_input_is_named(assay: Assay, folder: Path) -> None:
    """One judge, an unknown reference or judge, and an impossible size."""
    source = marks_table(folder)
    for arguments, text in (
        (("--judge", "one"), "a panel needs two"),
        (("--reference", "expert"), "'expert'"),
        (("--judge", "nobody"), "'nobody'"),
        (("--most", "0"), "invalid largest size 0"),
    ):
        ended = assay("judge", "panel", source, *arguments)
        assert ended.status == 2
        assert text in ended.err
