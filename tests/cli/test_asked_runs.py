"""Runs that asked models outside a suite: they are listed and shown, and refused if samples are needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from fresh_database import fresh_sqlite
from schemas import valid

from assay.calls.asking import ASKED, AskingContext, begin_asking
from assay.core.model import Model


@pytest.mark.parametrize("kind", sorted(ASKED))
def test_such_a_run_is_listed_and_shown_and_nothing_else(folder: Path, assay: Assay, kind: str) -> None:
    """Its documents fit their schemas; grading and comparing say what it is."""
    place = AskingContext(fresh_sqlite(folder / "assay.db"), {}, {})
    begin_asking(place, kind, [Model("simulated", "steady")], {"url": "http://127.0.0.1", "session": "S"})
    assert [each["kind"] for each in valid("runs", assay("runs", "--kind", kind, "--json"))["runs"]] == [kind]
    assert valid("show-run", assay("show", "1", "--json"))["plan"] is None
    assert assay("show", "1").status == 0
    for deed in (("grade", "1"), ("compare", "1", "1")):
        ended = assay(*deed)
        assert (ended.status, ended.err.count("\n")) == (2, 1), ended.err
