"""A private suite is sealed into one file that only its key opens."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay.core.errors import Denied, InvalidInput, NotFound
from assay.files.sealing import new_key
from assay.files.suite_folder import load_suite
from assay.files.suite_seal import (
    KEY_ENV,
    environment_key,
    open_suite,
    seal,
    unseal,
    unseal_into,
)

PRIVATE = ("suite.yaml", "visibility: public", "visibility: private")


@pytest.fixture
def key() -> bytes:
    """A fresh key."""
    return environment_key({KEY_ENV: new_key()})


@pytest.fixture
def sealed(tmp_path: Path, write_suite, graders, key: bytes) -> Path:
    """The small suite, private and sealed."""
    path = tmp_path / "small.sealed"
    seal(write_suite(PRIVATE), path, key=key, graders=graders)
    return path


def test_the_header_is_clear(sealed: Path, write_suite, graders) -> None:
    """Name, version and digest are reported without the key."""
    suite = load_suite(write_suite(PRIVATE), graders=graders)
    header = json.loads(sealed.read_text().splitlines()[1])
    assert (header["name"], header["version"], header["digest"]) == (suite.name, suite.version, suite.digest)


def test_the_content_is_not_clear(sealed: Path, key: bytes) -> None:
    """Neither a prompt nor the key stands in the file, encoded or not."""
    content = sealed.read_bytes()
    assert not any(text in content for text in (b"2 + 2", b"cases", key, base64.b64encode(b"What is")[:8]))


def test_a_sealed_suite_loads_as_its_folder_does(sealed: Path, write_suite, graders, key: bytes) -> None:
    """Opened with the key from the environment, the suite equals the one in the folder."""
    environment = {KEY_ENV: base64.urlsafe_b64encode(key).decode()}
    opened = open_suite(sealed, graders=graders, environment=environment)
    assert opened == replace(load_suite(write_suite(PRIVATE), graders=graders), sealed=True)


def test_unsealing_gives_the_files_back(sealed: Path, tmp_path: Path, write_suite, key: bytes) -> None:
    """The unsealed folder holds the same files, readable by the owner only."""
    unseal_into(sealed, tmp_path / "again", key=key)
    original = write_suite(PRIVATE)
    names = ["suite.yaml", "maths.yaml", "letters.yaml"]
    files = [tmp_path / "again" / name for name in names]
    assert [(file.read_text(), file.stat().st_mode & 0o777) for file in files] == [
        ((original / name).read_text(), 0o600) for name in names
    ]


def test_unsealing_overwrites_nothing(sealed: Path, tmp_path: Path, key: bytes) -> None:
    """A folder with content is refused."""
    with pytest.raises(InvalidInput, match="not empty"):
        unseal_into(sealed, tmp_path, key=key)


def test_another_key_is_refused(sealed: Path) -> None:
    """Another key is told apart from an altered file."""
    with pytest.raises(Denied, match="another key"):
        unseal(sealed, key=environment_key({KEY_ENV: new_key()}))


def test_an_altered_header_is_refused(sealed: Path, key: bytes) -> None:
    """The clear header is authenticated too."""
    sealed.write_bytes(sealed.read_bytes().replace(b'"1.0.0"', b'"9.0.0"'))
    with pytest.raises(Denied, match="altered"):
        unseal(sealed, key=key)


def test_an_altered_body_is_refused(sealed: Path, key: bytes) -> None:
    """A flipped bit anywhere in the content is noticed."""
    lines = sealed.read_bytes().split(b"\n")
    body = bytearray(base64.b64decode(b"".join(lines[2:])))
    body[40] ^= 1
    sealed.write_bytes(b"\n".join([*lines[:2], base64.encodebytes(bytes(body))]))
    with pytest.raises(Denied, match="altered"):
        unseal(sealed, key=key)


@pytest.mark.parametrize(
    "content", [b"", b"hello\nworld\n!", b"assay sealed suite 1\n{}\nAAAA", b"\xff\xfe\n\n"]
)
def test_what_is_no_sealed_suite(content: bytes, tmp_path: Path, key: bytes) -> None:
    """Other files are refused with a reason, not a traceback."""
    path = tmp_path / "x.sealed"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="not a sealed suite"):
        unseal(path, key=key)


def test_a_missing_sealed_file(tmp_path: Path, key: bytes) -> None:
    """A file that is not there is not found."""
    with pytest.raises(NotFound, match="no sealed suite"):
        unseal(tmp_path / "gone.sealed", key=key)


@pytest.mark.parametrize("text", ["", "short", "!!!", "c2hvcnQ="])
def test_a_bad_key_names_the_variable_and_hides_the_value(text: str) -> None:
    """A missing or malformed key names the variable to set."""
    with pytest.raises(Denied) as caught:
        environment_key({KEY_ENV: text})
    assert KEY_ENV in str(caught.value) and (not text or text not in str(caught.value))


def test_a_public_suite_is_not_sealed(tmp_path: Path, write_suite, graders, key: bytes) -> None:
    """Sealing what is published is refused with what to write."""
    with pytest.raises(InvalidInput, match="visibility: private"):
        seal(write_suite(), tmp_path / "x.sealed", key=key, graders=graders)
