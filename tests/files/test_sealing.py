"""Sealing with the bank's key: what opens, what does not, and where the key comes from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import Conflict, Denied
from assay.files.sealing import FILE_ENV, KEY_ENV, KeySealer, bank_sealer, new_key, write_bank_key

SEALER = KeySealer(b"k" * 32)


@given(text=st.text(), about=st.text(st.characters(exclude_categories=["Cs"])))
def test_what_was_sealed_opens_again(text: str, about: str) -> None:
    """Whatever the text, half surrogates included."""
    assert SEALER.open(SEALER.seal(text, about), about) == text


def test_the_same_text_never_looks_the_same() -> None:
    """Equal keys of two questions cannot be told from their sealed texts."""
    assert SEALER.seal("C", "a question") != SEALER.seal("C", "a question")


def test_a_sealed_text_opens_only_where_it_belongs() -> None:
    """A thief cannot put one question's key in another's row to have it marked."""
    with pytest.raises(Denied, match="belongs to another"):
        SEALER.open(SEALER.seal("C", "question 1"), "question 2")


@pytest.mark.parametrize("place", [17, 20, -1])
def test_an_altered_text_does_not_open(place: int) -> None:
    """A single bit anywhere."""
    sealed = bytearray(SEALER.seal("the answer", "a question"))
    sealed[place] ^= 1
    with pytest.raises(Denied) as told:
        SEALER.open(bytes(sealed), "a question")
    assert "the answer" not in str(told.value)


def test_another_key_is_told_by_name() -> None:
    """Both names, neither key."""
    other = KeySealer(b"o" * 32)
    with pytest.raises(Denied, match=f"{SEALER.name}.*{other.name}"):
        other.open(SEALER.seal("C", "q"), "q")


@pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x02" * 60])
def test_what_is_no_sealed_text_is_told(sealed: bytes) -> None:
    """Empty, cut short, of another version."""
    with pytest.raises(Denied, match="invalid sealed text"):
        SEALER.open(sealed, "q")


def test_the_key_comes_from_a_variable_or_a_file(tmp_path: Path) -> None:
    """The variable goes before the file; both give the same sealer for the same key."""
    path = tmp_path / "bank.key"
    write_bank_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    by_file = bank_sealer({FILE_ENV: str(path)})
    assert bank_sealer({KEY_ENV: path.read_text().strip()}).name == by_file.name
    assert bank_sealer({KEY_ENV: new_key(), FILE_ENV: str(path)}).name != by_file.name


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    """A key that was used must be kept."""
    write_bank_key(tmp_path / "bank.key")
    with pytest.raises(Conflict, match="exists"):
        write_bank_key(tmp_path / "bank.key")


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """With what to do about it."""
    path = tmp_path / "bank.key"
    write_bank_key(path)
    path.chmod(0o644)
    with pytest.raises(Denied, match="chmod 600"):
        bank_sealer({FILE_ENV: str(path)})


@pytest.mark.parametrize(
    "environment",
    [{}, {KEY_ENV: "c2hvcnQ="}, {KEY_ENV: "???"}, {FILE_ENV: "nowhere.key"}],
    ids=["none", "short", "no base64", "no file"],
)
def test_no_key_is_told_with_what_to_do(environment: dict[str, str]) -> None:
    """And never shows what was given in its place."""
    with pytest.raises(Denied, match="new-key") as told:
        bank_sealer(environment)
    assert "c2hvcnQ=" not in str(told.value)
