"""Output is kept head and tail within its bound, and a traceback says how a program ended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import CodeStatus
from assay.sandbox.limits import Output, ended, last_lines


def filled(limit: int, *chunks: bytes) -> str:
    output = Output(limit)
    for chunk in chunks:
        output.add(chunk)
    return output.text()


def test_short_output_is_kept_whole() -> None:
    """Output within the limit comes back as it was written."""
    assert filled(10, b"hello", b"world") == "helloworld"


def test_long_output_loses_its_middle() -> None:
    """Of longer output the head and the tail stay, and the cut says how much is gone."""
    assert filled(4, b"ab", b"cdef", b"gh") == "ab\n[... 4 bytes cut ...]\ngh"


@given(st.lists(st.binary(max_size=50)), st.integers(2, 60))
def test_nothing_is_lost_unnoticed(chunks: list[bytes], limit: int) -> None:
    """However output is split, head and tail are right and the count of cut bytes adds up."""
    whole = b"".join(byte.replace(b"[", b"(") for byte in chunks)
    text = filled(limit, *[byte.replace(b"[", b"(") for byte in chunks])
    if len(whole) <= limit:
        assert text == whole.decode("utf-8", "replace")
        return
    head, tail = limit - limit // 2, limit // 2
    cut = f"\n[... {len(whole) - limit} bytes cut ...]\n"
    ends = (whole[:head].decode("utf-8", "replace"), whole[len(whole) - tail :].decode("utf-8", "replace"))
    assert text == cut.join(ends)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("", CodeStatus.PASSED),
        ("Traceback ...\nMemoryError", CodeStatus.MEMORY),
        ("MemoryError was mentioned\nValueError: x", CodeStatus.FAILED),
    ],
)
def test_the_last_line_decides(error: str, status: CodeStatus) -> None:
    """No error is a pass, a last line of MemoryError is memory, anything else a failure."""
    assert ended(error) is status


def test_errors_are_cut_to_their_end() -> None:
    """Only the last lines of a long traceback are kept."""
    lines = last_lines("\n".join(map(str, range(100)))).splitlines()
    assert (len(lines), lines[-1]) == (12, "99")
