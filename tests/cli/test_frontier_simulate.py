"""`assay frontier simulate`: simulated figures are marked, and real prompts are shown separately."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

SMALL = ("--models", "2", "--rate", "0", "--rate", "0.5", "--generations", "60", "--prompts", "20")
WORLDS = ("--models", "3", "--topics", "4", "--prompts", "30", "--generations", "20", "--repeats", "5")
TABLE = "prompt,model,quality,category\n" + "".join(
    f"q{place},{model},{int(right)},{category}\n"
    for place, category in enumerate("aabb")
    for model, right in (("x", category == "a"), ("y", category == "b"))
)


def test_the_decay_of_the_bias(assay: Assay) -> None:
    """The document says that it is simulated, holds exact figures, and repeats by its seed."""
    call = ("frontier", "simulate", "bias", *SMALL, "--correlation", "0", "--json")
    found = valid("frontier-simulate-bias", assay(*call))
    assert [each["kind"] for each in found["populations"]] == ["equal", "equal", "heterogeneous", "graphical"]
    assert found["populations"][1]["points"][0]["bias"] == pytest.approx(0.25)
    assert found["populations"][0]["fit"] is None
    assert assay(*call).json == found


def test_uplift_by_entropy_with_and_without_a_source(assay: Assay, folder: Path) -> None:
    """The simulation alone has no recorded part; a table's is marked as not simulated."""
    (folder / "table.csv").write_text(TABLE)
    call = ("frontier", "simulate", "entropy", *WORLDS, "--json")
    assert valid("frontier-simulate-entropy", assay(*call))["recorded"] is None
    found = valid("frontier-simulate-entropy", assay(*call, "table.csv"))
    assert found["simulation"]["simulated"] is True
    assert found["recorded"]["simulated"] is False
    assert found["recorded"]["path"][0]["naive"]["value"] == pytest.approx(0.5)


def test_recorded_uplift_is_debiased_where_cells_were_repeated(assay: Assay, folder: Path) -> None:
    """Two generations a cell give a posterior; one alone stays naive, and a note says why."""
    rows = [
        f"q{place},{model},2,{right},{'ab'[place % 2]}"
        for place in range(12)
        for model, right in (("x", place % 3), ("y", (place + 1) % 3))
    ]
    (folder / "counts.csv").write_text("\n".join(["prompt,model,n_gen,n_correct,category", *rows]) + "\n")
    (folder / "table.csv").write_text(TABLE)
    call = ("frontier", "simulate", "entropy", *WORLDS, "--json")
    found = valid("frontier-simulate-entropy", assay(*call, "counts.csv"))["recorded"]
    assert found["debiased_by"] == "mixture"
    assert found["path"][0]["debiased"]["these_prompts"] is not None
    single = valid("frontier-simulate-entropy", assay(*call, "table.csv"))["recorded"]
    assert single["debiased_by"] is None
    assert "one generation" in single["notes"][0]


def test_tables_say_what_is_simulated(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table is headed by it, the recorded one by its source."""
    monkeypatch.setenv("COLUMNS", "200")
    (folder / "table.csv").write_text(TABLE)
    assert assay("frontier", "simulate", "bias", *SMALL).out.startswith("SIMULATED")
    shown = assay("frontier", "simulate", "entropy", *WORLDS, "table.csv").out
    assert shown.startswith("SIMULATED")
    assert "RECORDED: table.csv" in shown
    assert "rises by 50.00 points" in shown


def test_bad_values_are_refused_by_one_message(assay: Assay) -> None:
    """Every wrong value is named, and the status is 2."""
    ended = assay("frontier", "simulate", "bias", "--models", "two")
    assert ended.status == 2
    assert "'two'" in ended.err
    ended = assay("frontier", "simulate", "bias", "--models", "1", "--rate", "2", "--generations", "0")
    assert ended.status == 2
    assert len(ended.err.strip().splitlines()) == 3
    assert assay("frontier", "simulate", "entropy", "--topics", "0").status == 2


def test_a_source_without_categories(assay: Assay, folder: Path) -> None:
    """It is refused with what to do."""
    (folder / "plain.csv").write_text("prompt,model,quality\nq,x,1\nq,y,0\n")
    ended = assay("frontier", "simulate", "entropy", *WORLDS, "plain.csv")
    assert ended.status == 2
    assert "no categories" in ended.err


@pytest.mark.slow
def test_charts(assay: Assay, folder: Path) -> None:
    """Pages, drawings and pictures of each; titles say what is simulated."""
    (folder / "table.csv").write_text(TABLE)
    assay("frontier", "simulate", "bias", *SMALL, "--correlation", "0", "--out", "charts")
    assay("frontier", "simulate", "entropy", *WORLDS, "table.csv", "--out", "charts")
    names = {"oracle-2-models", "oracle-close-up", "bias-decay", "uplift-simulated", "uplift-recorded"}
    found = sorted(path.name for path in (folder / "charts").iterdir())
    assert found == sorted(f"{name}{suffix}" for name in names for suffix in (".html", ".svg", ".png"))
    for name in names - {"uplift-recorded"}:
        assert "imulated" in (folder / "charts" / f"{name}.svg").read_text()
