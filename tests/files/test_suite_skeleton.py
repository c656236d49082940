"""A new suite's skeleton is a suite that loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import Conflict, InvalidInput
from assay.files.suite_lint import check_suite
from assay.files.suite_skeleton import new_suite


def test_the_skeleton_loads(tmp_path: Path, graders) -> None:
    """What is written has no problems, and only its size is warned of."""
    graders.versions["number"] = "1"
    new_suite(tmp_path / "mine", name="mine")
    found = check_suite(tmp_path / "mine", graders=graders)
    assert (found.problems, [str(warning).split(":")[0] for warning in found.warnings]) == (
        (),
        ["1 use case, but the verdict COOKED needs 2", "arithmetic"],
    )


def test_private(tmp_path: Path, graders) -> None:
    """A private skeleton says so."""
    graders.versions["number"] = "1"
    new_suite(tmp_path / "mine", name="mine", private=True)
    suite = check_suite(tmp_path / "mine", graders=graders).suite
    assert suite is not None and suite.visibility == "private"


def test_each_skeleton_has_its_own_canary(tmp_path: Path) -> None:
    """Canaries are random."""
    texts = [new_suite(tmp_path / name, name="x")[0].read_text() for name in ("a", "b")]
    assert texts[0] != texts[1]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with content is refused."""
    (tmp_path / "x").write_text("")
    with pytest.raises(Conflict, match="not empty"):
        new_suite(tmp_path, name="x")


def test_a_bad_name(tmp_path: Path) -> None:
    """A name that could not be typed as a suite is refused before anything is written."""
    with pytest.raises(InvalidInput, match="lower-case"):
        new_suite(tmp_path / "x", name="My Suite")
    assert not (tmp_path / "x").exists()
