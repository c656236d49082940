"""`assay judge agreement --reference`: pairwise verdicts in both orders against those of a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

ROWS = (
    "1,gold,AB,A\n2,gold,AB,B\n3,gold,BA,tie\n1,j,AB,first\n1,j,BA,second\n2,j,AB,first\n2,j,BA,first\n"
    "3,j,AB,tie\n4,j,AB,first\n4,j,BA,first\n"
)


def written(folder: Path, rows: str = ROWS, head: str = "item,judge,order,verdict\n") -> str:
    """Write a table of verdicts and return its name."""
    (folder / "verdicts.csv").write_text(head + rows)
    return "verdicts.csv"


def test_verdicts_are_counted_against_the_reference(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pair 1 is right in both orders, pair 2 only swapped, pair 3 in one order; pair 4 has no reference."""
    monkeypatch.setenv("COLUMNS", "200")
    document = valid(
        "judge-agreement", assay("judge", "agreement", written(folder), "--reference", "gold", "--json")
    )
    judges = {judge["judge"]: judge["accuracy"] for judge in document["judges"]}
    assert judges["gold"] is None
    own = judges["j"]
    assert [own[name] for name in ("n", "right", "swapped", "both", "equal")] == [3, 2, 2, 1, 1]
    assert "share of both" in assay("judge", "agreement", "verdicts.csv", "--reference", "gold").out


def test_a_reference_that_cannot_be_used_is_named(assay: Assay, folder: Path) -> None:
    """An unknown one, and one of marks that are not pairwise."""
    ended = assay("judge", "agreement", written(folder), "--reference", "nobody")
    assert (ended.status, "reference 'nobody' gave no verdicts: give one of gold, j" in ended.err) == (
        2,
        True,
    )
    written(folder, "1,gold,1\n1,j,2\n", "item,judge,mark\n")
    ended = assay("judge", "agreement", "verdicts.csv", "--reference", "gold")
    assert (ended.status, "--reference is for pairwise verdicts" in ended.err) == (2, True)
    ended = assay("judge", "agreement", "1", "--reference", "gold")
    assert (ended.status, "leave it out for runs" in ended.err) == (2, True)
