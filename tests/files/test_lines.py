"""Lines are read from plain and packed files alike; a file that was cut short is never taken for whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard

from assay.core.errors import InvalidInput, NotFound
from assay.files.lines import read_lines

TEXT = 'first\n\n{"x": "\u2028 \u00e4"}\r\n  \nlast, without an end'.encode()
LINES = [
    (1, b"first"),
    (2, b""),
    (3, '{"x": "\u2028 \u00e4"}'.encode()),
    (4, b"  "),
    (5, b"last, without an end"),
]


@pytest.mark.parametrize(("suffix", "pack"), [(".jsonl", bytes), (".jsonl.gz", gzip.compress)])
def test_lines_come_with_their_numbers(suffix: str, pack: type[bytes], tmp_path: Path) -> None:
    """They end at a newline alone, never at the other characters that Python counts as line ends."""
    path = tmp_path / f"file{suffix}"
    path.write_bytes(pack(TEXT))
    assert list(read_lines(path)) == LINES


def test_zst_is_unpacked_without_the_zstandard_module(tmp_path: Path) -> None:
    """The same lines; blank ones keep their numbers."""
    path = tmp_path / "file.jsonl.zst"
    path.write_bytes(zstandard.compress(TEXT.replace(b"\r", b"")))
    assert list(read_lines(path)) == LINES


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999])
def test_a_zst_file_that_was_cut_short_is_refused(share: float, tmp_path: Path) -> None:
    """However much of it is there."""
    packed = zstandard.compress(b"".join(b'{"number": %d}\n' % number for number in range(100_000)))
    path = tmp_path / "file.jsonl.zst"
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(InvalidInput, match=r"file\.jsonl\.zst"):
        list(read_lines(path))


@pytest.mark.parametrize("size", [0, 5, 255, 256, 300, 65_791, 65_792, 200_000])
def test_a_whole_zst_file_is_never_refused(size: int, tmp_path: Path) -> None:
    """Whatever width its header states its size in."""
    path = tmp_path / "file.jsonl.zst"
    path.write_bytes(zstandard.compress(b"x" * size))
    assert sum(len(line) for _, line in read_lines(path)) == size


@pytest.mark.parametrize("text", [b"a\nbb\n", b"a\r\nbb\r\n", b"a\r\nbb", b"\xef\xbb\xbfa\nbb\n"])
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.zst"])
def test_line_ends_and_a_byte_order_mark_do_not_count(text: bytes, suffix: str, tmp_path: Path) -> None:
    """One byte or two, at the end or not."""
    path = tmp_path / f"file.{suffix}"
    path.write_bytes(zstandard.compress(text) if suffix.endswith("zst") else text)
    assert [line for _, line in read_lines(path)] == [b"a", b"bb"]


def test_a_zst_file_that_states_no_size_is_read(tmp_path: Path) -> None:
    """As when it was packed from a stream."""
    packer = zstandard.ZstdCompressor(write_content_size=False)
    path = tmp_path / "file.jsonl.zst"
    path.write_bytes(packer.compress(b"one\ntwo\n"))
    assert [line for _, line in read_lines(path)] == [b"one", b"two"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    """None there, no gzip, gzip cut short, no zstd."""
    with pytest.raises(NotFound):
        list(read_lines(tmp_path / "none.jsonl"))
    for name, content in (
        ("a.gz", b"plain"),
        ("b.gz", gzip.compress(TEXT * 99)[:-9]),
        ("c.zst", b"plain text, not packed"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidInput, match=name):
            list(read_lines(tmp_path / name))
