"""`.env` fills in the environment, and never replaces it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.files.dotenv import parse_dotenv, with_dotenv


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A=1", "1"),
        ("  export A = 1  ", "1"),
        ("A=a b # note", "a b"),
        ("A=a#b", "a#b"),
        ("A=", ""),
        ("A= # note", ""),
        ("A='a # \\n'", "a # \\n"),
        ('A="a\\n\\"b\\" #" # note', 'a\n"b" #'),
        ("A=$HOME", "$HOME"),
        ("A=x=y", "x=y"),
    ],
)
def test_values(line: str, expected: str) -> None:
    """Quotes, comments and `export` are understood; nothing is expanded."""
    assert parse_dotenv(line + "\r\n", ".env") == {"A": expected}


def test_lines_that_cannot_be_read() -> None:
    """Every bad line is told by number, and none is shown."""
    with pytest.raises(InvalidInput) as caught:
        parse_dotenv("A=1\nhush-hush\n\n# ok\nB='hush\n1C=hush\n", ".env")
    assert ([problem.line for problem in caught.value.problems], "hush" in str(caught.value)) == (
        [2, 5, 6],
        False,
    )


def test_the_environment_wins(tmp_path: Path) -> None:
    """A variable that is set keeps its value, also an empty one."""
    (tmp_path / ".env").write_text("A=file\nB=file\nC=file\n")
    assert with_dotenv(tmp_path, {"A": "real", "B": ""}) == {"A": "real", "B": "", "C": "file"}


def test_no_file(tmp_path: Path) -> None:
    """Without a file the environment is returned as it is."""
    assert with_dotenv(tmp_path, {"A": "1"}) == {"A": "1"}
