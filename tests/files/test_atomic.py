"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.files.atomic import write_whole


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    """Rewriting does not loosen or tighten permissions."""
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_failed_write_leaves_the_old_content_and_no_litter(tmp_path: Path) -> None:
    """What cannot be written changes nothing."""
    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(TypeError):
        write_whole(path, "text, not bytes")  # type: ignore[arg-type]
    assert (path.read_text(), [entry.name for entry in tmp_path.iterdir()]) == ("old", ["f"])
