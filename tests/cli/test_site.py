"""`assay site`: the export's figures, a second export, and bad input."""

from __future__ import annotations

from pathlib import Path

from command_line import Assay
from schemas import valid
from watched_database import watched_work


def test_the_export_is_counted_and_its_address_printed(assay: Assay, folder: Path) -> None:
    """A second export writes nothing."""
    watched_work(folder, days=6)
    document = valid("site", assay("site", "public", "--json"))
    assert document["written"] == document["files"]
    again = assay("site", "public")
    assert f"{document['files']} files: 0 written, {document['files']} unchanged, 0 removed" in again.out
    assert (folder / "public" / "index.html").as_uri() in again.out


def test_a_folder_with_other_files_is_bad_input(assay: Assay, folder: Path) -> None:
    """One message, exit status 2, nothing lost."""
    watched_work(folder, days=6)
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("mine")
    ended = assay("site", "mine")
    assert (ended.status, ended.out) == (2, "")
    assert "it has other files, give a new or empty folder" in ended.err
    assert [path.name for path in (folder / "mine").iterdir()] == ["notes.txt"]
