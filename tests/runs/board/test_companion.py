"""A suite of the other kind beside a board: whose lines, which version, and never a blend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite
from keyed_suite import keyed_suite
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.runs.board.stored import BoardRequest, StoredBoard, StoredKeyedBoard, read_board


def answer(body: dict[str, Any]) -> str:
    """Answer every question with its key, except model `b`, which says A."""
    key = body["messages"][-1]["content"].split()[-1]
    return f"ANSWER: {'A' if body['model'] == 'b' else key}"


@pytest.fixture
def both(sqlite: Engine) -> Engine:
    """Models a and b on a judged suite `generalist`, b and c on the keyed suite `causal`."""
    suite = replace(judged_suite(), name="generalist")
    JudgedRun(sqlite, Court({"kind": always(5)}, answer), subjects=("a", "b"), suite=suite).execute()
    JudgedRun(sqlite, Court({}, answer), subjects=("b", "c"), suite=keyed_suite()).execute()
    return sqlite


def judged(engine: Engine, **options: Any) -> StoredBoard:
    """Read the judged board."""
    found = read_board(engine, BoardRequest("generalist", **options), replicates=50)
    assert isinstance(found, StoredBoard)
    return found


def keyed(engine: Engine, **options: Any) -> StoredKeyedBoard:
    """Read the keyed board."""
    found = read_board(engine, BoardRequest("causal", **options), replicates=50)
    assert isinstance(found, StoredKeyedBoard)
    return found


def test_causal_stands_beside_generalist(both: Engine) -> None:
    """For the model that both measured, with the version and the run; no number of the board changes."""
    beside = judged(both).beside
    assert beside is not None
    assert {model: line.valid.value for model, line in beside.lines.items()} == {"test/b": 0.25}
    assert (beside.suite.version, beside.runs, beside.lines["test/b"].samples.n) == ("1", (2,), 20)
    assert judged(both).board.standings == judged(both, beside="none").board.standings


def test_generalist_stands_beside_causal(both: Engine) -> None:
    """The composite, with its counts."""
    beside = keyed(both).beside
    assert beside is not None
    assert {model: line.score.composite for model, line in beside.lines.items()} == {"test/b": 1.0}
    assert beside.lines["test/b"].samples.n == 4


def test_nothing_beside(both: Engine) -> None:
    """Where it is not wanted, where no model is shared, and where the usual suite is not there."""
    assert judged(both, beside="none").beside is None
    assert judged(both, exclusions={"generalist": {"test/b": "why"}}).beside is None
    suite = replace(judged_suite(version="2"), name="other")
    JudgedRun(both, Court({"kind": always(5)}, answer), subjects=("z",), suite=suite).execute()
    assert read_board(both, BoardRequest("other"), replicates=50).beside is None


def test_a_model_excluded_there_is_told(both: Engine) -> None:
    """With the reason, and without a figure."""
    JudgedRun(both, Court({}, answer), subjects=("a",), suite=keyed_suite()).execute()
    beside = judged(both, exclusions={"causal": {"test/b": "retired API"}}).beside
    assert beside is not None
    assert (set(beside.lines), dict(beside.excluded)) == ({"test/a"}, {"test/b": "retired API"})


def test_a_named_suite_must_be_there_and_of_the_other_kind(both: Engine) -> None:
    """Otherwise one clear message."""
    with pytest.raises(NotFound, match="nowhere"):
        judged(both, beside="nowhere")
    with pytest.raises(InvalidInput, match="'generalist' is of the same kind as the board"):
        judged(both, beside="generalist")
    named = keyed(both, beside="generalist").beside
    assert named is not None
    assert named.suite.name == "generalist"
