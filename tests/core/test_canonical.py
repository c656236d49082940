"""Canonical bytes and digests."""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.canonical import canonical, digest

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_keys_are_sorted_and_nothing_is_wasted() -> None:
    """A hand-written example, byte by byte."""
    assert canonical({"b": [1, 2.0, "é"], "a": None}) == '{"a":null,"b":[1,2,"é"]}'.encode()


def test_a_digest_is_the_sha_256_of_the_bytes() -> None:
    """So that anybody can check it without this library."""
    assert digest({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()


def test_equal_content_is_equal_bytes() -> None:
    """Order of keys, kind of sequence, 1 or 1.0, and the Unicode form make no difference."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert canonical({"x": 1, "y": (2,), composed: decomposed}) == canonical(
        {decomposed: composed, "y": [2.0], "x": 1.0}
    )


def test_what_differs_stays_different() -> None:
    """Text is no number, True is not 1, and order in a list counts."""
    values = [1, "1", True, 1.5, [1], [1, 2], [2, 1], {"1": 1}, None, "null", "é", "e"]
    assert len({canonical(value) for value in values}) == len(values)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [math.nan]])
def test_what_is_no_number_is_refused(value: object) -> None:
    """NaN and infinities have no JSON."""
    with pytest.raises(ValueError):
        canonical(value)


@pytest.mark.parametrize("value", [b"x", {1, 2}, object(), {"a": {1}}])
def test_what_is_not_plain_is_refused_by_name(value: object) -> None:
    """The message names the type."""
    with pytest.raises(TypeError, match="has no canonical form"):
        canonical(value)


@given(PLAIN)
def test_reading_and_writing_again_changes_nothing(value: object) -> None:
    """Canonical bytes are their own canonical form."""
    import json

    try:
        once = canonical(value)
    except UnicodeEncodeError:
        return
    assert canonical(json.loads(once)) == once


def test_another_process_finds_the_same_digest() -> None:
    """Hash seeds and the order of sets have no say."""
    code = "from assay.core.canonical import digest; print(digest({'b': {'x': [1, 'é']}, 'a': 2.5}))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {digest({"a": 2.5, "b": {"x": [1, "é"]}})}
