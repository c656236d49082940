"""`assay bank draw`: what an exam of a seed would hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from bank_rows import fill
from command_line import Assay
from fresh_database import fresh_sqlite
from schemas import valid

from assay.questions.draw import REPORTED


def test_a_draw_is_listed_without_keys_and_repeats(folder: Path, assay: Assay) -> None:
    """The document fits its schema, holds n/10 of each subject, and the same seed gives it again."""
    fill(fresh_sqlite(folder / "assay.db"), dict.fromkeys(REPORTED, 4))
    first = assay("bank", "draw", "--n", "20", "--seed", "7", "--json")
    document = valid("bank-draw", first)
    assert document["allocation"] == [{"discipline": name, "questions": 2} for name in REPORTED]
    assert len({each["uuid"] for each in document["questions"]}) == 20
    assert "sealed" not in first.out
    assert assay("bank", "draw", "--n", "20", "--seed", "7", "--json").out == first.out
    assert assay("bank", "draw", "--n", "20", "--seed", "7").out.count("\n") > 12


@pytest.mark.usefixtures("no_database")
def test_an_impossible_draw_ends_with_a_message(folder: Path, assay: Assay) -> None:
    """Too few, an uneven n, no database: status 2 and one message."""
    assert "no database" in assay("bank", "draw", "--n", "20", "--seed", "7").err
    fill(fresh_sqlite(folder / "assay.db"), {"law": 4})
    short = assay("bank", "draw", "--n", "20", "--seed", "7")
    assert (short.status, "engineering has 0 of 2" in short.err) == (2, True)
    uneven = assay("bank", "draw", "--n", "21", "--seed", "7")
    assert (uneven.status, "n is 21" in uneven.err) == (2, True)
    assert assay("bank", "draw", "--allocation", "law=3", "--seed", "7").status == 0
