"""Manifests of sessions, and exclusions."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from exam_rows import (
    NONCE,
    NOW,
    SEALER,
    Answered,
    add_draw,
    add_marks,
    add_organisation,
    add_session,
    fill_bank,
)
from sqlalchemy import Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import EXAM_JUDGE
from assay.exam.manifest import as_csv, figure_8, manifest, write_lines
from assay.exam.tally import exclude_positions, exclude_question
from assay.results.exam_marking import ManifestRow

JUDGE = EXAM_JUDGE


@pytest.fixture
def session(engine: Engine) -> str:
    """A session of four: a mark that replaced another, an excluded one, a late one, an absent one."""
    draw = add_draw(engine, fill_bank(engine, {"law": 4}))
    given = [Answered(completion_tokens=31), Answered("=SUM(A1)"), Answered("True.", status="late")]
    found = add_session(engine, add_organisation(engine), draw, given, n=4)
    add_marks(engine, found, {1: 1, 2: 2})
    add_marks(engine, found, {1: 3})
    exclude_positions(engine, found, [2], reason="the key is wrong", by="tester", now=NOW)
    return found


def test_a_manifest_lists_answers_marks_and_exclusions(engine: Engine, session: str) -> None:
    """Each row has its stars; a 0 by rule names the rule."""
    rows = [(row.position, row.row, row.stars, row.why) for row in manifest(engine, session)]
    assert rows == [
        (1, "answer", None, None),
        (1, "mark", 3, None),
        (1, "replaced mark", 1, None),
        (2, "answer", None, None),
        (2, "mark", 2, None),
        (2, "exclusion", None, None),
        (3, "answer", 0, "late"),
        (4, "answer", 0, "unanswered"),
    ]


def test_a_manifest_contains_no_key_and_no_rationale(engine: Engine, session: str) -> None:
    """It contains no text of judges or answers; only the bank's key adds rationales."""
    text = as_csv(ManifestRow, manifest(engine, session))
    assert NONCE not in text
    assert "rationale 1" not in text
    assert "because it follows" not in text
    assert manifest(engine, session, sealer=SEALER)[1].rationale == "rationale 1"


def test_the_csv_has_a_row_for_each_with_the_same_columns(engine: Engine, session: str) -> None:
    """An exclusion's reason and author can be read back."""
    rows = list(csv.DictReader(io.StringIO(as_csv(ManifestRow, manifest(engine, session)))))
    assert [(row["reason"], row["by"]) for row in rows if row["row"] == "exclusion"] == [
        ("the key is wrong", "tester")
    ]


def test_figure_8_has_the_fields_of_the_paper(engine: Engine, session: str) -> None:
    """Each answered question has messages, response and judgement."""
    first = next(figure_8(engine, session, JUDGE, SEALER))
    assert list(first) == [
        "category", "sub_category", "question_uuid", "dialog", "hint", "response", "judgement"
    ]  # fmt: skip
    assert first["dialog"][0]["role"] == "user"
    assert "Statement 0 of law holds." in first["dialog"][0]["content"]
    assert first["judgement"] == {"judge": "reply 1", "stars": 3, "reason": "rationale 1", "by": JUDGE}


def test_figure_8_of_a_judge_without_marks_is_refused(engine: Engine, session: str) -> None:
    """The refusal names the judges that have marked the session."""
    with pytest.raises(InvalidInput, match=rf"no marks of 'nobody/none'.*give --judge, one of .*{JUDGE}"):
        list(figure_8(engine, session, "nobody/none", SEALER))


def test_a_written_file_is_private(tmp_path: Path) -> None:
    """It has mode 0600, and an existing file is not overwritten."""
    path = tmp_path / "manifest.jsonl"
    write_lines(path, [{"row": "answer"}])
    assert json.loads(path.read_text()) == {"row": "answer"}
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InvalidInput, match="exists"):
        write_lines(path, [])


def test_a_question_is_excluded_wherever_it_was_served(engine: Engine, session: str) -> None:
    """The exclusion is new once."""
    uuid = manifest(engine, session)[0].question
    made = exclude_question(engine, uuid, reason="ambiguous", by="tester", now=NOW)
    assert [(one.session, one.position) for one in made] == [(session, 1)]
    assert exclude_question(engine, uuid, reason="ambiguous", by="tester", now=NOW) == []


def test_exclusions_need_a_reason_and_a_served_question(engine: Engine, session: str) -> None:
    """A missing reason, unknown session or question, and an unserved position are refused."""
    with pytest.raises(InvalidInput, match="--reason ' '"):
        exclude_positions(engine, session, [1], reason=" ", by="tester", now=NOW)
    with pytest.raises(Conflict, match="position 4"):
        exclude_positions(engine, session, [1, 4], reason="wrong", by="tester", now=NOW)
    with pytest.raises(NotFound, match="'nowhere'"):
        exclude_positions(engine, "nowhere", [1], reason="wrong", by="tester", now=NOW)
    with pytest.raises(NotFound, match="'none'"):
        exclude_question(engine, "none", reason="wrong", by="tester", now=NOW)
    assert [row.position for row in manifest(engine, session) if row.row == "exclusion"] == [2]
